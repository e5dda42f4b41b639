#pragma once
#include "hal/stm32/current_watch.h"
#include "hal/stm32/f4/registers.h"
#include "hal/stm32/scan_trigger.h"
#include "tactus/core/status.h"

namespace tactus::hal::stm32::f4 {

using CurrentOptions = stm32::CurrentOptions<3>;

/// Currents of three motors by ADC1: a scan of three channels at each period of the PWM, brought to memory by DMA2 stream 0
/// without software (RM0090 13.3, 13.8; the stream: 10.3.3, table 43). TIM8 runs beside TIM1 and starts with it; its update
/// triggers the scan, in the middle of a pulse, where no edge of the PWM is near. TIM1's own update can start injected
/// conversions only, which have no DMA (RM0090 13.6).
template <class R>
class CurrentSense : public CurrentWatch<3> {
 public:
  static constexpr std::uint32_t kMotors = 3;

  struct Blocks {
    AdcRegisters<R>& adc;
    AdcCommonRegisters<R>& common;
    StreamDmaRegisters<R>& dma;
    TimerRegisters<R>& trigger;
  };

  CurrentSense(const Blocks& blocks, const CurrentOptions& options, SampleBuffer<3>& buffer)
      : CurrentWatch(options, buffer), blocks_(blocks) {}

  /// @param half_period  that of the PWM, so that one sample comes in each period. Call before MotorPwm::Start.
  /// @returns kOk; kWouldBlock: the DMA does not let go of its last transfer, and nothing has been started
  Status Start(std::uint32_t half_period) {
    Forget();
    blocks_.common.ccr = adc::kClockBy4;
    blocks_.adc.cr2 = 0;
    blocks_.adc.cr1 = adc::kScan;
    SetUpChannels();
    ScanTrigger<R>(blocks_.trigger).AtTheBottom(half_period);
    return StartConverter() ? Status::kOk : Status::kWouldBlock;
  }

  /// Ends a fault, with the outputs off: converter and DMA begin anew, the trigger goes on, the offsets are learned again.
  void Recover() {
    Forget();
    BeginAnew();
  }

  /// Once in each period of the servo: the newest scan. With the outputs off it learns the offsets.
  /// @param outputs_on  whether a current may flow
  void Sample(bool outputs_on) {
    if ((blocks_.adc.sr & adc::kOverrun) != 0) return Restart();
    const DmaEvents events = Stream().TakeEvents();
    if (events.failed) return Restart();
    if (!events.done) return Miss();
    Take(outputs_on);
  }

  /// [A]; 0 before the offsets are known.
  float ampere(int motor) const { return MeasuredAt(static_cast<std::size_t>(motor)); }

 private:
  static constexpr unsigned kStream = 0, kChannel = 0;  // of DMA2: ADC1's
  static constexpr std::uint32_t kConverter = adc::kOn | adc::kDma | adc::kDmaGoesOn | adc::kTriggerTim8 | adc::kRisingEdge;
  static constexpr std::uint32_t kSampleTime = 1;  // 15 clocks of 21 MHz: 0.7 us

  void SetUpChannels() {
    std::uint32_t order = 0, slow = 0, fast = 0;  // SMPR1 has channels 10 to 18
    for (std::uint32_t i = 0; i < kMotors; ++i) {
      const std::uint32_t channel = options().channels[i];
      order |= channel << (5 * i);
      (channel < 10 ? fast : slow) |= kSampleTime << (3 * (channel % 10));
    }
    blocks_.adc.smpr1 = slow;
    blocks_.adc.smpr2 = fast;
    blocks_.adc.sqr1 = (kMotors - 1u) << 20;
    blocks_.adc.sqr3 = order;
  }

  DmaStream<R> Stream() const { return {blocks_.dma, kStream}; }

  bool StartDma() {
    return Stream().Start(
        {DmaAddress(&blocks_.adc.dr), DmaAddress(buffer()), kMotors, Channel(kChannel) | stream::kScanWord});
  }

  /// RM0090 13.8.1: after an overrun there are no transfers until the flag is cleared and both sides are set up anew.
  void Restart() {
    Interrupt();
    BeginAnew();
  }

  void BeginAnew() {
    blocks_.adc.cr2 = 0;
    if (!StartConverter()) Latch(CurrentFault::kNoSamples);
  }

  bool StartConverter() {
    blocks_.adc.sr = ~adc::kOverrun;
    if (!StartDma()) return false;
    blocks_.adc.cr2 = kConverter;
    return true;
  }

  Blocks blocks_;
};

}  // namespace tactus::hal::stm32::f4
