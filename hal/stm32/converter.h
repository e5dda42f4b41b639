#pragma once
#include <cstddef>

#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/hardware.h"

namespace tactus::hal::stm32 {

/// Analog-digital converter of H7 and G4: RM0433 25.6, RM0440 21.7.
template <class R>
struct ConverterRegisters {
  R isr, ier, cr, cfgr, cfgr2, smpr1, smpr2;
  R pcsel;  ///< H7's alone
  R thresholds[4], sqr[4], dr;
};
static_assert(offsetof(ConverterRegisters<std::uint32_t>, pcsel) == 0x1C);
static_assert(offsetof(ConverterRegisters<std::uint32_t>, sqr) == 0x30);
static_assert(offsetof(ConverterRegisters<std::uint32_t>, dr) == 0x40);
/// What ADC1 and ADC2 share: RM0433 25.7, RM0440 21.8.
template <class R>
struct ConverterCommonRegisters {
  R csr, gap, ccr, cdr;
};
namespace converter {
inline constexpr std::uint32_t kIsReady = 1u, kUnread = 1u << 2, kOverrun = 1u << 4;  // ISR: ADRDY, EOC, OVR
inline constexpr std::uint32_t kOn = 1u, kStart = 1u << 2, kStop = 1u << 4, kRegulator = 1u << 28,
                               kCalibrate = 1u << 31;  // CR
/// CFGR: requests for ever (G4's DMAEN and DMACFG, H7's DMNGT), at each rising edge of TIM8's TRGO; no injected queue.
inline constexpr std::uint32_t kDmaForEver = 3u, kTriggerTim8 = 7u << 5, kRisingEdge = 1u << 10, kNoInjectedQueue = 1u << 31;
inline constexpr std::uint32_t kScanWord = kDmaForEver | kTriggerTim8 | kRisingEdge | kNoInjectedQueue;
}  // namespace converter

/// A step of a current sense's start. What does not come or does not read back names the step that failed.
enum class SenseStep : std::uint8_t {
  kDone = 0,
  kAmplifier,    ///< an amplifier does not take its set-up
  kRegulator,    ///< a converter's own supply does not settle
  kCalibration,  ///< a converter does not end its calibration
  kReady,        ///< a converter does not become ready
  kDma,          ///< the DMA does not let go of its last transfer
};

/// In words: "an ADC's calibration does not end".
constexpr const char* NameOf(SenseStep step) {
  switch (step) {
    case SenseStep::kDone: return "the currents are measured";
    case SenseStep::kAmplifier: return "an OPAMP does not take its set-up";
    case SenseStep::kRegulator: return "an ADC's regulator does not settle";
    case SenseStep::kCalibration: return "an ADC's calibration does not end";
    case SenseStep::kReady: return "an ADC does not become ready";
    case SenseStep::kDma: return "the ADC's DMA does not let go";
  }
  return "?";
}

/// What the families' converters have each of its own.
struct ConverterKind {
  std::uint32_t word;             ///< of CR while it is on: its regulator, and what its clock asks for
  std::uint32_t regulator_ready;  ///< flag in ISR; 0: there is none, and all turns are waited
  int turns;                      ///< of each wait, of four clocks of the core at the least
};

/// One converter at the edges of its trigger. Behind a reset of the block. What starts something in CR is set by software
/// and cleared by hardware: a zero there changes nothing (RM0433 25.6.3, RM0440 21.7.3).
template <class R>
class Converter {
 public:
  Converter(ConverterRegisters<R>& block, const ConverterKind& kind) : block_(block), kind_(kind) {}

  /// Out of the deep power down, regulator on (RM0433 25.4.6, RM0440 21.4.6); calibrated single-ended (25.4.8, 21.4.8); on
  /// (25.4.9, 21.4.9). One converter after the other: each is ready before the next.
  SenseStep SwitchOn() const {
    using namespace converter;
    constexpr int kBehindCalibration = 20;  // turns: four clocks of the converter, 24 ns at 170 MHz to 133 at 30
    block_.cr = 0;
    block_.cr = kind_.word;
    const bool settled = WaitFor(kind_.turns, [&] { return (block_.isr & kind_.regulator_ready) != 0; });
    if (!settled && kind_.regulator_ready != 0) return SenseStep::kRegulator;
    block_.cr = kind_.word | kCalibrate;
    if (!WaitFor(kind_.turns, [&] { return (block_.cr & kCalibrate) == 0; })) return SenseStep::kCalibration;
    (void)WaitFor(kBehindCalibration, [&] { return (block_.cr & kCalibrate) != 0; });
    block_.cr = kind_.word | kOn;
    if (!WaitFor(kind_.turns, [&] { return (block_.isr & kIsReady) != 0; })) return SenseStep::kReady;
    return SenseStep::kDone;
  }

  /// From the next edge of the trigger on.
  void Start() const {
    block_.isr = converter::kUnread | converter::kOverrun;
    block_.cr = kind_.word | converter::kStart;
  }

  /// @returns false: it goes on, and must not be set up
  bool Stop() const {
    if ((block_.cr & converter::kStart) == 0) return true;
    block_.cr = kind_.word | converter::kStop;
    return WaitFor(kind_.turns, [&] { return (block_.cr & converter::kStop) == 0; });
  }

  bool is_overrun() const { return (block_.isr & converter::kOverrun) != 0; }
  auto* data() const { return &block_.dr; }

 private:
  ConverterRegisters<R>& block_;
  ConverterKind kind_;
};

}  // namespace tactus::hal::stm32
