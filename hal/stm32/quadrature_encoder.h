#pragma once
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

struct EncoderOptions {
  std::uint32_t glitch_filter = 4;    ///< 0 to 15; 4: six equal samples at half the timer's clock (RM0090 18.4.7, ICxF)
  bool is_32_bit = false;             ///< TIM2 and TIM5
  std::int32_t most_step = 10'000;    ///< [counts] from one Sample to the next; below half the counter's range
  std::int32_t counts_per_index = 0;  ///< [counts] between two index pulses; 0: there is no index, and channel 3 is free
  std::int32_t index_slack = 2;       ///< [counts] that an index may be off: its edge is not that of a count
};

enum class EncoderFault : std::uint8_t {
  kNone,
  kJump,       ///< more than most_step: a loose wire, a short, a counter that was written
  kIndexSlip,  ///< the index came at another count than the first one: counts were lost or invented, however slowly
};

/// A quadrature encoder on a timer in encoder mode: inputs on channels 1 and 2, both edges, so four counts a line. The index
/// is captured by channel 3: the timer itself notes the count at its edge, however late the software comes (RM0090 18.3.5,
/// 18.3.12).
///
/// count(k) = count(k-1) + d,  d = CNT(k) - CNT(k-1) in the counter's width, two's complement: so it may wrap.
template <class R>
class QuadratureEncoder {
 public:
  /// @pre the timer's clock is on, its pins are set up
  QuadratureEncoder(TimerRegisters<R>& timer, const EncoderOptions& options) : timer_(timer), options_(options) {}

  /// Sets the timer up, whatever a loader has left in it, and starts at count zero, without a fault.
  void Start() {
    const std::uint32_t filter = options_.glitch_filter & 15u;
    timer_.cr1 = 0;
    timer_.ccer = 0;  // what a channel is for can be chosen while it is off (RM0090 18.4.7, CCxS)
    timer_.smcr = timer::kEncoderBothEdges;
    timer_.ccmr1 = timer::kBothInputs | filter << 4 | filter << 12;
    timer_.ccmr2 = has_index() ? timer::kInput3 | filter << 4 : 0u;
    if (has_index()) timer_.ccer = timer::kCapture3Enable;
    timer_.psc = 0;
    timer_.arr = options_.is_32_bit ? 0xFFFFFFFFu : 0xFFFFu;
    timer_.egr = timer::kGenerateUpdate;  // the prescaler acts from here on
    timer_.cnt = 0;                       // which the update makes ARR behind a step backwards (RM0090 18.4.6, UG)
    timer_.sr = 0;
    timer_.cr1 = timer::kEnable;
    last_ = 0;
    count_ = 0;
    index_seen_ = false;
    fault_ = EncoderFault::kNone;
  }

  /// Ends a fault: sets the timer up anew and counts on from where it stood. What it turned since is lost, and the index
  /// too.
  void Restart() {
    const std::int32_t count = count_;
    Start();
    count_ = count;
  }

  /// Reads the counter and the index. Once in each period.
  /// @returns the count since Start; after a fault as it was then
  std::int32_t Sample() {
    const std::uint32_t now = timer_.cnt;
    const std::int32_t step = Difference(now, last_);
    if (fault_ != EncoderFault::kNone) return count_;
    if (step > options_.most_step || step < -options_.most_step) {
      fault_ = EncoderFault::kJump;
      return count_;
    }
    last_ = now;
    count_ += step;
    if (has_index()) TakeIndex(now);
    return count_;
  }

  EncoderFault fault() const { return fault_; }
  std::int32_t count() const { return count_; }

  /// The count at the last index pulse; meaningful once index_seen().
  std::int32_t index_count() const { return index_count_; }
  bool index_seen() const { return index_seen_; }

 private:
  bool has_index() const { return options_.counts_per_index > 0; }

  std::int32_t Difference(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t d = a - b;
    return options_.is_32_bit ? static_cast<std::int32_t>(d) : static_cast<std::int16_t>(d & 0xFFFFu);
  }

  /// The distance from the first pulse is a whole number of turns.
  void TakeIndex(std::uint32_t now) {
    if ((timer_.sr & timer::kCapture3) == 0) return;
    const std::uint32_t captured = timer_.ccr3;  // of several pulses in a period the last; reading clears the flag
    const std::int32_t at = count_ - Difference(now, captured);
    const std::int32_t turn = options_.counts_per_index;
    if (index_seen_) {
      std::int32_t off = (at - first_index_) % turn;
      if (off > turn / 2) off -= turn;
      if (off < -turn / 2) off += turn;
      if (off > options_.index_slack || off < -options_.index_slack) fault_ = EncoderFault::kIndexSlip;
    }
    if (!index_seen_) first_index_ = at;
    index_count_ = at;
    index_seen_ = true;
  }

  TimerRegisters<R>& timer_;
  EncoderOptions options_;
  std::uint32_t last_ = 0;
  std::int32_t count_ = 0, index_count_ = 0, first_index_ = 0;
  bool index_seen_ = false;
  EncoderFault fault_ = EncoderFault::kNone;
};

}  // namespace tactus::hal::stm32
