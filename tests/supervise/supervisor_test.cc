// Single promises of the supervisor. The sequences are in sequences_test.cc.
#include "tactus/supervise/supervisor.h"

#include <gtest/gtest.h>

namespace tactus {
namespace {

constexpr SupervisorLimits kLimits{.fade_periods = 10};
constexpr Observation kEdge{.edges = 1, .has_sample = true, .new_sample = true};

Output Force(float force_N) { return {.force_N = force_N, .zero = force_N == 0}; }

/// A command that the device takes.
struct Outcome {
  Duty duty;
  Sequel sequel;
};
Outcome Write(const Output& output, Supervisor* s) {
  const Duty duty = Settle(output, kLimits, s);
  return {duty, NoteWrite(true, s)};
}

/// Armed, with 4.5 N written.
Supervisor Armed() {
  Supervisor s;
  for (const Order order : {Order::kHello, Order::kConfigure, Order::kArm})
    EXPECT_EQ(Take(order, &s).acceptance, Acceptance::kAccepted);
  (void)Begin(kEdge, &s);
  (void)Write(Force(4.5f), &s);
  return s;
}

TEST(Supervisor, TakesDisarmStopAndEStopInEveryPhase) {
  for (int phase = 0; phase <= static_cast<int>(Phase::kFading); ++phase) {
    for (const Order order : {Order::kDisarm, Order::kStop, Order::kEStop}) {
      Supervisor s;
      s.phase = static_cast<Phase>(phase);
      EXPECT_EQ(Take(order, &s).acceptance, Acceptance::kAccepted) << phase;
      EXPECT_NE(s.phase, Phase::kArmed);
    }
  }
}

TEST(Supervisor, DoesNotArmADeviceThatHomesAndClearsNoFaultOfIt) {
  constexpr Observation kHomes{.edges = 1, .device_homes = true};
  Supervisor s;
  (void)Take(Order::kHello, &s), (void)Take(Order::kConfigure, &s);
  (void)Begin(kHomes, &s);
  EXPECT_EQ(s.phase, Phase::kIdle) << "no fault: it was not there yet";
  EXPECT_EQ(Take(Order::kArm, &s).acceptance, Acceptance::kWrongState);
  (void)Begin(kEdge, &s);
  EXPECT_EQ(Take(Order::kArm, &s).acceptance, Acceptance::kAccepted);
  (void)Write(Force(4.5f), &s);
  (void)Begin(kHomes, &s);  // anew: its sample is gone
  (void)Write(Force(0), &s);
  EXPECT_EQ(s.cause, Cause::kDeviceFault);
  EXPECT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kWrongState);
  (void)Begin(kEdge, &s);
  EXPECT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kAccepted);
}

TEST(Supervisor, S2LetsConfigWaitForZeroOutput) {
  Supervisor s = Armed();
  EXPECT_EQ(Take(Order::kDisarm, &s).tick_orders, tick_order::kDisarm);
  EXPECT_EQ(Take(Order::kConfigure, &s).acceptance, Acceptance::kWaits);
  for (int k = 1; k < 5; ++k) {
    (void)Begin(kEdge, &s);
    EXPECT_EQ(Write(Force(4.5f * (1 - 0.2f * static_cast<float>(k))), &s).sequel.ready, Order::kNone);
    EXPECT_EQ(s.phase, Phase::kFading);
  }
  (void)Begin(kEdge, &s);
  const auto [duty, sequel] = Write(Force(0), &s);
  EXPECT_EQ(sequel.ready, Order::kConfigure);
  EXPECT_EQ(sequel.tick_orders, tick_order::kConfigure);
  EXPECT_EQ(s.phase, Phase::kIdle);
}

/// The device does not take the zeros: the controller fades on, and a Config waits on.
TEST(Supervisor, FadesUntilTheZerosAreWritten) {
  Supervisor s = Armed();
  (void)Take(Order::kDisarm, &s);
  ASSERT_EQ(Take(Order::kConfigure, &s).acceptance, Acceptance::kWaits);
  for (int k = 0; k < 3; ++k) {
    (void)Begin(kEdge, &s);
    EXPECT_EQ(Settle(Force(0), kLimits, &s).phase, Phase::kIdle);
    EXPECT_EQ(NoteWrite(false, &s).ready, Order::kNone);
    EXPECT_EQ(s.phase, Phase::kFading);
  }
  (void)Begin(kEdge, &s);
  EXPECT_EQ(Write(Force(0), &s).sequel.ready, Order::kConfigure);
  EXPECT_EQ(s.phase, Phase::kIdle);
}

/// More than four commands of 64 that the device did not take are a fault. Without force they are none.
TEST(Supervisor, FaultsWhenTooManyCommandsAreLost) {
  for (const bool armed : {true, false}) {
    Supervisor s = Armed();
    if (!armed) (void)Take(Order::kDisarm, &s);
    if (!armed) (void)Write(Force(0), &s);
    for (int k = 0; k <= LatePeriods::kMost; ++k) {
      (void)Begin(kEdge, &s);
      EXPECT_EQ(s.cause, Cause::kNone);
      (void)Settle(Force(armed ? 4.5f : 0.0f), kLimits, &s);
      (void)NoteWrite(false, &s);
    }
    (void)Begin(kEdge, &s);
    EXPECT_EQ(s.cause, armed ? Cause::kDeadline : Cause::kNone);
    EXPECT_EQ(s.phase, armed ? Phase::kFading : Phase::kIdle);
  }
}

TEST(Supervisor, DropsWhatWaitsWhenAFaultComes) {
  Supervisor s = Armed();
  (void)Take(Order::kDisarm, &s);
  ASSERT_EQ(Take(Order::kReset, &s).acceptance, Acceptance::kWaits);
  (void)Take(Order::kEStop, &s);
  EXPECT_EQ(s.waiting, Order::kNone);
  (void)Begin(kEdge, &s);
  EXPECT_EQ(Write(Force(0), &s).sequel.ready, Order::kNone);
  EXPECT_EQ(s.phase, Phase::kFaulted);
}

/// An e-stop that comes while a clear-fault waits is not cleared by it.
TEST(Supervisor, LatchesAnEStopThatComesWhileAClearFaultWaits) {
  Supervisor s = Armed();
  (void)Write({.force_N = 4.0f, .zero = false, .tick_faulted = true}, &s);
  ASSERT_EQ(s.phase, Phase::kFading);
  ASSERT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kWaits);
  EXPECT_EQ(Take(Order::kEStop, &s).tick_orders, tick_order::kCutForce);
  (void)Begin(kEdge, &s);
  EXPECT_EQ(Write({.tick_faulted = true}, &s).sequel.ready, Order::kNone);
  EXPECT_EQ(s.phase, Phase::kFaulted);
}

/// Nor is a broken promise.
TEST(Supervisor, LatchesABrokenPromiseWhileAClearFaultWaits) {
  Supervisor s = Armed();
  (void)Write({.force_N = 4.0f, .zero = false, .tick_faulted = true}, &s);
  ASSERT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kWaits);
  const auto [duty, sequel] = Write({.force_N = 10.0f, .zero = false, .tick_faulted = true}, &s);
  EXPECT_TRUE(duty.cut);
  EXPECT_EQ(sequel.ready, Order::kNone);
  EXPECT_EQ(s.phase, Phase::kFaulted);
  EXPECT_EQ(s.cause, Cause::kOutputWrong);
}

/// The straight line: in the k-th tick of a fade no more than F₀ (1 - k/N).
TEST(Supervisor, CutsAForceAboveTheStraightLine) {
  for (int k = 1; k <= 10; ++k) {
    for (const bool above : {false, true}) {
      Supervisor s = Armed();
      (void)Take(Order::kDisarm, &s);
      const auto line = [](int tick) { return 4.5f * (1 - static_cast<float>(tick) / 10); };
      for (int i = 1; i < k; ++i) (void)Write(Force(line(i)), &s);
      const auto [duty, sequel] = Write(Force(above ? line(k) + 0.01f : line(k)), &s);
      EXPECT_EQ(duty.cut, above) << k;
      EXPECT_EQ(s.cause, above ? Cause::kOutputWrong : Cause::kNone);
    }
  }
}

TEST(Supervisor, CutsWhatATickWantsWhileNotArmed) {
  for (const Phase phase : {Phase::kConnecting, Phase::kUnconfigured, Phase::kIdle, Phase::kFaulted, Phase::kStopped}) {
    Supervisor s;
    s.phase = phase;
    const auto [duty, sequel] = Write(Force(0.001f), &s);
    EXPECT_TRUE(duty.cut);
    EXPECT_TRUE(duty.new_fault);
  }
}

TEST(Supervisor, CutsWhatIsAboveTheDevicesCeilingWhileArmed) {
  for (const Output& output : {Output{.force_N = 20.01f, .zero = false}, Output{.torque_Nm = 1.01f, .zero = false},
                               Output{.force_N = __builtin_nanf(""), .zero = false}}) {
    Supervisor s = Armed();
    (void)Begin(kEdge, &s);
    const auto [duty, sequel] = Write(output, &s);
    EXPECT_TRUE(duty.cut && duty.new_fault);
    EXPECT_EQ(s.phase, Phase::kFaulted);
    EXPECT_EQ(s.cause, Cause::kOutputWrong);
  }
}

TEST(Supervisor, CutsAForceThatIsNoNumber) {
  Supervisor s = Armed();
  (void)Take(Order::kDisarm, &s);
  EXPECT_TRUE(Write({.force_N = __builtin_nanf(""), .zero = false}, &s).duty.cut);
}

TEST(Supervisor, CutsAFadeThatDoesNotEnd) {
  Supervisor s = Armed();
  (void)Take(Order::kDisarm, &s);
  int ticks = 0;
  while (!Write(Output{.zero = false}, &s).duty.cut) ASSERT_LT(++ticks, 100);
  EXPECT_EQ(ticks + 1, kLimits.fade_periods) << "no force, but the tick's gain never falls";
}

TEST(Supervisor, S4WritesZerosWhenTheClockStands) {
  Supervisor s = Armed();
  const Plan plan = Begin({.edges = 0, .has_sample = true, .new_sample = true, .clock_stands = true}, &s);
  EXPECT_TRUE(plan.write_zero);
  EXPECT_FALSE(plan.run_tick);
  EXPECT_EQ(plan.tick_orders, tick_order::kCutForce);
  EXPECT_TRUE(Write({.tick_faulted = true}, &s).duty.new_fault);
  EXPECT_EQ(s.phase, Phase::kFaulted);
  EXPECT_EQ(s.cause, Cause::kClockLost);
}

TEST(Supervisor, S10FaultsInBothPacings) {
  for (const TickPacing pacing : {TickPacing::kClock, TickPacing::kSample}) {
    Supervisor s = Armed();
    s.pacing = pacing;
    int periods = 0;
    for (; s.cause == Cause::kNone; ++periods) {
      ASSERT_LT(periods, 64);
      (void)Begin(kEdge, &s);
      (void)Write(Force(4.5f), &s);
      if (periods % 5 == 0) NoteLateTick(&s);
    }
    EXPECT_EQ(s.cause, Cause::kDeadline);
    EXPECT_EQ(s.after_fade, Phase::kFaulted);
  }
}

TEST(Supervisor, S7LetsTheClockTakeOverAfterTheSilenceAllowed) {
  Supervisor s = Armed();
  s.pacing = TickPacing::kSample;
  s.silent_limit = 10;
  for (int i = 1; i < 10; ++i) EXPECT_FALSE(Begin({.edges = 1, .has_sample = true}, &s).run_tick) << i;
  EXPECT_TRUE(Begin({.edges = 1, .has_sample = true}, &s).run_tick);
}

TEST(Supervisor, ClearsNoFaultWhileItsCauseIsThere) {
  Supervisor s = Armed();
  (void)Begin({.edges = 1, .has_sample = true, .e_stop = true}, &s);
  (void)Write({.tick_faulted = true}, &s);
  EXPECT_EQ(s.phase, Phase::kFaulted);
  EXPECT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kWrongState);
  (void)Begin(kEdge, &s);
  EXPECT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kAccepted);
}

TEST(Supervisor, TellsAFaultOnceAndKeepsTheFirstCause) {
  Supervisor s = Armed();
  (void)Begin({.edges = 1, .has_sample = true, .device_failed = true}, &s);
  EXPECT_TRUE(Write({.tick_faulted = true}, &s).duty.new_fault);
  (void)Begin({.edges = 1, .has_sample = true, .e_stop = true}, &s);
  EXPECT_FALSE(Write({.tick_faulted = true}, &s).duty.new_fault);
  EXPECT_EQ(s.cause, Cause::kDeviceFault);
}

// A device that homes anew, or whose driver starts anew: without the fault the force would come back with a step.
TEST(Supervisor, FaultsWhenTheDeviceLosesItsSample) {
  for (const Phase phase : {Phase::kArmed, Phase::kIdle}) {
    Supervisor s = Armed();
    (void)Begin(kEdge, &s);
    s.phase = phase;
    const Plan plan = Begin({.edges = 1, .has_sample = false}, &s);
    EXPECT_TRUE(plan.write_zero);
    EXPECT_FALSE(plan.run_tick);
    EXPECT_EQ(plan.tick_orders, tick_order::kCutForce);
    EXPECT_TRUE(Write({.zero = true}, &s).duty.new_fault);
    EXPECT_EQ(s.phase, Phase::kFaulted);
    EXPECT_EQ(s.cause, Cause::kDeviceFault);
    EXPECT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kWrongState) << "it has none yet";
    (void)Begin(kEdge, &s);
    EXPECT_EQ(s.phase, Phase::kFaulted) << "a sample alone lets nothing out";
    EXPECT_EQ(Take(Order::kClearFault, &s).acceptance, Acceptance::kAccepted);
  }
}

TEST(Supervisor, WaitsForTheFirstSampleAfterAConfigWithoutAFault) {
  Supervisor s = Armed();
  (void)Begin(kEdge, &s);
  (void)Take(Order::kDisarm, &s);
  (void)Begin(kEdge, &s);
  (void)Write({.zero = true}, &s);
  ASSERT_EQ(s.phase, Phase::kIdle);
  EXPECT_EQ(Take(Order::kConfigure, &s).acceptance, Acceptance::kAccepted);
  EXPECT_EQ(Begin({.edges = 1, .has_sample = false}, &s).tick_orders, 0);
  EXPECT_EQ(s.cause, Cause::kNone);
}

}  // namespace
}  // namespace tactus
