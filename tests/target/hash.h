#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace tactus::target {

/// 64-bit FNV-1a over the bytes of numbers: equal hashes mean equal bits.
class Hash {
 public:
  void Add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) value_ = (value_ ^ byte) * 0x100000001b3u;
  }
  template <class T>
  void AddValue(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    std::uint8_t bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    Add(bytes);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// The same pseudo-random numbers everywhere (Knuth's MMIX generator).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// In [low, high).
  double Between(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (static_cast<double>(state_ >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tactus::target
