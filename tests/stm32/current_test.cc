#include <gtest/gtest.h>

#include "hal/stm32/f4/current_sense.h"
#include "tests/stm32/adc_model.h"

// Source: RM0090 10 (DMA), 13 (ADC).

namespace tactus::hal::stm32 {
namespace {

using f4::CurrentFault;
using model::ModelRegister;

constexpr f4::CurrentOptions kOptions{.channels = {10, 11, 2}, .amperes_per_count = 0.01f};

struct Rig {
  Rig() {
    dma.Reach(sense.buffer(), 3);
    adc.input[10] = adc.input[11] = adc.input[2] = 2040;
  }
  Status Start() { return sense.Start(3500); }
  /// So many periods of the PWM, each with its sample.
  void Periods(int count, bool outputs_on) {
    for (int i = 0; i < count; ++i) {
      adc.Trigger();
      sense.Sample(outputs_on);
    }
  }

  model::Machine machine;
  model::DmaModel dma{machine};
  model::AdcModel adc{machine, dma};
  model::Holding<f4::AdcCommonRegisters> common{machine, "ADC"};
  model::TimerModel trigger{machine, "TIM8"};
  f4::CurrentSense<ModelRegister> sense{{adc.regs(), common.regs(), dma.regs(), trigger.regs()}, kOptions};
};

TEST(CurrentSense, StartsTheDmaBeforeTheConverterAndTheTriggerLast) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  const int stream = rig.machine.FirstWrite("DMA2", TACTUS_AT(f4::DmaRegisters, stream), 1, 1);
  const int converter = rig.machine.FirstWrite("ADC1", TACTUS_AT(f4::AdcRegisters, cr2), 1, 1);
  const int trigger =
      rig.machine.FirstWrite("TIM8", TACTUS_AT(TimerRegisters, cr1), timer::kCentreAligned, timer::kCentreAligned);
  EXPECT_LT(0, stream);
  EXPECT_LT(stream, converter);
  EXPECT_LT(converter, trigger);
  EXPECT_FALSE(rig.trigger.runs());  // TIM1 starts it
  EXPECT_EQ(rig.trigger.regs().smcr.bits & 0x77u, timer::kStartOnTrigger);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(CurrentSense, LearnsItsOffsetsWithTheOutputsOffAndMeasuresAmperes) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(63, false);
  EXPECT_FALSE(rig.sense.calibrated());
  EXPECT_EQ(rig.sense.ampere(0), 0);
  rig.Periods(1, false);
  ASSERT_TRUE(rig.sense.calibrated());
  rig.adc.input[10] = 2140;
  rig.adc.input[11] = 1940;
  rig.Periods(1, true);
  EXPECT_NEAR(rig.sense.ampere(0), 1.0, 0.011);  // 100 counts, one of noise
  EXPECT_NEAR(rig.sense.ampere(1), -1.0, 0.011);
  EXPECT_NEAR(rig.sense.ampere(2), 0.0, 0.011);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
  rig.Periods(1000, true);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
  EXPECT_EQ(rig.sense.restarts(), 0u);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(CurrentSense, NamesAStandingTriggerAConverterAndADmaWithinThreePeriods) {
  for (const bool by_dma : {false, true}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), Status::kOk);
    rig.Periods(100, false);
    (by_dma ? rig.dma.stalled : rig.adc.stalled) = true;
    rig.Periods(2, true);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
    rig.Periods(1, true);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
    EXPECT_EQ(rig.sense.restarts() > 0, by_dma);
  }
}

TEST(CurrentSense, RecoversFromASingleOverrun) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, false);
  rig.dma.stalled = true;
  rig.Periods(1, true);
  rig.dma.stalled = false;
  rig.Periods(10, true);
  EXPECT_EQ(rig.sense.restarts(), 1u);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
  rig.adc.input[2] = 2240;
  rig.Periods(1, true);
  EXPECT_NEAR(rig.sense.ampere(2), 2.0, 0.011);  // the scan is in step again
}

TEST(CurrentSense, NamesSaturationBothWaysAStuckNumberAndAnOffset) {
  for (const std::uint16_t end : {std::uint16_t{2}, std::uint16_t{4094}}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), Status::kOk);
    rig.Periods(100, false);
    rig.adc.input[11] = end;
    rig.Periods(1, true);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kSaturated);
  }
  Rig far;
  ASSERT_EQ(far.Start(), Status::kOk);
  far.adc.input[10] = 2300;
  far.Periods(64, false);
  EXPECT_EQ(far.sense.fault(), CurrentFault::kOffset);
}

TEST(CurrentSense, NamesANumberThatNeverMoves) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, false);
  for (int i = 0; i < 300; ++i) {
    rig.adc.noise = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  // no noise: the next bit is always the same
    rig.Periods(1, true);
  }
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kStuck);
}

TEST(CurrentSense, DoesNotStartOnADmaThatDoesNotLetGo) {
  Rig rig;
  rig.dma.regs().stream[0].cr.bits = f4::dma::kEnable;
  rig.dma.never_stops = true;
  EXPECT_EQ(rig.Start(), Status::kWouldBlock);
  EXPECT_EQ(rig.machine.FirstWrite("ADC1", TACTUS_AT(f4::AdcRegisters, cr2), 1, 1), -1);
}

TEST(AdcModel, FindsADriverThatTakesTransfersForGrantedOrSetsUpARunningConverter) {
  Rig rig;
  rig.adc.regs().cr1 = f4::adc::kScan;
  rig.adc.regs().cr2 = f4::adc::kOn | f4::adc::kTriggerTim8 | f4::adc::kRisingEdge;  // without the DMA bit
  rig.adc.Trigger();
  EXPECT_NE(rig.adc.regs().sr.bits & f4::adc::kOverrun, 0u);
  rig.adc.regs().sqr3 = 5;
  EXPECT_EQ(rig.machine.violations, std::vector<std::string>{"ADC1: set up while it is on"});
}

}  // namespace
}  // namespace tactus::hal::stm32
