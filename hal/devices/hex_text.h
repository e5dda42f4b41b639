#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::hal::hex_text {

inline constexpr int kNoDigit = -1;

constexpr int DigitOf(std::uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return kNoDigit;
}

constexpr std::uint8_t Text(unsigned digit) {
  return static_cast<std::uint8_t>(digit < 10 ? '0' + digit : 'A' + digit - 10);
}

/// A number of `digits` hexadecimal digits, 7 at most. @returns kNoDigit: one of them is none
constexpr int NumberAt(std::span<const std::uint8_t> text, std::size_t at, std::size_t digits) {
  int number = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    const int digit = i < text.size() ? DigitOf(text[i]) : kNoDigit;
    if (digit == kNoDigit) return kNoDigit;
    number = 16 * number + digit;
  }
  return number;
}

}  // namespace tactus::hal::hex_text
