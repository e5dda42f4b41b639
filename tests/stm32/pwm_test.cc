#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hal/stm32/motor_pwm.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/timer_model.h"

// Source: RM0090 17 (advanced timers), 18 (general-purpose timers).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;
using Pwm = MotorPwm<ModelRegister>;

constexpr PwmOptions kOptions{.half_period = 3500, .dead_time = 84};

struct PowerRig {
  model::Machine machine;
  model::TimerModel timer{machine, "TIM1"};
  Pwm pwm{timer.regs()};
};

/// What a started power stage promises, on a timer that a loader has used: true if all of it is so, on its six pins.
bool PowerStageIsWell() {
  PowerRig rig;
  model::TimerModel& timer = rig.timer;
  int starts = 0;
  timer.trigger_output = [&] { starts += timer.runs() ? 1 : 0; };
  timer.LeaveUsed();
  if (rig.pwm.Start(kOptions) != Status::kOk) return false;
  rig.machine.EndStart();
  bool well = starts == 1 && timer.outputs_held_low() && timer.updates == 1 && !rig.pwm.tripped();
  timer.regs().bdtr = timer.regs().bdtr | 0x8000u;  // a wild write switches them on: at no current
  for (int motor = 0; motor < 3; ++motor) well = well && timer.Drive(motor) == 0 && timer.outputs_on();
  rig.pwm.Cut();
  timer.Run(41);
  well = well && timer.updates == 1;
  timer.Run(959);
  well = well && timer.outputs_held_low() && timer.updates == 1 + 24;  // 168 MHz / (2 · 3500): one a period
  well = well && rig.pwm.Arm() == Status::kOk && rig.pwm.Set({0.5f, -0.25f, 0}) == Status::kOk;
  const auto drives = [&](double a, double b, double c) {
    return std::abs(timer.Drive(0) - a) < 1e-3 && std::abs(timer.Drive(1) - b) < 1e-3 && std::abs(timer.Drive(2) - c) < 1e-3;
  };
  well = well && drives(0, 0, 0);
  timer.Period();
  well = well && drives(0.5, -0.25, 0);
  timer.regs().arr = kOptions.half_period / 2;  // a wild write: acts with an update, not in the middle of a period
  well = well && drives(0.5, -0.25, 0);
  timer.regs().arr = kOptions.half_period;
  for (const std::uint32_t one_of_each : {0x111u, 0x444u}) {  // a wild write: its partner is held off, not left to float
    timer.regs().ccer = one_of_each;
    for (int motor = 0; motor < 3; ++motor)
      well = well && timer.Output(motor, one_of_each == 0x111u).level == model::Pin::kLow;
  }
  timer.regs().ccer = 0xFFFu;  // and its polarity is locked
  well = well && drives(0.5, -0.25, 0);
  timer.regs().cr2 = 0x7F10u;   // the levels of rest too
  timer.regs().bdtr = 0x8000u;  // and dead time, break, what the pins do without it
  timer.SetBreak(true);
  well = well && timer.outputs_held_low() && timer.DeadTime() == 84;
  timer.SetBreak(false);
  timer.Period();
  return well && timer.outputs_held_low() && (timer.regs().cr1.bits & 0x60u) == 0x60u && rig.machine.violations.empty();
}

TEST(MotorPwm, EachWriteOfItsStartCounts) {
  const std::string why = "preload: Arm sets it again";
  model::ExpectEachWriteCounts(PowerStageIsWell, {{"TIM1", TACTUS_AT(TimerRegisters, ccmr1), 0x6868, 0x0808, why},
                                                  {"TIM1", TACTUS_AT(TimerRegisters, ccmr2), 0x68, 0x08, why}});
}

/// On a power stage that has driven until now.
bool ArmsAtNoCurrent() {
  PowerRig rig;
  rig.machine.EndStart();
  bool well = rig.pwm.Start(kOptions) == Status::kOk && rig.pwm.Arm() == Status::kOk &&
              rig.pwm.Set({0.5f, -0.5f, 1.0f}) == Status::kOk;
  rig.timer.Period();
  rig.timer.SetBreak(true);
  rig.timer.SetBreak(false);
  well = well && rig.timer.outputs_held_low() && rig.pwm.tripped();
  rig.machine.BeginStart();
  well = well && rig.pwm.Arm() == Status::kOk;
  rig.machine.EndStart();
  well = well && rig.timer.outputs_on() && !rig.pwm.tripped();
  for (int period = 0; period < 2; ++period) {
    for (int motor = 0; motor < 3; ++motor) well = well && rig.timer.Drive(motor) == 0;
    rig.timer.Period();
  }
  well = well && rig.pwm.Set({0.5f, -0.5f, 1.0f}) == Status::kOk;
  for (int motor = 0; motor < 3; ++motor) well = well && rig.timer.Drive(motor) == 0;  // preloaded again
  rig.timer.Period();
  return well && rig.timer.Drive(0) == 0.5 && rig.timer.Drive(1) == -0.5 && rig.timer.Drive(2) > 0.9;
}

TEST(MotorPwm, EachWriteOfArmingCounts) {
  constexpr std::uint32_t kOtherFlags = 0xFFFFFE7Fu;
  model::ExpectEachWriteCounts(ArmsAtNoCurrent,
                               {{"TIM1", TACTUS_AT(TimerRegisters, sr), kOtherFlags, kOtherFlags, "flags that nobody reads"},
                                {"TIM1", TACTUS_AT(TimerRegisters, bdtr), 0xBE54, 0x3E54, "locked by the start"}});
}

TEST(MotorPwm, IsAtNoCurrentFromItsFirstEdgeOn) {  // not what was set before until the next update
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  ASSERT_EQ(rig.pwm.Set({0.5f, -0.5f, 1.0f}), Status::kOk);
  rig.timer.Period();
  ASSERT_EQ(rig.timer.Drive(0), 0.5);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  for (int period = 0; period < 3; ++period) {
    for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Drive(motor), 0) << period;
    rig.timer.Period();
  }
  ASSERT_EQ(rig.pwm.Set({0.5f, -0.5f, 1.0f}), Status::kOk);
  for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Drive(motor), 0);  // preloaded again
  rig.timer.Period();
  EXPECT_EQ(rig.timer.Drive(1), -0.5);
}

// RM0090 17.4.18: LOCK is frozen by the first write of BDTR behind a reset, whatever that one says.
TEST(MotorPwm, LeavesTheFirstWriteOfItsLockToTheStart) {
  PowerRig rig;
  rig.pwm.Cut();
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  rig.timer.regs().bdtr = 0;
  EXPECT_EQ(rig.timer.DeadTime(), 84);
}

TEST(MotorPwm, StartsAgainInTheSameRunAsItWas) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  EXPECT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  EXPECT_TRUE(rig.timer.outputs_held_low());
  EXPECT_EQ(rig.pwm.Start({.half_period = 3500, .dead_time = 83}), Status::kCorrupt);  // locked
  EXPECT_FALSE(rig.timer.outputs_on());
}

TEST(MotorPwm, CutsBeforeItStartsOrArmsAnew) {
  for (const bool start : {false, true}) {
    PowerRig rig;
    ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
    ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
    rig.machine.BeginStart();
    EXPECT_EQ(start ? rig.pwm.Start(kOptions) : rig.pwm.Arm(), Status::kOk);
    EXPECT_EQ(rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, bdtr), 0x8000u, 0), 0);  // MOE, before all else
  }
}

/// Its break input is pulled once, for a moment, at the n-th access.
class PulsedTimer : public model::TimerModel {
 public:
  using TimerModel::TimerModel;
  int accesses_left = 0;
  void Step() override {
    if (accesses_left == 0 || --accesses_left > 0) return;
    SetBreak(true);
    SetBreak(false);
  }
};

TEST(MotorPwm, IsOffWheneverTheBreakComesWhileItArms) {
  for (int access = 1; access < 30; ++access) {
    model::Machine machine;
    PulsedTimer timer(machine, "TIM1");
    Pwm pwm(timer.regs());
    ASSERT_EQ(pwm.Start(kOptions), Status::kOk);
    timer.accesses_left = access;
    const Status status = pwm.Arm();
    EXPECT_EQ(timer.outputs_on(), status == Status::kOk && !pwm.tripped()) << access;
    EXPECT_TRUE(timer.outputs_on() || timer.outputs_held_low()) << access;
  }
}

TEST(MotorPwm, IsOffAfterEachWayToEnd) {
  for (const bool by_object : {false, true}) {
    PowerRig rig;
    ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
    ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
    ASSERT_TRUE(rig.timer.outputs_on());
    if (by_object)
      rig.pwm.Cut();
    else
      Pwm::CutOutputs(rig.timer.regs());
    EXPECT_TRUE(rig.timer.outputs_held_low());
    EXPECT_FALSE(rig.pwm.armed());
    EXPECT_FALSE(rig.pwm.tripped());
  }
}

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
  const std::size_t accesses = rig.machine.accesses;
  rig.timer.SetBreak(true);  // e-stop, drive fault, or an open wire
  EXPECT_FALSE(rig.timer.outputs_on());
  EXPECT_EQ(rig.machine.accesses, accesses);
  EXPECT_TRUE(rig.pwm.tripped());
}

TEST(MotorPwm, StaysOffUntilItIsArmedAgainAfterTheBreakHasGone) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  rig.timer.SetBreak(true);
  EXPECT_EQ(rig.pwm.Set({0.5f, 0.5f, 0.5f}), Status::kNotReady);
  rig.machine.log.clear();
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_FALSE(rig.timer.outputs_on());
  EXPECT_EQ(rig.machine.FirstWrite("TIM1", TACTUS_AT(TimerRegisters, bdtr), 0x8000u, 0x8000u), -1);  // MOE: not even tried
  rig.timer.SetBreak(false);
  rig.timer.Period();
  EXPECT_FALSE(rig.timer.outputs_on());
  EXPECT_EQ(rig.pwm.Set({0.5f, 0.5f, 0.5f}), Status::kNotReady);
  EXPECT_EQ(rig.pwm.Arm(), Status::kOk);
  rig.timer.Period();
  EXPECT_TRUE(rig.timer.outputs_on());
  for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Share(motor), 0.5);  // armed at no current
}

TEST(MotorPwm, IsNotArmedBeforeItsStart) {
  PowerRig rig;
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_FALSE(rig.timer.outputs_on());
}

/// Its outputs do not come on, and no break says why.
class DeafTimer : public model::TimerModel {
 public:
  using TimerModel::TimerModel;
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    TimerModel::Write(offset, offset == TACTUS_AT(TimerRegisters, bdtr) ? value & ~0x8000u : value, bits);
  }
};

TEST(MotorPwm, IsNotArmedWhereItsOutputsDoNotComeOn) {
  model::Machine machine;
  DeafTimer timer(machine, "TIM1");
  Pwm pwm(timer.regs());
  ASSERT_EQ(pwm.Start(kOptions), Status::kOk);
  EXPECT_EQ(pwm.Arm(), Status::kNotReady);
}

TEST(MotorPwm, SetsSharesTogetherAtTheUpdateWithinTheirMargins) {
  PowerRig rig;
  ASSERT_EQ(rig.pwm.Start(kOptions), Status::kOk);
  ASSERT_EQ(rig.pwm.Arm(), Status::kOk);
  ASSERT_EQ(rig.pwm.Set({0.5f, -0.5f, 7.0f}), Status::kOk);
  EXPECT_EQ(rig.timer.Share(0), 0.5);
  rig.timer.Period();
  EXPECT_EQ(rig.timer.Share(0), 0.75);
  EXPECT_EQ(rig.timer.Share(1), 0.25);
  EXPECT_EQ(rig.timer.Share(2), 0.97);  // 3 % for the bootstrap supplies
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(rig.pwm.Set({kNan, kNan, -kNan}), Status::kOk);
  rig.timer.Period();
  for (int motor = 0; motor < 3; ++motor) EXPECT_EQ(rig.timer.Share(motor), 0.5);
}

TEST(MotorPwm, RefusesABreakThatDoesNotReadBack) {
  PowerRig rig;
  rig.timer.regs().bdtr.bits = 1u << 8;  // locked by someone else, without a break
  EXPECT_EQ(rig.pwm.Start(kOptions), Status::kCorrupt);
  EXPECT_FALSE(rig.timer.runs());
  EXPECT_EQ(rig.timer.regs().ccer.bits, 0u);
  EXPECT_EQ(rig.pwm.Arm(), Status::kNotReady);
  EXPECT_FALSE(rig.timer.outputs_on());
  rig.timer.regs().bdtr.bits |= 0x8000u;  // MOE: whatever sets it, no pin is connected
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
  for (std::uint32_t wanted_ns = 0; wanted_ns <= 6'000; wanted_ns += 5) {
    rig.timer.regs().bdtr.bits = DeadTimeCode(wanted_ns, kTimer_Hz);
    const double got_ns = rig.timer.DeadTime() * 1e9 / kTimer_Hz;
    ASSERT_GE(got_ns, wanted_ns - 1e-6);
    const double step_ns = got_ns < 762 ? 6 : got_ns < 1524 ? 12 : got_ns < 3048 ? 48 : 96;
    ASSERT_LT(got_ns, wanted_ns + step_ns + 1) << wanted_ns;
  }
  for (const std::uint32_t longer_ns : {6'001u, 6'050u, 6'100u, 6'400u, 1'000'000u})  // than 63 · 16 clocks
    EXPECT_EQ(DeadTimeCode(longer_ns, kTimer_Hz), 0xFFu) << longer_ns;
}

TEST(TimerModel, FindsAPowerStageThatComesBackByItself) {
  PowerRig rig;
  rig.timer.regs().ccer = timer::kThreePairs;
  rig.timer.regs().bdtr = timer::kBreakEnable | timer::kBreakActiveHigh | timer::kMainOutput | 1u << 14;  // AOE
  rig.timer.regs().cr1 = timer::kEnable;
  rig.timer.SetBreak(true);
  EXPECT_FALSE(rig.timer.outputs_on());
  rig.timer.SetBreak(false);
  rig.timer.Period();
  EXPECT_TRUE(rig.timer.outputs_on());
}

TEST(TimerModel, FindsADriverWhoseFirstWriteOfTheBreakDoesNotLock) {
  PowerRig rig;
  rig.timer.regs().bdtr = 0;
  rig.timer.regs().bdtr = timer::kLockLevel2 | timer::kBreakEnable | timer::kBreakActiveHigh;
  rig.timer.regs().bdtr = 0;  // a wild write, and the break is gone
  rig.timer.SetBreak(true);
  EXPECT_FALSE(rig.timer.regs().bdtr.bits & timer::kBreakEnable);
}

TEST(TimerModel, FindsOutputsThatFloatOrRestHigh) {  // RM0090 table 97: OSSI, OISx
  for (const std::uint32_t ossi : {0u, 1u << 10}) {
    PowerRig rig;
    rig.timer.regs().ccer = timer::kThreePairs;
    rig.timer.regs().bdtr = ossi;
    EXPECT_EQ(rig.timer.outputs_held_low(), ossi != 0);
    rig.timer.regs().cr2 = 1u << 8;
    EXPECT_EQ(rig.timer.outputs_on(), ossi != 0);
  }
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
