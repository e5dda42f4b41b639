#include "tactus/haptic/passivity.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec6 = Vec<double, 6>;

Vec6 AlongX(double value) {
  Vec6 v = Vec6::Zero();
  v(0) = value;
  return v;
}

TEST(ObserveEnergy, CountsNothingInTheFirstPeriod) {
  PassivityState<double> state;
  ObserveEnergy<double>(AlongX(5), AlongX(1), 3.0, Config<double>{}, &state);
  EXPECT_EQ(state.dissipated_J, 0);
  EXPECT_EQ(state.stored_J, 3);
}

TEST(ObserveEnergy, FindsTheLeakOfASampledSpring) {
  // Source: closed form. A spring sampled at x and held while the handle goes on by Δ gets K x Δ from the hand and stores
  // K x Δ + K Δ²/2: every period makes K Δ²/2 from nothing, on the way in and on the way out.
  constexpr double kStiffness = 1000, kStep_m = 1e-4;
  Config<double> config;
  config.device.resolution_m = config.device.resolution_rad = 0;  // an ideal sensor: no debt is forgiven
  PassivityState<double> state;
  double x_m = 0;
  for (int k = 0; k <= 20; ++k) {
    const double step_m = k == 0 ? 0 : (k <= 10 ? kStep_m : -kStep_m);
    const Vec6 held = AlongX(-kStiffness * x_m);
    x_m += step_m;
    ObserveEnergy<double>(held, AlongX(step_m), kStiffness * x_m * x_m / 2, config, &state);
  }
  EXPECT_NEAR(state.dissipated_J, -20 * kStiffness * kStep_m * kStep_m / 2, 1e-15);
}

TEST(ObserveEnergy, KeepsCreditOnlyUpToTheTank) {
  Config<double> config;
  config.passivity.tank_J = 0.001;
  PassivityState<double> state;
  for (int k = 0; k < 1000; ++k) ObserveEnergy<double>(AlongX(-2), AlongX(1e-3), 0.0, config, &state);  // a brake
  EXPECT_EQ(state.dissipated_J, 0.001);
}

/// What the observer cannot see with the default Config, written out: three axes, 1.5 counts, K and K_r.
constexpr double kGrain_J = 3 * (1500 * 6e-5 * 6e-5 + 1 * 1.5e-3 * 1.5e-3) / 2;

TEST(EnergyGrain, IsTheSpringsEnergyOverOneAndAHalfCounts) {
  EXPECT_NEAR(EnergyGrain(CouplingConfig<double>{}, DeviceConfig<double>{}), kGrain_J, 1e-18);
}

TEST(ObserveEnergy, ForgivesADebtAtTheRateOfItsOwnError) {  // Source: 2 θ0² K D²/12 for each of six axes, θ0 = 0.105.
  const double drift_J = 3 * 2 * 0.105 * 0.105 * (1500 * 4e-5 * 4e-5 + 1 * 1e-3 * 1e-3) / 12;
  PassivityState<double> state{.started = true, .dissipated_J = -1e-5};
  ObserveEnergy<double>(Vec6::Zero(), Vec6::Zero(), 0.0, Config<double>{}, &state);
  EXPECT_NEAR(state.dissipated_J, -1e-5 + drift_J, 1e-18);
  for (int k = 0; k < 10'000; ++k) ObserveEnergy<double>(Vec6::Zero(), Vec6::Zero(), 0.0, Config<double>{}, &state);
  EXPECT_EQ(state.dissipated_J, 0);  // never beyond: no credit comes of it
}

/// α after `periods` with this speed and debt.
PassivityDamping<double> Controlled(double speed_mps, double dissipated_J, const Config<double>& config, int periods) {
  PassivityState<double> state{.started = true, .dissipated_J = dissipated_J};
  PassivityDamping<double> damping;
  for (int k = 0; k < periods; ++k) damping = ControlEnergy<double>(AlongX(speed_mps), config, &state);
  return damping;
}

TEST(ControlEnergy, TakesTheGeneratedEnergyBackInTenMilliseconds) {  // Source: α B v² · 10 ms = -D - grain.
  const PassivityDamping<double> damping = Controlled(0.05, -kGrain_J - 2e-5, {}, 100);
  EXPECT_NEAR(damping.ratio * 3 * 0.05 * 0.05 * 0.010, 2e-5, 1e-17);
  EXPECT_FALSE(damping.limited);
}

TEST(ControlEnergy, IsBoundedAndSaysSo) {
  Config<double> config;
  config.passivity.max_damping_ratio = 0.7;
  const PassivityDamping<double> damping = Controlled(0.05, -1, config, 100);
  EXPECT_EQ(damping.ratio, 0.7);
  EXPECT_TRUE(damping.limited);
}

// Source: (1 + α) B T ≤ π m/4, T = (3/2 + d) h.
TEST(ControlEnergy, DampsALightDeviceNoMoreThanItBears) {
  Config<double> config;
  EXPECT_EQ(MostDampingRatio(config), 3) << "0.25 kg bear it";
  config.device.mass_kg = 0.058;
  config.device.command_delay_ticks = 1;
  EXPECT_EQ(MostDampingRatio(config), 3) << "and 58 g the default damping";
  config.coupling.damping_Ns_per_m = 8;
  EXPECT_NEAR((1 + MostDampingRatio(config)) * 8 * 0.0025, std::atan(1.0) * 0.058, 1e-12);
  config.coupling.damping_Ns_per_m = 20;
  EXPECT_EQ(MostDampingRatio(config), 0);
  EXPECT_EQ(Controlled(0.05, -1, config, 100).ratio, 0);
  config.coupling.damping_Ns_per_m = 0;
  EXPECT_EQ(MostDampingRatio(config), 3);
  config.device.inertia_kgm2 = 3e-5;
  EXPECT_NEAR((1 + MostDampingRatio(config)) * 0.005 * 0.0025, std::atan(1.0) * 3e-5, 1e-15) << "the rotation alike";
}

TEST(ControlEnergy, SetsInAndEndsWithoutAStep) {  // Source: 0.05 N a period, and 0.3 of the ratio.
  for (const double speed_mps : {0.0, 1e-3, 0.05, 0.2, 2.0}) {
    PassivityState<double> state{.started = true, .dissipated_J = -1};
    double last = 0;
    for (int k = 0; k < 200; ++k) {
      if (k == 100) state.dissipated_J = 0;
      const double ratio = ControlEnergy<double>(AlongX(speed_mps), Config<double>{}, &state).ratio;
      EXPECT_LE(std::abs(ratio - last) * 3 * speed_mps, 0.05 * (1 + 1e-12)) << speed_mps << " " << k;
      EXPECT_LE(std::abs(ratio - last), 0.3 * (1 + 1e-12)) << speed_mps << " " << k;
      if (k == 99 && speed_mps <= 0.2) {  // max_damping_ratio
        EXPECT_EQ(ratio, 3);
      }
      last = ratio;
    }
    if (speed_mps <= 0.2) {
      EXPECT_EQ(last, 0);
    }
  }
}

TEST(ControlEnergy, IsOffWithoutADebtAndWhenSwitchedOff) {
  Config<double> config;
  EXPECT_EQ(Controlled(0.1, 1e-6, config, 10).ratio, 0);
  EXPECT_EQ(Controlled(0.1, -0.99 * kGrain_J, config, 10).ratio, 0);
  config.passivity.enabled = false;
  EXPECT_EQ(Controlled(0.1, -1, config, 10).ratio, 0);
}

}  // namespace
}  // namespace tactus
