#include <cstdio>
#include <cstdlib>
#include <string_view>

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

// bits_host [float|double]: of one precision, or of both.
int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted != "double") tactus::target::PrintBits<float>();
  if (wanted != "float") tactus::target::PrintBits<double>();
}
