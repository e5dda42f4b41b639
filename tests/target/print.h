#pragma once
#include <cstdint>

namespace tactus::target {

/// Prints on standard error, on the board through semihosting. Each platform has its own.
void Print(const char* text);

/// name=0123456789abcdef and a line feed.
inline void PrintHash(const char* name, std::uint64_t value) {
  char text[18] = {};
  for (int i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[(value >> (60 - 4 * i)) & 15u];
  text[16] = '\n';
  Print(name);
  Print("=");
  Print(text);
}

}  // namespace tactus::target
