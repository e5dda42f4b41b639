#pragma once
#include "hal/stm32/dma_stream.h"
#include "hal/stm32/registers.h"
#include "hal/stm32/reset_flags.h"

// Peripherals of the STM32F405 that later families have differently: RM0090, by hand.

namespace tactus::hal::stm32::f4 {

/// Reset and clock control, RM0090 7.3.
template <class R>
struct RccRegisters {
  R cr, pllcfgr, cfgr, cir;
  R ahb1rstr, ahb2rstr, ahb3rstr, gap1, apb1rstr, apb2rstr, gap2[2];
  R ahb1enr, ahb2enr, ahb3enr, gap3, apb1enr, apb2enr, gap4[2];
  R low_power[6], gap5[2];
  R bdcr, csr;
};
static_assert(sizeof(RccRegisters<std::uint32_t>) == 0x78);

namespace rcc {
inline constexpr std::uint32_t kHseOn = 1u << 16, kHseReady = 1u << 17, kHseBypass = 1u << 18, kSecurityOn = 1u << 19,
                               kPllOn = 1u << 24,
                               kPllReady = 1u << 25;                                       // CR
inline constexpr std::uint32_t kPllFromHse = 1u << 22;                                     // PLLCFGR
inline constexpr std::uint32_t kUsePll = 2u, kStatusMask = 3u << 2, kStatusPll = 2u << 2;  // CFGR: SW, SWS
inline constexpr std::uint32_t kApb1By4 = 5u << 10, kApb2By2 = 4u << 13;                   // CFGR
inline constexpr std::uint32_t kClearCauses = 1u << 24, kBrownOut = 1u << 25, kPowerOn = 1u << 27, kSoftware = 1u << 28,
                               kIndependentWatchdog = 1u << 29, kWindowWatchdog = 1u << 30;                        // CSR
inline constexpr std::uint32_t kPortA = 1u, kPortB = 2u, kPortC = 4u, kDma2 = 1u << 22;                            // AHB1ENR
inline constexpr std::uint32_t kTim2 = 1u, kTim3 = 2u, kTim4 = 4u, kTim5 = 8u, kWwdg = 1u << 11, kPwr = 1u << 28;  // APB1ENR
inline constexpr std::uint32_t kTim1 = 1u, kTim8 = 2u, kUsart1 = 1u << 4, kAdc1 = 1u << 8;                         // APB2ENR
}  // namespace rcc

/// Of RCC_CSR, RM0090 7.3.21.
inline constexpr ResetFlags kResetFlags{.watchdogs = rcc::kIndependentWatchdog | rcc::kWindowWatchdog,
                                        .software = rcc::kSoftware,
                                        .power_on = rcc::kPowerOn,
                                        .brown_out = rcc::kBrownOut,
                                        .clear = rcc::kClearCauses};

/// Power control, RM0090 5.4.
template <class R>
struct PwrRegisters {
  R cr, csr;
};
namespace pwr {
inline constexpr std::uint32_t kDetectorOn = 1u << 4, kLevelMask = 7u << 5, kScale1 = 1u << 14;  // CR
inline constexpr std::uint32_t kBelowLevel = 1u << 2, kScaleReady = 1u << 14;                    // CSR
}  // namespace pwr

/// Flash interface, RM0090 3.9.
template <class R>
struct FlashRegisters {
  R acr, keyr, optkeyr, sr, cr, optcr;
};
namespace flash {
inline constexpr std::uint32_t kPrefetchAndCaches = 7u << 8;  // ACR: PRFTEN, ICEN, DCEN
}

/// External interrupts, RM0090 12.3.
template <class R>
struct ExtiRegisters {
  R imr, emr, rtsr, ftsr, swier, pr;
};

/// USART, RM0090 30.6.
template <class R>
struct UsartRegisters {
  R sr, dr, brr, cr1, cr2, cr3, gtpr;
};
namespace usart {
inline constexpr std::uint32_t kFraming = 1u << 1, kNoise = 1u << 2, kOverrun = 1u << 3, kIdle = 1u << 4,
                               kReceived = 1u << 5, kRoom = 1u << 7;  // SR
inline constexpr std::uint32_t kErrors = kFraming | kNoise | kOverrun;
inline constexpr std::uint32_t kReceive = 1u << 2, kTransmit = 1u << 3, kIdleInterrupt = 1u << 4,
                               kReceivedInterrupt = 1u << 5, kRoomInterrupt = 1u << 7, kEnable = 1u << 13;  // CR1
inline constexpr std::uint32_t kErrorInterrupt = 1u, kDmaReceive = 1u << 6, kDmaTransmit = 1u << 7;         // CR3
}  // namespace usart

/// Which request a stream serves, of the eight that are wired to it: CR, RM0090 10.5.5.
constexpr std::uint32_t Channel(std::uint32_t number) { return number << 25; }

/// Analog-digital converter, RM0090 13.13.
template <class R>
struct AdcRegisters {
  R sr, cr1, cr2, smpr1, smpr2, jofr[4], htr, ltr, sqr1, sqr2, sqr3, jsqr, jdr[4], dr;
};
static_assert(offsetof(AdcRegisters<std::uint32_t>, dr) == 0x4C);
/// What the three converters share.
template <class R>
struct AdcCommonRegisters {
  R csr, ccr;
};
namespace adc {
inline constexpr std::uint32_t kOverrun = 1u << 5;                                                      // SR
inline constexpr std::uint32_t kScan = 1u << 8;                                                         // CR1
inline constexpr std::uint32_t kOn = 1u, kDma = 1u << 8, kDmaGoesOn = 1u << 9, kRisingEdge = 1u << 28;  // CR2
inline constexpr std::uint32_t kTriggerTim8 = 14u << 24;                                                // CR2, EXTSEL
inline constexpr std::uint32_t kClockBy4 = 1u << 16;                                                    // CCR
}  // namespace adc

// Where they are in the STM32F405: RM0090 2.3.
inline RccRegisters<Hardware>& Rcc() { return *reinterpret_cast<RccRegisters<Hardware>*>(0x40023800u); }
inline PwrRegisters<Hardware>& Pwr() { return *reinterpret_cast<PwrRegisters<Hardware>*>(0x40007000u); }
inline FlashRegisters<Hardware>& Flash() { return *reinterpret_cast<FlashRegisters<Hardware>*>(0x40023C00u); }
inline ExtiRegisters<Hardware>& Exti() { return *reinterpret_cast<ExtiRegisters<Hardware>*>(0x40013C00u); }
inline GpioRegisters<Hardware>& PortA() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x40020000u); }
inline GpioRegisters<Hardware>& PortB() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x40020400u); }
inline GpioRegisters<Hardware>& PortC() { return *reinterpret_cast<GpioRegisters<Hardware>*>(0x40020800u); }
inline TimerRegisters<Hardware>& Tim1() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40010000u); }
inline TimerRegisters<Hardware>& Tim2() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000000u); }
inline TimerRegisters<Hardware>& Tim3() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000400u); }
inline TimerRegisters<Hardware>& Tim4() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000800u); }
inline TimerRegisters<Hardware>& Tim5() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40000C00u); }
inline TimerRegisters<Hardware>& Tim8() { return *reinterpret_cast<TimerRegisters<Hardware>*>(0x40010400u); }
inline UsartRegisters<Hardware>& Usart1() { return *reinterpret_cast<UsartRegisters<Hardware>*>(0x40011000u); }
inline StreamDmaRegisters<Hardware>& Dma2() { return *reinterpret_cast<StreamDmaRegisters<Hardware>*>(0x40026400u); }
inline AdcRegisters<Hardware>& Adc1() { return *reinterpret_cast<AdcRegisters<Hardware>*>(0x40012000u); }
inline AdcCommonRegisters<Hardware>& AdcCommon() { return *reinterpret_cast<AdcCommonRegisters<Hardware>*>(0x40012300u); }
inline IwdgRegisters<Hardware>& Iwdg() { return *reinterpret_cast<IwdgRegisters<Hardware>*>(0x40003000u); }
inline WwdgRegisters<Hardware>& Wwdg() { return *reinterpret_cast<WwdgRegisters<Hardware>*>(0x40002C00u); }

// Interrupts: RM0090 12.2, table 61.
inline constexpr int kWwdgInterrupt = 0, kPvdInterrupt = 1, kTim4Interrupt = 30, kUsart1Interrupt = 37,
                     kDma2Stream2Interrupt = 58, kDma2Stream7Interrupt = 70;
inline constexpr int kInterrupts = 82;

}  // namespace tactus::hal::stm32::f4
