#pragma once
#include <algorithm>
#include <array>

#include "hal/stm32/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A timer as RM0090 17 and 18 have it, with what is on its pins: an encoder with index, or half-bridges and a break input.
class TimerModel : public Holding<TimerRegisters> {
 public:
  using Holding::Holding;

  // Encoder: pins 1, 2 and the index on 3.
  // --------------------------------------------------------------------------------------------------------------

  /// The shaft turns by so many edges of the two inputs.
  void Turn(std::int32_t edges) {
    const bool both = (regs().smcr.bits & 7u) == timer::kEncoderBothEdges;
    const bool inputs = (regs().ccmr1.bits & 0x0303u) == timer::kBothInputs;
    if (!runs() || !both || !inputs) return;
    const std::uint64_t period = std::uint64_t{regs().arr.bits} + 1;
    const auto wrapped = static_cast<std::uint64_t>(std::int64_t{regs().cnt.bits} + edges) + (period << 24);
    regs().cnt.bits = static_cast<std::uint32_t>(wrapped % period);
  }

  /// A pulse of `clocks` on input 1, up and down again: counted as one edge more unless the filter, 2^k … of which is table
  /// ICxF of RM0090 18.4.7, is longer (here: codes 0, 1 to 3, and 4 as the driver uses it).
  void Glitch(int clocks) {
    constexpr std::array<int, 5> kSamples{0, 2, 4, 8, 12};  // clocks of the timer; code 4: six samples at f/2
    const std::size_t code = regs().ccmr1.bits >> 4 & 15u;
    if (clocks >= kSamples[std::min<std::size_t>(code, 4)]) Turn(1);
  }

  void IndexEdge() {
    if ((regs().ccer.bits & timer::kCapture3Enable) == 0 || (regs().ccmr2.bits & 3u) != timer::kInput3) return;
    if ((regs().sr.bits & timer::kCapture3) != 0) regs().sr.bits |= timer::kLost3;
    regs().ccr3.bits = regs().cnt.bits;
    regs().sr.bits |= timer::kCapture3;
  }

  // Power stage
  // --------------------------------------------------------------------------------------------------------------

  /// The level of the break input; high is an open wire.
  void SetBreak(bool high) {
    break_high_ = high;
    if (break_active()) Trip();
  }

  /// A counter's update: preloaded values take effect; with AOE the outputs come back by themselves.
  void Update() {
    if (!runs()) return;
    TakePreload();
    if ((regs().bdtr.bits & kAutomatic) != 0 && !break_active()) regs().bdtr.bits |= timer::kMainOutput;
  }

  bool runs() const { return (regs().cr1.bits & timer::kEnable) != 0; }
  bool outputs_on() const {
    return (regs().bdtr.bits & timer::kMainOutput) != 0 && (regs().ccer.bits & timer::kThreePairs) != 0;
  }
  /// Of the period in which the positive side is on.
  double Share(int motor) const {
    return static_cast<double>(active_[static_cast<std::size_t>(motor)]) / static_cast<double>(regs().arr.bits);
  }
  /// Dead time [timer clocks], RM0090 17.4.18.
  int DeadTime() const {
    const int code = static_cast<int>(regs().bdtr.bits & 0xFFu);
    if (code < 0x80) return code;
    if (code < 0xC0) return (64 + (code & 63)) * 2;
    return code < 0xE0 ? (32 + (code & 31)) * 8 : (32 + (code & 31)) * 16;
  }
  bool centre_aligned() const { return (regs().cr1.bits & timer::kCentreAligned) != 0; }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    if (offset == kCcr3) regs().sr.bits &= ~timer::kCapture3;
    return bits;
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    switch (offset) {
      case kSr: bits &= value; break;  // a flag is cleared by a zero
      case kEgr: TakePreload(); return;
      case kBdtr: WriteBreak(value); return;
      default: bits = value;
    }
    if (offset == kSr && break_active()) bits |= timer::kBreak;
  }

 private:
  static constexpr std::size_t kSr = TACTUS_AT(TimerRegisters, sr), kEgr = TACTUS_AT(TimerRegisters, egr),
                               kBdtr = TACTUS_AT(TimerRegisters, bdtr), kCcr3 = TACTUS_AT(TimerRegisters, ccr3);
  static constexpr std::uint32_t kAutomatic = 1u << 14, kLock = 3u << 8;

  bool break_active() const {
    const std::uint32_t word = regs().bdtr.bits;
    return (word & timer::kBreakEnable) != 0 && break_high_ == ((word & timer::kBreakActiveHigh) != 0);
  }
  void Trip() {
    regs().bdtr.bits &= ~timer::kMainOutput;
    regs().sr.bits |= timer::kBreak;
  }
  void TakePreload() { active_ = {regs().ccr1.bits, regs().ccr2.bits, regs().ccr3.bits}; }

  /// LOCK can be written once; level 1 and up fix dead time, break and AOE, level 2 OSSI and OSSR too.
  void WriteBreak(std::uint32_t value) {
    std::uint32_t& bits = regs().bdtr.bits;
    const std::uint32_t level = (bits & kLock) >> 8;
    std::uint32_t fixed = level > 0 ? kLock | 0xFFu | timer::kBreakEnable | timer::kBreakActiveHigh | kAutomatic : 0u;
    if (level > 1) fixed |= timer::kIdleOff | timer::kRunOff;
    bits = (bits & fixed) | (value & ~fixed & 0xFFFFu);
    if (break_active()) Trip();
  }

  bool break_high_ = false;
  std::array<std::uint32_t, 3> active_{};
};

}  // namespace tactus::hal::stm32::model
