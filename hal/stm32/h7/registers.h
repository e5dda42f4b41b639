#pragma once
#include "hal/stm32/converter.h"
#include "hal/stm32/dma_mux.h"
#include "hal/stm32/dma_stream.h"
#include "hal/stm32/fifo_usart.h"
#include "hal/stm32/registers.h"
#include "hal/stm32/reset_flags.h"

// Peripherals of the STM32H743: RM0433, by hand.

namespace tactus::hal::stm32::h7 {

/// Reset and clock control, RM0433 8.7.
template <class R>
struct RccRegisters {
  R cr, icscr, crrcr, gap1, cfgr, gap2, d1cfgr, d2cfgr, d3cfgr, gap3, pllckselr, pllcfgr, pll1divr, pll1fracr, pll2divr,
      pll2fracr, pll3divr, pll3fracr, gap4, d1ccipr, d2ccip1r, d2ccip2r, d3ccipr, gap5, cier, cifr, cicr, gap6, bdcr, csr,
      gap7;
  R ahb3rstr, ahb1rstr, ahb2rstr, ahb4rstr, apb3rstr, apb1lrstr, apb1hrstr, apb2rstr, apb4rstr;
  R gcr, gap8, d3amr, gap9[9];
  R rsr, ahb3enr, ahb1enr, ahb2enr, ahb4enr, apb3enr, apb1lenr, apb1henr, apb2enr, apb4enr;
};
static_assert(offsetof(RccRegisters<std::uint32_t>, gcr) == 0xA0);
static_assert(offsetof(RccRegisters<std::uint32_t>, rsr) == 0xD0);
static_assert(offsetof(RccRegisters<std::uint32_t>, apb4enr) == 0xF4);

namespace rcc {
inline constexpr std::uint32_t kHseOn = 1u << 16, kHseReady = 1u << 17, kHseBypass = 1u << 18, kSecurityOn = 1u << 19,
                               kPllOn = 1u << 24, kPllReady = 1u << 25;                                // CR
inline constexpr std::uint32_t kUsePll = 3u, kStatusMask = 7u << 3, kStatusPll = 3u << 3;              // CFGR: SW, SWS
inline constexpr std::uint32_t kFromHse = 2u;                                                          // PLLCKSELR
inline constexpr std::uint32_t kInput2To4MHz = 1u << 2, kInput4To8MHz = 2u << 2, kOutputP = 1u << 16;  // PLLCFGR
inline constexpr std::uint32_t kAhbBy2 = 8u, kD1Apb3By2 = 4u << 4;                                     // D1CFGR
inline constexpr std::uint32_t kApb1By2 = 4u << 4, kApb2By2 = 4u << 8;                                 // D2CFGR
inline constexpr std::uint32_t kApb4By2 = 4u << 4;                                                     // D3CFGR
inline constexpr std::uint32_t kPortA = 1u, kPortB = 2u, kPortC = 4u, kPortD = 8u, kPortE = 16u;       // AHB4ENR
inline constexpr std::uint32_t kTim2 = 1u, kTim3 = 2u, kTim4 = 4u, kTim5 = 8u, kUsart3 = 1u << 18;     // APB1LENR
inline constexpr std::uint32_t kDma1 = 1u, kAdc12 = 1u << 5;  // AHB1ENR, which clocks DMAMUX1 too; AHB1RSTR
inline constexpr std::uint32_t kSram1 = 1u << 29;             // AHB2ENR
inline constexpr std::uint32_t kTim1 = 1u, kTim8 = 2u, kWwdg1 = 1u << 6, kSyscfg = 1u << 1;  // APB2ENR; APB3ENR; APB4ENR
inline constexpr std::uint32_t kWwdgResets = 1u;                                             // GCR
inline constexpr std::uint32_t kClearCauses = 1u << 16, kBrownOut = 1u << 21, kPowerOn = 1u << 23, kSoftware = 1u << 24,
                               kIndependentWatchdog = 1u << 26, kWindowWatchdog = 1u << 28;  // RSR
}  // namespace rcc

/// Of RCC_RSR, RM0433 8.7.37.
inline constexpr ResetFlags kResetFlags{.watchdogs = rcc::kIndependentWatchdog | rcc::kWindowWatchdog,
                                        .software = rcc::kSoftware,
                                        .power_on = rcc::kPowerOn,
                                        .brown_out = rcc::kBrownOut,
                                        .clear = rcc::kClearCauses};

/// Power control, RM0433 6.8.
template <class R>
struct PwrRegisters {
  R cr1, csr1, cr2, cr3, cpucr, gap, d3cr, wkupcr;
};
namespace pwr {
inline constexpr std::uint32_t kDetectorOn = 1u << 4, kLevelMask = 7u << 5;      // CR1
inline constexpr std::uint32_t kBelowLevel = 1u << 4, kVoltageValid = 1u << 13;  // CSR1: PVDO, ACTVOSRDY
inline constexpr std::uint32_t kLdoOn = 1u << 1, kSupplyMask = 7u;               // CR3
inline constexpr std::uint32_t kScale1 = 3u << 14, kScaleReady = 1u << 13;       // D3CR
inline constexpr std::uint32_t kOverdrive = 1u;                                  // SYSCFG_PWRCR
}  // namespace pwr

/// System configuration, RM0433 12.3.
template <class R>
struct SyscfgRegisters {
  R gap1, pmcr, exticr[4], cfgr, gap2, cccsr, ccvr, cccr, pwrcr;
};
static_assert(offsetof(SyscfgRegisters<std::uint32_t>, pwrcr) == 0x2C);
namespace syscfg {
inline constexpr std::uint32_t kBreakOnSupply = 1u << 2, kBreakOnLockup = 1u << 6;  // CFGR: PVDL, CM7L
}

/// Flash interface, RM0433 4.9: ACR only.
template <class R>
struct FlashRegisters {
  R acr;
};

/// Beside the F405's bits of a stream: it serves a USART. CR, TRBUFF, RM0433 15.5.5.
inline constexpr std::uint32_t kBufferable = 1u << 20;

/// Analog-digital converters: what G4's have not.
namespace adc {
inline constexpr std::uint32_t kRegulatorIsReady = 1u << 12;  // ISR, LDORDY
inline constexpr std::uint32_t kBoost3 = 3u << 8;             // CR
inline constexpr std::uint32_t kClockBy4 = 3u << 16;          // CCR, CKMODE
}  // namespace adc
inline constexpr std::uint32_t kRequestAdc1 = 9;  // DMAMUX1, RM0433 table 121

/// External interrupts, RM0433 20.6.
template <class R>
struct ExtiRegisters {
  R rtsr1, ftsr1, swier1, gap[29], cpuimr1, cpuemr1, cpupr1;
};
static_assert(offsetof(ExtiRegisters<std::uint32_t>, cpuimr1) == 0x80);

// Where they are: RM0433 2.3.2.
inline RccRegisters<Hardware>& Rcc() { return *reinterpret_cast<RccRegisters<Hardware>*>(0x58024400u); }
inline PwrRegisters<Hardware>& Pwr() { return *reinterpret_cast<PwrRegisters<Hardware>*>(0x58024800u); }
inline SyscfgRegisters<Hardware>& Syscfg() { return *reinterpret_cast<SyscfgRegisters<Hardware>*>(0x58000400u); }
inline FlashRegisters<Hardware>& Flash() { return *reinterpret_cast<FlashRegisters<Hardware>*>(0x52002000u); }
inline ExtiRegisters<Hardware>& Exti() { return *reinterpret_cast<ExtiRegisters<Hardware>*>(0x58000000u); }
inline GpioRegisters<Hardware>& PortA() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x58020000u); }
inline GpioRegisters<Hardware>& PortB() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x58020400u); }
inline GpioRegisters<Hardware>& PortC() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x58020800u); }
inline GpioRegisters<Hardware>& PortD() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x58020C00u); }
inline GpioRegisters<Hardware>& PortE() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x58021000u); }
inline TimerRegisters<Hardware>& Tim1() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40010000u); }
inline TimerRegisters<Hardware>& Tim2() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000000u); }
inline TimerRegisters<Hardware>& Tim3() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000400u); }
inline TimerRegisters<Hardware>& Tim4() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000800u); }
inline TimerRegisters<Hardware>& Tim5() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000C00u); }
inline FifoUsartRegisters<Hardware>& Usart3() { return *reinterpret_cast<FifoUsartRegisters<Hardware>*>(0x40004800u); }
inline StreamDmaRegisters<Hardware>& Dma1() { return *reinterpret_cast<StreamDmaRegisters<Hardware>*>(0x40020000u); }
inline DmaMuxRegisters<Hardware>& DmaMux1() { return *reinterpret_cast<DmaMuxRegisters<Hardware>*>(0x40020800u); }
inline ConverterRegisters<Hardware>& Adc1() { return *reinterpret_cast<ConverterRegisters<Hardware>*>(0x40022000u); }
inline ConverterCommonRegisters<Hardware>& Adc12() {
  return *reinterpret_cast<ConverterCommonRegisters<Hardware>*>(0x40022300u);
}
inline TimerRegisters<Hardware>& Tim8() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40010400u); }
inline IwdgRegisters<Hardware>& Iwdg() { return *reinterpret_cast<IwdgRegisters<Hardware>*>(0x58004800u); }
inline WwdgRegisters<Hardware>& Wwdg() { return *reinterpret_cast<WwdgRegisters<Hardware>*>(0x50003000u); }

// Interrupts: RM0433 19.1.2, table 144.
inline constexpr int kWwdgInterrupt = 0, kPvdInterrupt = 1, kDma1Stream1Interrupt = 12, kDma1Stream2Interrupt = 13,
                     kUsart3Interrupt = 39, kTim5Interrupt = 50;
inline constexpr int kInterrupts = 150;

}  // namespace tactus::hal::stm32::h7
