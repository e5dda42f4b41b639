#pragma once
#include "hal/stm32/converter.h"
#include "hal/stm32/dma_mux.h"
#include "hal/stm32/fifo_usart.h"
#include "hal/stm32/registers.h"
#include "hal/stm32/reset_flags.h"

// Peripherals of the STM32G431: RM0440, by hand.

namespace tactus::hal::stm32::g4 {

/// Reset and clock control, RM0440 7.4.
template <class R>
struct RccRegisters {
  R cr, icscr, cfgr, pllcfgr, gap1[2], cier, cifr, cicr, gap2;
  R ahb1rstr, ahb2rstr, ahb3rstr, gap3, apb1rstr1, apb1rstr2, apb2rstr, gap4;
  R ahb1enr, ahb2enr, ahb3enr, gap5, apb1enr1, apb1enr2, apb2enr, gap6[9];
  R ccipr, gap7, bdcr, csr;
};
static_assert(offsetof(RccRegisters<std::uint32_t>, ahb2enr) == 0x4C);
static_assert(offsetof(RccRegisters<std::uint32_t>, apb2enr) == 0x60);
static_assert(offsetof(RccRegisters<std::uint32_t>, ccipr) == 0x88);
static_assert(offsetof(RccRegisters<std::uint32_t>, csr) == 0x94);

namespace rcc {
inline constexpr std::uint32_t kHseOn = 1u << 16, kHseReady = 1u << 17, kHseBypass = 1u << 18, kSecurityOn = 1u << 19,
                               kPllOn = 1u << 24,
                               kPllReady = 1u << 25;                                                          // CR
inline constexpr std::uint32_t kUsePll = 3u, kStatusMask = 3u << 2, kStatusPll = 3u << 2, kAhbBy2 = 8u << 4;  // CFGR
inline constexpr std::uint32_t kFromHse = 3u, kOutputR = 1u << 24;                                            // PLLCFGR
inline constexpr std::uint32_t kDma1 = 1u, kDmaMux = 4u;                                                      // AHB1ENR
inline constexpr std::uint32_t kPortA = 1u, kPortB = 2u, kPortC = 4u, kAdc12 = 1u << 13,
                               kDac3 = 1u << 18;  // AHB2ENR; AHB2RSTR
inline constexpr std::uint32_t kTim3 = 2u, kTim4 = 4u, kWwdg = 1u << 11, kUsart2 = 1u << 17, kPwr = 1u << 28;  // APB1ENR1
inline constexpr std::uint32_t kSyscfg = 1u, kTim1 = 1u << 11, kTim8 = 1u << 13;  // APB2ENR; SYSCFG's has the amplifiers'
inline constexpr std::uint32_t kAdc12OfSystem = 2u << 28;  // CCIPR: the converters' clock is the core's
inline constexpr std::uint32_t kClearCauses = 1u << 23, kBrownOut = 1u << 27, kSoftware = 1u << 28,
                               kIndependentWatchdog = 1u << 29, kWindowWatchdog = 1u << 30;  // CSR
}  // namespace rcc

/// Of RCC_CSR, RM0440 7.4.28. One flag for power-on and brown-out.
inline constexpr ResetFlags kResetFlags{.watchdogs = rcc::kIndependentWatchdog | rcc::kWindowWatchdog,
                                        .software = rcc::kSoftware,
                                        .power_on = rcc::kBrownOut,
                                        .brown_out = 0,
                                        .clear = rcc::kClearCauses};

/// Power control, RM0440 6.4.
template <class R>
struct PwrRegisters {
  R cr1, cr2, cr3, cr4, sr1, sr2, scr, gap[25], cr5;
};
static_assert(offsetof(PwrRegisters<std::uint32_t>, cr5) == 0x80);
namespace pwr {
inline constexpr std::uint32_t kRangeMask = 3u << 9, kRange1 = 1u << 9;           // CR1, VOS
inline constexpr std::uint32_t kDetectorOn = 1u, kLevelMask = 7u << 1;            // CR2
inline constexpr std::uint32_t kRangeChanges = 1u << 10, kBelowLevel = 1u << 11;  // SR2: VOSF, PVDO
inline constexpr std::uint32_t kNoBoost = 1u << 8;                                // CR5, R1MODE
}  // namespace pwr

/// Flash interface, RM0440 3.7: ACR only.
template <class R>
struct FlashRegisters {
  R acr;
};

/// External interrupts, RM0440 15.5.
template <class R>
struct ExtiRegisters {
  R imr1, emr1, rtsr1, ftsr1, swier1, pr1;
};
static_assert(offsetof(ExtiRegisters<std::uint32_t>, pr1) == 0x14);

/// System configuration, RM0440 10.2.
template <class R>
struct SyscfgRegisters {
  R memrmp, cfgr1, exticr[4], scsr, cfgr2;
};
static_assert(offsetof(SyscfgRegisters<std::uint32_t>, cfgr2) == 0x1C);
namespace syscfg {
inline constexpr std::uint32_t kBreakOnLockup = 1u, kBreakOnSupply = 1u << 2;  // CFGR2: CLL, PVDL
}

/// A channel of a DMA controller, and the controller's flags: RM0440 12.6. The channels count from 1, the array from 0.
template <class R>
struct DmaChannelRegisters {
  R ccr, cndtr, cpar, cmar, gap;
};
template <class R>
struct DmaRegisters {
  R isr, ifcr;
  DmaChannelRegisters<R> channel[6];
};
static_assert(offsetof(DmaRegisters<std::uint32_t>, channel[1]) == 0x1C);
namespace dma {
inline constexpr std::uint32_t kEnable = 1u, kDoneInterrupt = 1u << 1, kHalfInterrupt = 1u << 2, kErrorInterrupt = 1u << 3,
                               kToPeripheral = 1u << 4, kCircular = 1u << 5, kIncrementMemory = 1u << 7,
                               kHalfWords = 1u << 8 | 1u << 10, kHighPriority = 2u << 12;  // CCR
/// Each half-word of a converter to one place, for ever.
inline constexpr std::uint32_t kSampleWord = kHighPriority | kHalfWords | kCircular;
/// Bytes of a line that come, round a ring for ever; and that go, in one run.
inline constexpr std::uint32_t kRingWord = kIncrementMemory | kCircular | kHalfInterrupt | kDoneInterrupt | kErrorInterrupt;
inline constexpr std::uint32_t kRunWord = kIncrementMemory | kToPeripheral | kDoneInterrupt | kErrorInterrupt;
// Of a channel, from bit 0 on: ISR; IFCR, whose bit of all flags clears each of them.
inline constexpr std::uint32_t kFlagDone = 1u << 1, kFlagError = 1u << 3, kClearAll = 1u;
inline constexpr std::uint32_t kRequestAdc1 = 5, kRequestAdc2 = 36;  // DMAMUX, RM0440 13.3.2, table 91
}  // namespace dma

/// Analog-digital converters: what H7's have not.
namespace adc {
inline constexpr std::uint32_t kOversample8 = 1u | 2u << 2;  // CFGR2: the sum of eight
inline constexpr std::uint32_t kClockBy8 = 4u << 18;         // CCR
}  // namespace adc

/// Operational amplifiers, RM0440 25.5.
template <class R>
struct AmplifierRegisters {
  R csr[3];
};
namespace amplifier {
// CSR: on, VINP0, of gain 16 with the foot of its ladder on VINM0.
inline constexpr std::uint32_t kBy16 = 1u | 2u << 5 | 11u << 14;
inline constexpr std::uint32_t kSetUp = 0x8007F9FFu, kTrim = 0x1FF80000u;  // what is chosen; what the factory has trimmed
}  // namespace amplifier

/// Comparators, RM0440 24.6.
template <class R>
struct ComparatorRegisters {
  R csr[4];
};
namespace comparator {
// CSR: on, INP 0 (PA1, PA7) above INM 4 (DAC3), high when it is.
inline constexpr std::uint32_t kShuntAboveDac3 = 1u | 4u << 4;
inline constexpr std::uint32_t kOutput = 1u << 30, kLocked = 1u << 31;
}  // namespace comparator

/// Digital-analog converter, RM0440 22.7.
template <class R>
struct DacRegisters {
  R cr, swtrgr, dhr12r1, dhr12l1, dhr8r1, dhr12r2, dhr12l2, dhr8r2, dhr12rd, dhr12ld, dhr8rd, dor1, dor2, sr, ccr, mcr;
};
static_assert(offsetof(DacRegisters<std::uint32_t>, mcr) == 0x3C);
namespace dac {
inline constexpr std::uint32_t kOn = 1u | 1u << 16;           // CR: both channels
inline constexpr std::uint32_t kReady = 1u << 11 | 1u << 27;  // SR
inline constexpr std::uint32_t kInside =
    3u | 3u << 16 | 2u << 14;  // MCR: to the chip's blocks without buffer; above 160 MHz
}  // namespace dac

/// What breaks a timer beside its pins, RM0440 28.6.26 and 28.6.27.
template <class R>
struct BreakSourceRegisters {
  R af1, af2;
};
namespace break_source {
inline constexpr std::uint32_t kComparators1And2 = 1u << 1 | 1u << 2;  // AF2: of the second break, and no pin
}
/// BDTR: the second break on, at a high level of 8 samples at a 32nd of the timer's clock (BK2F 15): 1.5 us of 170 MHz.
inline constexpr std::uint32_t kSecondBreak = 15u << 20 | 1u << 24 | 1u << 25;

// Where they are: RM0440 2.2.2.
inline RccRegisters<Hardware>& Rcc() { return *reinterpret_cast<RccRegisters<Hardware>*>(0x40021000u); }
inline PwrRegisters<Hardware>& Pwr() { return *reinterpret_cast<PwrRegisters<Hardware>*>(0x40007000u); }
inline FlashRegisters<Hardware>& Flash() { return *reinterpret_cast<FlashRegisters<Hardware>*>(0x40022000u); }
inline ExtiRegisters<Hardware>& Exti() { return *reinterpret_cast<ExtiRegisters<Hardware>*>(0x40010400u); }
inline SyscfgRegisters<Hardware>& Syscfg() { return *reinterpret_cast<SyscfgRegisters<Hardware>*>(0x40010000u); }
inline GpioRegisters<Hardware>& PortA() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x48000000u); }
inline GpioRegisters<Hardware>& PortB() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x48000400u); }
inline GpioRegisters<Hardware>& PortC() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x48000800u); }
inline TimerRegisters<Hardware>& Tim1() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40012C00u); }
inline TimerRegisters<Hardware>& Tim8() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40013400u); }
inline TimerRegisters<Hardware>& Tim3() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000400u); }
inline TimerRegisters<Hardware>& Tim4() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000800u); }
inline FifoUsartRegisters<Hardware>& Usart2() { return *reinterpret_cast<FifoUsartRegisters<Hardware>*>(0x40004400u); }
inline DmaRegisters<Hardware>& Dma1() { return *reinterpret_cast<DmaRegisters<Hardware>*>(0x40020000u); }
inline DmaMuxRegisters<Hardware>& DmaMux() { return *reinterpret_cast<DmaMuxRegisters<Hardware>*>(0x40020800u); }
inline ConverterRegisters<Hardware>& Adc1() { return *reinterpret_cast<ConverterRegisters<Hardware>*>(0x50000000u); }
inline ConverterRegisters<Hardware>& Adc2() { return *reinterpret_cast<ConverterRegisters<Hardware>*>(0x50000100u); }
inline ConverterCommonRegisters<Hardware>& Adc12() {
  return *reinterpret_cast<ConverterCommonRegisters<Hardware>*>(0x50000300u);
}
inline AmplifierRegisters<Hardware>& Amplifiers() { return *reinterpret_cast<AmplifierRegisters<Hardware>*>(0x40010300u); }
inline ComparatorRegisters<Hardware>& Comparators() {
  return *reinterpret_cast<ComparatorRegisters<Hardware>*>(0x40010200u);
}
inline DacRegisters<Hardware>& Dac3() { return *reinterpret_cast<DacRegisters<Hardware>*>(0x50001000u); }
inline BreakSourceRegisters<Hardware>& Tim1BreakSources() {
  return *reinterpret_cast<BreakSourceRegisters<Hardware>*>(0x40012C60u);
}
inline IwdgRegisters<Hardware>& Iwdg() { return *reinterpret_cast<IwdgRegisters<Hardware>*>(0x40003000u); }
inline WwdgRegisters<Hardware>& Wwdg() { return *reinterpret_cast<WwdgRegisters<Hardware>*>(0x40002C00u); }

// Interrupts: RM0440 14.3, table 97.
inline constexpr int kWwdgInterrupt = 0, kPvdInterrupt = 1, kTim3Interrupt = 29, kUsart2Interrupt = 38,
                     kDma1Channel3Interrupt = 13, kDma1Channel4Interrupt = 14;
inline constexpr int kInterrupts = 102;

}  // namespace tactus::hal::stm32::g4
