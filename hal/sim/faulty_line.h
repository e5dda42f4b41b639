#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace tactus::hal {

/// What is wrong with the bytes of a line, in one direction.
struct LineFaults {
  bool cut = false;         ///< nothing passes
  int pieces = 1;           ///< bytes come in so many pieces, one a period
  bool merge = false;       ///< two periods' bytes come together
  bool drop_first = false;  ///< each call loses its first byte: all behind is shifted
  bool garbage = false;     ///< three bytes of noise in front
  bool repeat = false;      ///< each call's bytes come twice
  int flip_byte = -1;       ///< this byte of each call has its bits 0x55 turned
  int keep_bytes = -1;      ///< of each call only so many first bytes pass; -1: all
  std::uint32_t late_periods = 0;
};

/// A line that does that: bytes in, the bytes that come out in this period.
class FaultyLine {
 public:
  static constexpr std::size_t kCapacity_B = 4096;  ///< of what waits; what finds no room is lost
  LineFaults faults;

  /// Once in each period. @returns what comes out; valid until the next call.
  std::span<const std::uint8_t> Pass(std::span<const std::uint8_t> bytes) noexcept;

 private:
  struct Chunk {
    std::uint32_t due = 0;
    std::uint16_t size = 0;
    std::array<std::uint8_t, 512> bytes{};
  };
  void Queue(std::span<const std::uint8_t> bytes, std::uint32_t due) noexcept;

  std::array<Chunk, 64> waiting_{};  // a ring
  std::size_t first_ = 0, count_ = 0;
  std::uint32_t period_ = 0;
  std::array<std::uint8_t, kCapacity_B> out_{};
};

}  // namespace tactus::hal
