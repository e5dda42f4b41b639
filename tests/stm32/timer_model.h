#pragma once
#include <algorithm>

#include "tests/stm32/counter_model.h"

namespace tactus::hal::stm32::model {

/// What a pin of a half-bridge shows, and for what share of the period it is high.
struct Pin {
  enum { kFloating, kLow, kHigh, kSwitching } level;
  double high;
};

/// A timer with the power stage of RM0090 17: half-bridges on its pins, and a break input.
class TimerModel : public CounterModel {
 public:
  using CounterModel::CounterModel;

  /// The level of the break input; high is an open wire.
  void SetBreak(bool high) {
    break_high_ = high;
    if (break_active()) Trip();
  }
  /// What cuts beside the pin: the clock security, or what SYSCFG connects. Not the pin's level, but the enable counts.
  void CutFromInside() {
    if ((regs().bdtr.bits & kBreakOn) != 0) Trip();
  }

  bool has_second_break = false;  ///< a timer of G4 or H7
  /// Its level, for so long: short ones are filtered by BK2F, as ICxF (RM0440 28.6.20).
  void SetSecondBreak(bool high, double us) {
    constexpr std::array<double, 16> kClocks{0, 2, 4, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128, 160, 192, 256};
    const std::uint32_t word = regs().bdtr.bits;
    second_is_active_ =
        (word & kSecondOn) != 0 && high == ((word & kSecondHigh) != 0) && us >= kClocks[word >> 20 & 15u] / clock_Hz() * 1e6;
    if (second_is_active_) Trip();
  }

  bool outputs_on() const {
    for (int motor = 0; motor < 3; ++motor)
      for (const bool complement : {false, true})
        if (const auto level = Output(motor, complement).level; level == Pin::kHigh || level == Pin::kSwitching) return true;
    return false;
  }
  bool outputs_held_low() const {
    for (int motor = 0; motor < 3; ++motor)
      for (const bool complement : {false, true})
        if (Output(motor, complement).level != Pin::kLow) return false;
    return true;
  }

  /// Pin CHx, or CHxN: RM0090 table 97, "Output control bits for complementary OCx and OCxN channels with break feature".
  Pin Output(int motor, bool complement) const {
    const std::uint32_t pair = regs().ccer.bits >> 4 * motor & 15u;  // CCxE, CCxP, CCxNE, CCxNP
    const bool mine = (pair & (complement ? 4u : 1u)) != 0, other = (pair & (complement ? 1u : 4u)) != 0;
    const bool inverted = (pair & (complement ? 8u : 2u)) != 0;
    const auto held = [](bool high) { return high ? Pin{Pin::kHigh, 1} : Pin{Pin::kLow, 0}; };
    const std::uint32_t word = regs().bdtr.bits;
    if (!mine && !other) return {Pin::kFloating, 0};
    if ((word & kMainOutput) == 0) {
      const bool idle_high = (regs().cr2.bits >> (8 + 2 * motor + (complement ? 1 : 0)) & 1u) != 0;
      return (word & 1u << 10) != 0 ? held(idle_high) : Pin{Pin::kFloating, 0};  // OSSI
    }
    if (!mine) return (word & 1u << 11) != 0 ? held(inverted) : Pin{Pin::kFloating, 0};  // OSSR
    const double share = complement != inverted ? 1 - Share(motor) : Share(motor);
    return share > 0 && share < 1 ? Pin{Pin::kSwitching, share} : held(share > 0.5);
  }
  /// Of the period in which the channel's reference is active, RM0090 17.4.7. OCxM: PWM mode 1, PWM mode 2, forced.
  double Share(int motor) const {
    const std::uint32_t half = motor < 2 ? regs().ccmr1.bits >> 8 * motor : regs().ccmr2.bits;
    if ((half & 3u) != 0) return 0;  // an input
    const std::uint32_t mode = half >> 4 & 7u;
    const double compare = acting().ccr[static_cast<std::size_t>(motor)];
    const double pwm = runs() ? std::min(1.0, compare / acting().arr) : compare > regs().cnt.bits;
    return mode == 6 ? pwm : mode == 7 ? 1 - pwm : mode == 5 ? 1 : 0;
  }
  /// What the bridge gives the motor, as a part of the supply: + 1 … - 1. Both of a pair's pins high is a short.
  double Drive(int motor) {
    const Pin a = Output(motor, false), b = Output(motor, true);
    if (a.high + b.high > 1 + 1e-9 || (a.level == Pin::kSwitching && DeadTime() == 0))
      Violate("both switches of a bridge on");
    return a.high - b.high;
  }
  /// Dead time [timer clocks], RM0090 17.4.18.
  int DeadTime() const {
    const int code = static_cast<int>(regs().bdtr.bits & 0xFFu);
    if (code < 0x80) return code;
    if (code < 0xC0) return (64 + (code & 63)) * 2;
    return code < 0xE0 ? (32 + (code & 31)) * 8 : (32 + (code & 31)) * 16;
  }
  /// Whether an edge of a bridge is within so many microseconds.
  bool EdgeWithin(double us) const {
    for (int motor = 0; motor < 3; ++motor) {
      const double edge_us = Share(motor) * LapUs(), at_us = FromBelowUs();
      if (std::abs(edge_us - at_us) < us) return outputs_on();
    }
    return false;
  }

  /// Whether the low side of a bridge is on from now on for so many microseconds, dead times aside.
  bool LowSideIsOnFor(int motor, double us) const {
    const double now_us = FromBelowUs(), dead_us = DeadTime() / clock_Hz() * 1e6;
    const double turned_us = 2 * LapUs() - now_us - us;  // where the way up ends in the way down
    const double end_us = goes_down() ? now_us - us : turned_us;
    return outputs_on() && std::min(now_us, end_us) > Share(motor) * LapUs() + dead_us;
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(TimerRegisters, bdtr)) return WriteBreak(value);
    if (offset == TACTUS_AT(TimerRegisters, cr2)) value = Locked(1, 0x7F00u, bits, value);   // OISx
    if (offset == TACTUS_AT(TimerRegisters, ccer)) value = Locked(2, 0x0AAAu, bits, value);  // CCxP, CCxNP
    CounterModel::Write(offset, value, bits);
    if (offset == TACTUS_AT(TimerRegisters, sr)) bits |= Breaks();
  }

 private:
  static constexpr std::uint32_t kBroken = 1u << 7, kSecondBroken = 1u << 8;                           // SR
  static constexpr std::uint32_t kSecondOn = 1u << 24, kSecondHigh = 1u << 25, kSecond = 0x3Fu << 20;  // BDTR
  static constexpr std::uint32_t kBreakOn = 1u << 12, kBreakHigh = 1u << 13, kAutomatic = 1u << 14, kMainOutput = 1u << 15;
  static constexpr std::uint32_t kLock = 3u << 8;  // BDTR

  /// With AOE the outputs come back by themselves.
  void OnUpdate() override {
    if ((regs().bdtr.bits & kAutomatic) != 0 && !break_active()) regs().bdtr.bits |= kMainOutput;
  }
  bool break_active() const {
    const std::uint32_t word = regs().bdtr.bits;
    return (word & kBreakOn) != 0 && break_high_ == ((word & kBreakHigh) != 0);
  }
  void Trip() {
    regs().bdtr.bits &= ~kMainOutput;
    regs().sr.bits |= Breaks() == 0 ? kBroken : Breaks();
  }
  /// Flags of the inputs that are active.
  std::uint32_t Breaks() const { return (break_active() ? kBroken : 0u) | (second_is_active_ ? kSecondBroken : 0u); }
  std::uint32_t Locked(std::uint32_t from_level, std::uint32_t mask, std::uint32_t bits, std::uint32_t value) const {
    return (regs().bdtr.bits & kLock) >> 8 >= from_level ? (bits & mask) | (value & ~mask) : value;
  }
  /// Level 1 and up fix dead time, break and AOE, level 2 OSSI and OSSR too. LOCK itself is frozen by the first write of
  /// BDTR behind a reset, whatever it says (RM0090 17.4.18, note).
  void WriteBreak(std::uint32_t value) {
    std::uint32_t& bits = regs().bdtr.bits;
    std::uint32_t next = Locked(1, 0xFFu | kBreakOn | kBreakHigh | kAutomatic | kSecond, bits, value);
    next = Locked(2, 3u << 10, bits, next);
    if (lock_is_frozen_) next = (bits & kLock) | (next & ~kLock);
    lock_is_frozen_ = true;
    bits = next & (has_second_break ? 0xFFFFu | kSecond : 0xFFFFu);
    if (Breaks() != 0) Trip();
  }

  bool break_high_ = false, second_is_active_ = false, lock_is_frozen_ = false;
};

}  // namespace tactus::hal::stm32::model
