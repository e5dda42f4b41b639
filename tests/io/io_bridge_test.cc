// The application over a board's own motors, encoder and power stage on register models: what the host hears of a failed
// encoder and of the break, and how it goes on. Source: docs/io_firmware.md, sections 4 and 6.
#include <gtest/gtest.h>

#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/g4/registers.h"
#include "tests/io/io_board.h"
#include "tests/stm32/timer_model.h"

namespace tactus::io {
namespace {

using hal::stm32::model::ModelRegister;
namespace stm32 = hal::stm32;

constexpr std::uint32_t kBreakPin = 1u << 15;

struct Bench {
  Bench() {
    encoder.Start();
    EXPECT_EQ(pwm.Start({.half_period = 3500, .dead_time = 84}), Status::kOk);
  }
  void Drive() {
    board.Drive(0.5f);
    ASSERT_EQ(board.last.state(), wire::State::kArmed);
    ASSERT_TRUE(power.outputs_on());
  }
  wire::IoState Clear() {
    wire::Control control;
    control.mutate_action(wire::Action::kClearFault);
    return board.Tell(control);
  }
  void Open(bool open) {
    power.SetBreak(open);
    port.regs().idr.bits = open ? kBreakPin : 0u;
  }

  stm32::model::Machine machine;
  stm32::model::TimerModel power{machine, "TIM1"}, turns{machine, "TIM4"};
  stm32::model::Holding<stm32::GpioRegisters> port{machine, "GPIOA"};
  stm32::model::Holding<stm32::g4::PwrRegisters> supply{machine, "PWR"};
  stm32::MotorPwm<ModelRegister> pwm{power.regs()};
  stm32::QuadratureEncoder<ModelRegister> encoder{turns.regs(), {}};
  stm32::BridgeMotorIo<ModelRegister> motors{
      {.pwm = pwm, .encoders = {&encoder}},
      {port.regs().idr, kBreakPin, supply.regs().sr2, stm32::g4::pwr::kBelowLevel},
      {{{.stall_A = 2, .max_current_A = 1, .counts_per_turn = 4096, .max_step_counts = 500}}}};
  IoBoard board{250, &motors};
};

TEST(IoBridge, AFailedEncoderIsClearedByTheHostAndDrivesAgain) {
  Bench bench;
  bench.turns.Turn(40);
  bench.Drive();
  bench.turns.Turn(20'000);
  bench.board.Edge();
  EXPECT_FALSE(bench.power.outputs_on());  // in the period that reads it
  bench.board.Edges(4);
  bench.board.Take();
  EXPECT_EQ(bench.board.last.state(), wire::State::kFaulted);
  EXPECT_EQ(bench.board.last.fault(), wire::IoFault::kEncoderFault);
  EXPECT_EQ(bench.board.last.inputs(), wire::IoInput{});  // well again: what a host waits for before it clears
  const wire::IoState cleared = bench.Clear();
  EXPECT_EQ(cleared.answer(), wire::IoAnswer::kAccepted);
  EXPECT_EQ(cleared.fault(), wire::IoFault::kNone);
  EXPECT_EQ(bench.board.last.count()->Get(0), 40);
  bench.turns.Turn(5);
  bench.Drive();
  EXPECT_EQ(bench.board.last.count()->Get(0), 45);
}

TEST(IoBridge, AnEncoderThatKeepsFailingCannotBeClearedAway) {
  Bench bench;
  bench.Drive();
  for (int i = 0; i < 20; ++i) {
    bench.turns.Turn(20'000);
    const wire::IoState state = bench.Clear();
    EXPECT_EQ(state.state(), wire::State::kFaulted) << i;
    EXPECT_EQ(state.fault(), wire::IoFault::kEncoderFault) << i;
    EXPECT_FALSE(bench.power.outputs_on());
  }
}

TEST(IoBridge, AnOpenBreakIsNotClearedBeforeItCloses) {
  Bench bench;
  bench.Drive();
  bench.Open(true);
  EXPECT_FALSE(bench.power.outputs_on());  // by the hardware
  bench.board.Edges(8);
  EXPECT_EQ(bench.Clear().answer(), wire::IoAnswer::kWrongState);
  EXPECT_EQ(bench.board.last.fault(), wire::IoFault::kEStop);
  bench.Open(false);
  bench.board.Edges(2);
  EXPECT_EQ(bench.Clear().answer(), wire::IoAnswer::kAccepted);
  bench.Drive();
}

}  // namespace
}  // namespace tactus::io
