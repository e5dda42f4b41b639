#include "tactus/haptic/tune.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "hal/sim/sim_device.h"
#include "tick_rig.h"

namespace tactus {
namespace {

using test::TickRig;
using Vec3 = Vec<double, 3>;

/// A relaxed hand that presses on the plate, 2.2 N at 500 N/m.
struct PressingHand {
  static constexpr double kForce_N = 2.2, kHand_N_per_m = 135, kSoft_N_per_m = 500;
  static constexpr double kTarget_m = 0.030 - kForce_N / kHand_N_per_m - kForce_N / kSoft_N_per_m;

  TickRig<double> rig;
  hal::SimDevice sim;
  double force_N = 0, largest_step_N = 0, fastest_mps = 0;

  PressingHand() : sim(Device(), Hand(), {kMoves, 3}, 1) {
    rig.config.coupling.stiffness_N_per_m = kSoft_N_per_m;
    Run(2500);
    largest_step_N = fastest_mps = 0;
  }

  /// One period. Steps of the force and the handle's speed are kept.
  void Tick() {
    ASSERT_EQ(rig.Step(sim.Sample()), Status::kOk);
    const double next_N = rig.Force()(2);
    largest_step_N = std::max(largest_step_N, std::abs(next_N - force_N));
    force_N = next_N;
    sim.Advance(rig.command);
    fastest_mps = std::max(fastest_mps, sim.state().v_WH_mps.norm());
  }
  void Run(int ticks) {
    for (int k = 0; k < ticks; ++k) Tick();
  }
  /// @returns ticks until the wanted configuration is in force, at most `most`.
  int TuneTo(const TuneConfig<double>& wanted, int most) {
    int k = 0;
    while (k < most && Tune(wanted, &rig.config, rig.state.get()) != Status::kOk) {
      Tick();
      ++k;
    }
    return k;
  }
  double GivenWork_J() const { return sim.given_J() - sim.taken_J(); }

  static hal::DeviceParameters Device() {
    hal::DeviceParameters device = hal::FalconClass();
    device.coulomb_N.value = 0.05;
    return device;
  }
  static hal::HandParameters Hand() {
    hal::HandParameters hand = hal::RelaxedHand();
    hand.tremor_N.value = hand.tremor_Nm.value = 0;
    return hand;
  }
  static constexpr hal::HandMove kMoves[] = {
      {.name = "down", .duration_s = 1, .p_m = {0.05, 0, kTarget_m}, .rotation_rad = {}},
      {.name = "hold", .duration_s = 100, .p_m = {0.05, 0, kTarget_m}, .rotation_rad = {}},
      {.name = "up", .duration_s = 1, .p_m = {0.05, 0, 0.032}, .rotation_rad = {}}};
};

TEST(Tune, RaisesTheStiffnessAtConstantForce) {
  PressingHand hand;
  TuneConfig<double> wanted = TuneOf(hand.rig.config);
  wanted.coupling.stiffness_N_per_m = 3000;
  const double before_N = hand.force_N, before_J = hand.GivenWork_J();
  const int ticks = hand.TuneTo(wanted, 100);
  EXPECT_LE(ticks, 20);  // Source: 5 % of 3000 N/m a period
  EXPECT_EQ(hand.rig.config.coupling.stiffness_N_per_m, 3000);
  // Source: only the release of the offset, 5 mW meanwhile, makes force and energy; ½ ΔK e² would be 24 mJ.
  const double released_m = 0.005 / before_N * ticks * 1e-3, kCount_m = 4e-5;
  EXPECT_NEAR(hand.force_N, before_N, 3000 * released_m);
  EXPECT_LE(std::abs(hand.GivenWork_J() - before_J), 0.005 * ticks * 1e-3);
  // Source: o = e (1 - K_old/K_new).
  EXPECT_NEAR(hand.rig.state->rest_W(2), -before_N / 500 * (1 - 500.0 / 3000), released_m + kCount_m);
}

TEST(Tune, GivesTheOffsetBackSlowlyUnderLoad) {
  PressingHand hand;
  TuneConfig<double> wanted = TuneOf(hand.rig.config);
  wanted.coupling.stiffness_N_per_m = 3000;
  (void)hand.TuneTo(wanted, 100);
  double last_J = hand.GivenWork_J();
  for (int k = 0; k < 30; ++k) {
    hand.Run(100);
    EXPECT_LE(hand.GivenWork_J() - last_J, 0.1 * 0.005 * 1.1) << k;  // Source: 5 mW, and what the hand's own motion adds
    last_J = hand.GivenWork_J();
  }
  EXPECT_EQ(hand.rig.state->rest_W, (Vec<double, 6>::Zero()));
  EXPECT_LE(hand.largest_step_N, 0.05);
  EXPECT_LE(hand.fastest_mps, 0.010);
}

TEST(Tune, LowersTheStiffnessBySmallStepsOfForce) {
  PressingHand hand;
  TuneConfig<double> wanted = TuneOf(hand.rig.config);
  wanted.coupling.stiffness_N_per_m = 3000;
  (void)hand.TuneTo(wanted, 100);
  hand.Run(3000);
  hand.largest_step_N = 0;
  const double before_J = hand.GivenWork_J();
  wanted.coupling.stiffness_N_per_m = 500;
  EXPECT_LE(hand.TuneTo(wanted, 400), 300);
  hand.Run(1000);
  EXPECT_LE(hand.largest_step_N, 0.05);
  EXPECT_LT(hand.GivenWork_J(), before_J);                  // the wall gives way: it takes energy from the hand
  EXPECT_NEAR(hand.force_N, PressingHand::kForce_N, 0.06);  // friction 0.05 N; K 38 µm / 2
}

TEST(Tune, GivesTheOffsetBackAtOnceInFreeMotion) {  // Source: 5 mm/s.
  TickRig<double> rig;
  for (int k = 0; k < 100; ++k) ASSERT_EQ(rig.Step(0, 0, 0.08), Status::kOk);
  rig.state->rest_W(0) = 0.002;
  rig.state->tool.p_WT_m(0) -= 0.002;  // where the springs are at rest
  for (int k = 0; k < 410; ++k) {
    ASSERT_EQ(rig.Step(0, 0, 0.08), Status::kOk);
    ASSERT_LE(rig.Force().norm(), 0.1) << k;
  }
  EXPECT_EQ(rig.state->rest_W, (Vec<double, 6>::Zero()));
}

TEST(Tune, KeepsTheObserversBook) {  // What tuning does is neither debt nor credit of the loop.
  PressingHand hand;
  hand.rig.state->passivity.dissipated_J = 0;
  TuneConfig<double> wanted = TuneOf(hand.rig.config);
  for (const double stiffness_N_per_m : {3000.0, 500.0, 2000.0}) {
    wanted.coupling.stiffness_N_per_m = stiffness_N_per_m;
    (void)hand.TuneTo(wanted, 400);
    hand.Run(2500);
    EXPECT_EQ(hand.rig.telemetry.damping_ratio, 0) << stiffness_N_per_m;
  }
}

TEST(Tune, BringsEveryFieldToItsEnd) {
  TickRig<double> rig;
  rig.config.scene.gravity_W_mps2 = Vec3(0, 0, -9.81);
  for (int k = 0; k < 300; ++k) ASSERT_EQ(rig.Step(0.05, 0, 0.028), Status::kOk);
  TuneConfig<double> wanted = TuneOf(rig.config);
  wanted.coupling = {.stiffness_N_per_m = 800,
                     .damping_Ns_per_m = 5,
                     .angular_stiffness_Nm_per_rad = 2,
                     .angular_damping_Nms_per_rad = 0.01};
  wanted.friction = 0.6;
  wanted.tool_mass_kg = 0.2;
  wanted.tool_inertia_kgm2 *= 3;
  wanted.gravity_W_mps2 = Vec3(1, 0, -2);
  wanted.limits.max_force_N = 9;
  wanted.limits.max_torque_Nm = 0.3;
  wanted.limits.soft_start_s = 0.5;
  ASSERT_FALSE(ValidateTune(wanted, rig.config));
  int ticks = 0;
  double last_N = rig.Force().norm();
  for (; ticks < 2000 && Tune(wanted, &rig.config, rig.state.get()) != Status::kOk; ++ticks) {
    ASSERT_EQ(rig.Step(0.05, 0, 0.028), Status::kOk);
    ASSERT_LE(std::abs(rig.Force().norm() - last_N), 0.1) << ticks;
    last_N = rig.Force().norm();
  }
  EXPECT_LT(ticks, 500);
  const TuneConfig<double> found = TuneOf(rig.config);
  EXPECT_EQ(found.coupling.stiffness_N_per_m, 800);
  EXPECT_EQ(found.coupling.damping_Ns_per_m, 5);
  EXPECT_EQ(found.coupling.angular_stiffness_Nm_per_rad, 2);
  EXPECT_EQ(found.coupling.angular_damping_Nms_per_rad, 0.01);
  EXPECT_EQ(found.friction, 0.6);
  EXPECT_EQ(found.tool_mass_kg, 0.2);
  EXPECT_EQ(found.tool_inertia_kgm2, wanted.tool_inertia_kgm2);
  EXPECT_EQ(found.gravity_W_mps2, wanted.gravity_W_mps2);
  EXPECT_EQ(found.limits.max_force_N, 9);
  EXPECT_EQ(found.limits.max_torque_Nm, 0.3);
  EXPECT_EQ(found.limits.soft_start_s, 0.5);
}

TEST(Tune, ComesToItsEndInSinglePrecision) {
  TickRig<float> rig;
  TuneConfig<float> wanted = TuneOf(rig.config);
  wanted.coupling.stiffness_N_per_m = 437.3f;
  wanted.coupling.angular_damping_Nms_per_rad = 0.0123f;
  wanted.friction = 0.0317f;
  wanted.tool_inertia_kgm2 *= 0.37f;
  wanted.gravity_W_mps2 = Vec<float, 3>(0.1f, -0.2f, -9.81f);
  int ticks = 0;
  for (; ticks < 1000 && Tune(wanted, &rig.config, rig.state.get()) != Status::kOk; ++ticks) {
    ASSERT_EQ(rig.Step(0, 0, 0.08), Status::kOk);
  }
  EXPECT_LT(ticks, 500);
}

TEST(Tune, TightensLimitsAtOnce) {
  TickRig<double> rig;
  for (int k = 0; k < 800; ++k) ASSERT_EQ(rig.Step(0.05, 0, 0.030 - 0.002 * std::min(1.0, k / 200.0)), Status::kOk);
  TuneConfig<double> wanted = TuneOf(rig.config);
  wanted.limits.max_force_N = 1.5;
  EXPECT_EQ(Tune(wanted, &rig.config, rig.state.get()), Status::kOk);
  ASSERT_EQ(rig.Step(0.05, 0, 0.028), Status::kOk);
  EXPECT_LE(rig.Force()(2), 1.5 * (1 + 1e-12));
  wanted.limits.max_force_N = 8;  // and up again by 20 N/s
  EXPECT_EQ(Tune(wanted, &rig.config, rig.state.get()), Status::kWouldBlock);
  EXPECT_NEAR(rig.config.limits.max_force_N, 1.52, 1e-12);
}

TEST(Tune, RefusesWhatAConfigMayNotHave) {
  const Config<double> config;
  TuneConfig<double> wanted = TuneOf(config);
  EXPECT_FALSE(ValidateTune(wanted, config));
  wanted.coupling.stiffness_N_per_m = std::numeric_limits<double>::quiet_NaN();
  EXPECT_STREQ(ValidateTune(wanted, config).field, "coupling_stiffness_N_per_m");
  wanted = TuneOf(config);
  wanted.limits.max_force_rate_N_per_s = 1;  // 8 N could not fade in guard.ramp_down_s
  EXPECT_STREQ(ValidateTune(wanted, config).field, "limits_max_force_rate_N_per_s");
}

}  // namespace
}  // namespace tactus
