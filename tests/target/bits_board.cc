#include "hal/api/last_words.h"
#include "hal/cortex_m/semihosting.h"
#include "tests/target/print.h"
#include "tests/target/print_bits.h"

// The board's side of the bit comparison; tests/bits/bits_host.cc is the other.

namespace tactus::target {

void Print(const char* text) { hal::cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

extern "C" void TickHandler() {}

constinit const std::span<const std::uint8_t> tactus::hal::kLastWords{};

int main() {
  tactus::target::PrintBits<TACTUS_BOARD_SCALAR>();
  tactus::hal::cortex_m::semihosting::Exit(0);
}
