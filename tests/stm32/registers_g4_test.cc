#include "hal/stm32/g4/registers.h"

#include "hal/stm32/g4/uart_link.h"

#include "tests/stm32/manual_facts.h"

// The STM32G431 by the numbers of RM0440: bases from 2.2.2, offsets from each chapter's register map. ST's
// stm32g431xx.h has the same numbers.

namespace tactus::hal::stm32 {
namespace {

using manual::Bit;
using manual::Field;

TEST(G4Registers, StandWhereTheManualPutsTheBlocks) {
  manual::ExpectPlaces({{"TIM1_CR1", &g4::Tim1().cr1, 0x40012C00},
                        {"TIM1_BDTR", &g4::Tim1().bdtr, 0x40012C44},
                        {"TIM8_CR1", &g4::Tim8().cr1, 0x40013400},
                        {"TIM3_CR1", &g4::Tim3().cr1, 0x40000400},
                        {"TIM4_CR1", &g4::Tim4().cr1, 0x40000800},
                        {"GPIOA_MODER", &g4::PortA().moder, 0x48000000},
                        {"GPIOA_AFRH", &g4::PortA().afr[1], 0x48000024},
                        {"GPIOB_MODER", &g4::PortB().moder, 0x48000400},
                        {"GPIOC_MODER", &g4::PortC().moder, 0x48000800},
                        {"IWDG_KR", &g4::Iwdg().kr, 0x40003000},
                        {"IWDG_SR", &g4::Iwdg().sr, 0x4000300C},
                        {"WWDG_CR", &g4::Wwdg().cr, 0x40002C00},
                        {"WWDG_CFR", &g4::Wwdg().cfr, 0x40002C04}});
}

// RM0440 7.4 (RCC), 6.4 (PWR), 3.7 (FLASH), 15.5 (EXTI), 10.2 (SYSCFG).
TEST(G4Registers, OfClockAndSupplyStandWhereTheManualPutsThem) {
  auto& rcc = g4::Rcc();
  manual::ExpectPlaces({{"RCC_CR", &rcc.cr, 0x40021000},
                        {"RCC_CFGR", &rcc.cfgr, 0x40021008},
                        {"RCC_PLLCFGR", &rcc.pllcfgr, 0x4002100C},
                        {"RCC_CIER", &rcc.cier, 0x40021018},
                        {"RCC_AHB2RSTR", &rcc.ahb2rstr, 0x4002102C},
                        {"RCC_APB2RSTR", &rcc.apb2rstr, 0x40021040},
                        {"RCC_AHB1ENR", &rcc.ahb1enr, 0x40021048},
                        {"RCC_AHB2ENR", &rcc.ahb2enr, 0x4002104C},
                        {"RCC_APB1ENR1", &rcc.apb1enr1, 0x40021058},
                        {"RCC_APB2ENR", &rcc.apb2enr, 0x40021060},
                        {"RCC_CCIPR", &rcc.ccipr, 0x40021088},
                        {"RCC_CSR", &rcc.csr, 0x40021094},
                        {"PWR_CR1", &g4::Pwr().cr1, 0x40007000},
                        {"PWR_CR2", &g4::Pwr().cr2, 0x40007004},
                        {"PWR_SR2", &g4::Pwr().sr2, 0x40007014},
                        {"PWR_CR5", &g4::Pwr().cr5, 0x40007080},
                        {"FLASH_ACR", &g4::Flash().acr, 0x40022000},
                        {"EXTI_IMR1", &g4::Exti().imr1, 0x40010400},
                        {"EXTI_RTSR1", &g4::Exti().rtsr1, 0x40010408},
                        {"EXTI_PR1", &g4::Exti().pr1, 0x40010414},
                        {"SYSCFG_CFGR2", &g4::Syscfg().cfgr2, 0x4001001C}});
}

// RM0440 7.4 (CR, CFGR, PLLCFGR), 6.4 (CR1, CR2, SR2, CR5), 10.2.8 (CFGR2).
TEST(G4Registers, OfClockAndSupplyHaveTheManualsBits) {
  using namespace g4::rcc;
  manual::ExpectBits({{"RCC_CR HSEON", kHseOn, Bit(16)},
                      {"RCC_CR HSERDY", kHseReady, Bit(17)},
                      {"RCC_CR HSEBYP", kHseBypass, Bit(18)},
                      {"RCC_CR CSSON", kSecurityOn, Bit(19)},
                      {"RCC_CR PLLON", kPllOn, Bit(24)},
                      {"RCC_CR PLLRDY", kPllReady, Bit(25)},
                      {"RCC_CFGR SW pll", kUsePll, Field(3, 0)},
                      {"RCC_CFGR SWS mask", kStatusMask, Field(3, 2)},
                      {"RCC_CFGR SWS pll", kStatusPll, Field(3, 2)},
                      {"RCC_CFGR HPRE by-2", kAhbBy2, Field(8, 4)},
                      {"RCC_PLLCFGR PLLSRC hse", kFromHse, Field(3, 0)},
                      {"RCC_PLLCFGR PLLREN", kOutputR, Bit(24)},
                      {"PWR_CR1 VOS mask", g4::pwr::kRangeMask, Field(3, 9)},
                      {"PWR_CR1 VOS range-1", g4::pwr::kRange1, Field(1, 9)},
                      {"PWR_CR2 PVDE", g4::pwr::kDetectorOn, Bit(0)},
                      {"PWR_CR2 PLS mask", g4::pwr::kLevelMask, Field(7, 1)},
                      {"PWR_SR2 VOSF", g4::pwr::kRangeChanges, Bit(10)},
                      {"PWR_SR2 PVDO", g4::pwr::kBelowLevel, Bit(11)},
                      {"PWR_CR5 R1MODE", g4::pwr::kNoBoost, Bit(8)},
                      {"SYSCFG_CFGR2 CLL", g4::syscfg::kBreakOnLockup, Bit(0)},
                      {"SYSCFG_CFGR2 PVDL", g4::syscfg::kBreakOnSupply, Bit(2)}});
}

// RM0440 7.4 (AHB2ENR, APB1ENR1, APB2ENR), 7.4.28 (CSR).
TEST(G4Registers, OfEachBlocksClockAndOfTheResetHaveTheManualsBits) {
  using namespace g4::rcc;
  manual::ExpectBits({{"RCC_AHB1ENR DMA1EN", kDma1, Bit(0)},
                      {"RCC_AHB1ENR DMAMUX1EN", kDmaMux, Bit(2)},
                      {"RCC_AHB2ENR ADC12EN, RCC_AHB2RSTR ADC12RST", kAdc12, Bit(13)},
                      {"RCC_APB2ENR TIM8EN", kTim8, Bit(13)},
                      {"RCC_CCIPR ADC12SEL sysclk", kAdc12OfSystem, Field(2, 28)},
                      {"RCC_AHB2ENR GPIOAEN", kPortA, Bit(0)},
                      {"RCC_AHB2ENR GPIOBEN", kPortB, Bit(1)},
                      {"RCC_AHB2ENR GPIOCEN", kPortC, Bit(2)},
                      {"RCC_APB1ENR1 TIM3EN", kTim3, Bit(1)},
                      {"RCC_APB1ENR1 TIM4EN", kTim4, Bit(2)},
                      {"RCC_APB1ENR1 WWDGEN", kWwdg, Bit(11)},
                      {"RCC_APB1ENR1 USART2EN", kUsart2, Bit(17)},
                      {"RCC_APB1ENR1 PWREN", kPwr, Bit(28)},
                      {"RCC_APB2ENR SYSCFGEN", kSyscfg, Bit(0)},
                      {"RCC_APB2ENR TIM1EN", kTim1, Bit(11)},
                      {"RCC_CSR RMVF", kClearCauses, Bit(23)},
                      {"RCC_CSR BORRSTF", kBrownOut, Bit(27)},
                      {"RCC_CSR SFTRSTF", kSoftware, Bit(28)},
                      {"RCC_CSR IWDGRSTF", kIndependentWatchdog, Bit(29)},
                      {"RCC_CSR WWDGRSTF", kWindowWatchdog, Bit(30)}});
}

// RM0440 37.8; H7 has the same offsets and bits (RM0433 48.7).
TEST(G4Registers, OfTheUsartAreTheManuals) {
  using namespace fifo_usart;
  auto& usart = g4::Usart2();
  manual::ExpectPlaces({{"USART2_CR1", &usart.cr1, 0x40004400},
                        {"USART2_CR2", &usart.cr2, 0x40004404},
                        {"USART2_CR3", &usart.cr3, 0x40004408},
                        {"USART2_BRR", &usart.brr, 0x4000440C},
                        {"USART2_ISR", &usart.isr, 0x4000441C},
                        {"USART2_ICR", &usart.icr, 0x40004420},
                        {"USART2_RDR", &usart.rdr, 0x40004424},
                        {"USART2_TDR", &usart.tdr, 0x40004428},
                        {"USART2_PRESC", &usart.presc, 0x4000442C}});
  manual::ExpectBits({{"USART_CR1 UE", kEnable, Bit(0)},
                      {"USART_CR1 RE", kReceive, Bit(2)},
                      {"USART_CR1 TE", kTransmit, Bit(3)},
                      {"USART_CR1 IDLEIE", kIdleInterrupt, Bit(4)},
                      {"USART_CR1 FIFOEN", kFifo, Bit(29)},
                      {"USART_CR3 EIE", kErrorInterrupt, Bit(0)},
                      {"USART_CR3 DMAR", kDmaReceive, Bit(6)},
                      {"USART_CR3 DMAT", kDmaTransmit, Bit(7)},
                      {"USART_ISR FE", kFraming, Bit(1)},
                      {"USART_ISR NE", kNoise, Bit(2)},
                      {"USART_ISR ORE", kOverrun, Bit(3)},
                      {"USART_ISR IDLE", kIdle, Bit(4)},
                      {"USART_ISR TXE", kRoom, Bit(7)}});
  EXPECT_EQ(kErrors, Bit(1) | Bit(2) | Bit(3));
}

// RM0440 12.6 (DMA), 13.6 (DMAMUX), 25.5 (OPAMP).
TEST(G4Registers, OfDmaAndAmplifiersAreTheManuals) {
  auto& dma = g4::Dma1();
  manual::ExpectPlaces({{"DMA1_ISR", &dma.isr, 0x40020000},
                        {"DMA1_IFCR", &dma.ifcr, 0x40020004},
                        {"DMA1_CCR1", &dma.channel[0].ccr, 0x40020008},
                        {"DMA1_CNDTR1", &dma.channel[0].cndtr, 0x4002000C},
                        {"DMA1_CPAR1", &dma.channel[0].cpar, 0x40020010},
                        {"DMA1_CMAR1", &dma.channel[0].cmar, 0x40020014},
                        {"DMA1_CCR2", &dma.channel[1].ccr, 0x4002001C},
                        {"DMA1_CCR3", &dma.channel[g4::Usart2Channels::kReceive].ccr, 0x40020030},
                        {"DMA1_CCR4", &dma.channel[g4::Usart2Channels::kSend].ccr, 0x40020044},
                        {"DMAMUX_C0CR", &g4::DmaMux().ccr[0], 0x40020800},
                        {"DMAMUX_C1CR", &g4::DmaMux().ccr[1], 0x40020804},
                        {"OPAMP1_CSR", &g4::Amplifiers().csr[0], 0x40010300},
                        {"OPAMP2_CSR", &g4::Amplifiers().csr[1], 0x40010304}});
  manual::ExpectBits(
      {{"DMA_CCR EN", g4::dma::kEnable, Bit(0)},
       {"DMA_CCR TCIE", g4::dma::kDoneInterrupt, Bit(1)},
       {"DMA_CCR HTIE", g4::dma::kHalfInterrupt, Bit(2)},
       {"DMA_CCR TEIE", g4::dma::kErrorInterrupt, Bit(3)},
       {"DMA_CCR DIR to-peripheral", g4::dma::kToPeripheral, Bit(4)},
       {"DMA_CCR MINC", g4::dma::kIncrementMemory, Bit(7)},
       {"DMA_CCR PL high", g4::dma::kHighPriority, Field(2, 12)},
       {"DMA_CCR CIRC", g4::dma::kCircular, Bit(5)},
       {"DMA_CCR PSIZE, MSIZE 16 bits", g4::dma::kHalfWords, Field(1, 8) | Field(1, 10)},
       {"DMA_ISR TCIF1", g4::dma::kFlagDone, Bit(1)},
       {"DMA_ISR TEIF1", g4::dma::kFlagError, Bit(3)},
       {"DMA_IFCR CGIF1", g4::dma::kClearAll, Bit(0)},
       {"DMAMUX ADC1", g4::dma::kRequestAdc1, 5},
       {"DMAMUX ADC2", g4::dma::kRequestAdc2, 36},
       {"DMAMUX USART2_RX", g4::Usart2Channels::kReceiveRequest, 26},
       {"DMAMUX USART2_TX", g4::Usart2Channels::kSendRequest, 27},
       {"OPAMP_CSR OPAEN, VM_SEL ladder, PGA_GAIN 01011", g4::amplifier::kBy16, Bit(0) | Field(2, 5) | Field(11, 14)},
       {"OPAMP_CSR TRIMOFFSETP, TRIMOFFSETN", g4::amplifier::kTrim, Field(0x1F, 19) | Field(0x1F, 24)},
       {"OPAMP_CSR what is chosen", g4::amplifier::kSetUp,
        Field(0x1FF, 0) | Bit(11) | Field(3, 12) | Field(0x1F, 14) | Bit(31)}});
}

// RM0440 24.6 (COMP), 22.7 (DAC), 28.6.20, 28.6.26, 28.6.27 (TIM1).
TEST(G4Registers, OfTheOverCurrentCutAreTheManuals) {
  auto& dac = g4::Dac3();
  manual::ExpectPlaces({{"COMP_C1CSR", &g4::Comparators().csr[0], 0x40010200},
                        {"COMP_C2CSR", &g4::Comparators().csr[1], 0x40010204},
                        {"DAC3_CR", &dac.cr, 0x50001000},
                        {"DAC3_DHR12R1", &dac.dhr12r1, 0x50001008},
                        {"DAC3_DHR12R2", &dac.dhr12r2, 0x50001014},
                        {"DAC3_SR", &dac.sr, 0x50001034},
                        {"DAC3_MCR", &dac.mcr, 0x5000103C},
                        {"TIM1_AF1", &g4::Tim1BreakSources().af1, 0x40012C60},
                        {"TIM1_AF2", &g4::Tim1BreakSources().af2, 0x40012C64}});
  manual::ExpectBits(
      {{"COMP_CSR EN, INMSEL dac3", g4::comparator::kShuntAboveDac3, Bit(0) | Field(4, 4)},
       {"COMP_CSR VALUE", g4::comparator::kOutput, Bit(30)},
       {"COMP_CSR LOCK", g4::comparator::kLocked, Bit(31)},
       {"DAC_CR EN1, EN2", g4::dac::kOn, Bit(0) | Bit(16)},
       {"DAC_SR DAC1RDY, DAC2RDY", g4::dac::kReady, Bit(11) | Bit(27)},
       {"DAC_MCR MODE1, MODE2 inside, HFSEL above-160MHz", g4::dac::kInside, Field(3, 0) | Field(3, 16) | Field(2, 14)},
       {"TIM1_AF2 BK2CMP1E, BK2CMP2E", g4::break_source::kComparators1And2, Bit(1) | Bit(2)},
       {"TIM1_BDTR BK2F 15, BK2E, BK2P", g4::kSecondBreak, Field(15, 20) | Bit(24) | Bit(25)},
       {"TIM1_SR B2IF", timer::kSecondBreak, Bit(8)},
       {"RCC_AHB2ENR DAC3EN", g4::rcc::kDac3, Bit(18)}});
}

// RM0440 21.7, 21.8.
TEST(G4Registers, OfTheConvertersAreTheManuals) {
  using namespace converter;
  auto& adc = g4::Adc1();
  manual::ExpectPlaces({{"ADC1_ISR", &adc.isr, 0x50000000},
                        {"ADC1_CR", &adc.cr, 0x50000008},
                        {"ADC1_CFGR", &adc.cfgr, 0x5000000C},
                        {"ADC1_CFGR2", &adc.cfgr2, 0x50000010},
                        {"ADC1_SMPR1", &adc.smpr1, 0x50000014},
                        {"ADC1_SQR1", &adc.sqr[0], 0x50000030},
                        {"ADC1_DR", &adc.dr, 0x50000040},
                        {"ADC2_ISR", &g4::Adc2().isr, 0x50000100},
                        {"ADC12_CCR", &g4::Adc12().ccr, 0x50000308}});
  manual::ExpectBits({{"ADC_ISR ADRDY", kIsReady, Bit(0)},
                      {"ADC_ISR EOC", kUnread, Bit(2)},
                      {"ADC_ISR OVR", kOverrun, Bit(4)},
                      {"ADC_CR ADEN", kOn, Bit(0)},
                      {"ADC_CR ADSTART", kStart, Bit(2)},
                      {"ADC_CR ADSTP", kStop, Bit(4)},
                      {"ADC_CR ADVREGEN", kRegulator, Bit(28)},
                      {"ADC_CR ADCAL", kCalibrate, Bit(31)},
                      {"ADC_CFGR DMAEN, DMACFG", kDmaForEver, Bit(0) | Bit(1)},
                      {"ADC_CFGR EXTSEL tim8_trgo", kTriggerTim8, Field(7, 5)},
                      {"ADC_CFGR EXTEN rising", kRisingEdge, Field(1, 10)},
                      {"ADC_CFGR JQDIS", kNoInjectedQueue, Bit(31)},
                      {"ADC_CFGR2 ROVSE, OVSR 8", g4::adc::kOversample8, Bit(0) | Field(2, 2)},
                      {"ADC_CCR PRESC by-8", g4::adc::kClockBy8, Field(4, 18)}});
}

// RM0440 14.3, table 97.
TEST(G4Registers, InterruptsHaveTheManualsNumbers) {
  EXPECT_EQ(g4::kWwdgInterrupt, 0);
  EXPECT_EQ(g4::kPvdInterrupt, 1);
  EXPECT_EQ(g4::kDma1Channel3Interrupt, 13);
  EXPECT_EQ(g4::kDma1Channel4Interrupt, 14);
  EXPECT_EQ(g4::kTim3Interrupt, 29);
  EXPECT_EQ(g4::kUsart2Interrupt, 38);
  EXPECT_EQ(g4::kInterrupts, 102);  // 0 to 101, the FMAC's
}

}  // namespace
}  // namespace tactus::hal::stm32
