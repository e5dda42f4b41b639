#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/g4/registers.h"

namespace tactus::hal::stm32::g4 {

/// A step of the over-current cut's start. What does not come or does not read back names the step that failed.
enum class CutStep : std::uint8_t {
  kDone = 0,
  kDac,      ///< the thresholds' DAC does not become ready
  kBlind,    ///< a comparator does not see what is above a threshold of zero
  kTripped,  ///< a comparator sees too much where no current flows
  kSetUp,    ///< a comparator, or the timer's choice of its break, does not take its set-up
};

/// In words: "a comparator sees nothing".
constexpr const char* NameOf(CutStep step) {
  switch (step) {
    case CutStep::kDone: return "the comparators cut";
    case CutStep::kDac: return "DAC3 does not become ready";
    case CutStep::kBlind: return "a comparator sees nothing";
    case CutStep::kTripped: return "a comparator trips without current";
    case CutStep::kSetUp: return "a comparator does not take its set-up";
  }
  return "?";
}

/// Too much current from a shunt to ground cuts the PWM without software: COMP1 and COMP2 compare the shunts' pins, which
/// are the amplifiers' VINP too, with DAC3's channels 1 and 2 inside the chip, and their outputs are the timer's second
/// break (RM0440 24.3 COMP, 22.4 DAC, 28.3.17 break; tables of the inputs: 24.3.2). What it has cut stays off: AOE is 0.
///
/// The second break is filtered, for the shunts ring behind an edge of the bridge; the first one, the pin's, is not, and
/// works without a clock.
template <class R>
class OverCurrentCut {
 public:
  struct Blocks {
    ComparatorRegisters<R>& comparators;
    DacRegisters<R>& dac;
    BreakSourceRegisters<R>& sources;  ///< of the timer; before MotorPwm::Start locks them
  };

  explicit OverCurrentCut(const Blocks& blocks) : blocks_(blocks) {}

  /// Looks through both comparators, first with a threshold of zero and then with the real one; then locks them until the
  /// next reset. The motor's outputs are off, so no current flows.
  /// @param threshold  of 12 bits of the supply, at the shunts' pins
  CutStep Start(std::uint32_t threshold) const {
    if (!StartDac()) return CutStep::kDac;
    for (const int number : {0, 1}) blocks_.comparators.csr[number] = comparator::kShuntAboveDac3;
    if (!WaitFor(kTurns, [&] { return Output(0) && Output(1); })) return CutStep::kBlind;
    SetThresholds(threshold);
    if (!WaitFor(kTurns, [&] { return !Output(0) && !Output(1); })) return CutStep::kTripped;
    return Lock() ? CutStep::kDone : CutStep::kSetUp;
  }

  /// A comparator trips now.
  bool active() const { return Output(0) || Output(1); }

 private:
  /// Of four clocks of 170 MHz at the least: 94 us. A DAC's channel settles within 8 us, a comparator starts within 5
  /// (DS12589, DAC and COMP characteristics).
  static constexpr int kTurns = 4'000;

  bool Output(int number) const { return (blocks_.comparators.csr[number] & comparator::kOutput) != 0; }

  void SetThresholds(std::uint32_t code) const {
    blocks_.dac.dhr12r1 = code;
    blocks_.dac.dhr12r2 = code;
  }

  /// Its mode is chosen while it is off (RM0440 22.7.16).
  bool StartDac() const {
    blocks_.dac.cr = 0;
    blocks_.dac.mcr = dac::kInside;
    SetThresholds(0);
    blocks_.dac.cr = dac::kOn;
    return WaitFor(kTurns, [&] { return (blocks_.dac.sr & dac::kReady) == dac::kReady; });
  }

  bool Lock() const {
    constexpr std::uint32_t kWord = comparator::kShuntAboveDac3 | comparator::kLocked;
    for (const int number : {0, 1}) {
      blocks_.comparators.csr[number] = kWord;
      if ((blocks_.comparators.csr[number] & ~comparator::kOutput) != kWord) return false;
    }
    blocks_.sources.af2 = break_source::kComparators1And2;
    return blocks_.sources.af2 == break_source::kComparators1And2;
  }

  Blocks blocks_;
};

}  // namespace tactus::hal::stm32::g4
