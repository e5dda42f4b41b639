#include <gtest/gtest.h>

#include <cmath>

#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/f4/current_sense.h"
#include "tests/stm32/adc_model.h"

// Three motors with a current sense, as the board stm32f405 has them. Source: hal/api/motor_io.h, RM0090 10, 13, 17, 8.4.7.

namespace tactus::hal::stm32 {
namespace {

using model::Holding;
using model::ModelRegister;
using Sense = f4::CurrentSense<ModelRegister>;
using MotorIo = BridgeMotorIo<ModelRegister, ThreeMotorsOnPairs, Sense>;

constexpr std::uint32_t kHalfPeriod = 3500, kEStopPin = 1u << 11, kGates = 1u << 10;
constexpr BridgeMotor kMotor{.stall_A = 2, .max_current_A = 1, .counts_per_turn = 4096, .max_step_counts = 500};
constexpr double kStall_A = 2;  // the same
constexpr f4::CurrentOptions kCurrents{.channels = {10, 11, 12}, .amperes_per_count = 0.002f};

struct Rig {
  Rig() {
    dma.Reach(sense.buffer(), 3);
    for (const std::size_t channel : {10, 11, 12}) adc.input[channel] = 2048;
    for (auto* const encoder : {&first, &second, &third}) encoder->Start();
    power.trigger_output = [this] { trigger.TriggerInput(0); };  // RM0090 table 95
    trigger.trigger_output = [this] { adc.Trigger(model::AdcModel::kTim8Trgo); };
    adc.edge_within = [this](double us) { return power.EdgeWithin(us); };
    EXPECT_EQ(sense.Start(kHalfPeriod), Status::kOk);
    EXPECT_EQ(pwm.Start({.half_period = kHalfPeriod, .dead_time = 84}), Status::kOk);
  }

  /// One period of the board's loop: the motors' currents follow their voltages, less what the hand's movement takes away:
  /// K w / R, which is stall_A at the largest step.
  MotorReading Read() {
    model::TimerModel* const turns[] = {&tim2, &tim3, &tim5};
    for (std::size_t i = 0; i < 3; ++i) {
      const double drive = power.Drive(static_cast<int>(i));
      flowing_A[i] = power.outputs_on() ? drive * resistance_error * kStall_A - back_emf_A[i] : 0;
      turns[i]->Turn(static_cast<std::int32_t>(std::lround(back_emf_A[i] / kStall_A * kMotor.max_step_counts)));
      const double counts = shows_nothing[i] ? 0 : flowing_A[i] / static_cast<double>(kCurrents.amperes_per_count);
      adc.input[10 + i] = static_cast<std::uint16_t>(2048 + static_cast<int>(counts));
    }
    Period();
    return motors.Read();
  }
  Status Write(float a_A, float b_A, float c_A) {
    const Status status = motors.Write({a_A, b_A, c_A, 0, 0, 0});
    Period();
    return status;
  }
  /// Of both timers, in steps that are small against a scan.
  void Period() {
    constexpr int kSteps = 50;
    for (int i = 0; i < kSteps; ++i) {
      power.Run(2.0 * kHalfPeriod / 168 / kSteps);
      trigger.Run(2.0 * kHalfPeriod / 168 / kSteps);
    }
  }
  void Calibrate() {
    for (int i = 0; i < 64; ++i) (void)Read();
    ASSERT_TRUE(sense.calibrated());
  }
  void Arm() {
    Calibrate();
    (void)motors.Zero();
    motors.SetEnable(true);
    Period();
    ASSERT_TRUE(power.outputs_on());
  }
  bool gates() const { return (port.regs().bsrr.bits & kGates) != 0; }  // what was written last: set, or reset above

  double back_emf_A[3] = {}, flowing_A[3] = {}, resistance_error = 1;
  bool shows_nothing[3] = {};  // its amplifier's inputs are open
  model::Machine machine;
  model::TimerModel power{machine, "TIM1"}, trigger{machine, "TIM8"}, tim2{machine, "TIM2"}, tim3{machine, "TIM3"},
      tim5{machine, "TIM5"};
  Holding<GpioRegisters> port{machine, "GPIOC"};
  Holding<f4::PwrRegisters> supply{machine, "PWR"};
  model::DmaModel dma{machine};
  Holding<f4::AdcCommonRegisters> common{machine, "ADC"};
  model::AdcModel adc{machine, dma, common};
  SampleBuffer<3> buffer{};
  Sense sense{{adc.regs(), common.regs(), dma.regs(), trigger.regs()}, kCurrents, buffer};
  MotorPwm<ModelRegister> pwm{power.regs()};
  QuadratureEncoder<ModelRegister> first{tim2.regs(), {.is_32_bit = true}}, second{tim3.regs(), {}},
      third{tim5.regs(), {.is_32_bit = true}};
  MotorIo motors{{.pwm = pwm, .encoders = {&first, &second, &third}, .sense = &sense},
                 {port.regs().idr, kEStopPin, supply.regs().csr, f4::pwr::kBelowLevel, &port.regs().bsrr, kGates},
                 {kMotor, kMotor, kMotor}};
};

TEST(BridgeMotors, ThreeMotorsHaveTheirOwnCountsAndShares) {
  Rig rig;
  EXPECT_EQ(rig.motors.traits().motors, 3);
  EXPECT_TRUE(rig.motors.traits().senses_current);
  rig.Arm();
  ASSERT_EQ(rig.Write(1, -0.5f, 0.25f), Status::kOk);
  const double drives[] = {0.5, -0.25, 0.125};  // I / stall_A
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(2 * rig.power.Share(i) - 1, drives[i], 2.0 / kHalfPeriod) << i;
  rig.tim2.Turn(-1);
  rig.tim3.Turn(20);
  rig.tim5.Turn(300);
  const MotorReading reading = rig.Read();
  EXPECT_EQ(reading.count[0], -1);
  EXPECT_EQ(reading.count[1], 20);
  EXPECT_EQ(reading.count[2], 300);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(BridgeMotors, DoNotComeOnBeforeTheOffsetsOfTheirCurrentsAreKnown) {
  Rig rig;
  (void)rig.motors.Zero();
  rig.motors.SetEnable(true);
  EXPECT_FALSE(rig.power.outputs_on());
  EXPECT_FALSE(rig.gates());
  EXPECT_TRUE(rig.Read().drive_fault);
  rig.motors.SetEnable(false);
  rig.Arm();
}

TEST(BridgeMotors, TheGatesComeOnBehindTheOutputsAndGoOffBeforeThem) {
  Rig rig;
  rig.Calibrate();
  rig.machine.log.clear();
  rig.motors.SetEnable(true);
  const int on = rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, bdtr), timer::kMainOutput, timer::kMainOutput);
  const int gates = rig.machine.FirstWrite("GPIOC", TACTUS_AT(GpioRegisters, bsrr), kGates, kGates);
  EXPECT_GE(on, 0);
  EXPECT_LT(on, gates);
  rig.machine.log.clear();
  rig.motors.SetEnable(false);
  const int closed = rig.machine.FirstWrite("GPIOC", TACTUS_AT(GpioRegisters, bsrr), kGates << 16, kGates << 16);
  const int cut = rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, bdtr), timer::kMainOutput, 0);
  EXPECT_GE(closed, 0);
  EXPECT_LT(closed, cut);
  EXPECT_FALSE(rig.power.outputs_on());
}

// Back EMF of 0.4 A at the resistance, and a resistance that is 20 % off: within some periods the current is the one that
// was written. Tolerance: 2 mA a count of the converter, one of noise and one of rounding, and the PWM's step.
TEST(BridgeMotors, TheMeasuredCurrentCorrectsTheVoltage) {
  Rig rig;
  rig.Arm();
  rig.back_emf_A[1] = 0.4;
  rig.resistance_error = 0.8;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(rig.Write(0.5f, 0, -0.5f), Status::kOk);
    (void)rig.Read();
  }
  EXPECT_NEAR(rig.flowing_A[0], 0.5, 0.006);
  EXPECT_NEAR(rig.flowing_A[1], 0.0, 0.006);
  EXPECT_NEAR(rig.flowing_A[2], -0.5, 0.006);
}

// A shorted motor, or a sense that has failed, never makes more than the ceiling of correction; and none where it is no
// number.
TEST(BridgeMotors, TheCorrectionIsBounded) {
  Rig rig;
  rig.Arm();
  rig.back_emf_A[0] = 3;  // a hand that no current holds
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(rig.Write(0.25f, 0, 0), Status::kOk);
    (void)rig.Read();
    EXPECT_LE(2 * rig.power.Share(0) - 1, 1.25 / kStall_A + 2.0 / kHalfPeriod);  // with the ceiling as correction
  }
  EXPECT_GT(2 * rig.power.Share(0) - 1, 1.2 / kStall_A);
  rig.adc.stalled = true;
  for (int i = 0; i < 5; ++i) (void)rig.Read();
  EXPECT_EQ(rig.Write(1, 0, 0), Status::kOk);
  EXPECT_NEAR(2 * rig.power.Share(0) - 1, 1 / kStall_A, 2.0 / kHalfPeriod);
}

// A channel that shows no current has nothing to add up: at rest 0.1 A stays below 0.1 + (1/20 + 0.1/2) A, where the ceiling
// of 1 A was in reach. And no current that was asked for is none, within a twentieth, however long a count is missing.
TEST(BridgeMotors, TheCorrectionOfAChannelThatShowsNothingStaysSmall) {
  for (const float asked_A : {0.1f, 0.0f, -0.1f}) {
    Rig rig;
    rig.Arm();
    rig.shows_nothing[1] = true;
    for (int i = 0; i < 250; ++i) {
      ASSERT_EQ(rig.Write(0, asked_A, 0), Status::kOk);
      (void)rig.Read();
      ASSERT_LE(std::abs(rig.flowing_A[1] - double{asked_A}), 0.05 + std::abs(double{asked_A}) / 2 + 0.002) << i;
    }
  }
}

TEST(BridgeMotors, ComeOnWithoutTheCorrectionOfBefore) {
  Rig rig;
  rig.Arm();
  rig.back_emf_A[0] = 0.4;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(rig.Write(0.5f, 0, 0), Status::kOk);
    (void)rig.Read();
  }
  rig.motors.SetEnable(false);
  rig.motors.SetEnable(true);
  ASSERT_EQ(rig.Write(0, 0, 0), Status::kOk);
  EXPECT_NEAR(rig.power.Drive(0), 0, 2.0 / kHalfPeriod);
}

TEST(BridgeMotors, AFailedSenseIsNoNumberAndIsWellAgainWithTheDrivesOff) {
  for (const bool by_dma : {false, true}) {
    Rig rig;
    rig.Arm();
    (by_dma ? rig.dma.stalled : rig.adc.stalled) = true;
    for (int i = 0; i < 3; ++i) (void)rig.Read();
    EXPECT_TRUE(std::isnan(rig.Read().current_A[0]));
    rig.motors.SetEnable(false);
    rig.motors.SetEnable(true);  // not with a sense that has failed
    EXPECT_FALSE(rig.power.outputs_on());
    rig.motors.SetEnable(false);
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(std::isnan(rig.Read().current_A[0])) << "while it does not work";
    (by_dma ? rig.dma.stalled : rig.adc.stalled) = false;
    for (int i = 0; i < 70; ++i) (void)rig.Read();
    EXPECT_FALSE(std::isnan(rig.Read().current_A[0]));
    rig.Arm();
    EXPECT_TRUE(rig.machine.violations.empty()) << rig.machine.violations.front();
  }
}

TEST(BridgeMotors, OneFailedEncoderIsAFaultAndTheOthersCountOn) {
  Rig rig;
  rig.Arm();
  rig.tim3.Turn(15'000);
  rig.tim5.Turn(9);
  MotorReading reading = rig.Read();
  EXPECT_TRUE(reading.encoder_fault);
  EXPECT_EQ(reading.count[2], 9);
  rig.motors.SetEnable(false);
  EXPECT_TRUE(rig.Read().encoder_fault);
  rig.tim3.Turn(3);
  reading = rig.Read();
  EXPECT_FALSE(reading.encoder_fault);
  EXPECT_EQ(reading.count[1], 3);
  EXPECT_EQ(reading.count[2], 9);
}

TEST(BridgeMotors, TheBreakCutsAllThreeAndTheContactAndTheSupplyAreRead) {
  Rig rig;
  rig.Arm();
  ASSERT_EQ(rig.Write(1, 1, 1), Status::kOk);
  rig.power.SetBreak(true);
  EXPECT_FALSE(rig.power.outputs_on());
  EXPECT_TRUE(rig.Read().drive_fault);
  EXPECT_FALSE(rig.Read().e_stop);
  EXPECT_EQ(rig.Write(1, 1, 1), Status::kWouldBlock);
  rig.motors.SetEnable(false);
  EXPECT_FALSE(rig.gates());
  rig.port.regs().idr.bits = kEStopPin;
  rig.supply.regs().csr.bits = f4::pwr::kBelowLevel;
  EXPECT_TRUE(rig.Read().e_stop);
  EXPECT_TRUE(rig.Read().brown_out);
}

// Deliberately wrong: the same parts wired as for one motor. The model's currents tell.
TEST(BridgeMotors, TheModelTellsThemFromAWrongWiring) {
  Rig rig;
  BridgeMotorIo<ModelRegister> wrong{
      {.pwm = rig.pwm, .encoders = {&rig.first}},
      {rig.port.regs().idr, kEStopPin, rig.supply.regs().csr, f4::pwr::kBelowLevel, &rig.port.regs().bsrr, kGates},
      {kMotor}};
  wrong.SetEnable(true);
  ASSERT_EQ(wrong.Write({0.5f, 0, 0, 0, 0, 0}), Status::kOk);
  rig.power.Period();
  (void)rig.Read();
  EXPECT_NEAR(rig.flowing_A[0], 0.5, 0.01);
  EXPECT_NEAR(rig.flowing_A[1], -0.5, 0.01);  // a motor that nobody asked to move
}

}  // namespace
}  // namespace tactus::hal::stm32
