#include <gtest/gtest.h>

#include <cmath>

#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/g4/current_sense.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/g4_adc_model.h"
#include "tests/stm32/g4_dma_model.h"
#include "tests/stm32/timer_model.h"

// Source: RM0440 12 (DMA), 13 (DMAMUX), 21 (ADC), 25 (OPAMP), 28 (TIM1, TIM8); UM2516 (the board's shunts).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;

constexpr std::uint32_t kHalfPeriod = 3541;  // of 170 MHz
constexpr double kCount_A = 3.3 / 32768 / (0.003 * 64 / 7);
constexpr g4::CurrentOptions kOptions{.channels = {3, 3},
                                      .amperes_per_count = static_cast<float>(kCount_A),
                                      .middle = 20427,
                                      .most_offset = 1600,
                                      .lowest = 64,
                                      .highest = 32696};

/// A motor between U and V with a shunt below each, as a B-G431B-ESC1 has them.
struct Rig {
  Rig() {
    dma.Reach(sense.buffer(), 2);
    power.trigger_output = [this] { trigger.TriggerInput(0); };  // RM0440 28.6.3
    trigger.trigger_output = [this] { Convert(); };
  }
  SenseStep Start() {
    const SenseStep step = sense.Start(kHalfPeriod);
    machine.EndStart();
    EXPECT_EQ(pwm.Start({.half_period = kHalfPeriod, .dead_time = 85}), Status::kOk);
    return step;
  }
  /// What the shunts carry: the motor's current while their low sides are on.
  void Convert() {
    u.input[3] = Counts(0, power.LowSideIsOnFor(0, u.ScanUs()) ? -motor_A : 0);
    v.input[3] = Counts(1, power.LowSideIsOnFor(1, v.ScanUs()) ? motor_A : 0);
    u.Trigger(model::G4AdcModel::kTim8Trgo);
    v.Trigger(model::G4AdcModel::kTim8Trgo);
  }
  double Counts(int amplifier, double to_ground_A) const {
    return amplifiers.Output_V(amplifier, model::ShuntInput_V(to_ground_A)) / 3.3 * 4096;
  }
  /// So many periods of the PWM, each with its sample.
  void Periods(int count, bool outputs_on) {
    for (int i = 0; i < count; ++i) {
      for (int step = 0; step < kSteps; ++step) {
        power.Run(2.0 * kHalfPeriod / 170 / kSteps);
        trigger.Run(2.0 * kHalfPeriod / 170 / kSteps);
      }
      sense.Sample(outputs_on);
    }
  }
  /// Outputs on, with this difference of the shares.
  void Drive(float difference) {
    EXPECT_TRUE(pwm.armed() || pwm.Arm() == Status::kOk);
    EXPECT_EQ(pwm.Set({difference, -difference, 0}), Status::kOk);
    Periods(2, true);
  }

  static constexpr int kSteps = 200;  // of a period
  double motor_A = 0;                 // from U to V
  model::Machine machine;
  model::Holding<g4::RccRegisters> rcc{machine, "RCC"};
  model::MuxModel mux{machine};
  model::G4DmaModel dma{machine, mux};
  model::Holding<ConverterCommonRegisters> common{machine, "ADC12"};
  model::G4AdcModel u{machine, "ADC1", {dma, model::G4DmaModel::kAdc1, common, rcc.regs().ahb2rstr}},
      v{machine, "ADC2", {dma, model::G4DmaModel::kAdc2, common, rcc.regs().ahb2rstr}};
  model::AmplifierModel amplifiers{machine};
  model::TimerModel power{machine, "TIM1", 170e6}, trigger{machine, "TIM8", 170e6};
  MotorPwm<ModelRegister> pwm{power.regs()};
  SampleBuffer<2> buffer{};
  g4::CurrentSense<ModelRegister> sense{{{&u.regs(), &v.regs()},
                                         common.regs(),
                                         rcc.regs().ahb2rstr,
                                         amplifiers.regs(),
                                         dma.regs(),
                                         mux.regs(),
                                         trigger.regs(),
                                         power.regs()},
                                        kOptions,
                                        buffer};
};

/// A count of noise, one of the mean, one of rounding; and what the resistors' own numbers make of 4 A: none.
constexpr double kNear_A = 3 * kCount_A;

TEST(G4CurrentSense, StartsInTheManualsOrderAndTheConvertersLast) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  const auto first = [&](std::uint32_t mask, std::uint32_t value) {
    return rig.machine.FirstWrite("ADC1", TACTUS_AT(ConverterRegisters, cr), mask, value);
  };
  const int awake = first(1u << 29, 0), regulator = first(1u << 28, 1u << 28), calibration = first(1u << 31, 1u << 31);
  const int on = first(1u, 1u), start = first(1u << 2, 1u << 2);
  const int dma = rig.machine.FirstWrite("DMA1", TACTUS_AT(g4::DmaRegisters, channel), 1, 1);
  const int timer = rig.machine.FirstWrite("TIM8", TACTUS_AT(TimerRegisters, smcr), 7, 6);
  const std::vector<int> order{0, timer, awake, regulator, calibration, on, dma, start};
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_TRUE(rig.machine.violations.empty()) << rig.machine.violations[0];
}

/// Both directions at each voltage, on blocks that a loader has used: true if all of it is so.
bool CurrentsAreWell() {
  Rig rig;
  rig.trigger.LeaveUsed();
  rig.amplifiers.LeaveUsed();
  for (auto* const adc : {&rig.u, &rig.v}) adc->LeaveUsed();
  for (const unsigned channel : {0u, 1u}) rig.dma.LeaveUsed(channel);
  if (rig.Start() != SenseStep::kDone) return false;
  rig.Periods(64, false);
  bool well = rig.sense.calibrated() && !rig.sense.failed();
  for (const float difference : {0.0f, 0.5f, -0.5f, 0.93f, -0.93f}) {
    for (const double current_A : {4.0, -4.0}) {
      rig.motor_A = current_A;
      rig.Drive(difference);
      well = well && std::abs(static_cast<double>(rig.sense.ampere(0)) - current_A) < kNear_A;
    }
  }
  well = well && rig.dma.priority(0) == 2 && rig.dma.priority(1) == 2;  // before the line, which has patience
  well = well && rig.dma.transfers(0) == 84 && rig.dma.transfers(1) == 84 && rig.u.ScanUs() < 10;  // of 41.7 us
  well = well && (rig.trigger.regs().cr1.bits & 0x60u) == 0x60u;  // as TIM1's (RM0440 28.6.1)
  well = well && rig.trigger.regs().arr.bits == kHalfPeriod;      // it never drifts from TIM1
  const double lead_us = (kHalfPeriod - rig.trigger.regs().ccr1.bits) / 170.0;
  well = well && std::abs(lead_us - rig.u.ScanUs() / 2) < 0.005;  // the scan's middle is the low sides'
  return well && !rig.sense.failed() && rig.sense.restarts() == 0 && rig.machine.violations.empty();
}

TEST(G4CurrentSense, EachWriteOfItsStartCounts) {
  std::vector<model::Unseen> unseen;
  for (const char* const adc : {"ADC1", "ADC2"}) {
    constexpr std::uint32_t kCleared = 0x14;
    for (const std::uint32_t bits : {0u, kCleared})
      unseen.push_back({adc, TACTUS_AT(ConverterRegisters, isr), kCleared, bits, "flags that a reset has cleared"});
  }
  model::ExpectEachWriteCounts(CurrentsAreWell, unseen);
}

TEST(G4CurrentSense, LearnsItsOffsetsWithTheOutputsOffAndMeasuresAmperes) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(63, false);
  EXPECT_FALSE(rig.sense.calibrated());
  EXPECT_EQ(rig.sense.ampere(0), 0);
  rig.Periods(1, false);
  ASSERT_TRUE(rig.sense.calibrated());
  EXPECT_NEAR(rig.sense.ampere(0), 0, kNear_A);
  for (const double current_A : {1.0, -1.0, 0.02}) {
    rig.motor_A = current_A;
    rig.Drive(static_cast<float>(current_A) / 2);
    EXPECT_NEAR(rig.sense.ampere(0), current_A, kNear_A);
  }
  rig.Periods(1000, true);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
  EXPECT_EQ(rig.sense.restarts(), 0u);
}

// At a share of 97 % the low side of U is on for 1.2 us of 41.7: its shunt shows nothing then, and V's shows the current.
TEST(G4CurrentSense, TakesTheShuntWhoseLowSideIsOnLonger) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(64, false);
  const int at_rest[] = {rig.sense.buffer()[0], rig.sense.buffer()[1]};
  rig.motor_A = 2;
  for (const float difference : {0.94f, -0.94f}) {
    rig.Drive(difference);
    const bool is_u_blind = std::abs(rig.sense.buffer()[0] - at_rest[0]) <= 1,
               is_v_blind = std::abs(rig.sense.buffer()[1] - at_rest[1]) <= 1;
    EXPECT_EQ(is_u_blind, difference > 0);
    EXPECT_EQ(is_v_blind, difference < 0);
    EXPECT_NEAR(rig.sense.ampere(0), 2, kNear_A);
  }
}

TEST(G4CurrentSense, NamesEachStepThatDoesNotEndAndStartsNothing) {
  const std::pair<void (*)(Rig&), SenseStep> cases[] = {
      {[](Rig& rig) { rig.amplifiers.locked = true; }, SenseStep::kAmplifier},
      {[](Rig& rig) { rig.amplifiers.has_clock = [] { return false; }; }, SenseStep::kAmplifier},
      {[](Rig& rig) { rig.u.never_calibrates = true; }, SenseStep::kCalibration},
      {[](Rig& rig) { rig.v.never_calibrates = true; }, SenseStep::kCalibration},
      {[](Rig& rig) { rig.u.never_ready = true; }, SenseStep::kReady},
      {[](Rig& rig) { rig.v.has_clock = [] { return false; }; }, SenseStep::kReady}};
  for (const auto& [fail, step] : cases) {
    Rig rig;
    fail(rig);
    EXPECT_EQ(rig.sense.Start(kHalfPeriod), step) << NameOf(step);
    EXPECT_LT(rig.machine.accesses, 6u * g4::kConverterKind.turns);
    EXPECT_EQ(rig.machine.FirstWrite("ADC1", TACTUS_AT(ConverterRegisters, cr), 4, 4), -1);
    EXPECT_STRNE(NameOf(step), NameOf(SenseStep::kDone));
  }
}

TEST(G4CurrentSense, NamesATriggerAConverterAndAChannelThatStandWithinThreePeriods) {
  const std::pair<void (*)(Rig&), bool> cases[] = {{[](Rig& rig) { rig.trigger.trigger_output = [] {}; }, false},
                                                   {[](Rig& rig) { rig.u.stalled = true; }, false},
                                                   {[](Rig& rig) { rig.v.stalled = true; }, false},
                                                   {[](Rig& rig) { rig.dma.stalled = true; }, true},
                                                   {[](Rig& rig) { rig.dma.stands = 1u << 0; }, true},
                                                   {[](Rig& rig) { rig.dma.stands = 1u << 1; }, true}};
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

TEST(G4CurrentSense, RecoversFromASingleOverrunAndASingleErrorOfTheDma) {
  for (const bool is_error : {false, true}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), SenseStep::kDone);
    rig.Periods(64, false);
    rig.dma.stalled = !is_error;
    if (is_error) rig.dma.Fail(1);
    rig.Periods(2, true);
    rig.dma.stalled = false;
    rig.motor_A = 2;
    rig.Drive(0.5f);
    EXPECT_EQ(rig.sense.restarts(), 1u);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kNone);
    EXPECT_NEAR(rig.sense.ampere(0), 2, kNear_A);
    EXPECT_TRUE(rig.machine.violations.empty());
  }
}

TEST(G4CurrentSense, StaysFailedWhereAConverterDoesNotStopOrDoesNotBeginAnew) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(64, false);
  rig.v.never_stops = true;
  rig.dma.Fail(0);
  rig.Periods(1, true);
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
  rig.u.never_ready = true;
  rig.sense.Recover();
  EXPECT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
  rig.u.never_ready = rig.v.never_stops = false;
  rig.sense.Recover();
  EXPECT_FALSE(rig.sense.failed());
  EXPECT_FALSE(rig.sense.calibrated());
  rig.Periods(64, false);
  EXPECT_TRUE(rig.sense.calibrated());
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(G4CurrentSense, RecoversFromAWildWriteThatSwitchesAConverterOff) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(64, false);
  rig.u.regs().cr.bits = 0;
  rig.Periods(3, true);
  ASSERT_EQ(rig.sense.fault(), CurrentFault::kNoSamples);
  rig.sense.Recover();
  rig.Periods(64, false);
  EXPECT_TRUE(rig.sense.calibrated());
  EXPECT_FALSE(rig.sense.failed());
  EXPECT_TRUE(rig.machine.violations.empty());
}

// Saturated: 45 A to ground or 75 from it, or an amplifier that is off; far from the middle; the same number over and over.
TEST(G4CurrentSense, NamesSaturationBothWaysAnAmplifierThatIsOffAStuckNumberAndAnOffset) {
  for (const double current_A : {60.0, -90.0}) {
    Rig rig;
    ASSERT_EQ(rig.Start(), SenseStep::kDone);
    rig.Periods(64, false);
    rig.motor_A = current_A;
    rig.Drive(0.9f);
    EXPECT_EQ(rig.sense.fault(), CurrentFault::kSaturated) << current_A;
  }
  Rig off;
  ASSERT_EQ(off.Start(), SenseStep::kDone);
  off.Periods(64, false);
  off.amplifiers.regs().csr[1].bits &= ~1u;
  off.Periods(1, true);
  EXPECT_EQ(off.sense.fault(), CurrentFault::kSaturated);
  Rig far;
  ASSERT_EQ(far.Start(), SenseStep::kDone);
  far.trigger.trigger_output = [&far] {
    far.u.input[3] = 2553, far.v.input[3] = 2800;
    for (auto* const adc : {&far.u, &far.v}) adc->Trigger(model::G4AdcModel::kTim8Trgo);
  };
  far.Periods(64, false);
  EXPECT_EQ(far.sense.fault(), CurrentFault::kOffset);
  Rig quiet;
  ASSERT_EQ(quiet.Start(), SenseStep::kDone);
  quiet.u.quiet = quiet.v.quiet = true;
  quiet.Periods(258, false);
  EXPECT_EQ(quiet.sense.fault(), CurrentFault::kStuck);
}

// Deliberately wrong: no time for the regulator, on without a calibration, at the clock of the core, one sample of 2.5
// clocks.
TEST(G4AdcModel, FindsADriverThatDoesNotWaitForRegulatorCalibrationAndReadiness) {
  Rig rig;
  rig.common.regs().ccr = 0;
  auto& adc = rig.u.regs();
  adc.cr = converter::kRegulator;
  adc.cr = converter::kRegulator | converter::kCalibrate;
  adc.cr = converter::kRegulator | converter::kOn;
  adc.cr = converter::kRegulator | converter::kStart;
  adc.cfgr = 1u << 31 | converter::kTriggerTim8 | converter::kRisingEdge;
  rig.u.Trigger(9);  // TIM1's TRGO
  rig.u.Trigger(model::G4AdcModel::kTim8Trgo);
  EXPECT_EQ(
      rig.machine.violations,
      (std::vector<std::string>{"ADC1: regulator on in the deep power down", "ADC1: calibrated too early, or while it is on",
                                "ADC1: on without a calibration, or too early behind it", "ADC1: started before it is ready",
                                "ADC1: set up while it converts", "ADC1: the converter's clock is too fast",
                                "ADC1: the sampling is too short"}));
}

TEST(G4DmaModel, FindsAChannelThatIsChangedWhileItRunsAndAnAmplifiersTrimmingThatIsLost) {
  Rig rig;
  rig.dma.regs().channel[0].cndtr = 1;
  rig.dma.regs().channel[0].ccr = g4::dma::kEnable;
  rig.dma.regs().channel[0].cndtr = 3;
  EXPECT_EQ(rig.dma.regs().channel[0].cndtr.bits, 1u);  // not taken
  rig.mux.regs().ccr[0] = model::G4DmaModel::kAdc1;
  EXPECT_FALSE(rig.dma.FromPeripheral(model::G4DmaModel::kAdc1, rig.u.regs().dr, 1));
  rig.amplifiers.regs().csr[0] = g4::amplifier::kBy16;
  EXPECT_EQ(rig.machine.violations,
            (std::vector<std::string>{
                "DMA1: a channel was changed while it ran", "DMAMUX: a request was changed while it was served",
                "DMA1: a transfer from or to elsewhere", "OPAMP: the factory's trimming was overwritten"}));
}

// A deliberately wrong driver takes the shunt of U whatever the shares are: where U's low side is hardly on it sees no
// current.
TEST(G4CurrentSense, TheModelTellsItFromADriverThatTakesOneShuntAlways) {
  Rig rig;
  ASSERT_EQ(rig.Start(), SenseStep::kDone);
  rig.Periods(64, false);
  const int at_rest = rig.sense.buffer()[0];
  rig.motor_A = 2;
  rig.Drive(0.9f);
  const double wrong_A = (at_rest - rig.sense.buffer()[0]) * kCount_A;
  EXPECT_NEAR(wrong_A, 0, kNear_A);
  EXPECT_NEAR(rig.sense.ampere(0), 2, kNear_A);
}

}  // namespace
}  // namespace tactus::hal::stm32
