#pragma once
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace tactus::wire {

using Bytes = std::vector<std::uint8_t>;

/// "01 ff 3C" -> the bytes. Anything that is not a hexadecimal digit separates nothing and is skipped.
inline Bytes FromHex(std::string_view text) {
  Bytes bytes;
  int digits = 0, value = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) continue;
    value = 16 * value + digit;
    if (++digits % 2 == 0) {
      bytes.push_back(static_cast<std::uint8_t>(value));
      value = 0;
    }
  }
  return bytes;
}

/// first, first + 1, ... `count` bytes.
inline Bytes Count(int first, std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(first));
  return bytes;
}

inline Bytes Join(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace tactus::wire
