#pragma once
#include <array>
#include <cstdint>

namespace tactus::host {

/// When the newest commands were sent: so that a state which tells the last command that the board has taken has an age,
/// however long it was under way.
///
/// A state that tells command n was made before the board took n + 1, and n + 1 is as old as it is. On a line with a round
/// trip between k and k + 1 periods that are k periods: none for a board that answers in the period of the command.
class CommandTimes {
 public:
  /// Two ticks of a loop may lie so much closer than a period.
  static constexpr std::uint32_t kJitter_us = 250;

  void Note(std::uint32_t sequence, std::uint32_t now_us) noexcept { sent_us_[sequence % kKept] = now_us; }

  /// @param[in] told    the board has taken this one, and no later
  /// @param[in] newest  that was sent. Both wrap.
  /// @returns how old a state is at least that says so [us]; 0: it knows the newest, or one that was never sent
  std::uint32_t Age_us(std::uint32_t told, std::uint32_t newest, std::uint32_t now_us) const noexcept {
    const std::uint32_t behind = newest - told;
    if (behind == 0 || behind > 0x8000'0000u) return 0;
    const std::uint32_t next = behind <= kKept ? told + 1 : newest - kKept + 1;  // the oldest that is kept is younger
    const std::uint32_t age_us = now_us - sent_us_[next % kKept];
    return age_us > kJitter_us ? age_us - kJitter_us : 0;
  }

 private:
  static constexpr std::uint32_t kKept = 256;  // a power of two: the places go on where the sequence wraps
  std::array<std::uint32_t, kKept> sent_us_{};
};

}  // namespace tactus::host
