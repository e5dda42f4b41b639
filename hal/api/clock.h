#pragma once
#include <cstdint>

namespace tactus::hal {

/// The servo's time base: edges of a fixed period, and a finer reading between them. Both wrap; use differences.
///
/// `lib` never sees a clock: the servo application turns time into ages and counts before it calls the tick.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Tick edges since the start. It grows while a tick runs too long: that is how a missed deadline is seen.
  std::uint32_t edges() const noexcept { return DoEdges(); }

  /// Time since the start, in µs; advances between the edges.
  std::uint32_t now_us() const noexcept { return DoNowUs(); }

  /// Time between two edges, in µs. Constant.
  std::uint32_t period_us() const noexcept { return DoPeriodUs(); }

 private:
  virtual std::uint32_t DoEdges() const noexcept = 0;
  virtual std::uint32_t DoNowUs() const noexcept = 0;
  virtual std::uint32_t DoPeriodUs() const noexcept = 0;
};

}  // namespace tactus::hal
