#include "hal/stm32/registers.h"

#include "hal/cortex_m/registers.h"
#include "hal/stm32/f4/registers.h"
#include "hal/stm32/supply.h"
#include "hal/stm32/watchdogs.h"
#include "tests/stm32/manual_facts.h"

// What F4, H7 and G4 have alike, by its places in the F405, and the core. Source: RM0090 (STM32F405), DDI 0403E (Armv7-M);
// ST's stm32f405xx.h, stm32g431xx.h and stm32h743xx.h have the same numbers.

namespace tactus::hal::stm32 {
namespace {

using manual::Bit;
using manual::Field;

// RM0090 17.4.21 (register map) from TIM1 at 0x40010000 on (2.3).
TEST(Registers, OfATimerStandWhereTheManualPutsThem) {
  auto& t = f4::Tim1();
  manual::ExpectPlaces({{"TIM1_CR1", &t.cr1, 0x40010000},
                        {"TIM1_CR2", &t.cr2, 0x40010004},
                        {"TIM1_SMCR", &t.smcr, 0x40010008},
                        {"TIM1_DIER", &t.dier, 0x4001000C},
                        {"TIM1_SR", &t.sr, 0x40010010},
                        {"TIM1_EGR", &t.egr, 0x40010014},
                        {"TIM1_CCMR1", &t.ccmr1, 0x40010018},
                        {"TIM1_CCMR2", &t.ccmr2, 0x4001001C},
                        {"TIM1_CCER", &t.ccer, 0x40010020},
                        {"TIM1_CNT", &t.cnt, 0x40010024},
                        {"TIM1_PSC", &t.psc, 0x40010028},
                        {"TIM1_ARR", &t.arr, 0x4001002C},
                        {"TIM1_RCR", &t.rcr, 0x40010030},
                        {"TIM1_CCR1", &t.ccr1, 0x40010034},
                        {"TIM1_CCR2", &t.ccr2, 0x40010038},
                        {"TIM1_CCR3", &t.ccr3, 0x4001003C},
                        {"TIM1_CCR4", &t.ccr4, 0x40010040},
                        {"TIM1_BDTR", &t.bdtr, 0x40010044}});
}

// RM0090 17.4.1 to 17.4.9.
TEST(Registers, OfATimerHaveTheManualsBits) {
  using namespace timer;
  manual::ExpectBits({{"TIM_CR1 CEN", kEnable, Bit(0)},
                      {"TIM_CR1 CMS both-ways", kCentreAligned, Field(3, 5)},
                      {"TIM_CR1 ARPE", kPreloadPeriod, Bit(7)},
                      {"TIM_CR2 MMS enable", kTriggerOnEnable, Field(1, 4)},
                      {"TIM_CR2 MMS update", kTriggerOnUpdate, Field(2, 4)},
                      {"TIM_CR2 MMS OC1REF", kTriggerOnReference1, Field(4, 4)},
                      {"TIM_SMCR SMS encoder-3", kEncoderBothEdges, Field(3, 0)},
                      {"TIM_SMCR SMS trigger", kStartOnTrigger, Field(6, 0)},
                      {"TIM_DIER UIE", kUpdateInterrupt, Bit(0)},
                      {"TIM_SR UIF", kUpdate, Bit(0)},
                      {"TIM_SR CC3IF", kCapture3, Bit(3)},
                      {"TIM_SR BIF", kBreak, Bit(7)},
                      {"TIM_EGR UG", kGenerateUpdate, Bit(0)},
                      {"TIM_CCMR2 CC3S ti3", kInput3, Field(1, 0)},
                      {"TIM_CCER CC3E", kCapture3Enable, Bit(8)}});
  EXPECT_EQ(kBothInputs, Field(1, 0) | Field(1, 8));                             // CCMR1: CC1S, CC2S
  EXPECT_EQ(kPwmInverse, Field(7, 4));                                           // CCMR1: OC1M
  EXPECT_EQ(kPwmOne, Bit(3) | Field(6, 4));                                      // CCMR1, CCMR2: OC1PE, OC1M
  EXPECT_EQ(kPwmPair, Bit(3) | Field(6, 4) | Bit(11) | Field(6, 12));            // and OC2PE, OC2M
  EXPECT_EQ(kThreePairs, Bit(0) | Bit(2) | Bit(4) | Bit(6) | Bit(8) | Bit(10));  // CCER: CC1E, CC1NE, …, CC3NE
}

// RM0090 17.4.18.
TEST(Registers, OfTheBreakHaveTheManualsBits) {
  using namespace timer;
  manual::ExpectBits({{"TIM_BDTR LOCK level-2", kLockLevel2, Field(2, 8)},
                      {"TIM_BDTR OSSI", kIdleOff, Bit(10)},
                      {"TIM_BDTR OSSR", kRunOff, Bit(11)},
                      {"TIM_BDTR BKE", kBreakEnable, Bit(12)},
                      {"TIM_BDTR BKP", kBreakActiveHigh, Bit(13)},
                      {"TIM_BDTR MOE", kMainOutput, Bit(15)}});
}

// RM0090 8.4.11 (register map) from GPIOB at 0x40020400 on (2.3).
TEST(Registers, OfAPortStandWhereTheManualPutsThem) {
  auto& p = f4::PortB();
  manual::ExpectPlaces({{"GPIOB_MODER", &p.moder, 0x40020400},
                        {"GPIOB_OTYPER", &p.otyper, 0x40020404},
                        {"GPIOB_OSPEEDR", &p.ospeedr, 0x40020408},
                        {"GPIOB_PUPDR", &p.pupdr, 0x4002040C},
                        {"GPIOB_IDR", &p.idr, 0x40020410},
                        {"GPIOB_ODR", &p.odr, 0x40020414},
                        {"GPIOB_BSRR", &p.bsrr, 0x40020418},
                        {"GPIOB_AFRL", &p.afr[0], 0x40020420},
                        {"GPIOB_AFRH", &p.afr[1], 0x40020424}});
}

// RM0090 21.4.5 and 22.6.4 (register maps), 21.4.1 (keys), 22.6.1, 22.6.2, 12.2.5 (line 16).
TEST(Registers, OfTheWatchdogsAreTheManuals) {
  auto& independent = f4::Iwdg();
  auto& window = f4::Wwdg();
  manual::ExpectPlaces({{"IWDG_KR", &independent.kr, 0x40003000},
                        {"IWDG_PR", &independent.pr, 0x40003004},
                        {"IWDG_RLR", &independent.rlr, 0x40003008},
                        {"IWDG_SR", &independent.sr, 0x4000300C},
                        {"WWDG_CR", &window.cr, 0x40002C00},
                        {"WWDG_CFR", &window.cfr, 0x40002C04}});
  manual::ExpectBits({{"IWDG_KR KEY start", watchdog::kStart, 0xCCCC},
                      {"IWDG_KR KEY unlock", watchdog::kUnlock, 0x5555},
                      {"IWDG_KR KEY reload", watchdog::kReload, 0xAAAA},
                      {"WWDG_CR T full", watchdog::kFull, Field(0x7F, 0)},
                      {"WWDG_CR T last", watchdog::kLast, Field(0x3F, 0)},
                      {"WWDG_CR WDGA", watchdog::kActivate, Bit(7)},
                      {"WWDG_CFR EWI", watchdog::kEarlyWarning, Bit(9)},
                      {"EXTI_IMR MR16", kPvdLine, Bit(16)}});
  EXPECT_EQ(watchdog::kCountsPerTick, 4096u);  // RM0090 22.4
}

// DDI 0403E B3.2.2 (SCB), B3.3.2 (SysTick), B3.4.3 (NVIC), B3.5.4 (MPU).
TEST(Registers, OfTheCoreStandWhereArmPutsThem) {
  auto& scb = cortex_m::Scb();
  auto& systick = cortex_m::SysTick();
  auto& mpu = cortex_m::Mpu();
  auto& nvic = cortex_m::Nvic();
  manual::ExpectPlaces({{"SCB_CPUID", &scb.cpuid, 0xE000ED00},      {"SCB_ICSR", &scb.icsr, 0xE000ED04},
                        {"SCB_VTOR", &scb.vtor, 0xE000ED08},        {"SCB_AIRCR", &scb.aircr, 0xE000ED0C},
                        {"SCB_CCR", &scb.ccr, 0xE000ED14},          {"SCB_SHPR1", &scb.shpr[0], 0xE000ED18},
                        {"SCB_SHPR3", &scb.shpr[2], 0xE000ED20},    {"SCB_SHCSR", &scb.shcsr, 0xE000ED24},
                        {"SCB_CFSR", &scb.cfsr, 0xE000ED28},        {"SCB_HFSR", &scb.hfsr, 0xE000ED2C},
                        {"SCB_MMFAR", &scb.mmfar, 0xE000ED34},      {"SCB_BFAR", &scb.bfar, 0xE000ED38},
                        {"SCB_CPACR", &scb.cpacr, 0xE000ED88},      {"SYST_CSR", &systick.csr, 0xE000E010},
                        {"SYST_RVR", &systick.rvr, 0xE000E014},     {"SYST_CVR", &systick.cvr, 0xE000E018},
                        {"MPU_TYPE", &mpu.type, 0xE000ED90},        {"MPU_CTRL", &mpu.ctrl, 0xE000ED94},
                        {"MPU_RNR", &mpu.rnr, 0xE000ED98},          {"MPU_RBAR", &mpu.rbar, 0xE000ED9C},
                        {"MPU_RASR", &mpu.rasr, 0xE000EDA0},        {"NVIC_ISER0", &nvic.iser[0], 0xE000E100},
                        {"NVIC_ISER2", &nvic.iser[2], 0xE000E108},  {"NVIC_IPR0", &nvic.ipr[0], 0xE000E400},
                        {"NVIC_IPR17.2", &nvic.ipr[70], 0xE000E446}});
  manual::ExpectBits(
      {{"SYST_CSR ENABLE", cortex_m::kSysTickEnabled, Bit(0)},
       {"ICSR PENDSVSET", cortex_m::kIcsrPendSvSet, Bit(28)},
       {"AIRCR VECTKEY SYSRESETREQ", cortex_m::kAircrSystemReset, Field(0x05FA, 16) | Bit(2)},
       {"SHCSR USGFAULTENA BUSFAULTENA MEMFAULTENA", cortex_m::kShcsrFaultsEnabled, Bit(18) | Bit(17) | Bit(16)},
       {"CCR DIV_0_TRP", cortex_m::kCcrDivideByZeroTraps, Bit(4)},
       {"CPACR CP10 CP11 full", cortex_m::kCpacrFpuEnabled, Field(3, 20) | Field(3, 22)}});
}

}  // namespace
}  // namespace tactus::hal::stm32
