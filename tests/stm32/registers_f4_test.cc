#include "hal/stm32/f4/registers.h"

#include "hal/stm32/f4/uart_link.h"
#include "tests/stm32/manual_facts.h"

// The STM32F405 by the numbers of RM0090: bases from 2.3, offsets from each chapter's register map. ST's
// stm32f405xx.h has the same numbers.

namespace tactus::hal::stm32 {
namespace {

using manual::Bit;
using manual::Field;

TEST(F4Registers, StandWhereTheManualPutsTheBlocks) {
  manual::ExpectPlaces({{"TIM1_CR1", &f4::Tim1().cr1, 0x40010000},
                        {"TIM2_CR1", &f4::Tim2().cr1, 0x40000000},
                        {"TIM3_CR1", &f4::Tim3().cr1, 0x40000400},
                        {"TIM4_CR1", &f4::Tim4().cr1, 0x40000800},
                        {"TIM5_CR1", &f4::Tim5().cr1, 0x40000C00},
                        {"TIM8_CR1", &f4::Tim8().cr1, 0x40010400},
                        {"GPIOA_MODER", &f4::PortA().moder, 0x40020000},
                        {"GPIOB_MODER", &f4::PortB().moder, 0x40020400},
                        {"GPIOC_MODER", &f4::PortC().moder, 0x40020800},
                        {"IWDG_KR", &f4::Iwdg().kr, 0x40003000},
                        {"WWDG_CR", &f4::Wwdg().cr, 0x40002C00}});
}

// RM0090 7.3.24 (RCC), 5.6 (PWR), 3.9 (FLASH), 12.3.7 (EXTI).
TEST(F4Registers, OfClockAndSupplyStandWhereTheManualPutsThem) {
  auto& rcc = f4::Rcc();
  manual::ExpectPlaces({{"RCC_CR", &rcc.cr, 0x40023800},
                        {"RCC_PLLCFGR", &rcc.pllcfgr, 0x40023804},
                        {"RCC_CFGR", &rcc.cfgr, 0x40023808},
                        {"RCC_CIR", &rcc.cir, 0x4002380C},
                        {"RCC_AHB1RSTR", &rcc.ahb1rstr, 0x40023810},
                        {"RCC_APB1RSTR", &rcc.apb1rstr, 0x40023820},
                        {"RCC_APB2RSTR", &rcc.apb2rstr, 0x40023824},
                        {"RCC_AHB1ENR", &rcc.ahb1enr, 0x40023830},
                        {"RCC_APB1ENR", &rcc.apb1enr, 0x40023840},
                        {"RCC_APB2ENR", &rcc.apb2enr, 0x40023844},
                        {"RCC_CSR", &rcc.csr, 0x40023874},
                        {"PWR_CR", &f4::Pwr().cr, 0x40007000},
                        {"PWR_CSR", &f4::Pwr().csr, 0x40007004},
                        {"FLASH_ACR", &f4::Flash().acr, 0x40023C00},
                        {"EXTI_IMR", &f4::Exti().imr, 0x40013C00},
                        {"EXTI_RTSR", &f4::Exti().rtsr, 0x40013C08},
                        {"EXTI_FTSR", &f4::Exti().ftsr, 0x40013C0C},
                        {"EXTI_PR", &f4::Exti().pr, 0x40013C14}});
}

// RM0090 7.3.1, 7.3.2, 7.3.3, 5.4.1, 5.4.2, 3.9.1.
TEST(F4Registers, OfClockAndSupplyHaveTheManualsBits) {
  using namespace f4::rcc;
  manual::ExpectBits({{"RCC_CR HSEON", kHseOn, Bit(16)},
                      {"RCC_CR HSERDY", kHseReady, Bit(17)},
                      {"RCC_CR HSEBYP", kHseBypass, Bit(18)},
                      {"RCC_CR CSSON", kSecurityOn, Bit(19)},
                      {"RCC_CR PLLON", kPllOn, Bit(24)},
                      {"RCC_CR PLLRDY", kPllReady, Bit(25)},
                      {"RCC_PLLCFGR PLLSRC hse", kPllFromHse, Bit(22)},
                      {"RCC_CFGR SW pll", kUsePll, Field(2, 0)},
                      {"RCC_CFGR SWS mask", kStatusMask, Field(3, 2)},
                      {"RCC_CFGR SWS pll", kStatusPll, Field(2, 2)},
                      {"RCC_CFGR PPRE1 by-4", kApb1By4, Field(5, 10)},
                      {"RCC_CFGR PPRE2 by-2", kApb2By2, Field(4, 13)},
                      {"PWR_CR PVDE", f4::pwr::kDetectorOn, Bit(4)},
                      {"PWR_CR PLS mask", f4::pwr::kLevelMask, Field(7, 5)},
                      {"PWR_CR VOS scale-1", f4::pwr::kScale1, Field(1, 14)},
                      {"PWR_CSR PVDO", f4::pwr::kBelowLevel, Bit(2)},
                      {"PWR_CSR VOSRDY", f4::pwr::kScaleReady, Bit(14)}});
  EXPECT_EQ(f4::flash::kPrefetchAndCaches, Bit(8) | Bit(9) | Bit(10));  // FLASH_ACR: PRFTEN, ICEN, DCEN
}

// RM0090 7.3.10, 7.3.13, 7.3.14, 7.3.21.
TEST(F4Registers, OfEachBlocksClockAndOfTheResetHaveTheManualsBits) {
  using namespace f4::rcc;
  manual::ExpectBits({{"RCC_AHB1ENR GPIOAEN", kPortA, Bit(0)},
                      {"RCC_AHB1ENR GPIOBEN", kPortB, Bit(1)},
                      {"RCC_AHB1ENR GPIOCEN", kPortC, Bit(2)},
                      {"RCC_AHB1ENR DMA2EN", kDma2, Bit(22)},
                      {"RCC_APB1ENR TIM2EN", kTim2, Bit(0)},
                      {"RCC_APB1ENR TIM3EN", kTim3, Bit(1)},
                      {"RCC_APB1ENR TIM4EN", kTim4, Bit(2)},
                      {"RCC_APB1ENR TIM5EN", kTim5, Bit(3)},
                      {"RCC_APB1ENR WWDGEN", kWwdg, Bit(11)},
                      {"RCC_APB1ENR PWREN", kPwr, Bit(28)},
                      {"RCC_APB2ENR TIM1EN", kTim1, Bit(0)},
                      {"RCC_APB2ENR TIM8EN", kTim8, Bit(1)},
                      {"RCC_APB2ENR USART1EN", kUsart1, Bit(4)},
                      {"RCC_APB2ENR ADC1EN", kAdc1, Bit(8)},
                      {"RCC_CSR RMVF", kClearCauses, Bit(24)},
                      {"RCC_CSR BORRSTF", kBrownOut, Bit(25)},
                      {"RCC_CSR PORRSTF", kPowerOn, Bit(27)},
                      {"RCC_CSR SFTRSTF", kSoftware, Bit(28)},
                      {"RCC_CSR IWDGRSTF", kIndependentWatchdog, Bit(29)},
                      {"RCC_CSR WWDGRSTF", kWindowWatchdog, Bit(30)}});
}

// RM0090 30.6.8, 30.6.1, 30.6.4, 30.6.6.
TEST(F4Registers, OfTheUsartAreTheManuals) {
  using namespace f4::usart;
  auto& usart = f4::Usart1();
  manual::ExpectPlaces({{"USART1_SR", &usart.sr, 0x40011000},
                        {"USART1_DR", &usart.dr, 0x40011004},
                        {"USART1_BRR", &usart.brr, 0x40011008},
                        {"USART1_CR1", &usart.cr1, 0x4001100C},
                        {"USART1_CR2", &usart.cr2, 0x40011010},
                        {"USART1_CR3", &usart.cr3, 0x40011014}});
  manual::ExpectBits({{"USART_SR FE", kFraming, Bit(1)},
                      {"USART_SR NE", kNoise, Bit(2)},
                      {"USART_SR ORE", kOverrun, Bit(3)},
                      {"USART_SR IDLE", kIdle, Bit(4)},
                      {"USART_SR RXNE", kReceived, Bit(5)},
                      {"USART_SR TXE", kRoom, Bit(7)},
                      {"USART_CR1 RE", kReceive, Bit(2)},
                      {"USART_CR1 TE", kTransmit, Bit(3)},
                      {"USART_CR1 IDLEIE", kIdleInterrupt, Bit(4)},
                      {"USART_CR1 RXNEIE", kReceivedInterrupt, Bit(5)},
                      {"USART_CR1 TXEIE", kRoomInterrupt, Bit(7)},
                      {"USART_CR1 UE", kEnable, Bit(13)},
                      {"USART_CR3 EIE", kErrorInterrupt, Bit(0)},
                      {"USART_CR3 DMAR", kDmaReceive, Bit(6)},
                      {"USART_CR3 DMAT", kDmaTransmit, Bit(7)}});
  EXPECT_EQ(kErrors, Bit(1) | Bit(2) | Bit(3));
}

// RM0090 10.5.11, 10.5.5, 10.5.1; table 43 (streams).
TEST(F4Registers, OfTheDmaAreTheManuals) {
  using namespace stream;
  auto& dma = f4::Dma2();
  manual::ExpectPlaces({{"DMA2_LISR", &dma.lisr, 0x40026400},
                        {"DMA2_HISR", &dma.hisr, 0x40026404},
                        {"DMA2_LIFCR", &dma.lifcr, 0x40026408},
                        {"DMA2_HIFCR", &dma.hifcr, 0x4002640C},
                        {"DMA2_S0CR", &dma.stream[0].cr, 0x40026410},
                        {"DMA2_S0NDTR", &dma.stream[0].ndtr, 0x40026414},
                        {"DMA2_S0PAR", &dma.stream[0].par, 0x40026418},
                        {"DMA2_S0M0AR", &dma.stream[0].m0ar, 0x4002641C},
                        {"DMA2_S0FCR", &dma.stream[0].fcr, 0x40026424},
                        {"DMA2_S2CR", &dma.stream[f4::Usart1Streams::kReceive].cr, 0x40026440},
                        {"DMA2_S7CR", &dma.stream[f4::Usart1Streams::kSend].cr, 0x400264B8}});
  manual::ExpectBits({{"DMA_SxCR EN", kEnable, Bit(0)},
                      {"DMA_SxCR TEIE", kErrorInterrupt, Bit(2)},
                      {"DMA_SxCR HTIE", kHalfInterrupt, Bit(3)},
                      {"DMA_SxCR TCIE", kDoneInterrupt, Bit(4)},
                      {"DMA_SxCR DIR to-peripheral", kToPeripheral, Field(1, 6)},
                      {"DMA_SxCR CIRC", kCircular, Bit(8)},
                      {"DMA_SxCR MINC", kIncrementMemory, Bit(10)},
                      {"DMA_SxCR PL high", kHighPriority, Field(2, 16)},
                      {"DMA_SxCR CHSEL 4", f4::Channel(f4::Usart1Streams::kChannel), Field(4, 25)},
                      {"DMA_LISR TEIF0", kFlagError, Bit(3)},
                      {"DMA_LISR TCIF0", kFlagDone, Bit(5)}});
  EXPECT_EQ(kHalfWords, Field(1, 11) | Field(1, 13));                // DMA_SxCR: PSIZE, MSIZE
  EXPECT_EQ(kAllFlags, Bit(0) | Bit(2) | Bit(3) | Bit(4) | Bit(5));  // FEIF0, DMEIF0, TEIF0, HTIF0, TCIF0
  const unsigned first[8] = {0, 6, 16, 22, 0, 6, 16, 22};            // FEIF0 to FEIF3 of LISR, FEIF4 to FEIF7 of HISR
  for (unsigned stream = 0; stream < 8; ++stream) EXPECT_EQ(FlagShift(stream), first[stream]) << stream;
}

// RM0090 13.13.18, 13.13.1 to 13.13.3, 13.13.16.
TEST(F4Registers, OfTheConverterAreTheManuals) {
  using namespace f4::adc;
  auto& adc = f4::Adc1();
  manual::ExpectPlaces({{"ADC1_SR", &adc.sr, 0x40012000},
                        {"ADC1_CR1", &adc.cr1, 0x40012004},
                        {"ADC1_CR2", &adc.cr2, 0x40012008},
                        {"ADC1_SMPR1", &adc.smpr1, 0x4001200C},
                        {"ADC1_SMPR2", &adc.smpr2, 0x40012010},
                        {"ADC1_SQR1", &adc.sqr1, 0x4001202C},
                        {"ADC1_SQR3", &adc.sqr3, 0x40012034},
                        {"ADC1_DR", &adc.dr, 0x4001204C},
                        {"ADC_CCR", &f4::AdcCommon().ccr, 0x40012304}});
  manual::ExpectBits({{"ADC_SR OVR", kOverrun, Bit(5)},
                      {"ADC_CR1 SCAN", kScan, Bit(8)},
                      {"ADC_CR2 ADON", kOn, Bit(0)},
                      {"ADC_CR2 DMA", kDma, Bit(8)},
                      {"ADC_CR2 DDS", kDmaGoesOn, Bit(9)},
                      {"ADC_CR2 EXTSEL tim8-trgo", kTriggerTim8, Field(14, 24)},
                      {"ADC_CR2 EXTEN rising", kRisingEdge, Field(1, 28)},
                      {"ADC_CCR ADCPRE by-4", kClockBy4, Field(1, 16)}});
}

// RM0090 12.2, table 61.
TEST(F4Registers, InterruptsHaveTheManualsNumbers) {
  EXPECT_EQ(f4::kWwdgInterrupt, 0);
  EXPECT_EQ(f4::kPvdInterrupt, 1);
  EXPECT_EQ(f4::kTim4Interrupt, 30);
  EXPECT_EQ(f4::kUsart1Interrupt, 37);
  EXPECT_EQ(f4::kDma2Stream2Interrupt, 58);
  EXPECT_EQ(f4::kDma2Stream7Interrupt, 70);
  EXPECT_EQ(f4::kInterrupts, 82);  // 0 to 81, the FPU's
}

}  // namespace
}  // namespace tactus::hal::stm32
