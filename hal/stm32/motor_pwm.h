#pragma once
#include <algorithm>
#include <array>

#include "hal/stm32/registers.h"
#include "tactus/core/status.h"

namespace tactus::hal::stm32 {

/// DTG for a dead time of at least `wanted_ns`, RM0090 17.4.18: n t; (64 + n) 2 t; (32 + n) 8 t; (32 + n) 16 t; with
/// t = 1 / f of the timer. @returns 0xFF, the longest there is, for what is longer.
constexpr std::uint32_t DeadTimeCode(std::uint32_t wanted_ns, std::uint32_t timer_Hz) {
  const std::uint64_t wanted = (std::uint64_t{wanted_ns} * timer_Hz + 999'999'999u) / 1'000'000'000u;  // [t], rounded up
  if (wanted <= 127) return static_cast<std::uint32_t>(wanted);
  if (wanted <= 127 * 2) return 0x80u | static_cast<std::uint32_t>((wanted + 1) / 2 - 64);
  if (wanted <= 63 * 8) return 0xC0u | static_cast<std::uint32_t>((wanted + 7) / 8 - 32);
  if (wanted <= 63 * 16) return 0xE0u | static_cast<std::uint32_t>((wanted + 15) / 16 - 32);
  return 0xFFu;
}

struct PwmOptions {
  std::uint32_t half_period;       ///< [timer counts]: the counter goes up so far and down again
  std::uint32_t dead_time;         ///< DeadTimeCode()
  std::uint32_t second_break = 0;  ///< bits of BDTR for a second break input, of H7 and G4
  std::uint32_t least_share = 3;   ///< [%] of the period that each side is on at least: for bootstrap supplies
};

/// Three half-bridge pairs on an advanced timer, centre-aligned, for one motor each: locked anti-phase, CHx drives one side
/// and CHxN the other, so a share of one half is no current and a timer that goes on alone gives none.
///
/// The break input cuts all outputs in hardware, without software and without a clock (RM0090 17.3.11): wire e-stop and
/// drive fault to it so that a high level, and an open wire behind the pull-up, cuts. Nothing switches on again by itself
/// (AOE is 0), and after Start nothing changes what the break does until the next reset (LOCK level 2).
template <class R>
class MotorPwm {
 public:
  static constexpr int kMotors = 3;

  explicit MotorPwm(TimerRegisters<R>& timer) : timer_(timer) {}

  /// Sets the timer up with all outputs off, the break before all that could drive; whatever a loader has left in it.
  /// @returns kOk; kCorrupt: the break's set-up does not read back, and the timer stays stopped. A lock that an earlier
  /// start of the same run has set does that.
  Status Start(const PwmOptions& options) {
    half_period_ = options.half_period;
    margin_ = half_period_ * options.least_share / 100u;
    Cut();
    timer_.smcr = 0;  // before CR1: an encoder's direction cannot be written
    timer_.cr1 = 0;
    timer_.ccer = 0;
    const std::uint32_t break_word = options.dead_time | timer::kIdleOff | timer::kRunOff | timer::kBreakEnable |
                                     timer::kBreakActiveHigh | timer::kLockLevel2 | options.second_break;
    timer_.psc = 0;
    timer_.arr = half_period_;
    timer_.rcr = 1;  // an update a period, not one at each end
    timer_.ccmr1 = timer::kPwmPair;
    timer_.ccmr2 = timer::kPwmOne;
    SetNeutral();
    timer_.cr2 = timer::kTriggerOnEnable;
    timer_.ccer = timer::kThreePairs;
    timer_.bdtr = break_word;
    if (timer_.bdtr != break_word) {
      timer_.ccer = 0;
      return Status::kCorrupt;
    }
    timer_.egr = timer::kGenerateUpdate;
    timer_.sr = 0;
    timer_.cr1 = timer::kCentreAligned | timer::kPreloadPeriod | timer::kEnable;
    started_ = true;
    return Status::kOk;
  }

  /// Outputs on, at no current from their first edge on. Only here does anything switch them on.
  /// @returns kOk; kNotReady: not started, or the break input is active: the outputs are off
  Status Arm() {
    Cut();
    if (!started_) return Status::kNotReady;
    SetNeutralAtOnce();
    timer_.sr = ~kBreaks;  // a flag stays set while its input is active
    if (tripped()) return Status::kNotReady;
    timer_.bdtr = timer_.bdtr | timer::kMainOutput;
    if ((timer_.bdtr & timer::kMainOutput) == 0 || tripped()) {
      Cut();
      return Status::kNotReady;
    }
    return Status::kOk;
  }

  /// Shares of the period for the positive side, -1 … 1 about one half, held off the ends by least_share. Not finite: no
  /// current. The new ones begin together, at the next update.
  /// @returns kOk; kNotReady: the outputs are off, by software or by the break; and stay off
  Status Set(const std::array<float, kMotors>& drive) {
    if (!armed()) return Status::kNotReady;
    timer_.ccr1 = Compare(drive[0]);
    timer_.ccr2 = Compare(drive[1]);
    timer_.ccr3 = Compare(drive[2]);
    return Status::kOk;
  }

  /// Outputs off: one write, which nothing can refuse.
  void Cut() { CutOutputs(timer_); }

  /// For OutputsSafe(), which has no object that it can believe. Outputs that are off are left alone: behind a reset the
  /// first write of BDTR freezes LOCK (RM0090 17.4.18, RM0433 38.4.20, RM0440 28.6.20), and it has to be that of Start.
  static void CutOutputs(TimerRegisters<R>& timer) {
    const std::uint32_t word = timer.bdtr;
    if ((word & timer::kMainOutput) != 0) timer.bdtr = word & ~timer::kMainOutput;
  }

  /// The outputs are on.
  bool armed() const { return (timer_.bdtr & timer::kMainOutput) != 0; }

  /// A break input has cut since the last Arm, or is active.
  bool tripped() const { return (timer_.sr & kBreaks) != 0; }

 private:
  static constexpr std::uint32_t kBreaks = timer::kBreak | timer::kSecondBreak;  // the second is reserved, 0, on the F4

  void SetNeutral() {
    timer_.ccr1 = half_period_ / 2;
    timer_.ccr2 = half_period_ / 2;
    timer_.ccr3 = half_period_ / 2;
  }

  /// Not at the next update, until which what was set last would drive: written without OCxPE (RM0090 17.4.7), outputs off.
  void SetNeutralAtOnce() {
    timer_.ccmr1 = 0;
    timer_.ccmr2 = 0;
    SetNeutral();
    timer_.ccmr1 = timer::kPwmPair;
    timer_.ccmr2 = timer::kPwmOne;
  }

  std::uint32_t Compare(float drive) const {
    const float share = drive == drive ? std::clamp(drive, -1.0f, 1.0f) : 0.0f;
    const float centre = static_cast<float>(half_period_) * 0.5f;
    const auto compare = static_cast<std::uint32_t>(centre + share * centre);
    return std::clamp(compare, margin_, half_period_ - margin_);
  }

  TimerRegisters<R>& timer_;
  std::uint32_t half_period_ = 0, margin_ = 0;
  bool started_ = false;
};

/// A power stage: the outputs, and the line that enables their gate drivers if there is one. The drivers come on behind the
/// outputs and go off before them; outputs that do not come on leave both off.
///
/// @param gates  BSRR of the line's port, or nullptr
/// @param mask   of the line's pin
template <class R>
void SwitchPowerStage(MotorPwm<R>& pwm, R* gates, std::uint32_t mask, bool on) {
  const bool runs = on && pwm.Arm() == Status::kOk;
  if (gates != nullptr) *gates = mask << (runs ? 0 : 16);
  if (!runs) pwm.Cut();
}

}  // namespace tactus::hal::stm32
