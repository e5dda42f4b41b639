#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/g4/registers.h"
#include "tests/stm32/timer_model.h"

// Source: hal/api/motor_io.h (what a MotorIo does), RM0440 28 (TIM1), 9.4.5 (IDR), 6.4.6 (PVDO).

namespace tactus::hal::stm32 {
namespace {

using model::Holding;
using model::ModelRegister;
using MotorIo = BridgeMotorIo<ModelRegister>;

constexpr std::uint32_t kHalfPeriod = 3500, kBreakPin = 1u << 15;
constexpr BridgeMotor kMotor{.stall_A = 2, .max_current_A = 1, .counts_per_turn = 4096, .max_step_counts = 500};

struct Rig {
  explicit Rig(bool start = true) {
    encoder.Start();
    if (!start) return;
    EXPECT_EQ(pwm.Start({.half_period = kHalfPeriod, .dead_time = 84}), Status::kOk);
  }
  Status Write(float current_A) {
    const Status status = motors.Write({current_A, 0, 0, 0, 0, 0});
    power.Period();
    return status;
  }
  Status Zero() {
    const Status status = motors.Zero();
    power.Period();
    return status;
  }
  /// Both together: the contact is the break input.
  void PressEStop(bool open) {
    power.SetBreak(open);
    port.regs().idr.bits = open ? kBreakPin : 0u;
  }
  void ArmAndDrive() {
    (void)motors.Zero();
    motors.SetEnable(true);
    ASSERT_EQ(Write(0.5f), Status::kOk);
    ASSERT_TRUE(power.outputs_on());
  }

  model::Machine machine;
  model::TimerModel power{machine, "TIM1"}, turns{machine, "TIM4"};
  Holding<GpioRegisters> port{machine, "GPIOA"};
  Holding<g4::PwrRegisters> supply{machine, "PWR"};
  MotorPwm<ModelRegister> pwm{power.regs()};
  QuadratureEncoder<ModelRegister> encoder{turns.regs(), {}};
  MotorIo motors{
      {.pwm = pwm, .encoders = {&encoder}}, {port.regs().idr, kBreakPin, supply.regs().sr2, g4::pwr::kBelowLevel}, {kMotor}};
};

TEST(BridgeMotorIo, SaysThatItSensesNoCurrent) {
  Rig rig;
  EXPECT_EQ(rig.motors.traits().motors, 1);
  EXPECT_FALSE(rig.motors.traits().senses_current);
  const float current_A = rig.motors.Read().current_A[0];
  EXPECT_TRUE(current_A != current_A);  // not a zero that nobody has measured
  EXPECT_EQ(rig.motors.traits().max_current_A[0], 1.0f);
  EXPECT_EQ(rig.motors.traits().counts_per_turn[0], 4096u);
  EXPECT_EQ(rig.motors.traits().max_step_counts, 500u);
}

TEST(BridgeMotorIo, IsOffUntilItIsEnabledAndComesOnBehindZeros) {
  Rig rig;
  EXPECT_FALSE(rig.power.outputs_on());
  EXPECT_EQ(rig.Write(1), Status::kWouldBlock);
  EXPECT_FALSE(rig.power.outputs_on());
  EXPECT_EQ(rig.Zero(), Status::kOk);
  rig.motors.SetEnable(true);
  EXPECT_TRUE(rig.power.outputs_on());
  EXPECT_DOUBLE_EQ(rig.power.Share(0), 0.5);
  EXPECT_DOUBLE_EQ(rig.power.Share(1), 0.5);
}

TEST(BridgeMotorIo, ZeroTakesTheVoltageAwayWhileTheDrivesAreOn) {  // And it stays away: no Write, no current.
  Rig rig;
  rig.ArmAndDrive();
  ASSERT_GT(rig.power.Share(0), 0.5);
  EXPECT_EQ(rig.Zero(), Status::kOk);
  for (int period = 0; period < 3; ++period) {
    EXPECT_DOUBLE_EQ(rig.power.Share(0), 0.5) << period;
    EXPECT_DOUBLE_EQ(rig.power.Share(1), 0.5) << period;
    (void)rig.motors.Read();
    rig.power.Period();
  }
  EXPECT_TRUE(rig.power.outputs_on());
}

// d = I / stall_A is the difference of the two shares.
TEST(BridgeMotorIo, WritesTheVoltageOfTheCurrentWithItsSign) {
  Rig rig;
  rig.ArmAndDrive();
  for (const float current_A : {0.0f, 0.25f, -0.25f, 1.0f, -1.0f}) {
    EXPECT_EQ(rig.Write(current_A), Status::kOk);
    EXPECT_NEAR(rig.power.Share(0) - rig.power.Share(1), current_A / 2, 2.0 / kHalfPeriod) << current_A;  // two counts
    EXPECT_DOUBLE_EQ(rig.power.Share(2), 0.5);
  }
  EXPECT_EQ(rig.Write(std::numeric_limits<float>::quiet_NaN()), Status::kOk);
  EXPECT_DOUBLE_EQ(rig.power.Share(0), rig.power.Share(1));
  EXPECT_EQ(rig.Zero(), Status::kOk);
  EXPECT_DOUBLE_EQ(rig.power.Share(0), rig.power.Share(1));
  rig.motors.SetEnable(false);
  EXPECT_FALSE(rig.power.outputs_on());
}

TEST(BridgeMotorIo, TheBreakCutsAndStaysCutUntilItIsEnabledAgain) {
  Rig rig;
  rig.ArmAndDrive();
  rig.PressEStop(true);
  EXPECT_FALSE(rig.power.outputs_on());  // before any software
  const MotorReading reading = rig.motors.Read();
  EXPECT_TRUE(reading.e_stop);
  EXPECT_TRUE(reading.drive_fault);
  EXPECT_EQ(rig.Write(0.5f), Status::kWouldBlock);
  rig.PressEStop(false);  // bounces back
  EXPECT_EQ(rig.Write(0.5f), Status::kWouldBlock);
  EXPECT_FALSE(rig.power.outputs_on());
  EXPECT_FALSE(rig.motors.Read().e_stop);
  EXPECT_TRUE(rig.motors.Read().drive_fault);
  rig.motors.SetEnable(false);
  EXPECT_FALSE(rig.motors.Read().drive_fault);
  rig.ArmAndDrive();
}

TEST(BridgeMotorIo, DoesNotComeOnWithTheBreakOpenOrThePowerStageNotSetUp) {
  {
    Rig open;
    open.PressEStop(true);
    open.motors.SetEnable(true);
    EXPECT_FALSE(open.power.outputs_on());
    EXPECT_TRUE(open.motors.Read().drive_fault);
  }
  Rig dead(false);
  dead.motors.SetEnable(true);
  EXPECT_FALSE(dead.power.outputs_on());
  EXPECT_EQ(dead.Write(0.5f), Status::kWouldBlock);
  EXPECT_TRUE(dead.motors.Read().drive_fault);
}

TEST(BridgeMotorIo, ReadsCountSupplyAndTheEncodersOwnCheck) {
  Rig rig;
  rig.turns.Turn(-70);
  MotorReading reading = rig.motors.Read();
  EXPECT_EQ(reading.count[0], -70);
  EXPECT_FALSE(reading.e_stop || reading.drive_fault || reading.brown_out || reading.encoder_fault);
  rig.supply.regs().sr2.bits = g4::pwr::kBelowLevel;
  EXPECT_TRUE(rig.motors.Read().brown_out);
  rig.turns.Turn(20'000);
  reading = rig.motors.Read();
  EXPECT_TRUE(reading.encoder_fault);
  EXPECT_EQ(reading.count[0], -70);
}

// With the drives on a failed check stays, however the counter goes on; with the drives off it is told once.
TEST(BridgeMotorIo, AFailedEncoderBeginsAnewWithTheDrivesOff) {
  Rig rig;
  rig.turns.Turn(100);
  EXPECT_EQ(rig.motors.Read().count[0], 100);
  rig.ArmAndDrive();
  rig.turns.Turn(20'000);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(rig.motors.Read().encoder_fault);
  rig.motors.SetEnable(false);
  EXPECT_TRUE(rig.motors.Read().encoder_fault);
  rig.turns.Turn(-7);
  const MotorReading reading = rig.motors.Read();
  EXPECT_FALSE(reading.encoder_fault);
  EXPECT_EQ(reading.count[0], 93);  // on from where it stood
  rig.turns.Turn(20'000);           // still loose
  EXPECT_TRUE(rig.motors.Read().encoder_fault);
  rig.turns.Turn(20'000);
  EXPECT_TRUE(rig.motors.Read().encoder_fault);
}

/// Deliberately wrong: switches on whatever the break says, and writes only one side.
class WrongMotorIo final : public tactus::hal::MotorIo {
 public:
  explicit WrongMotorIo(Rig& rig) : rig_(rig) {}

 private:
  const MotorTraits& DoTraits() const noexcept override { return rig_.motors.traits(); }
  MotorReading DoRead() noexcept override { return {}; }
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override {
    DoSetEnable(true);
    (void)rig_.pwm.Set({current_A[0] / kMotor.stall_A, 0, 0});
    return Status::kOk;
  }
  Status DoZero() noexcept override { return Status::kOk; }
  void DoSetEnable(bool) noexcept override {
    ModelRegister& word = rig_.power.regs().bdtr;
    word = word | timer::kMainOutput;
  }
  Rig& rig_;
};

struct Seen {
  bool off_after_the_break, off_after_its_end;
  double difference;  ///< of the shares, at half an ampere
};

Seen Watch(Rig& rig, hal::MotorIo& motors) {
  Seen seen{};
  constexpr float kHalf_A[kMaxMotors] = {0.5f};
  (void)motors.Zero();
  motors.SetEnable(true);
  (void)motors.Write(kHalf_A);
  rig.power.Period();
  seen.difference = rig.power.Share(0) - rig.power.Share(1);
  rig.PressEStop(true);
  (void)motors.Write(kHalf_A);
  seen.off_after_the_break = !rig.power.outputs_on();
  rig.PressEStop(false);
  (void)motors.Write(kHalf_A);
  seen.off_after_its_end = !rig.power.outputs_on();
  return seen;
}

TEST(BridgeMotorIo, TheModelTellsItFromAWrongDriver) {
  const auto of_the_right = [] {
    Rig rig;
    return Watch(rig, rig.motors);
  };
  const auto of_the_wrong = [] {
    Rig rig;
    WrongMotorIo motors(rig);
    return Watch(rig, motors);
  };
  const Seen good = of_the_right(), bad = of_the_wrong();
  EXPECT_TRUE(good.off_after_the_break && good.off_after_its_end);
  EXPECT_NEAR(good.difference, 0.25, 2.0 / kHalfPeriod);
  EXPECT_TRUE(bad.off_after_the_break);  // the hardware cuts whatever the software does
  EXPECT_FALSE(bad.off_after_its_end);
  EXPECT_GT(std::abs(bad.difference - 0.25), 0.1);
}

}  // namespace
}  // namespace tactus::hal::stm32
