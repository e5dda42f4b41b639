#pragma once
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

/// A timer beside the PWM's, whose output triggers a converter once in each period. It starts with the PWM, on internal
/// trigger 0, which is TIM1 for TIM8 (RM0090 table 95, RM0440 28.6.3), and counts as it does. Set up with the converter
/// off: the update that takes the prescaler over may trigger it.
template <class R>
class ScanTrigger {
 public:
  explicit ScanTrigger(TimerRegisters<R>& timer) : timer_(timer) {}

  /// In the middle of the high sides' pulses, where the PWM's counter turns at zero.
  /// @param half_period  that of the PWM [timer counts]
  void AtTheBottom(std::uint32_t half_period) const {
    Stop(half_period);
    timer_.rcr = 1;  // an update a period, at the lower end
    Finish(timer::kTriggerOnUpdate);
  }

  /// So long before the middle of the low sides' pulses, where the PWM's counter turns at its period: the first channel's
  /// reference rises there on the way up, and falls behind it (PWM mode 2; RM0440 28.6.7).
  /// @param lead  [timer counts]
  void BeforeTheTop(std::uint32_t half_period, std::uint32_t lead) const {
    Stop(half_period);
    timer_.ccer = 0;  // before CCMR1: the channel's direction cannot be written while it is on
    timer_.ccmr1 = timer::kPwmInverse;
    timer_.ccr1 = half_period - lead;
    Finish(timer::kTriggerOnReference1);
  }

 private:
  void Stop(std::uint32_t half_period) const {
    timer_.smcr = 0;  // before CR1: an encoder's direction cannot be written
    timer_.cr1 = 0;
    timer_.psc = 0;
    timer_.arr = half_period;
  }
  void Finish(std::uint32_t output) const {
    timer_.egr = timer::kGenerateUpdate;
    timer_.cr2 = output;
    timer_.smcr = timer::kStartOnTrigger;
    timer_.cr1 = timer::kCentreAligned;
  }

  TimerRegisters<R>& timer_;
};

}  // namespace tactus::hal::stm32
