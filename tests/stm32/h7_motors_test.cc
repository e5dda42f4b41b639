#include <gtest/gtest.h>

#include <cmath>

#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/h7/registers.h"
#include "tests/stm32/gpio_model.h"
#include "tests/stm32/timer_model.h"

// Three motors on the timers of a H743, at 240 MHz, without current sense, as the board stm32h743 has them. Source:
// hal/api/motor_io.h, RM0433 38 (TIM1), 39 (TIM2 to TIM4), 11.4.7 (BSRR), 6.8.2 (PVDO).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;
using Encoder = QuadratureEncoder<ModelRegister>;
using MotorIo = BridgeMotorIo<ModelRegister, ThreeMotorsOnPairs>;

constexpr double kTimer_Hz = 240e6;
constexpr std::uint32_t kHalfPeriod = 5000, kEStopPin = 1u << 11, kGatePin = 10, kGates = 1u << kGatePin;
constexpr BridgeMotor kMotor{.stall_A = 2, .max_current_A = 1, .counts_per_turn = 4096, .max_step_counts = 500};
constexpr std::uint32_t kFilter = 8;  // six samples at an eighth of the clock: 48 clocks, 200 ns (RM0433 39.4.7, IC1F)
constexpr EncoderOptions kNarrow{.glitch_filter = kFilter, .counts_per_index = 4096},
    kWide{.glitch_filter = kFilter, .is_32_bit = true, .counts_per_index = 4096};
constexpr double kStep = 2.0 / kHalfPeriod;  // of a share: two counts of the PWM

struct Rig {
  Rig() {
    for (auto* const encoder : {&first, &second, &third}) encoder->Start();
    EXPECT_EQ(pwm.Start({.half_period = kHalfPeriod, .dead_time = DeadTimeCode(500, 240'000'000)}), Status::kOk);
    port.regs().moder = 1u << 2 * kGatePin;
  }
  Status Write(float a_A, float b_A, float c_A) {
    const Status status = motors.Write({a_A, b_A, c_A, 0, 0, 0});
    power.Period();
    return status;
  }
  void Arm() {
    (void)motors.Zero();
    motors.SetEnable(true);
    power.Period();
  }
  bool gates() const { return port.is_high(kGatePin); }
  bool IsOff() const { return !power.outputs_on() && !gates(); }

  model::Machine machine;
  model::TimerModel power{machine, "TIM1", kTimer_Hz}, tim2{machine, "TIM2", kTimer_Hz}, tim3{machine, "TIM3", kTimer_Hz},
      tim4{machine, "TIM4", kTimer_Hz};
  model::GpioModel port{machine, "GPIOC"};
  model::Holding<h7::PwrRegisters> supply{machine, "PWR"};
  MotorPwm<ModelRegister> pwm{power.regs()};
  Encoder first{tim4.regs(), kNarrow}, second{tim3.regs(), kNarrow}, third{tim2.regs(), kWide};
  MotorIo motors{{.pwm = pwm, .encoders = {&first, &second, &third}},
                 {port.regs().idr, kEStopPin, supply.regs().csr1, h7::pwr::kBelowLevel, &port.regs().bsrr, kGates},
                 {kMotor, kMotor, kMotor}};
};

TEST(H7Motors, HaveTheirOwnVoltagesAndCountsAndNoCurrent) {
  Rig rig;
  rig.Arm();
  ASSERT_EQ(rig.Write(1, -0.5f, 0.25f), Status::kOk);
  const double drives[] = {0.5, -0.25, 0.125};  // I / stall_A
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(rig.power.Drive(i), drives[i], kStep) << i;
  rig.tim4.Turn(-1), rig.tim3.Turn(20), rig.tim2.Turn(300);
  const MotorReading reading = rig.motors.Read();
  const std::int32_t counts[] = {-1, 20, 300};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(reading.count[i], counts[i]) << i;
    EXPECT_TRUE(std::isnan(reading.current_A[i])) << i;
  }
  EXPECT_FALSE(rig.motors.traits().senses_current);
  EXPECT_EQ(rig.Write(std::nanf(""), 0, 0), Status::kOk);
  EXPECT_NEAR(rig.power.Drive(0), 0, kStep);
  EXPECT_TRUE(rig.machine.violations.empty());
}

// Without a sense nothing corrects: what was written is the voltage, however long, and never more than the ceiling's.
TEST(H7Motors, TheCeilingBoundsTheVoltage) {
  Rig rig;
  rig.Arm();
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(rig.Write(1, -1, 1), Status::kOk);
    (void)rig.motors.Read();
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(std::abs(rig.power.Drive(i)), 0.5, kStep) << i;
}

// 500 ns at least, and one count of 4.2 ns more at most.
TEST(H7Motors, TheirDeadTimeIsThatOf240MHz) {
  Rig rig;
  EXPECT_GE(rig.power.DeadTime() / kTimer_Hz, 500e-9);
  EXPECT_LE(rig.power.DeadTime() / kTimer_Hz, 504.2e-9);
}

TEST(H7Motors, TheGatesComeOnBehindTheOutputsAndGoOffBeforeThem) {
  Rig rig;
  const auto first = [&](const char* block, std::size_t offset, std::uint32_t mask, std::uint32_t value) {
    return rig.machine.FirstWrite(block, offset, mask, value);
  };
  constexpr std::size_t kBdtr = TACTUS_AT(TimerRegisters, bdtr), kBsrr = TACTUS_AT(GpioRegisters, bsrr);
  rig.machine.log.clear();
  rig.Arm();
  const int on = first("TIM1", kBdtr, timer::kMainOutput, timer::kMainOutput);
  EXPECT_GE(on, 0);
  EXPECT_LT(on, first("GPIOC", kBsrr, kGates, kGates));
  rig.machine.log.clear();
  rig.motors.SetEnable(false);
  const int closed = first("GPIOC", kBsrr, kGates << 16, kGates << 16);
  EXPECT_GE(closed, 0);
  EXPECT_LT(closed, first("TIM1", kBdtr, timer::kMainOutput, 0));
  EXPECT_TRUE(rig.IsOff());
}

TEST(H7Motors, AreOffBehindEachFailureAndStayOff) {
  for (const bool is_drive_fault : {false, true}) {
    Rig rig;
    rig.Arm();
    ASSERT_EQ(rig.Write(1, 1, 1), Status::kOk);
    rig.power.SetBreak(true);
    if (!is_drive_fault) rig.port.Drive(11, true);  // the contact's own pin
    EXPECT_FALSE(rig.power.outputs_on());           // before any software
    const MotorReading reading = rig.motors.Read();
    EXPECT_TRUE(reading.drive_fault);
    EXPECT_EQ(reading.e_stop, !is_drive_fault);
    EXPECT_EQ(rig.Write(1, 1, 1), Status::kWouldBlock);
    rig.motors.SetEnable(false);
    rig.motors.SetEnable(true);
    EXPECT_TRUE(rig.IsOff());
    rig.power.SetBreak(false);
    EXPECT_EQ(rig.Write(1, 1, 1), Status::kWouldBlock);
    EXPECT_TRUE(rig.IsOff());
    rig.motors.SetEnable(false);
    rig.Arm();
    EXPECT_FALSE(rig.IsOff());
  }
}

TEST(H7Motors, TheSupplyIsRead) {
  Rig rig;
  EXPECT_FALSE(rig.motors.Read().brown_out);
  rig.supply.regs().csr1.bits = 1u << 4;  // PVDO
  EXPECT_TRUE(rig.motors.Read().brown_out);
}

/// Whether one pulse of so many nanoseconds on the first input is counted.
bool CountsAPulse(const EncoderOptions& options, double ns) {
  model::Machine machine;
  model::TimerModel timer(machine, "TIM4", kTimer_Hz);
  Encoder encoder(timer.regs(), options);
  encoder.Start();
  timer.Glitch(1, static_cast<int>(std::lround(ns * 1e-9 * kTimer_Hz)));
  return encoder.Sample() != 0;
}

// Deliberately wrong: the filter that is right at the F405's 84 MHz lets a pulse of 100 ns through here.
TEST(H7Motors, TheirFilterIsThatOf240MHz) {
  EXPECT_FALSE(CountsAPulse(kNarrow, 100));
  EXPECT_FALSE(CountsAPulse(kNarrow, 195));
  EXPECT_TRUE(CountsAPulse(kNarrow, 200));
  EXPECT_TRUE(CountsAPulse({.counts_per_index = 4096}, 100));
}

// 7 300 turns a minute are an edge each 2 us: 480 clocks. The longest filter, 256 clocks, would still pass them; twice as
// fast it would not.
TEST(H7Motors, TheirFilterPassesTheFastestMotorsEdges) {
  Rig rig;
  for (int i = 1; i <= 200; ++i) {  // over the wrap of 16 bits
    for (auto* const timer : {&rig.tim4, &rig.tim3, &rig.tim2}) timer->Turn(-500, 480);
    const MotorReading reading = rig.motors.Read();
    for (const std::int32_t count : {reading.count[0], reading.count[1], reading.count[2]}) ASSERT_EQ(count, -500 * i);
    ASSERT_FALSE(reading.encoder_fault);
  }
  Encoder slow(rig.tim4.regs(), {.glitch_filter = 15});
  slow.Start();
  rig.tim4.Turn(100, 120);
  EXPECT_EQ(slow.Sample(), 0);  // the model tells a filter that is too long
}

/// Deliberately wrong: the gates first, and whatever the break says.
void WrongSwitch(Rig& rig, bool on) {
  rig.port.regs().bsrr = kGates << (on ? 0 : 16);
  if (on) (void)rig.pwm.Arm();
}

TEST(H7Motors, TheModelTellsThemFromASwitchThatDoesNotAskTheBreak) {
  Rig wrong;
  wrong.power.SetBreak(true);
  WrongSwitch(wrong, true);
  EXPECT_FALSE(wrong.IsOff());  // gates on, bridges not
  wrong.power.SetBreak(false);
  WrongSwitch(wrong, true);
  WrongSwitch(wrong, false);
  EXPECT_FALSE(wrong.IsOff());  // and the bridges still on
  Rig right;
  right.power.SetBreak(true);
  right.Arm();
  EXPECT_TRUE(right.IsOff());
}

}  // namespace
}  // namespace tactus::hal::stm32
