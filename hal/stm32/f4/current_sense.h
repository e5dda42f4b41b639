#pragma once
#include <array>
#include <cstdint>

#include "hal/stm32/f4/dma_stream.h"
#include "tactus/core/status.h"

namespace tactus::hal::stm32::f4 {

enum class CurrentFault : std::uint8_t {
  kNone,
  kNoSamples,  ///< neither conversions nor transfers come: the trigger, the converter or the DMA stands
  kSaturated,  ///< at an end of the range: more current than can be measured, or a broken shunt
  kStuck,      ///< the same number over and over: noise alone moves the last bits of a converter that works
  kOffset,     ///< far from the middle with the outputs off
};

/// What a raw number means: I = (raw - offset) amperes_per_count.
struct CurrentOptions {
  std::array<std::uint8_t, 3> channels;  ///< of the converter
  float amperes_per_count;
  std::uint16_t middle = 2048, most_offset = 200;    ///< [counts]
  std::uint16_t lowest = 8, highest = 4087;          ///< [counts] beyond: saturated
  std::uint16_t stuck_after = 256, stale_after = 3;  ///< [samples]
  std::uint16_t offset_samples = 64;
};

/// Currents of three motors by ADC1: a scan of three channels at each period of the PWM, brought to memory by DMA2 stream 0
/// without software (RM0090 13.3, 13.8; the stream: 10.3.3, table 43). TIM8 runs beside TIM1 and starts with it; its update
/// triggers the scan, in the middle of a pulse, where no edge of the PWM is near. TIM1's own update can start injected
/// conversions only, which have no DMA (RM0090 13.6).
template <class R>
class CurrentSense {
 public:
  static constexpr std::uint32_t kMotors = 3;
  static constexpr bool kMeasures = true;

  struct Blocks {
    AdcRegisters<R>& adc;
    AdcCommonRegisters<R>& common;
    DmaRegisters<R>& dma;
    TimerRegisters<R>& trigger;
  };

  CurrentSense(const Blocks& blocks, const CurrentOptions& options) : blocks_(blocks), options_(options) {}

  /// @param half_period  that of the PWM, so that one sample comes in each period. Call before MotorPwm::Start.
  /// @returns kOk; kWouldBlock: the DMA does not let go of its last transfer, and nothing has been started
  Status Start(std::uint32_t half_period) {
    Forget();
    blocks_.common.ccr = adc::kClockBy4;
    blocks_.adc.cr2 = 0;
    blocks_.adc.cr1 = adc::kScan;
    SetUpChannels();
    SetUpTrigger(half_period);
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
    const std::uint32_t flags = Stream().Flags();
    Stream().ClearFlags();
    if ((flags & dma::kFlagError) != 0) return Restart();
    if ((flags & dma::kFlagDone) == 0) {
      if (++stale_ >= options_.stale_after) Latch(CurrentFault::kNoSamples);
      return;
    }
    stale_ = 0;
    std::array<std::uint16_t, kMotors> raw{};
    for (std::uint32_t i = 0; i < kMotors; ++i) raw[i] = buffer_[i];
    Judge(raw);
    if (!outputs_on && !calibrated_) Learn(raw);
    last_ = raw;
  }

  /// [A]; 0 before the offsets are known.
  float ampere(int motor) const {
    const auto i = static_cast<std::size_t>(motor);
    if (!calibrated_) return 0;
    return static_cast<float>(static_cast<int>(last_[i]) - static_cast<int>(offsets_[i])) * options_.amperes_per_count;
  }

  /// Latched until Start or Recover. The one who asks switches the outputs off.
  CurrentFault fault() const { return fault_; }
  bool failed() const { return fault_ != CurrentFault::kNone; }
  bool calibrated() const { return calibrated_; }
  std::uint32_t restarts() const { return restarts_; }  ///< after an overrun or an error of the DMA

  volatile std::uint16_t* buffer() { return buffer_.data(); }

 private:
  static constexpr unsigned kStream = 0;  // of DMA2: ADC1 on its channel 0
  static constexpr std::uint32_t kConverter = adc::kOn | adc::kDma | adc::kDmaGoesOn | adc::kTriggerTim8 | adc::kRisingEdge;
  static constexpr std::uint32_t kSampleTime = 1;  // 15 clocks of 21 MHz: 0.7 us

  void Forget() {
    sums_.fill(0);
    summed_ = 0;
    calibrated_ = false;
    fault_ = CurrentFault::kNone;
    stale_ = stuck_ = 0;
  }

  void SetUpChannels() {
    std::uint32_t order = 0, slow = 0, fast = 0;  // SMPR1 has channels 10 to 18
    for (std::uint32_t i = 0; i < kMotors; ++i) {
      const std::uint32_t channel = options_.channels[i];
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
    constexpr std::uint32_t kWord =
        dma::Channel(0) | dma::kHighPriority | dma::kHalfWords | dma::kIncrementMemory | dma::kCircular;
    return Stream().Start({DmaAddress(&blocks_.adc.dr), DmaAddress(buffer_.data()), kMotors, kWord});
  }

  /// With the converter off: the update that takes prescaler and repetition over would trigger it.
  void SetUpTrigger(std::uint32_t half_period) {
    TimerRegisters<R>& trigger = blocks_.trigger;
    trigger.smcr = 0;  // before CR1: an encoder's direction cannot be written
    trigger.cr1 = 0;
    trigger.psc = 0;
    trigger.arr = half_period;
    trigger.rcr = 1;
    trigger.egr = timer::kGenerateUpdate;
    trigger.cr2 = timer::kTriggerOnUpdate;
    trigger.smcr = timer::kStartOnTrigger;  // ITR0: TIM1 (RM0090 table 95)
    trigger.cr1 = timer::kCentreAligned;
  }

  /// RM0090 13.8.1: after an overrun there are no transfers until the flag is cleared and both sides are set up anew.
  void Restart() {
    ++restarts_;
    if (++stale_ >= options_.stale_after) Latch(CurrentFault::kNoSamples);
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

  void Judge(const std::array<std::uint16_t, kMotors>& raw) {
    for (const std::uint16_t one : raw) {
      if (one < options_.lowest || one > options_.highest) Latch(CurrentFault::kSaturated);
    }
    stuck_ = raw == last_ ? stuck_ + 1 : 0;
    if (stuck_ >= options_.stuck_after) Latch(CurrentFault::kStuck);
  }

  void Learn(const std::array<std::uint16_t, kMotors>& raw) {
    for (std::uint32_t i = 0; i < kMotors; ++i) sums_[i] += raw[i];
    if (++summed_ < options_.offset_samples) return;
    for (std::uint32_t i = 0; i < kMotors; ++i) {
      offsets_[i] = static_cast<std::uint16_t>(sums_[i] / summed_);
      const int off = static_cast<int>(offsets_[i]) - options_.middle;
      if (off > options_.most_offset || off < -static_cast<int>(options_.most_offset)) Latch(CurrentFault::kOffset);
    }
    calibrated_ = true;
  }

  void Latch(CurrentFault fault) {
    if (fault_ == CurrentFault::kNone) fault_ = fault;
  }

  Blocks blocks_;
  CurrentOptions options_;
  std::array<volatile std::uint16_t, kMotors> buffer_{};
  std::array<std::uint16_t, kMotors> last_{}, offsets_{};
  std::array<std::uint32_t, kMotors> sums_{};
  std::uint16_t summed_ = 0, stale_ = 0, stuck_ = 0;
  std::uint32_t restarts_ = 0;
  bool calibrated_ = false;
  CurrentFault fault_ = CurrentFault::kNone;
};

}  // namespace tactus::hal::stm32::f4
