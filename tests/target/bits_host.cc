#include <cstdio>
#include <cstdlib>

#include "tactus/core/check.h"
#include "tests/target/print.h"
#include "tests/target/print_bits.h"

namespace tactus {

void CheckFailed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, condition);
  std::abort();
}

namespace target {
void Print(const char* text) { std::fputs(text, stderr); }
}  // namespace target
}  // namespace tactus

int main() { tactus::target::PrintBits(); }
