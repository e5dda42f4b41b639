#pragma once
#include "hal/stm32/fifo_uart_link.h"
#include "hal/stm32/registers.h"
#include "hal/stm32/reset_flags.h"

// Peripherals of the STM32G431: RM0440, by hand.

namespace tactus::hal::stm32::g4 {

/// Reset and clock control, RM0440 7.4.
template <class R>
struct RccRegisters {
  R cr, icscr, cfgr, pllcfgr, gap1[2], cier, cifr, cicr, gap2;
  R ahb1rstr, ahb2rstr, ahb3rstr, gap3, apb1rstr1, apb1rstr2, apb2rstr, gap4;
  R ahb1enr, ahb2enr, ahb3enr, gap5, apb1enr1, apb1enr2, apb2enr, gap6[11];
  R bdcr, csr;
};
static_assert(offsetof(RccRegisters<std::uint32_t>, ahb2enr) == 0x4C);
static_assert(offsetof(RccRegisters<std::uint32_t>, apb2enr) == 0x60);
static_assert(offsetof(RccRegisters<std::uint32_t>, csr) == 0x94);

namespace rcc {
inline constexpr std::uint32_t kHseOn = 1u << 16, kHseReady = 1u << 17, kHseBypass = 1u << 18, kSecurityOn = 1u << 19,
                               kPllOn = 1u << 24,
                               kPllReady = 1u << 25;                                                           // CR
inline constexpr std::uint32_t kUsePll = 3u, kStatusMask = 3u << 2, kStatusPll = 3u << 2, kAhbBy2 = 8u << 4;   // CFGR
inline constexpr std::uint32_t kFromHse = 3u, kOutputR = 1u << 24;                                             // PLLCFGR
inline constexpr std::uint32_t kPortA = 1u, kPortB = 2u, kPortC = 4u;                                          // AHB2ENR
inline constexpr std::uint32_t kTim3 = 2u, kTim4 = 4u, kWwdg = 1u << 11, kUsart2 = 1u << 17, kPwr = 1u << 28;  // APB1ENR1
inline constexpr std::uint32_t kSyscfg = 1u, kTim1 = 1u << 11;                                                 // APB2ENR
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
inline TimerRegisters<Hardware>& Tim3() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000400u); }
inline TimerRegisters<Hardware>& Tim4() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000800u); }
inline FifoUsartRegisters<Hardware>& Usart2() { return *reinterpret_cast<FifoUsartRegisters<Hardware>*>(0x40004400u); }
inline IwdgRegisters<Hardware>& Iwdg() { return *reinterpret_cast<IwdgRegisters<Hardware>*>(0x40003000u); }
inline WwdgRegisters<Hardware>& Wwdg() { return *reinterpret_cast<WwdgRegisters<Hardware>*>(0x40002C00u); }

// Interrupts: RM0440 14.3, table 97.
inline constexpr int kWwdgInterrupt = 0, kPvdInterrupt = 1, kTim3Interrupt = 29, kUsart2Interrupt = 38;
inline constexpr int kInterrupts = 102;

}  // namespace tactus::hal::stm32::g4
