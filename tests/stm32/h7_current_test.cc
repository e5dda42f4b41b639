#include <gtest/gtest.h>

#include <cmath>

#include "hal/stm32/h7/current_sense.h"
#include "hal/stm32/motor_pwm.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/h7_adc_model.h"
#include "tests/stm32/h7_dma_model.h"
#include "tests/stm32/timer_model.h"

// Source: RM0433 15 (DMA), 17 (DMAMUX1), 25 (ADC), 38 (TIM1, TIM8).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;

constexpr std::uint32_t kHalfPeriod = 5000;  // of 240 MHz
constexpr double kCount_A = 3.3 / 65536 / 0.4;
constexpr h7::CurrentOptions kOptions{.channels = {15, 10, 5},
                                      .amperes_per_count = static_cast<float>(kCount_A),
                                      .middle = 32768,
                                      .most_offset = 3200,
                                      .lowest = 128,
                                      .highest = 65407};

/// Three amplifiers of 0.4 V/A about half of the supply, on the pins of three channels.
struct Rig {
  Rig() {
    dma.Reach(buffer.data(), 3);
    Flow({0, 0, 0});
    power.trigger_output = [this] { trigger.TriggerInput(0); };  // RM0433 38.4.3
    trigger.trigger_output = [this] {
      adc.Trigger(model::ConverterModel::kTim8Trgo);
      in_phase = in_phase && step == kSteps;
    };
    adc.edge_within = [this](double us) { return power.EdgeWithin(us); };
  }
  SenseStep Start() {
    const SenseStep done = sense.Start(kHalfPeriod);
    machine.EndStart();
    in_phase = !trigger.runs();  // before TIM1
    EXPECT_EQ(pwm.Start({.half_period = kHalfPeriod, .dead_time = 120}), Status::kOk);
    return done;
  }
  void Flow(const std::array<double, 3>& current_A) {
    for (std::size_t i = 0; i < 3; ++i) adc.input[kOptions.channels[i]] = 32'800 + current_A[i] / kCount_A;
  }
  /// So many periods of the PWM, each with its sample.
  void Periods(int count, bool outputs_on) {
    for (int i = 0; i < count; ++i) {
      for (step = 1; step <= kSteps; ++step) {
        power.Run(2.0 * kHalfPeriod / 240 / kSteps);
        trigger.Run(2.0 * kHalfPeriod / 240 / kSteps);
      }
      sense.Sample(outputs_on);
    }
  }

  static constexpr int kSteps = 50;  // of a period
  int step = 0;
  bool in_phase = true;  // each scan at the end of a period of TIM1, where all bridges are in the middle of a pulse

  model::Machine machine;
  model::Holding<h7::RccRegisters> rcc{machine, "RCC"};
  model::MuxModel mux{machine};
  model::H7DmaModel dma{machine, mux};
  model::Holding<ConverterCommonRegisters> common{machine, "ADC12"};
  model::H7AdcModel adc{machine, {dma, model::H7DmaModel::kAdc1, common, rcc.regs().ahb1rstr}};
  model::TimerModel power{machine, "TIM1", 240e6}, trigger{machine, "TIM8", 240e6};
  MotorPwm<ModelRegister> pwm{power.regs()};
  SampleBuffer<3> buffer{};
  h7::CurrentSense<ModelRegister> sense{
      {adc.regs(), common.regs(), rcc.regs().ahb1rstr, dma.regs(), mux.regs(), trigger.regs()}, kOptions, buffer};
};

constexpr double kNear_A = 3 * kCount_A;  // a count of noise, one of the mean, one of rounding

TEST(H7CurrentSense, StartsInTheManualsOrderAndTheConverterLast) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  const auto first = [&](std::uint32_t mask, std::uint32_t value) {
    return rig.machine.FirstWrite("ADC1", TACTUS_AT(ConverterRegisters, cr), mask, value);
  };
  const int awake = first(1u << 29, 0), regulator = first(1u << 28, 1u << 28), calibration = first(1u << 31, 1u << 31);
  const int on = first(1u, 1u), start = first(1u << 2, 1u << 2);
  const int wired = rig.machine.FirstWrite("ADC1", TACTUS_AT(ConverterRegisters, pcsel), ~0u, 1u << 15 | 1u << 10 | 1u << 5);
  const int clock = rig.machine.FirstWrite("ADC12", TACTUS_AT(ConverterCommonRegisters, ccr), 3u << 16, 3u << 16);
  const int request = rig.machine.FirstWrite("DMAMUX", 0, 0xFF, 9);
  const int dma = rig.machine.FirstWrite("DMA1", TACTUS_AT(StreamDmaRegisters, stream), 1, 1);
  const int timer = rig.machine.FirstWrite("TIM8", TACTUS_AT(TimerRegisters, smcr), 7, 6);
  const std::vector<int> order{0, timer, clock, awake, regulator, calibration, on, wired, request, dma, start};
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_TRUE(rig.machine.violations.empty()) << rig.machine.violations[0];
}

/// Both directions in each motor, on blocks that a loader has used: true if all of it is so.
bool CurrentsAreWell() {
  Rig rig;
  rig.trigger.LeaveUsed();
  rig.adc.LeaveUsed();
  rig.dma.LeaveUsed(0);
  rig.common.regs().ccr.bits = 0x00C1'0F06;
  if (rig.Start() != SenseStep::kDone) return false;
  rig.Periods(64, false);
  bool well = rig.sense.calibrated() && !rig.sense.failed() && rig.pwm.Arm() == Status::kOk;
  for (const std::array<double, 3>& current_A : {std::array{1.0, -0.5, 0.25}, std::array{-1.0, 0.5, -0.25}}) {
    rig.Flow(current_A);
    rig.Periods(1, true);
    for (int i = 0; i < 3; ++i)
      well = well && std::abs(static_cast<double>(rig.sense.ampere(i)) - current_A[static_cast<std::size_t>(i)]) < kNear_A;
  }
  well = well && rig.in_phase && rig.dma.transfers(0) == 66 && rig.dma.priority(0) == 2 && rig.adc.ScanUs() < 4.5;
  well = well && (rig.trigger.regs().cr1.bits & 0x60u) == 0x60u && rig.trigger.regs().arr.bits == kHalfPeriod;
  return well && !rig.sense.failed() && rig.sense.restarts() == 0 && rig.machine.violations.empty();
}

TEST(H7CurrentSense, EachWriteOfItsStartCounts) {
  constexpr std::uint32_t kCleared = 0x14;
  std::vector<model::Unseen> unseen;
  for (const std::uint32_t bits : {0u, kCleared})
    unseen.push_back({"ADC1", TACTUS_AT(ConverterRegisters, isr), kCleared, bits, "flags that a reset has cleared"});
  unseen.push_back({"ADC1", TACTUS_AT(ConverterRegisters, cr), 0x10000300, 0x300, "BOOST counts from the calibration on"});
  model::ExpectEachWriteCounts(CurrentsAreWell, unseen);
}

TEST(H7CurrentSense, LearnsItsOffsetsWithTheOutputsOffAndMeasuresAmperes) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(63, false);
  EXPECT_FALSE(rig.sense.calibrated());
  EXPECT_EQ(rig.sense.ampere(0), 0);
  rig.Periods(1, false);
  ASSERT_TRUE(rig.sense.calibrated());
  rig.Periods(1000, true);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(rig.sense.ampere(i), 0, kNear_A);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
  EXPECT_EQ(rig.sense.restarts(), 0u);
}

TEST(H7CurrentSense, NamesEachStepThatDoesNotEndAndStartsNothing) {
  const std::pair<void (*)(Rig&), SenseStep> cases[] = {
      {[](Rig& rig) { rig.adc.never_regulates = true; }, SenseStep::kRegulator},
      {[](Rig& rig) { rig.adc.has_clock = [] { return false; }; }, SenseStep::kRegulator},
      {[](Rig& rig) { rig.adc.never_calibrates = true; }, SenseStep::kCalibration},
      {[](Rig& rig) { rig.adc.never_ready = true; }, SenseStep::kReady},
      {[](Rig& rig) { rig.dma.never_stops = true, rig.dma.LeaveUsed(0); }, SenseStep::kDma}};
  for (const auto& [fail, step] : cases) {
    Rig rig;
    fail(rig);
    EXPECT_EQ(rig.sense.Start(kHalfPeriod), step) << NameOf(step);
    EXPECT_LT(rig.machine.accesses, 3u * static_cast<unsigned>(h7::kConverterKind.turns));
    EXPECT_EQ(rig.machine.FirstWrite("ADC1", TACTUS_AT(ConverterRegisters, cr), 4, 4), -1);
    EXPECT_STRNE(NameOf(step), NameOf(SenseStep::kDone));
  }
}

TEST(H7CurrentSense, NamesATriggerAConverterAndAStreamThatStandWithinThreePeriods) {
  const std::pair<void (*)(Rig&), bool> cases[] = {{[](Rig& rig) { rig.trigger.trigger_output = [] {}; }, false},
                                                   {[](Rig& rig) { rig.adc.stalled = true; }, false},
                                                   {[](Rig& rig) { rig.dma.stalled = true; }, true},
                                                   {[](Rig& rig) { rig.dma.stands = 1u; }, true}};
  for (const auto& [stall, restarts] : cases) {
    Rig rig;
    ASSERT_EQ(rig.Start(), SenseStep::kDone);
    rig.Periods(100, false);
    stall(rig);
    rig.Periods(2, true);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
    rig.Periods(1, true);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
    EXPECT_EQ(rig.sense.restarts() > 0, restarts);
    EXPECT_TRUE(rig.machine.violations.empty());
  }
}

TEST(H7CurrentSense, RecoversFromASingleOverrunAndASingleErrorOfTheDma) {
  for (const bool is_error : {false, true}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), SenseStep::kDone);
    rig.Periods(64, false);
    rig.dma.stalled = !is_error;
    if (is_error) rig.dma.Fail(0);
    rig.Periods(1, true);
    rig.dma.stalled = false;
    rig.Flow({0.5, 0, -0.5});
    rig.Periods(1, true);
    EXPECT_EQ(rig.sense.restarts(), 1u);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
    EXPECT_NEAR(rig.sense.ampere(0), 0.5, kNear_A);
    EXPECT_NEAR(rig.sense.ampere(2), -0.5, kNear_A);
    EXPECT_TRUE(rig.machine.violations.empty());
  }
}

TEST(H7CurrentSense, StaysFailedWhereTheConverterDoesNotStopOrDoesNotBeginAnew) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(64, false);
  rig.adc.never_stops = true;
  rig.dma.Fail(0);
  rig.Periods(1, true);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
  for (bool* const never : {&rig.adc.never_ready, &rig.adc.never_regulates}) {
    *never = true;
    rig.sense.Recover();
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
    *never = false;
  }
  rig.adc.never_stops = false;
  rig.sense.Recover();
  EXPECT_FALSE(rig.sense.failed());
  EXPECT_FALSE(rig.sense.calibrated());
  rig.Periods(64, false);
  EXPECT_TRUE(rig.sense.calibrated());
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(H7CurrentSense, NamesSaturationBothWaysAWireThatIsOffAnOffsetAndAStuckNumber) {
  for (const double current_A : {4.2, -4.2}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), SenseStep::kDone);
    rig.Periods(64, false);
    rig.Flow({0, current_A, 0});
    rig.Periods(1, true);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kSaturated) << current_A;
  }
  Rig off;
  ASSERT_EQ(off.Start(), SenseStep::kDone);
  off.adc.input[5] = 0;
  off.Periods(1, false);
  EXPECT_EQ(off.sense.fault(), CurrentFault::kSaturated);
  Rig far;
  ASSERT_EQ(far.Start(), SenseStep::kDone);
  far.adc.input[10] = 32'768 + 3300;
  far.Periods(64, false);
  EXPECT_EQ(far.sense.fault(), CurrentFault::kOffset);
  Rig quiet;
  ASSERT_EQ(quiet.Start(), SenseStep::kDone);
  quiet.adc.quiet = true;
  quiet.Periods(258, false);
  EXPECT_EQ(quiet.sense.fault(), CurrentFault::kStuck);
}

// Deliberately wrong: no look at LDORDY, no time behind the calibration, the BOOST of a slow clock, 1.5 clocks of sampling,
// a channel that PCSEL does not wire.
TEST(H7AdcModel, FindsADriverThatDoesNotWaitForTheRegulatorOrGetsTheClockWrong) {
  Rig rig;
  auto& adc = rig.adc.regs();
  rig.common.regs().ccr = h7::adc::kClockBy4;
  adc.cr = 0;
  adc.cr = converter::kRegulator | 1u << 8;
  adc.cr = converter::kRegulator | 1u << 8 | converter::kCalibrate;
  adc.cr = converter::kRegulator | 1u << 8 | converter::kOn;
  (void)WaitFor(200, [&] { return (adc.isr & converter::kIsReady) != 0; });
  adc.sqr[0] = 10u << 6;
  adc.cfgr = converter::kScanWord;
  adc.cr = converter::kRegulator | 1u << 8 | converter::kStart;
  rig.adc.Trigger(9);  // TIM1's TRGO
  rig.adc.Trigger(model::ConverterModel::kTim8Trgo);
  EXPECT_LE(rig.adc.regs().dr.bits, 1u);  // nothing but noise
  EXPECT_EQ(rig.machine.violations,
            (std::vector<std::string>{
                "ADC1: BOOST is not that of its clock", "ADC1: calibrated too early, or while it is on",
                "ADC1: BOOST is not that of its clock", "ADC1: on without a calibration, or too early behind it",
                "ADC1: BOOST is not that of its clock", "ADC1: the sampling is too short"}));
}

}  // namespace
}  // namespace tactus::hal::stm32
