#pragma once
#include <cstddef>
#include <cstdint>

#include "hal/stm32/hardware.h"

// Peripherals that STM32F4, H7 and G4 have alike, by hand from the reference manuals: RM0090 (F405), RM0433 (H743),
// RM0440 (G431). A block is a template on its register, so that the drivers can be compiled for the chip and for the
// register models of the tests (tests/stm32): the same source, the same layout.

namespace tactus::hal::stm32 {

/// Advanced and general-purpose timer: RM0090 17.4 and 18.4, RM0433 38.4 and 39.4, RM0440 28.6 and 29.5.
template <class R>
struct TimerRegisters {
  R cr1, cr2, smcr, dier, sr, egr, ccmr1, ccmr2, ccer, cnt, psc, arr, rcr, ccr1, ccr2, ccr3, ccr4, bdtr;
};

namespace timer {
inline constexpr std::uint32_t kEnable = 1u, kCentreAligned = 3u << 5, kPreloadPeriod = 1u << 7;  // CR1
inline constexpr std::uint32_t kTriggerOnEnable = 1u << 4, kTriggerOnUpdate = 2u << 4,
                               kTriggerOnReference1 = 4u << 4;                                               // CR2, MMS
inline constexpr std::uint32_t kEncoderBothEdges = 3u, kStartOnTrigger = 6u;                                 // SMCR, SMS
inline constexpr std::uint32_t kUpdateInterrupt = 1u;                                                        // DIER
inline constexpr std::uint32_t kUpdate = 1u, kCapture3 = 1u << 3, kBreak = 1u << 7, kSecondBreak = 1u << 8;  // SR
inline constexpr std::uint32_t kGenerateUpdate = 1u;                                                         // EGR
inline constexpr std::uint32_t kBothInputs = 1u | 1u << 8;  // CCMR1: IC1 on TI1, IC2 on TI2
inline constexpr std::uint32_t kInput3 = 1u;                // CCMR2: IC3 on TI3
inline constexpr std::uint32_t kPwmPair = 0x6868u,
                               kPwmOne = 0x68u;      // CCMR: PWM mode 1, preloaded; of both channels, of the first
inline constexpr std::uint32_t kPwmInverse = 0x70u;  // CCMR: PWM mode 2 of the first channel
inline constexpr std::uint32_t kThreePairs = 0x555u, kCapture3Enable = 1u << 8;  // CCER: CC1..3 and CC1N..3N; CC3
inline constexpr std::uint32_t kLockLevel2 = 2u << 8, kIdleOff = 1u << 10, kRunOff = 1u << 11, kBreakEnable = 1u << 12,
                               kBreakActiveHigh = 1u << 13, kMainOutput = 1u << 15;  // BDTR
}  // namespace timer

/// Ports: RM0090 8.4, RM0433 11.4, RM0440 9.4.
template <class R>
struct GpioRegisters {
  R moder, otyper, ospeedr, pupdr, idr, odr, bsrr, lckr, afr[2];
};

/// Independent watchdog: RM0090 21.4, RM0433 48.4, RM0440 43.4. H7 and G4 have a window behind it.
template <class R>
struct IwdgRegisters {
  R kr, pr, rlr, sr;
};

/// Window watchdog: RM0090 22.6, RM0433 47.5, RM0440 44.5.
template <class R>
struct WwdgRegisters {
  R cr, cfr, sr;
};

}  // namespace tactus::hal::stm32
