// The map between hand and scene, and the clutch that moves it, in the tick.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/hostile_ticks.h"
#include "tests/support/random.h"
#include "tick_rig.h"

namespace tactus {
namespace {

using test::Random;
using test::TickRig;
using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;

constexpr double kHalf_m = 0.03;  // of the peg: its middle stands so high over the plate that it rests on
constexpr double kK_N_per_m = 1500, kPeriod_s = 1e-3, kRamp_s = 0.020;

Vec3 RandomVector(Random* random, double size) {
  Vec3 v;
  for (int i = 0; i < 3; ++i) v(i) = random->Uniform(-size, size);
  return v;
}

/// With the handle at 0 the peg rests on the plate beside the hole; a handle at z = -d presses d deep.
template <class Scalar>
TickRig<Scalar> RigOnPlate(double scale, double force_scale = 1) {
  TickRig<Scalar> rig;
  rig.UseIdealSensor();
  rig.config.workspace.scale = static_cast<Scalar>(scale);
  rig.config.workspace.force_scale = static_cast<Scalar>(force_scale);
  rig.config.workspace.offset_m = Vec<Scalar, 3>(Scalar(0.05), Scalar(0), Scalar(kHalf_m));
  EXPECT_FALSE(ValidateWorkspace(rig.config.workspace));
  return rig;
}

/// Straight from one height to another in `ticks`, and the work that the commands do on the hand meanwhile.
template <class Scalar>
double Lead(TickRig<Scalar>* rig, double from_m, double to_m, int ticks) {
  double work_J = 0;
  for (int k = 1; k <= ticks; ++k) {
    work_J += rig->Force()(2) * (to_m - from_m) / ticks;
    EXPECT_EQ(rig->Step(0, 0, from_m + (to_m - from_m) * k / ticks), Status::kOk);
  }
  return work_J;
}

template <class Scalar>
class WorkspaceTick : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(WorkspaceTick, Scalars);

TEST(Workspace, IsATransformerOfPower) {  // Source: F_H·v_H + τ_H·ω_H = (φ/s)(F_V·v_V + τ_V·ω_V).
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    WorkspaceConfig<double> map;
    map.scale = std::pow(10, random.Uniform(-1.3, 2));
    map.force_scale = std::pow(10, random.Uniform(-2, 2));
    map.q_WD = ExpMap(RandomVector(&random, 3));
    ImplicitWrench<double> hand;
    hand.constant_W << RandomVector(&random, 8), RandomVector(&random, 0.2);
    hand.impedance_Ns_per_m = random.Uniform(0, 10);
    hand.impedance_Nms_per_rad = random.Uniform(0, 0.1);
    Vec6 twist_W;
    twist_W << RandomVector(&random, 1), RandomVector(&random, 10);
    const Vec6 twist_D = ToHand(map, twist_W), on_hand = hand.At(twist_D), on_scene = ToScene(map, hand).At(twist_W);
    const Vec3 v = twist_D.head<3>(), w = twist_D.tail<3>(), F = hand.constant_W.head<3>(), M = hand.constant_W.tail<3>();
    const double size_W = (F.norm() + hand.impedance_Ns_per_m * v.norm()) * v.norm() +
                          (M.norm() + hand.impedance_Nms_per_rad * w.norm()) * w.norm();
    EXPECT_NEAR(on_hand.dot(twist_D), AtHand(map, on_scene.dot(twist_W)), 20e-16 * size_W) << i;  // some roundings
  }
}

TEST(Workspace, MapsAHandleAndBackByItsDerivative) {  // Source: v_V = dp_V/dt, ω_V of q_V.
  WorkspaceConfig<double> map;
  map.scale = 7;
  map.q_WD = ExpMap(Vec3(0.3, -0.4, 1.1));
  WorkspaceState<double> state;
  state.offset_m = Vec3(1, 2, 3);
  state.index = ExpMap(Vec3(0.5, 0.1, -0.2));
  HandleState<double> now{.p_WH_m = Vec3(0.01, 0.02, -0.03), .q_WH = ExpMap(Vec3(0.2, 0.3, 0.1))};
  now.twist_W << 0.1, -0.2, 0.3, 1, 2, -1;
  constexpr double kStep_s = 1e-6;
  HandleState<double> then = now;
  then.p_WH_m += kStep_s * now.twist_W.head<3>();
  then.q_WH = Multiply(ExpMap(Vec3(kStep_s * now.twist_W.tail<3>())), now.q_WH);
  const HandleState<double> a = ToScene(map, state, now), b = ToScene(map, state, then);
  const Vec3 v = (b.p_WH_m - a.p_WH_m) / kStep_s, w = LogMap(Multiply(b.q_WH, Conjugate(a.q_WH))) / kStep_s;
  EXPECT_LT((v - a.twist_W.head<3>()).norm(), 1e-8);
  EXPECT_LT((w - a.twist_W.tail<3>()).norm(), 1e-8);
  EXPECT_LT((ToHand(map, a.twist_W) - now.twist_W).norm(), 1e-14);
}

TYPED_TEST(WorkspaceTick, AWallIsAsStiffAtEveryScale) {  // Source: F = K d, d at the hand. The plate does not yield.
  for (const double scale : {0.05, 0.5, 1.0, 5.0, 100.0}) {
    for (const double force_scale : {0.1, 1.0, 10.0}) {
      TickRig<TypeParam> rig = RigOnPlate<TypeParam>(scale, force_scale);
      Lead(&rig, 0.001, -0.001, 200);
      Lead(&rig, -0.001, -0.001, 3000);
      const double ulp_m = 0.06 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
      EXPECT_NEAR(rig.Force()(2), 1e-3 * kK_N_per_m, 1e-4 + 4 * kK_N_per_m * ulp_m / scale) << scale << " " << force_scale;
      EXPECT_EQ(rig.state->fault, Fault::kNone);
    }
  }
}

TEST(Workspace, TurnsTheForceIntoTheHandsAxes) {  // Source: F_H = Rᵀ F_V; a quarter turn about x brings y to z.
  TickRig<double> rig = RigOnPlate<double>(2);
  rig.config.workspace.q_WD = ExpMap(Vec3(std::acos(0.0), 0, 0));
  rig.config.tool.inertia_kgm2.setConstant(1e-5);
  rig.config.workspace.offset_m(2) = 0.010;  // the peg lies: its radius
  for (int k = 0; k < 3000; ++k) (void)rig.Step(0, 0.001 - std::min(0.002, k * 1e-5), 0);
  EXPECT_NEAR(rig.Force()(1), 1e-3 * kK_N_per_m, 1e-3);
  EXPECT_NEAR(rig.Force()(2), 0, 1e-3);
}

TEST(Workspace, AMassFeelsScaled) {  // Source: m φ s: what a handle feels that is accelerated by a, behind a stiff coupling.
  for (const double scale : {0.5, 3.0}) {
    TickRig<double> rig = RigOnPlate<double>(scale, 0.4);
    constexpr double kAcceleration = 0.5;
    (void)rig.Step(0, 0, 0.02);
    for (int k = 1; k <= 400; ++k) (void)rig.Step(0, 0, 0.02 + kAcceleration * kPeriod_s * kPeriod_s * k * k / 2);
    EXPECT_NEAR(rig.Force()(2), -0.1 * 0.4 * scale * kAcceleration, 0.02 * 0.1 * 0.4 * scale * kAcceleration) << scale;
  }
}

TEST(Workspace, AtOneToOneTheMapChangesNothingButRoundings) {
  TickRig<double> plain, mapped;
  for (int k = 0; k < 1500; ++k) {  // until the peg is stirred in the hole, where a rounding decides among many answers
    const test::InsertionPose pose = test::Insertion(k);
    (void)plain.Step(pose.x_m, pose.y_m, pose.z_m, pose.rotation_rad);
    (void)mapped.Step(pose.x_m, pose.y_m, pose.z_m, pose.rotation_rad);
    EXPECT_FALSE(plain.state->workspace.maps);
    mapped.state->workspace.maps = true;
    ASSERT_LT((plain.telemetry.command_wrench_W - mapped.telemetry.command_wrench_W).norm(), 1e-6) << k;
  }
}

/// Presses 2 mm deep and holds the clutch: 3 N fade.
template <class Scalar>
TickRig<Scalar> Clutched(double scale) {
  TickRig<Scalar> rig = RigOnPlate<Scalar>(scale);
  rig.config.limits.soft_start_s = Scalar(0.05);
  Lead(&rig, 0.001, -0.002, 300);
  Lead(&rig, -0.002, -0.002, 2000);
  PressClutch(true, rig.state.get());
  return rig;
}

TYPED_TEST(WorkspaceTick, AClutchTakesTheForceAwayOnAStraightLine) {
  TickRig<TypeParam> rig = Clutched<TypeParam>(3);
  const double full_N = rig.Force()(2);
  ASSERT_NEAR(full_N, 2e-3 * kK_N_per_m, 0.01);
  double last_N = full_N;
  int ticks = 0;
  for (; rig.Force().norm() > 0 && ticks < 100; ++ticks) {
    Lead(&rig, -0.002, -0.002, 1);
    EXPECT_NE(rig.telemetry.status & status_bit::kClutched, 0u);
    EXPECT_LE(std::abs(rig.Force()(2) - last_N), full_N * kPeriod_s / kRamp_s * 1.001);  // Source: guard.ramp_down_s
    last_N = rig.Force()(2);
  }
  EXPECT_LE(ticks, 21);
}

TYPED_TEST(WorkspaceTick, AHeldToolStaysWhileTheHandGoesAndComesBackWithoutAForce) {
  TickRig<TypeParam> rig = Clutched<TypeParam>(3);
  Lead(&rig, -0.002, -0.002, 100);
  const Vec<TypeParam, 3> held_m = rig.state->tool.p_WT_m;
  EXPECT_EQ(Lead(&rig, -0.002, 0.050, 500), 0);  // exactly: no force
  EXPECT_LT((rig.state->tool.p_WT_m - held_m).norm(), TypeParam(1e-6));
  PressClutch(false, rig.state.get());
  double given_J = 0;
  for (int k = 0; k < 500; ++k) {  // a hand at rest: nothing happens, whatever had been pressed before
    given_J += Lead(&rig, 0.050, 0.050, 1);
    EXPECT_LT(rig.Force().norm(), sizeof(TypeParam) == 8 ? 1e-6 : 2e-3) << k;
  }
  EXPECT_EQ(given_J, 0);
  EXPECT_EQ(rig.telemetry.status & status_bit::kClutched, 0u);
  EXPECT_LT((rig.state->tool.p_WT_m - held_m).norm(), TypeParam(1e-5));
  EXPECT_EQ(rig.state->gain, TypeParam(1));
  Lead(&rig, 0.050, 0.049, 200);
  Lead(&rig, 0.049, 0.049, 3000);
  EXPECT_NEAR(rig.Force()(2), 1e-3 * kK_N_per_m, 0.02);  // Source: F = K d, from the place where it was let go
}

/// A hand that pushes in while there is hardly a force, and takes the spring's energy when there is.
TEST(Workspace, NoEnergyComesOutOfAClutchsSoftStart) {
  TickRig<double> rig = Clutched<double>(1);
  Lead(&rig, -0.002, -0.002, 100);
  PressClutch(false, rig.state.get());
  double given_J = Lead(&rig, -0.002, -0.002, 1);
  given_J += Lead(&rig, -0.002, -0.004, 2);
  given_J += Lead(&rig, -0.004, -0.004, 50);
  given_J += Lead(&rig, -0.004, 0.0, 20);
  // Source: 5 mW while the offset is given back (tune.h). K x²/2 of a spring that came under load would be 3 mJ.
  EXPECT_LE(given_J, 0.005 * 0.073 + 1e-6);
}

TEST(Workspace, AClutchInFreeSpaceGivesNothing) {
  TickRig<double> rig = RigOnPlate<double>(10, 0.1);  // the tool feels as heavy as it is
  rig.config.limits.soft_start_s = 0.05;
  double given_J = Lead(&rig, 0.02, 0.03, 300);
  for (int round = 0; round < 20; ++round) {
    PressClutch(true, rig.state.get());
    given_J += Lead(&rig, 0.03, 0.02, 100);
    PressClutch(false, rig.state.get());
    given_J += Lead(&rig, 0.02, 0.03, 300);
  }
  EXPECT_LE(given_J, 1e-6);
  // Source: each round trip of 10 mm indexes the tool by 10 mm · s, less what it goes back until the force has faded. At
  // 0.13 m/s a mass of 0.1 kg behind K lags by v √(m/K) = 1.1 mm.
  const double way_m = rig.state->tool.p_WT_m(2) - (kHalf_m + 10 * 0.03), round_m = 10 * (0.010 - 20 * 0.0001);
  EXPECT_NEAR(way_m, 20 * round_m, 20 * 10 * 1.1e-3);
}

TEST(Workspace, IndexesTheOrientationUnlessToldOtherwise) {
  for (const bool index_turns : {true, false}) {
    TickRig<double> rig = RigOnPlate<double>(2);
    rig.config.workspace.index_turns = index_turns;
    const Vec3 turned(0, 0, 0.5);
    for (int k = 0; k < 100; ++k) (void)rig.Step(0, 0, 0.02);
    PressClutch(true, rig.state.get());
    for (int k = 0; k < 500; ++k) (void)rig.Step(0, 0, 0.02, turned * k / 499);
    PressClutch(false, rig.state.get());
    double largest_Nm = 0;
    for (int k = 0; k < 4000; ++k) {
      (void)rig.Step(0, 0, 0.02, turned);
      largest_Nm = std::max(largest_Nm, rig.telemetry.command_wrench_W.tail<3>().norm());
    }
    // Source: 0.2 rad/s against the damping of 0.005 N·m·s and the peg's 5e-6 kg·m²; K_r · 0.5 rad would be 0.5 N·m.
    EXPECT_LT(largest_Nm, 2e-3) << index_turns;
    EXPECT_NEAR(LogMap(rig.state->tool.q_WT)(2), index_turns ? 0.02 : 0.5, 1e-3);  // 20 ticks until the force had faded
  }
}

TEST(Workspace, TakesAnotherScaleWhileTheClutchHoldsAndNotBefore) {
  TickRig<double> rig = Clutched<double>(1);
  WorkspaceConfig<double> wanted = rig.config.workspace;
  wanted.scale = 20;
  wanted.force_scale = 0.05;  // the tool feels as heavy as it is, and swings no longer
  EXPECT_EQ(ChangeWorkspace(wanted, &rig.config, *rig.state), Status::kNotReady);
  Lead(&rig, -0.002, -0.002, 10);
  EXPECT_EQ(ChangeWorkspace(wanted, &rig.config, *rig.state), Status::kNotReady);  // the force still fades
  Lead(&rig, -0.002, -0.002, 100);
  const Vec3 held_m = rig.state->tool.p_WT_m;
  EXPECT_EQ(ChangeWorkspace(wanted, &rig.config, *rig.state), Status::kOk);
  Lead(&rig, -0.002, -0.002, 100);
  PressClutch(false, rig.state.get());
  Lead(&rig, -0.002, -0.002, 500);
  EXPECT_LT((rig.state->tool.p_WT_m - held_m).norm(), 1e-6);
  EXPECT_LT(rig.Force().norm(), 1e-6);
  Lead(&rig, -0.002, 0.008, 500);
  Lead(&rig, 0.008, 0.008, 1000);                                 // the springs' rest goes back
  EXPECT_NEAR(rig.state->tool.p_WT_m(2) - held_m(2), 0.2, 1e-3);  // Source: s · 10 mm
}

TEST(Workspace, HoldsTheButtonThatTheConfigNames) {
  TickRig<double> rig = RigOnPlate<double>(2);
  (void)rig.Step(0, 0, 0.02);
  TellButtons(0b10, rig.config, rig.state.get());
  EXPECT_FALSE(rig.state->workspace.button);  // none is named
  rig.config.workspace.clutch_button = 2;
  TellButtons(0b01, rig.config, rig.state.get());
  EXPECT_FALSE(rig.state->workspace.button);
  TellButtons(0b10, rig.config, rig.state.get());
  for (int k = 0; k < 30; ++k) (void)rig.Step(0, 0, 0.02);
  EXPECT_EQ(rig.state->workspace.clutch, ClutchPhase::kHeld);
  TellButtons(0, rig.config, rig.state.get());
  (void)rig.Step(0, 0, 0.02);
  EXPECT_EQ(rig.state->workspace.clutch, ClutchPhase::kOpen);
}

TEST(Workspace, RefusesWhatNoMapMayBeByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, 0.049, 101.0, nan, inf, -inf}) {
    WorkspaceConfig<double> map;
    map.scale = bad;
    EXPECT_STREQ(ValidateWorkspace(map).field, "scale") << bad;
    map = {};
    map.force_scale = bad == 0.049 ? 0.0099 : bad;
    EXPECT_STREQ(ValidateWorkspace(map).field, "force_scale") << bad;
  }
  WorkspaceConfig<double> map;
  map.offset_m(1) = nan;
  EXPECT_STREQ(ValidateWorkspace(map).field, "offset_m");
  map = {};
  map.q_WD = Vec<double, 4>(1, 1, 0, 0);
  EXPECT_STREQ(ValidateWorkspace(map).field, "orientation_wxyz");
  map = {};
  map.clutch_button = 9;
  EXPECT_STREQ(ValidateWorkspace(map).field, "clutch_button");
}

/// Configurations and tools that do their worst, in any map: the solver takes the problems, and what goes out is bounded.
TYPED_TEST(WorkspaceTick, HostileTicksAreNoWorseInAMap) {
  using Scalar = TypeParam;
  Random random(3);
  test::HostileTicks<Scalar> ticks(5);
  const auto state = std::make_unique<State<Scalar>>();
  WorkspaceConfig<Scalar> map;
  for (int k = 0; k < 10'000; ++k) {
    ticks.Prepare(state.get());
    if (ticks.is_new()) {
      map.scale = static_cast<Scalar>(random.LogUniform(0.05, 100));
      map.force_scale = static_cast<Scalar>(random.LogUniform(0.01, 100));
      map.q_WD = ExpMap(Vec<Scalar, 3>(RandomVector(&random, 2).template cast<Scalar>()));
    }
    Config<Scalar> config = ticks.config();
    config.workspace = map;
    if (random.Chance(0.05)) PressClutch(random.Chance(0.5), state.get());
    CommandFrame command;
    Telemetry<Scalar> telemetry;
    (void)Tick(ticks.sample(), config, state.get(), &command, &telemetry);
    ASSERT_NE(telemetry.fault, Fault::kSolverInvalid) << k;
    ASSERT_NE(telemetry.fault, Fault::kForceNotFinite) << k;
    const Vec<Scalar, 3> force_N = telemetry.command_wrench_W.template head<3>();
    ASSERT_LE(Norm(force_N), config.limits.max_force_N * Scalar(1.0001)) << k;
  }
}

/// Everything a stranger may do with a clutch, in any order, at any scale: the bounds hold, and a second loop has the same
/// bits.
TYPED_TEST(WorkspaceTick, NoOrderOfEventsBreaksABound) {
  using Scalar = TypeParam;
  Random random(7);
  for (int episode = 0; episode < 60; ++episode) {
    TickRig<Scalar> a = RigOnPlate<Scalar>(std::pow(10, random.Uniform(-1.3, 2)), std::pow(10, random.Uniform(-2, 2)));
    a.config.workspace.q_WD = ExpMap(Vec<Scalar, 3>(RandomVector(&random, 1).template cast<Scalar>()));
    a.config.workspace.index_turns = episode % 3 != 0;
    a.config.limits.soft_start_s = Scalar(0.02);
    TickRig<Scalar> b;
    b.config = a.config;
    Vec3 p_m = Vec3::Zero(), turn_rad = Vec3::Zero();
    for (int k = 0; k < 600; ++k) {
      const int what = episode % 4 == 1 ? (k % 2 == 0 ? 0 : 1) : static_cast<int>(random.Uniform(0, 60));
      for (State<Scalar>* const state : {a.state.get(), b.state.get()}) {
        if (what == 0) PressClutch(true, state);
        if (what == 1) PressClutch(false, state);
        if (what == 2) Disarm(state);
        if (what == 3 || what == 4) (void)Arm(state);
        if (what == 5) RaiseFault(state);
        if (what == 6) CutForce(state);
        const bool is_zero = state->command_wrench_W.isZero(Scalar(0));  // else the supervisor lets it wait
        if ((what == 7 || what == 8) && is_zero) ClearFault(state);
      }
      p_m += RandomVector(&random, 3e-4);
      turn_rad += RandomVector(&random, 3e-3);
      if (p_m.norm() > 0.05) p_m *= 0.9;
      SensorFrame sample = a.Sample(p_m(0), p_m(1), p_m(2), turn_rad);
      if (what == 9) sample.age_us = 100'000;
      if (what == 10) sample.q_WH[0] = std::numeric_limits<float>::quiet_NaN();
      const Vec<Scalar, 6> last = a.state->command_wrench_W;
      const bool held = a.state->workspace.clutch == ClutchPhase::kHeld && a.state->workspace.ordered;
      (void)a.Step(sample);
      (void)b.Step(sample);
      ASSERT_EQ(a.telemetry.state_hash, b.telemetry.state_hash);
      const Vec<Scalar, 6> now = a.telemetry.command_wrench_W;
      ASSERT_TRUE(IsFinite(now));
      const Vec<Scalar, 3> force_N = now.template head<3>(), step_N = force_N - last.template head<3>();
      ASSERT_LE(Norm(force_N), a.config.limits.max_force_N * Scalar(1.0001));
      if (what != 6) {
        ASSERT_LE(Norm(step_N), a.config.limits.max_force_rate_N_per_s * Scalar(kPeriod_s) * Scalar(1.001));
      }
      if (held) {
        ASSERT_TRUE(now.isZero(Scalar(0))) << episode << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace tactus
