#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/g4/registers.h"

namespace tactus::hal::stm32::g4 {

/// A step of the current sense's start. What does not come or does not read back names the step that failed.
enum class SenseStep : std::uint8_t {
  kDone = 0,
  kAmplifier,    ///< an amplifier does not take its set-up
  kCalibration,  ///< a converter does not end its calibration
  kReady,        ///< a converter does not become ready
};

/// In words: "an ADC's calibration does not end".
constexpr const char* NameOf(SenseStep step) {
  switch (step) {
    case SenseStep::kDone: return "the currents are measured";
    case SenseStep::kAmplifier: return "an OPAMP does not take its set-up";
    case SenseStep::kCalibration: return "an ADC's calibration does not end";
    case SenseStep::kReady: return "an ADC does not become ready";
  }
  return "?";
}

/// Turns of each wait, of four clocks of 170 MHz at the least: 23 us. A calibration takes 116 clocks of the converter, 5.5
/// us at 21.25 MHz; ready it is within a microsecond (DS12589, ADC characteristics).
inline constexpr int kConverterTurns = 1'000;

/// One converter for one channel: the sum of eight samples for each edge of its trigger. Behind a reset of the block. What
/// starts something in CR is set by software and cleared by hardware: a zero there changes nothing (RM0440 21.7.3).
template <class R>
class Converter {
 public:
  explicit Converter(AdcRegisters<R>& block) : block_(block) {}

  /// Out of the deep power down, regulator on (RM0440 21.4.6); calibrated single-ended (21.4.8); on (21.4.9). One converter
  /// after the other: each is ready before the next.
  SenseStep SwitchOn() const {
    constexpr int kRegulatorTurns = 1'000;  // 20 us (DS12589, T_ADCVREG_STUP)
    constexpr int kCalibrationTurns = 20;   // four clocks of the converter from the calibration's end on: 32 of the core's
    block_.cr = 0;
    block_.cr = adc::kRegulator;
    (void)WaitFor(kRegulatorTurns, [&] { return (block_.cr & adc::kRegulator) == 0; });
    block_.cr = adc::kRegulator | adc::kCalibrate;
    if (!WaitFor(kConverterTurns, [&] { return (block_.cr & adc::kCalibrate) == 0; })) return SenseStep::kCalibration;
    (void)WaitFor(kCalibrationTurns, [&] { return (block_.cr & adc::kCalibrate) != 0; });
    block_.cr = adc::kRegulator | adc::kOn;
    if (!WaitFor(kConverterTurns, [&] { return (block_.isr & adc::kIsReady) != 0; })) return SenseStep::kReady;
    return SenseStep::kDone;
  }

  /// @param channel  0 to 9
  void SetUp(std::uint32_t channel) const {
    constexpr std::uint32_t kSampleTime = 2;  // 12.5 clocks of 21.25 MHz: 0.59 us
    block_.cfgr2 = adc::kOversample8;
    block_.smpr1 = kSampleTime << (3 * channel);
    block_.sqr[0] = channel << 6;
    block_.cfgr = adc::kNoInjectedQueue | adc::kDma | adc::kDmaGoesOn | adc::kTriggerTim8 | adc::kRisingEdge;
  }

  /// From the next edge of the trigger on.
  void Start() const {
    block_.isr = adc::kUnread | adc::kOverrun;
    block_.cr = adc::kRegulator | adc::kStart;
  }

  /// @returns false: it goes on, and must not be set up
  bool Stop() const {
    if ((block_.cr & adc::kStart) == 0) return true;
    block_.cr = adc::kRegulator | adc::kStop;
    return WaitFor(kConverterTurns, [&] { return (block_.cr & adc::kStop) == 0; });
  }

  bool is_overrun() const { return (block_.isr & adc::kOverrun) != 0; }
  auto* data() const { return &block_.dr; }

 private:
  AdcRegisters<R>& block_;
};

}  // namespace tactus::hal::stm32::g4
