#pragma once
#include <array>
#include <cstdint>

namespace tactus::hal {

/// How often each button of a device was pressed.
struct ButtonCounts {
  static constexpr int kMost = 8;

  std::array<std::uint32_t, kMost> presses{};

  /// @param held  the buttons that are held now, from bit 0. Once a tick.
  void Note(std::uint8_t held) {
    for (unsigned i = 0; i < kMost; ++i) {
      presses[i] += (held & ~before_) >> i & 1u;
    }
    before_ = held;
  }
  bool any() const {
    for (const std::uint32_t count : presses) {
      if (count > 0) return true;
    }
    return false;
  }

 private:
  std::uint8_t before_ = 0;
};

}  // namespace tactus::hal
