#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tick_rig.h"

namespace tactus {
namespace {

using test::TickRig;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int kFadeTicks = 20;  // guard.ramp_down_s / period_s

/// Presses on the plate beside the hole until the force is steady: 3 N. The estimate has to learn that this handle yields to
/// no force: it settles to 0.24 mN in 200 ms of rest, to 1 µN in 600 ms.
void Press(TickRig<double>* rig) {
  for (int k = 0; k < 800; ++k) {
    ASSERT_EQ(rig->Step(0.05, 0, 0.030 - 0.002 * std::min(1.0, k / 200.0)), Status::kOk) << k;
  }
  ASSERT_NEAR(rig->Force()(2), 3, 1e-4);
}

bool CommandIsFinite(const CommandFrame& command) {
  bool finite = true;
  for (int i = 0; i < 3; ++i) finite &= std::isfinite(command.force_N[i]) && std::isfinite(command.torque_Nm[i]);
  return finite;
}

TEST(Tick, CommandsNothingUntilArmed) {
  TickRig<double> rig;
  Disarm(rig.state.get());
  for (int k = 0; k < 800; ++k) {
    ASSERT_EQ(rig.Step(0.05, 0, 0.030 - 0.002 * std::min(1.0, k / 200.0)), Status::kOk);
    ASSERT_EQ(rig.Force().norm(), 0);
  }
  EXPECT_EQ(rig.telemetry.mode, Mode::kDisarmed);
  EXPECT_NEAR(rig.telemetry.coupling_wrench_W(2), 3, 1e-4);  // the tool is simulated all the same
}

TEST(Tick, StartsSoftly) {
  for (const bool ideal_sensor : {true, false}) {
    TickRig<double> rig;
    if (ideal_sensor) rig.UseIdealSensor();
    Disarm(rig.state.get());
    rig.config.limits.soft_start_s = 0.1;
    for (int k = 0; k < 800; ++k) ASSERT_EQ(rig.Step(0.05, 0, 0.030 - 0.002 * std::min(1.0, k / 200.0)), Status::kOk);
    ASSERT_EQ(Arm(rig.state.get()), Status::kOk);
    for (int k = 1; k <= 100; ++k) {
      ASSERT_EQ(rig.Step(0.05, 0, 0.028), Status::kOk);
      // Source: the ramp's line. The estimate expects the handle to yield to a force that rises; this one does not.
      EXPECT_NEAR(rig.Force()(2), 3 * k / 100.0, 1e-3 + rig.BandForce_N()) << k;
      EXPECT_EQ((rig.telemetry.status & status_bit::kSoftStart) != 0, k < 100) << k;
    }
  }
}

TEST(Tick, HoldsTheForceWithoutASampleThenFadesThenFaults) {
  TickRig<double> rig;
  Press(&rig);
  SensorFrame old = rig.Sample(0.05, 0, 0.028);
  old.sequence -= 1;  // a repeated number
  for (int k = 1; k <= 3; ++k) {
    EXPECT_EQ(rig.Step(old), Status::kStale);
    EXPECT_EQ(rig.telemetry.mode, Mode::kHolding);
    EXPECT_NEAR(rig.Force()(2), 3, 1e-4);
  }
  for (int k = 1; k < kFadeTicks; ++k) {
    EXPECT_EQ(rig.Step(old), Status::kStale);
    EXPECT_EQ(rig.telemetry.mode, Mode::kFading);
    EXPECT_NEAR(rig.Force()(2), 3 * (1 - k / 20.0), 1e-3);
  }
  EXPECT_EQ(rig.Step(old), Status::kNotReady);
  EXPECT_EQ(rig.telemetry.mode, Mode::kFault);
  EXPECT_EQ(rig.telemetry.fault, Fault::kSampleStale);
  EXPECT_EQ(rig.Force().norm(), 0);
}

TEST(Tick, ComesBackSoftlyWhenSamplesReturnInTime) {
  TickRig<double> rig;
  Press(&rig);
  rig.config.limits.soft_start_s = 0.1;
  const SensorFrame old = rig.Sample(0.05, 0, 0.028);
  (void)rig.Step(old);                                   // good
  for (int k = 0; k < 3 + 10; ++k) (void)rig.Step(old);  // stale: held for three, faded to a half in ten
  EXPECT_NEAR(rig.telemetry.gain, 0.5, 1e-9);
  rig.sequence += 13;
  for (int k = 1; k <= 50; ++k) EXPECT_EQ(rig.Step(0.05, 0, 0.028), Status::kOk);
  EXPECT_EQ(rig.telemetry.mode, Mode::kActive);
  EXPECT_EQ(rig.telemetry.gain, 1);
  EXPECT_NEAR(rig.Force()(2), 3, rig.BandForce_N());  // the handle did not yield to the rising force as the estimate expects
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(rig.Step(0.05, 0, 0.028), Status::kOk);
  EXPECT_NEAR(rig.Force()(2), 3, 1e-3);
}

TEST(Tick, AnswersNanSamplesWithZeroForceInBoundedTime) {
  TickRig<double> rig;
  Press(&rig);
  for (int k = 0; k < 3 + kFadeTicks; ++k) {
    SensorFrame sample = rig.Sample(0.05, 0, 0.028);
    sample.p_WH_m[k % 3] = kNan;
    (void)rig.Step(sample);  // the status is checked in guard_test.cc
    ASSERT_TRUE(CommandIsFinite(rig.command));
  }
  EXPECT_EQ(rig.Force().norm(), 0);
  EXPECT_EQ(rig.telemetry.fault, Fault::kSampleNotFinite);
}

TEST(Tick, LatchesAFaultWhenTheHandleTeleports) {
  TickRig<double> rig;
  Press(&rig);
  EXPECT_EQ(rig.Step(0.08, 0, 0.028), Status::kNotReady);
  EXPECT_EQ(rig.telemetry.fault, Fault::kHandleJump);
  EXPECT_NE(rig.telemetry.status & status_bit::kHandleJump, 0u);
  for (int k = 0; k < kFadeTicks; ++k) (void)rig.Step(0.05, 0, 0.028);  // stays in fault
  EXPECT_EQ(rig.Force().norm(), 0);
  EXPECT_EQ(rig.telemetry.mode, Mode::kFault);
  EXPECT_EQ(Arm(rig.state.get()), Status::kNotReady);
}

TEST(Tick, LatchesAFaultWhenTheHandleIsTooFast) {
  TickRig<double> rig;
  rig.config.guard.max_speed_mps = 1;
  Status status = Status::kOk;
  for (int k = 0; k < 60 && status == Status::kOk; ++k) status = rig.Step(-0.1 + 0.002 * k, 0, 0.08);
  EXPECT_EQ(status, Status::kNotReady);
  EXPECT_EQ(rig.telemetry.fault, Fault::kHandleSpeed);
}

TEST(Tick, LatchesAFaultWhenATooFastHandleSkipsSequenceNumbers) {
  TickRig<double> rig;
  Status status = Status::kOk;
  for (int k = 0; k < 30 && status == Status::kOk; ++k) {  // 5 m/s if each tick is a period; 0.05 m/s by the numbers
    status = rig.Step(-0.1 + 0.005 * k, 0, 0.08);
    rig.sequence += 99;
  }
  EXPECT_EQ(status, Status::kNotReady);
  EXPECT_EQ(rig.telemetry.fault, Fault::kHandleSpeed);
}

TEST(Tick, LatchesAFaultBeforeTheCouplingTurnsRound) {
  // A peg held fast in its state, a handle twisted against it by 0.01 rad a tick.
  TickRig<double> rig;
  Status status = Status::kOk;
  int k = 0;
  for (; k < 400 && status == Status::kOk; ++k) {
    status = rig.Step(0.05, 0, 0.05, Vec<double, 3>(0, 0, 0.01 * k));
    rig.state->tool.q_WT = IdentityQuaternion<double>();
  }
  EXPECT_EQ(status, Status::kNotReady);
  EXPECT_EQ(rig.telemetry.fault, Fault::kHandleOutside);
  EXPECT_NEAR(0.01 * (k - 1), 2.5, 0.011);  // Source: kMaxTurn_rad; one tick
}

TEST(Tick, LatchesAFaultWhenTheToolIsNotFinite) {
  for (const bool angular : {false, true}) {
    TickRig<double> rig;
    Press(&rig);
    rig.state->tool.twist_W(angular ? 4 : 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(rig.Step(0.05, 0, 0.028), Status::kNotReady);
    EXPECT_NE(rig.telemetry.fault, Fault::kNone);
    EXPECT_TRUE(CommandIsFinite(rig.command));
  }
}

TEST(Tick, StartsAfreshAfterClearFault) {
  TickRig<double> rig;
  Press(&rig);
  RaiseFault(rig.state.get());
  for (int k = 0; k <= kFadeTicks; ++k) EXPECT_EQ(rig.Step(0.05, 0, 0.028), Status::kNotReady);
  EXPECT_EQ(rig.telemetry.fault, Fault::kExternal);
  ClearFault(rig.state.get());
  EXPECT_EQ(rig.Step(0.02, 0, 0.06), Status::kOk);  // anywhere: no jump, the tool is placed there
  EXPECT_NE(rig.telemetry.status & status_bit::kToolPlaced, 0u);
  EXPECT_EQ(rig.telemetry.mode, Mode::kDisarmed);
  EXPECT_EQ(Arm(rig.state.get()), Status::kOk);
  EXPECT_EQ(rig.Step(0.02, 0, 0.06), Status::kOk);
  EXPECT_EQ(rig.telemetry.mode, Mode::kActive);
}

TEST(Tick, ZeroesTheCommandAtOnceWhenItsOwnStateIsBroken) {
  TickRig<double> rig;
  Press(&rig);
  rig.state->raw_wrench_W(2) = std::numeric_limits<double>::infinity();
  SensorFrame old = rig.Sample(0.05, 0, 0.028);
  old.age_us = 1'000'000;  // no new force is computed
  EXPECT_EQ(rig.Step(old), Status::kNotReady);
  EXPECT_EQ(rig.telemetry.fault, Fault::kForceNotFinite);
  EXPECT_EQ(rig.Force().norm(), 0);
}

TEST(Tick, GivesNoForceWhileAToolIsInsideThePlateWhereItWasPlaced) {
  TickRig<double> rig;
  for (int k = 0; k < 1200; ++k) {  // 5 mm inside, at rest; then drawn out by 7 mm
    ASSERT_EQ(rig.Step(0.05, 0, 0.025 + 0.007 * std::max(0.0, (k - 700) / 500.0)), Status::kOk) << k;
    const bool inside = rig.telemetry.min_gap_m < -50e-6;
    ASSERT_EQ((rig.telemetry.status & status_bit::kPlacedInside) != 0, inside) << k;
    ASSERT_LE(rig.Force().norm(), inside ? 0 : 0.2) << k;  // outside: damper and spring of a tool that is taken along
    ASSERT_TRUE(inside || k >= 700) << k;
  }
  EXPECT_EQ(rig.telemetry.status & status_bit::kPlacedInside, 0u);
  EXPECT_EQ(rig.telemetry.gain, 1);
  for (int k = 0; k < 800; ++k) ASSERT_EQ(rig.Step(0.05, 0, 0.032 - 0.004 * std::min(1.0, k / 200.0)), Status::kOk);
  EXPECT_NEAR(rig.Force()(2), 3, 1e-3);  // and from then on the plate is felt as ever
}

TEST(Tick, PushesAToolOutSlowlyThatGotIntoThePlate) {
  TickRig<double> rig;
  ASSERT_EQ(rig.Step(0.05, 0, 0.025), Status::kOk);
  rig.state->placed_inside = false;  // as if it had got there later
  for (int k = 0; k < 600; ++k) {
    ASSERT_EQ(rig.Step(0.05, 0, 0.025), Status::kOk) << k;
    ASSERT_LE(rig.telemetry.tool_twist_W(2), rig.config.scene.max_push_out_mps + 1e-9) << k;
  }
  EXPECT_NEAR(rig.telemetry.p_WT_m(2), 0.030, 1e-6);
  EXPECT_NEAR(rig.Force()(2), 1500 * 0.005, 1e-2);
}

TEST(Tick, CommandsAreFiniteAndInsideTheLimitsForAnyGarbage) {
  std::mt19937 random(1);
  TickRig<double> rig;
  std::uniform_int_distribution<std::uint32_t> bits;
  Vec<double, 3> last_N = Vec<double, 3>::Zero();
  for (int k = 0; k < 20'000; ++k) {
    SensorFrame sample = rig.Sample(0.05 + 1e-4 * std::sin(0.01 * k), 0, 0.028);
    if (k % 5 == 4) {  // a field of random bits: NaN, infinities, huge and tiny numbers among them
      std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(&sample);
      words[bits(random) % (sizeof(SensorFrame) / 4)] = bits(random);
    }
    (void)rig.Step(sample);
    const Vec<double, 3> force_N = rig.Force();
    ASSERT_TRUE(CommandIsFinite(rig.command)) << k;
    ASSERT_LE(force_N.norm(), rig.config.limits.max_force_N * (1 + 1e-12)) << k;
    ASSERT_LE((force_N - last_N).norm(), rig.config.limits.max_force_rate_N_per_s * rig.config.period_s * (1 + 1e-9)) << k;
    last_N = force_N;
    if (rig.state->fault != Fault::kNone) {
      ClearFault(rig.state.get());
      ASSERT_EQ(Arm(rig.state.get()), Status::kOk);
    }
  }
}

}  // namespace
}  // namespace tactus
