#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hal/api/byte_link.h"

namespace tactus::hal {

/// What comes on a link, cut into lines of text of less than kRoom bytes.
template <std::size_t kRoom>
class TextLines {
 public:
  /// Reads what has come, at most 1 kB: a device that never stops does not hold the loop.
  /// @param is_end   of a byte: whether it ends a line
  /// @param take     gets each line that has ended, without its end, and the end; a line that is too long has its first
  /// kRoom
  ///                 bytes
  /// @param surplus  called for each byte for which its line has no room
  /// @returns whether the link is open
  template <class IsEnd, class Take, class Surplus>
  bool Read(ByteLink& link, const IsEnd& is_end, const Take& take, const Surplus& surplus) {
    bool open = true;
    for (int i = 0; i < kReads; ++i) {
      std::array<std::uint8_t, 64> room;
      std::size_t count = 0;
      open = link.Read(room, &count) != Status::kClosed;
      if (count == 0) break;
      for (const std::uint8_t byte : std::span(room).first(count)) {
        if (is_end(byte)) {
          take(std::span<const std::uint8_t>(line_).first(size_), byte);
          size_ = 0;
        } else if (size_ < kRoom) {
          line_[size_++] = byte;
        } else {
          surplus();
        }
      }
    }
    return open;
  }

  /// Forgets a line that has not ended.
  void Forget() { size_ = 0; }

 private:
  static constexpr int kReads = 16;

  std::array<std::uint8_t, kRoom> line_{};
  std::size_t size_ = 0;
};

}  // namespace tactus::hal
