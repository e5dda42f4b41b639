#pragma once
#include "hal/stm32/converter.h"
#include "hal/stm32/current_watch.h"
#include "hal/stm32/g4/dma_channel.h"
#include "hal/stm32/scan_trigger.h"

namespace tactus::hal::stm32::g4 {

using CurrentOptions = stm32::CurrentOptions<2>;

/// Its regulator takes 20 us, and does not tell; a calibration 116 clocks of the converter, 5.5 us at 21.25 MHz; ready it is
/// within a microsecond (DS12589, ADC characteristics). The waits are 23 us at the least.
inline constexpr ConverterKind kConverterKind{.word = converter::kRegulator, .regulator_ready = 0, .turns = 1'000};

/// Current of one motor between the half-bridges U and V, by the shunts below them: OPAMP1 and ADC1 for U, OPAMP2 and ADC2
/// for V, both converted at the same edge of a trigger, each number brought to memory by a channel of DMA1 without software
/// (RM0440 12.4, 21.4.27).
///
/// A shunt below a half-bridge carries the motor's current while its low side is on. So the conversions stand about the
/// middle of the low sides' pulses, and of both the one counts whose low side is on longer: for at least half of the period,
/// whatever the voltage is. There
///     I = -I_U = +I_V        from U through the motor to V, shunts' currents to ground
/// The shares are those that were set since the last sample: they act from the PWM's next update on, and a sample follows
/// them by a period of the servo.
template <class R>
class CurrentSense : public CurrentWatch<2> {
 public:
  struct Blocks {
    std::array<ConverterRegisters<R>*, 2> adc;  ///< U, V
    ConverterCommonRegisters<R>& common;
    R& reset;  ///< RCC's register with the reset of both
    AmplifierRegisters<R>& amplifiers;
    DmaRegisters<R>& dma;
    DmaMuxRegisters<R>& mux;
    TimerRegisters<R>& trigger;
    const TimerRegisters<R>& pwm;
  };

  CurrentSense(const Blocks& blocks, const CurrentOptions& options, SampleBuffer<2>& buffer)
      : CurrentWatch(options, buffer), blocks_(blocks) {}

  /// @param half_period  that of the PWM, so that one sample comes in each period. Call before MotorPwm::Start.
  /// @returns kDone, or the step that has failed: nothing is measured then
  SenseStep Start(std::uint32_t half_period) {
    Forget();
    for (const int number : {kU, kV})
      if (!SetUpAmplifier(blocks_.amplifiers.csr[number])) return SenseStep::kAmplifier;
    ScanTrigger<R>(blocks_.trigger).BeforeTheTop(half_period, kLead);
    return StartConverters();
  }

  /// Ends a fault, with the outputs off: converters and DMA begin anew, the trigger goes on, the offsets are learned again.
  void Recover() {
    Forget();
    if (StartConverters() != SenseStep::kDone) Latch(CurrentFault::kNoSamples);
  }

  /// Once in each period of the servo: the newest conversions. With the outputs off it learns the offsets.
  /// @param outputs_on  whether a current may flow
  void Sample(bool outputs_on) {
    const DmaEvents u = ChannelOf(kU).TakeEvents(), v = ChannelOf(kV).TakeEvents();
    if (Of(kU).is_overrun() || Of(kV).is_overrun() || u.failed || v.failed) return Restart();
    if (!u.done || !v.done) return Miss();
    Take(outputs_on);
    shunt_ = blocks_.pwm.ccr1 > blocks_.pwm.ccr2 ? kV : kU;
  }

  /// [A] from U through the motor to V; 0 before the offsets are known.
  float ampere(int) const { return shunt_ == kV ? MeasuredAt(kV) : -MeasuredAt(kU); }

 private:
  static constexpr int kU = 0, kV = 1;
  // From the trigger to the middle of eight conversions of 12.5 + 12.5 clocks of 21.25 MHz, 9.4 us [counts of 170 MHz].
  static constexpr std::uint32_t kLead = 800;

  ConverterRegisters<R>& AdcOf(int number) const { return *blocks_.adc[static_cast<std::size_t>(number)]; }
  Converter<R> Of(int number) const { return {AdcOf(number), kConverterKind}; }
  DmaChannel<R> ChannelOf(int number) const {
    return {blocks_.dma, blocks_.mux, static_cast<unsigned>(number), number == kU ? dma::kRequestAdc1 : dma::kRequestAdc2};
  }

  /// RM0440 25.3: of gain 16, with the factory's trimming left alone.
  static bool SetUpAmplifier(R& csr) {
    csr = (csr & amplifier::kTrim) | amplifier::kBy16;
    return (csr & amplifier::kSetUp) == amplifier::kBy16;
  }

  /// From a reset on, whatever they were used for.
  SenseStep StartConverters() {
    blocks_.reset = blocks_.reset | rcc::kAdc12;
    blocks_.reset = blocks_.reset & ~rcc::kAdc12;
    blocks_.common.ccr = adc::kClockBy8;
    for (const int number : {kU, kV}) {
      if (const SenseStep step = Of(number).SwitchOn(); step != SenseStep::kDone) return step;
      SetUpChannel(AdcOf(number), options().channels[static_cast<std::size_t>(number)]);
    }
    Begin();
    return SenseStep::kDone;
  }

  /// The sum of eight samples for each edge of the trigger.
  /// @param channel  0 to 9
  static void SetUpChannel(ConverterRegisters<R>& adc, std::uint32_t channel) {
    constexpr std::uint32_t kSampleTime = 2;  // 12.5 clocks of 21.25 MHz: 0.59 us
    adc.cfgr2 = adc::kOversample8;
    adc.smpr1 = kSampleTime << (3 * channel);
    adc.sqr[0] = channel << 6;
    adc.cfgr = converter::kScanWord;
  }

  void Begin() {
    for (const int number : {kU, kV}) {
      (void)ChannelOf(number).Start({DmaAddress(Of(number).data()), DmaAddress(buffer() + number), 1, dma::kSampleWord});
      Of(number).Start();
    }
  }

  /// RM0440 21.4.27: after an overrun there are no transfers until the flag is cleared and both sides have begun anew.
  void Restart() {
    Interrupt();
    if (Of(kU).Stop() && Of(kV).Stop())
      Begin();
    else
      Latch(CurrentFault::kNoSamples);
  }

  Blocks blocks_;
  int shunt_ = kU;
};

}  // namespace tactus::hal::stm32::g4
