#include <gtest/gtest.h>

#include <cmath>

#include "hal/stm32/f4/current_sense.h"
#include "tests/stm32/adc_model.h"
#include "tests/stm32/each_write.h"

// Source: RM0090 10 (DMA), 13 (ADC).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;

constexpr std::uint32_t kHalfPeriod = 3500;  // of 168 MHz
constexpr f4::CurrentOptions kOptions{.channels = {10, 11, 2}, .amperes_per_count = 0.01f};

struct Rig {
  Rig() {
    dma.Reach(sense.buffer(), 3);
    adc.input[10] = adc.input[11] = adc.input[2] = 2040;
    trigger.trigger_output = [this] {
      adc.Trigger(model::AdcModel::kTim8Trgo);
      in_phase = in_phase && step == kSteps;
    };
  }
  /// And TIM1, whose start is TIM8's internal trigger 0 (RM0090 table 95).
  Status Start() {
    const Status status = sense.Start(kHalfPeriod);
    machine.EndStart();
    if (trigger.runs()) return Status::kCorrupt;
    trigger.TriggerInput(0);
    return status;
  }
  /// So many periods of the PWM, each with its sample.
  void Periods(int count, bool outputs_on) {
    for (int i = 0; i < count; ++i) {
      for (step = 1; step <= kSteps; ++step) trigger.Run(2.0 * kHalfPeriod / 168 / kSteps);
      sense.Sample(outputs_on);
    }
  }

  static constexpr int kSteps = 50;  // of a period
  int step = 0;
  bool in_phase = true;  // each scan at the end of a period of TIM1, where all bridges are in the middle of a pulse

  model::Machine machine;
  model::DmaModel dma{machine};
  model::Holding<f4::AdcCommonRegisters> common{machine, "ADC"};
  model::AdcModel adc{machine, dma, common};
  model::TimerModel trigger{machine, "TIM8"};
  SampleBuffer<3> buffer{};
  f4::CurrentSense<ModelRegister> sense{{adc.regs(), common.regs(), dma.regs(), trigger.regs()}, kOptions, buffer};
};

TEST(CurrentSense, StartsTheDmaBeforeTheConverterAndTheConverterLast) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  const int stream = rig.machine.FirstWrite("DMA2", TACTUS_AT(StreamDmaRegisters, stream), 1, 1);
  const int converter = rig.machine.FirstWrite("ADC1", TACTUS_AT(f4::AdcRegisters, cr2), 1, 1);
  EXPECT_LT(0, stream);
  EXPECT_LT(stream, converter);
  EXPECT_EQ(converter + 1, static_cast<int>(rig.machine.log.size()));
  EXPECT_TRUE(rig.machine.violations.empty());
}

/// Three currents of three channels, a scan a period, on blocks that a loader has used: true if all of it is so.
bool CurrentsAreWell() {
  Rig rig;
  rig.trigger.LeaveUsed();
  rig.adc.LeaveUsed();
  rig.dma.LeaveUsed(0);
  if (rig.Start() != Status::kOk) return false;
  bool well = rig.dma.transfers(0) == 0;
  const auto is_about = [](float got, double wanted) { return std::abs(static_cast<double>(got) - wanted) < 0.011; };
  rig.Periods(64, false);
  well = well && rig.sense.calibrated() && !rig.sense.failed();
  const std::array<std::size_t, 3> channels{10, 11, 2};
  for (std::size_t motor = 0; motor < 3; ++motor) {  // far from its neighbours': none takes charge from another
    for (std::size_t i = 0; i < 3; ++i) rig.adc.input[channels[i]] = i == motor ? 4000 : 100;
    rig.Periods(2, true);
    for (int i = 0; i < 3; ++i) well = well && is_about(rig.sense.ampere(i), i == static_cast<int>(motor) ? 19.60 : -19.40);
  }
  well = well && rig.in_phase && rig.dma.transfers(0) == 70 && rig.adc.ScanUs() < 4;  // of 41.7 us
  well = well && (rig.trigger.regs().cr1.bits & 0x60u) == 0x60u;                      // as TIM1's (RM0090 17.4.1)
  well = well && rig.dma.priority(0) == 2;  // above the link's bytes, which can wait
  return well && !rig.sense.failed() && rig.sense.restarts() == 0 && rig.machine.violations.empty();
}

TEST(CurrentSense, EachWriteOfItsStartCounts) {
  constexpr std::uint32_t kOtherFlags = 0xFFFFFFDFu;
  model::ExpectEachWriteCounts(
      CurrentsAreWell, {{"ADC1", TACTUS_AT(f4::AdcRegisters, sr), kOtherFlags, kOtherFlags, "flags that nobody reads"}});
}

TEST(CurrentSense, LearnsItsOffsetsWithTheOutputsOffAndMeasuresAmperes) {
  Rig rig;
  EXPECT_FALSE(rig.sense.calibrated());
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

TEST(CurrentSense, RecoversFromASingleErrorOfTheDma) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, false);
  rig.dma.Fail(0);
  rig.sense.Sample(true);
  EXPECT_EQ(rig.sense.restarts(), 1u);
  rig.adc.input[2] = 2240;
  rig.Periods(1, true);
  EXPECT_NEAR(rig.sense.ampere(2), 2.0, 0.011);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
}

TEST(CurrentSense, LearnsNothingUnderCurrentNorOnceItsOffsetsAreKnown) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, true);
  EXPECT_FALSE(rig.sense.calibrated());
  rig.Periods(64, false);
  rig.adc.input[10] = 2140;  // a current that dies away behind the outputs
  rig.Periods(100, false);
  EXPECT_NEAR(rig.sense.ampere(0), 1.0, 0.011);
}

TEST(CurrentSense, StaysFailedWhereItCannotBeginAnew) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.dma.never_stops = true;
  rig.sense.Recover();
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
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
  for (const std::uint16_t offset : {std::uint16_t{2300}, std::uint16_t{1800}}) {
    Rig far;
    ASSERT_EQ(far.Start(), Status::kOk);
    far.adc.input[10] = offset;
    far.Periods(64, false);
    EXPECT_EQ(far.sense.fault(), CurrentFault::kOffset);
  }
}

/// The bounds of CurrentOptions, and the even numbers next to them: the noise is the lowest bit.
TEST(CurrentSense, BearsWhatIsWithinItsBoundsAndNothingElse) {
  const std::pair<std::uint16_t, CurrentFault> ends[] = {{std::uint16_t{8}, CurrentFault::kNone},
                                                         {std::uint16_t{6}, CurrentFault::kSaturated},
                                                         {std::uint16_t{4086}, CurrentFault::kNone},
                                                         {std::uint16_t{4088}, CurrentFault::kSaturated}};
  for (const auto& [end, fault] : ends) {
    Rig rig;
    ASSERT_EQ(rig.Start(), Status::kOk);
    rig.Periods(100, false);
    rig.adc.input[11] = end;
    rig.Periods(2, true);
    EXPECT_EQ(rig.sense.fault(), fault) << end;
  }
  const std::pair<std::uint16_t, CurrentFault> offsets[] = {{std::uint16_t{1848}, CurrentFault::kNone},
                                                            {std::uint16_t{1846}, CurrentFault::kOffset},
                                                            {std::uint16_t{2248}, CurrentFault::kNone},
                                                            {std::uint16_t{2250}, CurrentFault::kOffset}};
  for (const auto& [offset, fault] : offsets) {
    Rig rig;
    ASSERT_EQ(rig.Start(), Status::kOk);
    rig.adc.input[11] = offset;
    rig.Periods(64, false);
    EXPECT_EQ(rig.sense.fault(), fault) << offset;
  }
}

TEST(CurrentSense, NamesANumberThatNeverMoves) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, false);
  for (int i = 0; i < 258; ++i) {  // 256 that are as the one before
    EXPECT_TRUE(i >= 256 || !rig.sense.failed()) << i;
    rig.adc.noise = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  // no noise: the next bit is always the same
    rig.Periods(1, true);
  }
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kStuck);
}

TEST(CurrentSense, NamesOneChannelThatNeverMovesBesideOthersThatDo) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, false);
  for (int i = 0; i < 258; ++i) {
    EXPECT_TRUE(i >= 256 || !rig.sense.failed()) << i;
    rig.adc.noise[11] = 1;
    rig.Periods(1, true);
  }
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kStuck);
}

TEST(CurrentSense, BearsSamplesThatAreMissingNowAndThen) {
  Rig rig;
  ASSERT_EQ(rig.Start(), Status::kOk);
  rig.Periods(100, false);
  for (int i = 0; i < 20; ++i) {
    rig.adc.stalled = true;
    rig.Periods(2, true);
    rig.adc.stalled = false;
    rig.Periods(1, true);
  }
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
}

TEST(CurrentSense, StartsAndRecoversFromEachFault) {
  for (const bool by_start : {false, true}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), Status::kOk);
    rig.Periods(100, false);
    rig.adc.regs().cr2 = 0;  // a wild write: the converter is off, without a flag
    rig.Periods(3, true);
    ASSERT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
    rig.trigger.regs().cr1.bits &= by_start ? ~1u : ~0u;  // TIM1 starts again behind it
    if (by_start)
      ASSERT_EQ(rig.Start(), Status::kOk);
    else
      rig.sense.Recover();
    EXPECT_FALSE(rig.sense.failed());
    EXPECT_FALSE(rig.sense.calibrated());
    rig.adc.stalled = true;
    rig.Periods(2, false);
    EXPECT_FALSE(rig.sense.failed());  // the missing ones are counted anew
    rig.adc.stalled = false;
    for (const std::size_t channel : {10u, 11u, 2u}) rig.adc.input[channel] = 2000;  // other offsets than before
    rig.Periods(64, false);
    EXPECT_TRUE(rig.sense.calibrated());
    EXPECT_NEAR(rig.sense.ampere(1), 0, 0.011);
    EXPECT_FALSE(rig.sense.failed());
  }
}

TEST(CurrentSense, DoesNotStartOnADmaThatDoesNotLetGo) {
  Rig rig;
  rig.dma.regs().stream[0].cr.bits = stream::kEnable;
  rig.dma.never_stops = true;
  EXPECT_EQ(rig.Start(), Status::kWouldBlock);
  EXPECT_EQ(rig.machine.FirstWrite("ADC1", TACTUS_AT(f4::AdcRegisters, cr2), 1, 1), -1);
}

TEST(AdcModel, FindsADriverThatTakesTransfersForGrantedOrSetsUpARunningConverter) {
  Rig rig;
  rig.adc.regs().cr1 = f4::adc::kScan;
  rig.adc.regs().cr2 = f4::adc::kOn | f4::adc::kTriggerTim8 | f4::adc::kRisingEdge;  // without the DMA bit
  rig.adc.Trigger(1);                                                                // TIM1's update
  EXPECT_EQ(rig.adc.regs().sr.bits, 0u);
  rig.adc.Trigger(model::AdcModel::kTim8Trgo);
  EXPECT_NE(rig.adc.regs().sr.bits & f4::adc::kOverrun, 0u);
  rig.adc.regs().sqr3 = 5;
  EXPECT_EQ(rig.machine.violations,
            (std::vector<std::string>{"ADC1: the converter's clock is above 36 MHz", "ADC1: set up while it is on"}));
}

}  // namespace
}  // namespace tactus::hal::stm32
