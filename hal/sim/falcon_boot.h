#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace tactus::hal {

/// What the loader of a Falcon does when it, or its line, is not well. Byte numbers count those of the program.
struct FalconBootFaults {
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

  int ignored_knocks = 0;           ///< so many, then it answers
  bool leading_zero = false;        ///< a 00 stands before its answer to a knock
  bool deaf_to_pace = false;        ///< does not find the rate of the load
  std::size_t stops_at = kNever;    ///< hears no more from this byte on
  std::size_t differs_at = kNever;  ///< this byte comes back with a bit turned
  std::size_t doubles_at = kNever;  ///< this byte comes back twice
  bool dead_program = false;        ///< all of it comes back, and then nothing runs
};

/// The loader of a Falcon without a program, emulated: the serial boot ROM of its processor.
///
/// States   cold: at 9600 Bd, behind a rise of DTR, answers 0A 43 0D by 0A 44 2C 0D;  pace: at about 143 kBd 'A' by 'A';
///          load: echoes each byte and follows the program's words to their end;  runs
/// Unknown  a rate of 0 and a DTR never told, as over a socket or a pseudo terminal, are not looked at. Bytes at another
/// rate are
///          no bytes. A rise of DTR, or 9600 Bd again while it does not run, begins anew: ours.
class FalconBoot {
 public:
  FalconBootFaults faults;

  void PowerUp() noexcept;
  void SetRate(std::uint32_t baud) noexcept;
  void SetDtr(bool high) noexcept;
  /// @returns how many of them were the loader's: the rest is for the program, which runs then.
  std::size_t Receive(std::span<const std::uint8_t> bytes) noexcept;
  /// What it has said since the last call; valid until the next call of anything.
  std::span<const std::uint8_t> Say() noexcept;

  bool runs() const { return state_ == State::kRuns; }
  std::size_t loaded_words() const { return words_; }
  int restarts() const { return restarts_; }

 private:
  enum class State : std::uint8_t { kCold, kPace, kLoad, kHung, kRuns };
  enum class Field : std::uint8_t { kKey, kUseless, kEntry, kCount, kAddress, kData };

  void Restart();
  void Take(std::uint8_t byte);
  void Knock(std::uint8_t byte);
  void Load(std::uint8_t byte);
  void TakeWord(unsigned word);
  void Tell(std::uint8_t byte);
  bool RateIs(std::uint32_t low, std::uint32_t high) const { return rate_ == 0 || (rate_ >= low && rate_ <= high); }

  State state_ = State::kCold;
  Field field_ = Field::kKey;
  std::uint32_t rate_ = 0;
  bool knows_dtr_ = false, dtr_ = false, risen_ = false, has_half_ = false;
  std::uint32_t last_ = 0;
  unsigned half_ = 0, left_ = 1, count_ = 0;
  std::size_t words_ = 0, received_ = 0;
  int knocks_ = 0, restarts_ = 0;
  std::array<std::uint8_t, 8192> said_{};
  std::size_t said_size_ = 0;
};

}  // namespace tactus::hal
