#include "tactus/haptic/passivity.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec6 = Vec<double, 6>;
constexpr double kPeriod_s = 1e-3;

Vec6 AlongX(double value) {
  Vec6 v = Vec6::Zero();
  v(0) = value;
  return v;
}

TEST(ObserveEnergy, CountsNothingInTheFirstPeriod) {
  PassivityState<double> state;
  ObserveEnergy<double>(AlongX(5), AlongX(1), 3.0, PassivityConfig<double>{}, &state);
  EXPECT_EQ(state.dissipated_J, 0);
  EXPECT_EQ(state.stored_J, 3);
}

TEST(ObserveEnergy, FindsTheLeakOfASampledSpring) {
  // Source: closed form. A spring sampled at x and held while the handle goes on by Δ gets K x Δ from the hand and stores
  // K x Δ + K Δ²/2: every period makes K Δ²/2 from nothing, on the way in and on the way out.
  constexpr double kStiffness = 1000, kStep_m = 1e-4;
  PassivityState<double> state;
  double x_m = 0;
  for (int k = 0; k <= 20; ++k) {
    const double step_m = k == 0 ? 0 : (k <= 10 ? kStep_m : -kStep_m);
    const Vec6 held = AlongX(-kStiffness * x_m);
    x_m += step_m;
    ObserveEnergy<double>(held, AlongX(step_m), kStiffness * x_m * x_m / 2, PassivityConfig<double>{}, &state);
  }
  EXPECT_NEAR(state.dissipated_J, -20 * kStiffness * kStep_m * kStep_m / 2, 1e-15);
}

TEST(ObserveEnergy, KeepsCreditOnlyUpToTheTank) {
  const PassivityConfig<double> config{.tank_J = 0.001};
  PassivityState<double> state;
  for (int k = 0; k < 1000; ++k) ObserveEnergy<double>(AlongX(-2), AlongX(1e-3), 0.0, config, &state);  // a brake
  EXPECT_EQ(state.dissipated_J, 0.001);
}

TEST(ControlEnergy, TakesTheGeneratedEnergyBackInOnePeriod) {  // Source: α B v² h = -D.
  const PassivityState<double> state{.started = true, .dissipated_J = -2e-6};
  const CouplingConfig<double> coupling{.damping_Ns_per_m = 3};
  const PassivityDamping<double> damping = ControlEnergy<double>(AlongX(0.05), coupling, kPeriod_s, {}, state);
  EXPECT_NEAR(damping.ratio * 3 * 0.05 * 0.05 * kPeriod_s, 2e-6, 1e-18);
  EXPECT_FALSE(damping.limited);
}

TEST(ControlEnergy, IsBoundedAndSaysSo) {
  const PassivityState<double> state{.started = true, .dissipated_J = -1};
  const PassivityDamping<double> damping =
      ControlEnergy<double>(AlongX(0.05), {}, kPeriod_s, {.max_damping_ratio = 0.7}, state);
  EXPECT_EQ(damping.ratio, 0.7);
  EXPECT_TRUE(damping.limited);
}

TEST(ControlEnergy, IsOffAtRest) {
  const PassivityState<double> state{.started = true, .dissipated_J = -1e-3};
  for (const double speed_mps : {0.0, 1e-12, -1e-6, 1e-3}) {  // 3 N·s/m at 1 mm/s: 3 µW, below min_power_W
    const PassivityDamping<double> damping = ControlEnergy<double>(AlongX(speed_mps), {}, kPeriod_s, {}, state);
    EXPECT_EQ(damping.ratio, 0) << speed_mps;
  }
}

TEST(ControlEnergy, IsOffWithoutADebtAndWhenSwitchedOff) {
  PassivityState<double> state{.started = true, .dissipated_J = 1e-6};
  EXPECT_EQ(ControlEnergy<double>(AlongX(0.1), {}, kPeriod_s, {}, state).ratio, 0);
  state.dissipated_J = -1e-6;
  EXPECT_EQ(ControlEnergy<double>(AlongX(0.1), {}, kPeriod_s, {.enabled = false}, state).ratio, 0);
}

}  // namespace
}  // namespace tactus
