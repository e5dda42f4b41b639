#pragma once
#include "hal/stm32/converter.h"
#include "hal/stm32/current_watch.h"
#include "hal/stm32/h7/muxed_stream.h"
#include "hal/stm32/scan_trigger.h"

namespace tactus::hal::stm32::h7 {

using CurrentOptions = stm32::CurrentOptions<3>;

/// Of 240 MHz a quarter, by CKMODE, and from revision V on half of that: 30 MHz (RM0433 25.4.3), for which BOOST is 3
/// (25.6.3). Regulator 10 us, a calibration 1280 clocks, 43 us (DS12110, ADC characteristics): the waits are 166 us at the
/// least.
inline constexpr ConverterKind kConverterKind{
    .word = converter::kRegulator | adc::kBoost3, .regulator_ready = adc::kRegulatorIsReady, .turns = 20'000};

/// Currents of three motors by ADC1: a scan of three channels of 16 bits at each period of the PWM, brought to memory by
/// stream 0 of DMA1 without software (RM0433 25.4.26; the stream: 15.3). TIM8 runs beside TIM1 and starts with it; its
/// update triggers the scan, in the middle of a pulse, as on the F405.
template <class R>
class CurrentSense : public CurrentWatch<3> {
 public:
  static constexpr std::uint32_t kMotors = 3;

  struct Blocks {
    ConverterRegisters<R>& adc;
    ConverterCommonRegisters<R>& common;
    R& reset;  ///< RCC's register with its reset
    StreamDmaRegisters<R>& dma;
    DmaMuxRegisters<R>& mux;
    TimerRegisters<R>& trigger;
  };

  /// @param buffer  where DMA1 reaches and no cache is in between
  CurrentSense(const Blocks& blocks, const CurrentOptions& options, SampleBuffer<3>& buffer)
      : CurrentWatch(options, buffer), blocks_(blocks) {}

  /// @param half_period  that of the PWM, so that one sample comes in each period. Call before MotorPwm::Start.
  /// @returns kDone, or the step that has failed: nothing is measured then
  SenseStep Start(std::uint32_t half_period) {
    Forget();
    ScanTrigger<R>(blocks_.trigger).AtTheBottom(half_period);
    return StartConverter();
  }

  /// Ends a fault, with the outputs off: converter and DMA begin anew, the trigger goes on, the offsets are learned again.
  void Recover() {
    Forget();
    if (StartConverter() != SenseStep::kDone) Latch(CurrentFault::kNoSamples);
  }

  /// Once in each period of the servo: the newest scan. With the outputs off it learns the offsets.
  /// @param outputs_on  whether a current may flow
  void Sample(bool outputs_on) {
    const DmaEvents events = Stream().TakeEvents();
    if (TheConverter().is_overrun() || events.failed) return Restart();
    if (!events.done) return Miss();
    Take(outputs_on);
  }

  /// [A]; 0 before the offsets are known.
  float ampere(int motor) const { return MeasuredAt(static_cast<std::size_t>(motor)); }

 private:
  static constexpr unsigned kStream = 0;
  static constexpr std::uint32_t kSampleTime = 4;  // 32.5 clocks of 30 MHz: 1.1 us

  Converter<R> TheConverter() const { return {blocks_.adc, kConverterKind}; }
  MuxedStream<R> Stream() const { return {blocks_.dma, blocks_.mux, kStream, kRequestAdc1}; }

  /// From a reset on, whatever it was used for.
  SenseStep StartConverter() {
    blocks_.reset = blocks_.reset | rcc::kAdc12;
    blocks_.reset = blocks_.reset & ~rcc::kAdc12;
    blocks_.common.ccr = adc::kClockBy4;
    if (const SenseStep step = TheConverter().SwitchOn(); step != SenseStep::kDone) return step;
    SetUpChannels();
    return Begin() ? SenseStep::kDone : SenseStep::kDma;
  }

  /// A channel is wired to the converter by PCSEL, before it is converted (RM0433 25.4.12).
  void SetUpChannels() {
    std::uint32_t order = kMotors - 1u, low = 0, high = 0, wired = 0;  // SMPR1 has channels 0 to 9
    for (std::uint32_t i = 0; i < kMotors; ++i) {
      const std::uint32_t channel = options().channels[i];
      order |= channel << (6 * (i + 1));
      (channel < 10 ? low : high) |= kSampleTime << (3 * (channel % 10));
      wired |= 1u << channel;
    }
    blocks_.adc.pcsel = wired;
    blocks_.adc.smpr1 = low;
    blocks_.adc.smpr2 = high;
    blocks_.adc.sqr[0] = order;
    blocks_.adc.cfgr = converter::kScanWord;
  }

  bool Begin() {
    const DmaTransfer scan{DmaAddress(TheConverter().data()), DmaAddress(buffer()), kMotors, stream::kScanWord};
    if (!Stream().Start(scan)) return false;
    TheConverter().Start();
    return true;
  }

  /// RM0433 25.4.26: after an overrun there are no transfers until the flag is cleared and both sides have begun anew.
  void Restart() {
    Interrupt();
    if (!TheConverter().Stop() || !Begin()) Latch(CurrentFault::kNoSamples);
  }

  Blocks blocks_;
};

}  // namespace tactus::hal::stm32::h7
