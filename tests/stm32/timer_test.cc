#include <gtest/gtest.h>

#include <limits>

#include "hal/stm32/motor_pwm.h"
#include "hal/stm32/quadrature_encoder.h"
#include "tests/stm32/timer_model.h"

// Source: RM0090 17 (advanced timers), 18 (general-purpose timers).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;
using Encoder = QuadratureEncoder<ModelRegister>;
using Pwm = MotorPwm<ModelRegister>;

struct EncoderRig {
  explicit EncoderRig(const EncoderOptions& options = {}) : encoder(timer.regs(), options) { encoder.Start(); }
  model::Machine machine;
  model::TimerModel timer{machine, "TIM"};
  Encoder encoder;
};

TEST(QuadratureEncoder, CountsOverTheWrapOfBothWidthsInBothDirections) {
  for (const bool wide : {false, true}) {
    for (const std::int32_t step : {9'999, -9'999}) {
      EncoderRig rig({.is_32_bit = wide});
      for (int i = 1; i <= 100; ++i) {
        rig.timer.Turn(step);
        ASSERT_EQ(rig.encoder.Sample(), i * step);
      }
      EXPECT_EQ(rig.encoder.fault(), EncoderFault::kNone);
    }
  }
}

TEST(QuadratureEncoder, IsSetUpBeforeItRuns) {
  EncoderRig rig;
  const int runs = rig.machine.FirstWrite("TIM", TACTUS_AT(TimerRegisters, cr1), 1, 1);
  for (const std::size_t offset : {TACTUS_AT(TimerRegisters, smcr), TACTUS_AT(TimerRegisters, ccmr1),
                                   TACTUS_AT(TimerRegisters, ccer), TACTUS_AT(TimerRegisters, arr)}) {
    const int at = rig.machine.FirstWrite("TIM", offset, 0, 0);
    EXPECT_LE(0, at);
    EXPECT_LT(at, runs);
  }
}

TEST(QuadratureEncoder, FiltersGlitches) {
  model::Machine machine;
  model::TimerModel timer(machine, "TIM");
  Encoder encoder(timer.regs(), {});
  encoder.Start();
  for (int i = 0; i < 10; ++i) timer.Glitch(11);
  EXPECT_EQ(encoder.Sample(), 0);
  Encoder without(timer.regs(), {.glitch_filter = 0});
  without.Start();
  for (int i = 0; i < 10; ++i) timer.Glitch(11);
  EXPECT_EQ(without.Sample(), 10);
}

TEST(QuadratureEncoder, LatchesAJumpAndKeepsTheCountBeforeIt) {
  EncoderRig rig({.most_step = 500});
  rig.timer.Turn(500);
  EXPECT_EQ(rig.encoder.Sample(), 500);
  rig.timer.Turn(501);
  EXPECT_EQ(rig.encoder.Sample(), 500);
  EXPECT_EQ(rig.encoder.fault(), EncoderFault::kJump);
  rig.timer.Turn(-501);
  EXPECT_EQ(rig.encoder.Sample(), 500);
  EXPECT_EQ(rig.encoder.fault(), EncoderFault::kJump);
}

TEST(QuadratureEncoder, TakesTheIndexAtItsEdgeHoweverLateItIsRead) {
  EncoderRig rig({.counts_per_index = 4000});
  rig.timer.Turn(70);
  rig.timer.IndexEdge();
  rig.timer.Turn(130);
  EXPECT_EQ(rig.encoder.Sample(), 200);
  EXPECT_TRUE(rig.encoder.index_seen());
  EXPECT_EQ(rig.encoder.index_count(), 70);
  for (int turn = 0; turn < 40; ++turn) {  // ten times round a counter of 16 bits, backwards
    rig.timer.Turn(-2'000);
    (void)rig.encoder.Sample();
    rig.timer.Turn(-2'000 - 130);
    rig.timer.IndexEdge();
    rig.timer.Turn(130);
    (void)rig.encoder.Sample();
    ASSERT_EQ(rig.encoder.index_count(), 70 - 4000 * (turn + 1));
    ASSERT_EQ(rig.encoder.fault(), EncoderFault::kNone);
  }
}

TEST(QuadratureEncoder, SeesCountsThatAreLost) {
  for (const std::int32_t lost : {3, -3}) {
    EncoderRig rig({.counts_per_index = 4000});
    rig.timer.IndexEdge();
    (void)rig.encoder.Sample();
    rig.timer.Turn(4000 - lost);
    rig.timer.IndexEdge();
    (void)rig.encoder.Sample();
    EXPECT_EQ(rig.encoder.fault(), EncoderFault::kIndexSlip) << lost;
  }
}

TEST(TimerModel, FindsAnEncoderDriverThatForgetsTheModeOrTheWrap) {
  model::Machine machine;
  model::TimerModel timer(machine, "TIM");
  timer.regs().arr = 0xFFFFu;
  timer.regs().ccmr1 = timer::kBothInputs;
  timer.regs().cr1 = timer::kEnable;
  timer.Turn(10);  // no encoder mode
  EXPECT_EQ(static_cast<std::uint32_t>(timer.regs().cnt), 0u);
  timer.regs().smcr = timer::kEncoderBothEdges;
  timer.Turn(-1);
  const auto naive = static_cast<std::int32_t>(static_cast<std::uint32_t>(timer.regs().cnt) - 0u);
  EXPECT_EQ(naive, 65'535);  // a driver that subtracts in 32 bits
}

// Power stage
// ----------------------------------------------------------------------------------------------------------------

constexpr PwmOptions kOptions{.half_period = 3500, .dead_time = 84};

struct PowerRig {
  model::Machine machine;
  model::TimerModel timer{machine, "TIM1"};
  Pwm pwm{timer.regs()};
};

TEST(MotorPwm, StartsWithItsOutputsOffAndTheBreakBeforeTheCounter) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  EXPECT_FALSE(rig.timer.outputs_on());
  EXPECT_TRUE(rig.timer.centre_aligned());
  EXPECT_EQ(rig.timer.DeadTime(), 84);
  EXPECT_EQ(rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, bdtr), timer::kMainOutput, timer::kMainOutput), -1);
  const int guarded =
      rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, bdtr), timer::kBreakEnable, timer::kBreakEnable);
  const int runs = rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, cr1), 1, 1);
  EXPECT_LT(0, guarded);
  EXPECT_LT(guarded, runs);
  for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Share(motor), 0.5);
}

TEST(MotorPwm, CutsInHardwareWithoutAnyAccess) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  ASSERT_TRUE(rig.timer.outputs_on());
  const std::size_t accesses = rig.machine.log.size();
  rig.timer.SetBreak(true);  // e-stop, drive fault, or an open wire
  EXPECT_FALSE(rig.timer.outputs_on());
  EXPECT_EQ(rig.machine.log.size(), accesses);
  EXPECT_TRUE(rig.pwm.tripped());
}

TEST(MotorPwm, StaysOffUntilItIsArmedAgainAfterTheBreakHasGone) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  rig.timer.SetBreak(true);
  EXPECT_EQ(rig.pwm.Set({0.5f, 0.5f, 0.5f}), Status::kNotReady);
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_FALSE(rig.timer.outputs_on());
  rig.timer.SetBreak(false);
  rig.timer.Update();
  EXPECT_FALSE(rig.timer.outputs_on());
  EXPECT_EQ(rig.pwm.Set({0.5f, 0.5f, 0.5f}), Status::kNotReady);
  EXPECT_EQ(rig.pwm.Arm(), Status::kOk);
  rig.timer.Update();
  EXPECT_TRUE(rig.timer.outputs_on());
  for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Share(motor), 0.5);  // armed at no current
}

TEST(MotorPwm, IsNotArmedBeforeItsStart) {
  PowerRig rig;
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_FALSE(rig.timer.outputs_on());
}

TEST(MotorPwm, SetsSharesTogetherAtTheUpdateWithinTheirMargins) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  ASSERT_EQ(rig.pwm.Set({0.5f, -0.5f, 7.0f}), Status::kOk);
  EXPECT_EQ(rig.timer.Share(0), 0.5);
  rig.timer.Update();
  EXPECT_EQ(rig.timer.Share(0), 0.75);
  EXPECT_EQ(rig.timer.Share(1), 0.25);
  EXPECT_EQ(rig.timer.Share(2), 0.97);  // 3 % for the bootstrap supplies
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(rig.pwm.Set({kNan, kNan, -kNan}), Status::kOk);
  rig.timer.Update();
  for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Share(motor), 0.5);
}

TEST(MotorPwm, RefusesABreakThatDoesNotReadBack) {
  PowerRig rig;
  rig.timer.regs().bdtr.bits = 1u << 8;  // locked by someone else, without a break
  EXPECT_EQ(rig.pwm.Start(kOptions), Status::kCorrupt);
  EXPECT_FALSE(rig.timer.runs());
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_FALSE(rig.timer.outputs_on());
}

TEST(MotorPwm, NothingWeakensTheBreakAfterTheStart) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  rig.timer.regs().bdtr = timer::kMainOutput;  // a wild write: no break, no dead time
  EXPECT_EQ(rig.timer.DeadTime(), 84);
  rig.timer.SetBreak(true);
  EXPECT_FALSE(rig.timer.outputs_on());
}

// Source: RM0090 17.4.18; the model computes the time from the code.
TEST(DeadTimeCode, IsTheLeastThatIsLongEnough) {
  constexpr std::uint32_t kTimer_Hz = 168'000'000;
  PowerRig rig;
  for (std::uint32_t wanted_ns = 0; wanted_ns <= 5'900; wanted_ns += 7) {
    rig.timer.regs().bdtr.bits = DeadTimeCode(wanted_ns, kTimer_Hz);
    const double got_ns = rig.timer.DeadTime() * 1e9 / kTimer_Hz;
    ASSERT_GE(got_ns, wanted_ns - 1e-6);
    const double step_ns = got_ns < 762 ? 6 : got_ns < 1524 ? 12 : got_ns < 3048 ? 48 : 96;
    ASSERT_LT(got_ns, wanted_ns + step_ns + 1) << wanted_ns;
  }
  EXPECT_EQ(DeadTimeCode(1'000'000, kTimer_Hz), 0xFFu);
}

TEST(TimerModel, FindsAPowerStageThatComesBackByItself) {
  PowerRig rig;
  rig.timer.regs().ccer = timer::kThreePairs;
  rig.timer.regs().bdtr = timer::kBreakEnable | timer::kBreakActiveHigh | timer::kMainOutput | 1u << 14;  // AOE
  rig.timer.regs().cr1 = timer::kEnable;
  rig.timer.SetBreak(true);
  EXPECT_FALSE(rig.timer.outputs_on());
  rig.timer.SetBreak(false);
  rig.timer.Update();
  EXPECT_TRUE(rig.timer.outputs_on());
}

TEST(TimerModel, FindsABreakThatIsNotEnabledOrOfTheWrongLevel) {
  for (const std::uint32_t word : {timer::kBreakActiveHigh, timer::kBreakEnable}) {
    PowerRig rig;
    rig.timer.SetBreak(word == timer::kBreakEnable);  // the healthy level, to such a driver
    rig.timer.regs().ccer = timer::kThreePairs;
    rig.timer.regs().bdtr = word | timer::kMainOutput;
    rig.timer.SetBreak(true);
    EXPECT_TRUE(rig.timer.outputs_on());
  }
}

}  // namespace
}  // namespace tactus::hal::stm32
