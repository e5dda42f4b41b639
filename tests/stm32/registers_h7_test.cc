#include "hal/stm32/h7/registers.h"

#include "hal/stm32/h7/uart_link.h"

#include "tests/stm32/manual_facts.h"

// The STM32H743 by the numbers of RM0433: bases from 2.3.2, offsets from each chapter's register map. ST's
// stm32h743xx.h has the same numbers.

namespace tactus::hal::stm32 {
namespace {

using manual::Bit;
using manual::Field;

TEST(H7Registers, StandWhereTheManualPutsTheBlocks) {
  manual::ExpectPlaces({{"TIM1_CR1", &h7::Tim1().cr1, 0x40010000},       {"TIM1_BDTR", &h7::Tim1().bdtr, 0x40010044},
                        {"TIM2_CR1", &h7::Tim2().cr1, 0x40000000},       {"TIM2_CNT", &h7::Tim2().cnt, 0x40000024},
                        {"TIM3_CR1", &h7::Tim3().cr1, 0x40000400},       {"TIM3_SMCR", &h7::Tim3().smcr, 0x40000408},
                        {"TIM4_CR1", &h7::Tim4().cr1, 0x40000800},       {"TIM4_CCR3", &h7::Tim4().ccr3, 0x4000083C},
                        {"TIM5_CR1", &h7::Tim5().cr1, 0x40000C00},       {"GPIOA_MODER", &h7::PortA().moder, 0x58020000},
                        {"GPIOB_MODER", &h7::PortB().moder, 0x58020400}, {"GPIOC_MODER", &h7::PortC().moder, 0x58020800},
                        {"GPIOC_IDR", &h7::PortC().idr, 0x58020810},     {"GPIOC_BSRR", &h7::PortC().bsrr, 0x58020818},
                        {"GPIOD_MODER", &h7::PortD().moder, 0x58020C00}, {"GPIOE_MODER", &h7::PortE().moder, 0x58021000},
                        {"GPIOE_AFRH", &h7::PortE().afr[1], 0x58021024}, {"USART3_CR1", &h7::Usart3().cr1, 0x40004800},
                        {"USART3_BRR", &h7::Usart3().brr, 0x4000480C},   {"USART3_ISR", &h7::Usart3().isr, 0x4000481C},
                        {"USART3_TDR", &h7::Usart3().tdr, 0x40004828},   {"IWDG1_KR", &h7::Iwdg().kr, 0x58004800},
                        {"IWDG1_SR", &h7::Iwdg().sr, 0x5800480C},        {"WWDG1_CR", &h7::Wwdg().cr, 0x50003000},
                        {"WWDG1_CFR", &h7::Wwdg().cfr, 0x50003004}});
}

// RM0433 8.7 (RCC), 6.8 (PWR), 12.3 (SYSCFG), 4.9 (FLASH), 20.6 (EXTI).
TEST(H7Registers, OfClockAndSupplyStandWhereTheManualPutsThem) {
  auto& rcc = h7::Rcc();
  manual::ExpectPlaces({{"RCC_CR", &rcc.cr, 0x58024400},
                        {"RCC_CFGR", &rcc.cfgr, 0x58024410},
                        {"RCC_D1CFGR", &rcc.d1cfgr, 0x58024418},
                        {"RCC_D2CFGR", &rcc.d2cfgr, 0x5802441C},
                        {"RCC_D3CFGR", &rcc.d3cfgr, 0x58024420},
                        {"RCC_PLLCKSELR", &rcc.pllckselr, 0x58024428},
                        {"RCC_PLLCFGR", &rcc.pllcfgr, 0x5802442C},
                        {"RCC_PLL1DIVR", &rcc.pll1divr, 0x58024430},
                        {"RCC_PLL1FRACR", &rcc.pll1fracr, 0x58024434},
                        {"RCC_AHB3RSTR", &rcc.ahb3rstr, 0x5802447C},
                        {"RCC_AHB1RSTR", &rcc.ahb1rstr, 0x58024480},
                        {"RCC_GCR", &rcc.gcr, 0x580244A0},
                        {"RCC_RSR", &rcc.rsr, 0x580244D0},
                        {"RCC_AHB1ENR", &rcc.ahb1enr, 0x580244D8},
                        {"RCC_AHB2ENR", &rcc.ahb2enr, 0x580244DC},
                        {"RCC_AHB4ENR", &rcc.ahb4enr, 0x580244E0},
                        {"RCC_APB3ENR", &rcc.apb3enr, 0x580244E4},
                        {"RCC_APB1LENR", &rcc.apb1lenr, 0x580244E8},
                        {"RCC_APB2ENR", &rcc.apb2enr, 0x580244F0},
                        {"RCC_APB4ENR", &rcc.apb4enr, 0x580244F4},
                        {"PWR_CR1", &h7::Pwr().cr1, 0x58024800},
                        {"PWR_CSR1", &h7::Pwr().csr1, 0x58024804},
                        {"PWR_CR3", &h7::Pwr().cr3, 0x5802480C},
                        {"PWR_D3CR", &h7::Pwr().d3cr, 0x58024818},
                        {"SYSCFG_CFGR", &h7::Syscfg().cfgr, 0x58000418},
                        {"SYSCFG_PWRCR", &h7::Syscfg().pwrcr, 0x5800042C},
                        {"FLASH_ACR", &h7::Flash().acr, 0x52002000},
                        {"EXTI_RTSR1", &h7::Exti().rtsr1, 0x58000000},
                        {"EXTI_CPUIMR1", &h7::Exti().cpuimr1, 0x58000080},
                        {"EXTI_CPUPR1", &h7::Exti().cpupr1, 0x58000088}});
}

// RM0433 8.7 (CR, CFGR, D1CFGR, D2CFGR, D3CFGR, PLLCKSELR, PLLCFGR).
TEST(H7Registers, OfTheClockHaveTheManualsBits) {
  using namespace h7::rcc;
  manual::ExpectBits({{"RCC_CR HSEON", kHseOn, Bit(16)},
                      {"RCC_CR HSERDY", kHseReady, Bit(17)},
                      {"RCC_CR HSEBYP", kHseBypass, Bit(18)},
                      {"RCC_CR CSSHSEON", kSecurityOn, Bit(19)},
                      {"RCC_CR PLL1ON", kPllOn, Bit(24)},
                      {"RCC_CR PLL1RDY", kPllReady, Bit(25)},
                      {"RCC_CFGR SW pll1", kUsePll, Field(3, 0)},
                      {"RCC_CFGR SWS mask", kStatusMask, Field(7, 3)},
                      {"RCC_CFGR SWS pll1", kStatusPll, Field(3, 3)},
                      {"RCC_PLLCKSELR PLLSRC hse", kFromHse, Field(2, 0)},
                      {"RCC_PLLCFGR PLL1RGE 2-to-4MHz", kInput2To4MHz, Field(1, 2)},
                      {"RCC_PLLCFGR PLL1RGE 4-to-8MHz", kInput4To8MHz, Field(2, 2)},
                      {"RCC_PLLCFGR DIVP1EN", kOutputP, Bit(16)},
                      {"RCC_D1CFGR HPRE by-2", kAhbBy2, Field(8, 0)},
                      {"RCC_D1CFGR D1PPRE by-2", kD1Apb3By2, Field(4, 4)},
                      {"RCC_D2CFGR D2PPRE1 by-2", kApb1By2, Field(4, 4)},
                      {"RCC_D2CFGR D2PPRE2 by-2", kApb2By2, Field(4, 8)},
                      {"RCC_D3CFGR D3PPRE by-2", kApb4By2, Field(4, 4)}});
}

// RM0433 6.8 (CR1, CSR1, CR3, D3CR), 12.3 (CFGR, PWRCR).
TEST(H7Registers, OfTheSupplyHaveTheManualsBits) {
  using namespace h7::pwr;
  manual::ExpectBits({{"PWR_CR1 PVDEN", kDetectorOn, Bit(4)},
                      {"PWR_CR1 PLS mask", kLevelMask, Field(7, 5)},
                      {"PWR_CSR1 PVDO", kBelowLevel, Bit(4)},
                      {"PWR_CSR1 ACTVOSRDY", kVoltageValid, Bit(13)},
                      {"PWR_CR3 LDOEN", kLdoOn, Bit(1)},
                      {"PWR_D3CR VOS scale-1", kScale1, Field(3, 14)},
                      {"PWR_D3CR VOSRDY", kScaleReady, Bit(13)},
                      {"SYSCFG_PWRCR ODEN", kOverdrive, Bit(0)},
                      {"SYSCFG_CFGR PVDL", h7::syscfg::kBreakOnSupply, Bit(2)},
                      {"SYSCFG_CFGR CM7L", h7::syscfg::kBreakOnLockup, Bit(6)}});
  EXPECT_EQ(kSupplyMask, Bit(0) | Bit(1) | Bit(2));  // PWR_CR3: BYPASS, LDOEN, SCUEN
}

// RM0433 8.7 (GCR, RSR, AHB4ENR, APB1LENR, APB2ENR, APB3ENR, APB4ENR).
TEST(H7Registers, OfEachBlocksClockAndOfTheResetHaveTheManualsBits) {
  using namespace h7::rcc;
  manual::ExpectBits({{"RCC_AHB4ENR GPIOAEN", kPortA, Bit(0)},
                      {"RCC_AHB4ENR GPIOBEN", kPortB, Bit(1)},
                      {"RCC_AHB4ENR GPIOCEN", kPortC, Bit(2)},
                      {"RCC_AHB4ENR GPIODEN", kPortD, Bit(3)},
                      {"RCC_AHB4ENR GPIOEEN", kPortE, Bit(4)},
                      {"RCC_APB1LENR TIM2EN", kTim2, Bit(0)},
                      {"RCC_APB1LENR TIM3EN", kTim3, Bit(1)},
                      {"RCC_APB1LENR TIM4EN", kTim4, Bit(2)},
                      {"RCC_APB1LENR TIM5EN", kTim5, Bit(3)},
                      {"RCC_APB1LENR USART3EN", kUsart3, Bit(18)},
                      {"RCC_APB2ENR TIM1EN", kTim1, Bit(0)},
                      {"RCC_APB2ENR TIM8EN", kTim8, Bit(1)},
                      {"RCC_AHB1ENR DMA1EN", kDma1, Bit(0)},
                      {"RCC_AHB1ENR ADC12EN, RCC_AHB1RSTR ADC12RST", kAdc12, Bit(5)},
                      {"RCC_AHB2ENR SRAM1EN", kSram1, Bit(29)},
                      {"RCC_APB3ENR WWDG1EN", kWwdg1, Bit(6)},
                      {"RCC_APB4ENR SYSCFGEN", kSyscfg, Bit(1)},
                      {"RCC_GCR WW1RSC", kWwdgResets, Bit(0)},
                      {"RCC_RSR RMVF", kClearCauses, Bit(16)},
                      {"RCC_RSR BORRSTF", kBrownOut, Bit(21)},
                      {"RCC_RSR PORRSTF", kPowerOn, Bit(23)},
                      {"RCC_RSR SFTRSTF", kSoftware, Bit(24)},
                      {"RCC_RSR IWDG1RSTF", kIndependentWatchdog, Bit(26)},
                      {"RCC_RSR WWDG1RSTF", kWindowWatchdog, Bit(28)}});
}

// RM0433 15.5 (DMA), 17.6 (DMAMUX1), table 121 (requests); a stream's other bits are the F405's.
TEST(H7Registers, OfDmaAndItsRequestsAreTheManuals) {
  auto& dma = h7::Dma1();
  manual::ExpectPlaces({{"DMA1_LISR", &dma.lisr, 0x40020000},
                        {"DMA1_HIFCR", &dma.hifcr, 0x4002000C},
                        {"DMA1_S0CR", &dma.stream[0].cr, 0x40020010},
                        {"DMA1_S0NDTR", &dma.stream[0].ndtr, 0x40020014},
                        {"DMA1_S0PAR", &dma.stream[0].par, 0x40020018},
                        {"DMA1_S0M0AR", &dma.stream[0].m0ar, 0x4002001C},
                        {"DMA1_S0FCR", &dma.stream[0].fcr, 0x40020024},
                        {"DMA1_S1CR", &dma.stream[h7::Usart3Streams::kReceive].cr, 0x40020028},
                        {"DMA1_S2CR", &dma.stream[h7::Usart3Streams::kSend].cr, 0x40020040},
                        {"DMAMUX1_C0CR", &h7::DmaMux1().ccr[0], 0x40020800},
                        {"DMAMUX1_C1CR", &h7::DmaMux1().ccr[1], 0x40020804}});
  manual::ExpectBits({{"DMA_SxCR TRBUFF", h7::kBufferable, Bit(20)},
                      {"DMA_SxCR EN", stream::kEnable, Bit(0)},
                      {"DMA_SxCR PL high", stream::kHighPriority, Field(2, 16)},
                      {"DMAMUX1 USART3_RX", h7::Usart3Streams::kReceiveRequest, 45},
                      {"DMAMUX1 USART3_TX", h7::Usart3Streams::kSendRequest, 46}});
}

// RM0433 25.6, 25.7.
TEST(H7Registers, OfTheConverterAreTheManuals) {
  auto& adc = h7::Adc1();
  manual::ExpectPlaces({{"ADC1_ISR", &adc.isr, 0x40022000},
                        {"ADC1_CR", &adc.cr, 0x40022008},
                        {"ADC1_CFGR", &adc.cfgr, 0x4002200C},
                        {"ADC1_CFGR2", &adc.cfgr2, 0x40022010},
                        {"ADC1_SMPR1", &adc.smpr1, 0x40022014},
                        {"ADC1_SMPR2", &adc.smpr2, 0x40022018},
                        {"ADC1_PCSEL", &adc.pcsel, 0x4002201C},
                        {"ADC1_SQR1", &adc.sqr[0], 0x40022030},
                        {"ADC1_DR", &adc.dr, 0x40022040},
                        {"ADC12_CCR", &h7::Adc12().ccr, 0x40022308},
                        {"TIM8_CR1", &h7::Tim8().cr1, 0x40010400}});
  using namespace converter;
  manual::ExpectBits({{"ADC_ISR ADRDY", kIsReady, Bit(0)},
                      {"ADC_ISR EOC", kUnread, Bit(2)},
                      {"ADC_ISR OVR", kOverrun, Bit(4)},
                      {"ADC_ISR LDORDY", h7::adc::kRegulatorIsReady, Bit(12)},
                      {"ADC_CR ADEN", kOn, Bit(0)},
                      {"ADC_CR ADSTART", kStart, Bit(2)},
                      {"ADC_CR ADSTP", kStop, Bit(4)},
                      {"ADC_CR BOOST 3", h7::adc::kBoost3, Field(3, 8)},
                      {"ADC_CR ADVREGEN", kRegulator, Bit(28)},
                      {"ADC_CR ADCAL", kCalibrate, Bit(31)},
                      {"ADC_CFGR DMNGT circular", kDmaForEver, Field(3, 0)},
                      {"ADC_CFGR EXTSEL tim8_trgo", kTriggerTim8, Field(7, 5)},
                      {"ADC_CFGR EXTEN rising", kRisingEdge, Field(1, 10)},
                      {"ADC_CFGR JQDIS", kNoInjectedQueue, Bit(31)},
                      {"ADC_CCR CKMODE by-4", h7::adc::kClockBy4, Field(3, 16)},
                      {"DMAMUX1 ADC1", h7::kRequestAdc1, 9}});
}

// RM0433 39.4.3 (SMCR), 39.4.5 (SR), 39.4.7, 39.4.9 (CCMR1, CCMR2), 39.4.11 (CCER): what an encoder with index needs.
TEST(H7Registers, OfAnEncodersTimerHaveTheManualsBits) {
  using namespace timer;
  manual::ExpectBits({{"TIM_SMCR SMS encoder-3", kEncoderBothEdges, Field(3, 0)},
                      {"TIM_CCMR1 CC1S ti1, CC2S ti2", kBothInputs, Field(1, 0) | Field(1, 8)},
                      {"TIM_CCMR2 CC3S ti3", kInput3, Field(1, 0)},
                      {"TIM_CCER CC3E", kCapture3Enable, Bit(8)},
                      {"TIM_SR CC3IF", kCapture3, Bit(3)}});
}

// RM0433 19.1.2, table 144.
TEST(H7Registers, InterruptsHaveTheManualsNumbers) {
  EXPECT_EQ(h7::kWwdgInterrupt, 0);
  EXPECT_EQ(h7::kPvdInterrupt, 1);
  EXPECT_EQ(h7::kDma1Stream1Interrupt, 12);
  EXPECT_EQ(h7::kDma1Stream2Interrupt, 13);
  EXPECT_EQ(h7::kUsart3Interrupt, 39);
  EXPECT_EQ(h7::kTim5Interrupt, 50);
  EXPECT_EQ(h7::kInterrupts, 150);  // 0 to 149, the wake-up pins'
}

}  // namespace
}  // namespace tactus::hal::stm32
