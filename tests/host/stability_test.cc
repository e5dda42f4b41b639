// What a sampled axis allows: closed forms, a long simulation that knows no eigenvalue, hostile input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "hal/sim/presets.h"
#include "host_tools/session/servo_config.h"
#include "host_tools/stability/check_config.h"
#include "host_tools/stability/stability_report.h"

namespace tactus::host {
namespace {

constexpr double kT = 0.001;

AxisDevice Rig(double damping = 0.5) {
  return {.mass_kg = 0.1, .damping_Ns_per_m = damping, .coulomb_N = {}, .resolution_m = 0};
}
AxisLoop Wall(double delay = 0) { return {.period_s = kT, .delay_ticks = delay, .estimate = Estimate::kLastStep}; }

double Needed(double K, double B, double delay) {
  const DiscreteFilter H =
      CouplingFilter(Rig(), Wall(delay), {.stiffness_N_per_m = K, .damping_Ns_per_m = B}, Regime::kMoving);
  return NeededDamping_Ns_per_m(H, kT, delay);
}

// Source: closed form, Re{(1 - 1/z)(K + B (1 - 1/z)/T)}/(1 - cos θ) = K - (2 B/T) cos θ, so b > K T/2 + |B|
// [ColgateSchenkel94]. Tolerance: for B < 0 the maximum is at θ → 0, and the lowest frequency is 1e-3.
TEST(Stability, NeedsTheDampingOfColgateForTheLastStep) {
  for (const double K : {0.0, 100.0, 5000.0})
    for (const double B : {-0.7, 0.0, 0.3, 4.0}) EXPECT_NEAR(Needed(K, B, 0), K * kT / 2 + std::abs(B), 1e-5);
}

// Source: closed form, sin((2 d + 1) θ/2)/sin(θ/2) is largest, 2 d + 1, at θ → 0: b > K (T/2 + t_d). Tolerance: at
// θ = 1e-3 the fraction is 1e-6 θ²-terms lower.
TEST(Stability, NeedsMoreDampingForEachPeriodOfDelay) {
  for (const int d : {0, 1, 2, 5}) EXPECT_NEAR(Needed(1000, 0, d) / (1000 * kT * (0.5 + d)), 1, 1e-4);
  EXPECT_NEAR(Needed(1000, 0, 0.5) / (1000 * kT), 1, 1e-4);
}

// Source: the wall K + B (1 - 1/z)/T as a fraction of polynomials, evaluated by hand at z = exp(jθ).
TEST(Stability, TakesAnyFilterAsAFraction) {
  const double K = 700, B = 2, theta = 0.9;
  const double numerator[] = {K + B / kT, -B / kT}, one[] = {1}, low_pass[] = {1, -0.8};
  const std::complex<double> z1 = std::polar(1.0, -theta), wall = K + B / kT * (1.0 - z1);
  EXPECT_LT(std::abs(Response(FilterOf(numerator, one), theta) - wall), 1e-9 * std::abs(wall));
  const std::complex<double> filtered = wall / (1.0 - 0.8 * z1);
  EXPECT_LT(std::abs(Response(FilterOf(numerator, low_pass), theta) - filtered), 1e-9 * std::abs(filtered));
}

/// The rig against the wall, step by step: the exact solution of m x″ + b x′ = f over half a period, twice, so that a delay
/// of half a period can be had too. @returns whether the late energy is below the early one
bool SimulatedDecays(double K, double B, int half_ticks_late) {
  const double m = 0.1, b = 0.5, t = kT / 2, e = std::exp(-b * t / m), a = m / b * (1 - e);
  double x = 1e-3, v = 0, last_x = x, early = 0, late = 0;
  std::vector<double> forces(static_cast<std::size_t>(half_ticks_late), 0.0);
  constexpr int kTicks = 60'000;
  for (int k = 0; k < kTicks; ++k) {
    const double force = -(K * x + B * (x - last_x) / kT);
    last_x = x;
    for (int half = 0; half < 2; ++half) {
      forces.push_back(force);
      const double f = forces[forces.size() - 1 - static_cast<std::size_t>(half_ticks_late)];
      x += a * v + (t - a) / b * f;
      v = e * v + (1 - e) / b * f;
    }
    if (!(std::abs(x) < 1e6)) return false;
    if (k >= 1000 && k < 2000) early += K * x * x + m * v * v;
    if (k >= kTicks - 1000) late += K * x * x + m * v * v;
  }
  return late < early;
}

// Source: independent computation, the long simulation above. Tolerance: 60 s grow or decay visibly within 0.1 % of the
// edge.
TEST(Stability, EndsWhereALongSimulationBeginsToGrow) {
  for (const int half_ticks : {0, 1, 2, 4}) {
    for (const double B : {0.0, 0.5, 2.0, 8.0}) {
      const double K = LargestStable_N_per_m(Rig(), Wall(0.5 * half_ticks), B, Regime::kMoving);
      EXPECT_TRUE(SimulatedDecays(0.999 * K, B, half_ticks)) << K << " " << B << " " << half_ticks;
      EXPECT_FALSE(SimulatedDecays(1.001 * K, B, half_ticks)) << K << " " << B << " " << half_ticks;
    }
  }
}

// Source: Jury's conditions of the sampled mass with x and v known exactly, F = -(K x + (B + T K) v):
// 4 - 2 (B + T K) T/m > 0, so K < 2 m/T² - B/T. Tolerance: the device's damping is 1e-9.
TEST(Stability, OfTheObserverWithTheTrueMassIsThatOfAKnownState) {
  const AxisDevice device{.mass_kg = 0.25, .damping_Ns_per_m = 1e-9, .coulomb_N = {}, .resolution_m = 38e-6};
  for (const double B : {0.5, 3.0, 20.0}) {
    const double closed = 2 * 0.25 / (kT * kT) - B / kT;
    EXPECT_NEAR(LargestStable_N_per_m(device, {.period_s = kT}, B, Regime::kMoving) / closed, 1, 1e-4);
  }
}

// Source: a mass that is felt one period late, m a = -M a₋: the sum grows for M > m, whatever K.
TEST(Stability, FindsThatAFreeToolIsTooHeavyForALateDevice) {
  AxisLoop loop{.period_s = kT, .delay_ticks = 1, .declared_delay_ticks = 1};
  const AxisCoupling coupling{.stiffness_N_per_m = 2000, .damping_Ns_per_m = 5};
  loop.tool_mass_kg = 0.05;
  EXPECT_TRUE(IsStable({Rig()}, loop, coupling));
  loop.tool_mass_kg = 1;
  EXPECT_FALSE(IsStable({Rig()}, loop, {.stiffness_N_per_m = 20000, .damping_Ns_per_m = 5}));
}

// Source: f_c < K q/2 and K ≤ 2 f_c/q [AbbottOkamura05].
TEST(Stability, SaysWhereALimitCycleIs) {
  AxisDevice device{.mass_kg = 0.25, .damping_Ns_per_m = 0.4, .coulomb_N = 0.03, .resolution_m = 40e-6};
  const AxisLoop loop;
  EXPECT_DOUBLE_EQ(Analyse({device}, loop, {.stiffness_N_per_m = 1000, .damping_Ns_per_m = 3}).friction_N_per_m, 1500);
  EXPECT_FALSE(Analyse({device}, loop, {.stiffness_N_per_m = 1499, .damping_Ns_per_m = 3}).hunts);
  EXPECT_TRUE(Analyse({device}, loop, {.stiffness_N_per_m = 1501, .damping_Ns_per_m = 3}).hunts);
  device.coulomb_N.reset();
  EXPECT_FALSE(Analyse({device}, loop, {.stiffness_N_per_m = 1501, .damping_Ns_per_m = 3}).hunts);
}

TEST(Stability, RecommendsWhatIsStableAtTwiceTheStiffnessAndOnePeriodLate) {
  for (const int delay : {0, 1, 2}) {
    const DeviceModel device = ModelOf("", hal::FalconClass());
    AxisLoop loop{.delay_ticks = static_cast<double>(delay), .declared_delay_ticks = delay};
    AxisCoupling good = Recommend({device.linear}, loop, 20e3).coupling;
    EXPECT_GT(good.stiffness_N_per_m, 0);
    EXPECT_LE(good.stiffness_N_per_m, 2 * 0.30 / 38e-6);  // friction against a count
    good.stiffness_N_per_m *= 1.99;
    EXPECT_TRUE(IsStable({device.linear}, loop, good));
    good.stiffness_N_per_m *= 0.5;
    loop.delay_ticks += 1;
    EXPECT_TRUE(IsStable({device.linear}, loop, good));
  }
}

// Source: what an axis alone gives. The second is heavier and has more damping: the first ends the earlier.
TEST(Stability, OfSeveralAxesIsTheWorstOfEach) {
  const AxisLoop loop{.period_s = kT, .delay_ticks = 1.4, .declared_delay_ticks = 1, .declared_mass = 0.14};
  const AxisCoupling coupling{.stiffness_N_per_m = 1500, .damping_Ns_per_m = 8};
  const AxisDevice light{.mass_kg = 0.08, .damping_Ns_per_m = 0.05, .coulomb_N = 0.1, .resolution_m = 70e-6};
  const AxisDevice heavy{.mass_kg = 0.22, .damping_Ns_per_m = 0.2, .coulomb_N = 0.1, .resolution_m = 70e-6};
  const StabilityReport a = Analyse({light}, loop, coupling), b = Analyse({heavy}, loop, coupling);
  for (const bool light_first : {true, false}) {
    const std::vector<AxisDevice> both =
        light_first ? std::vector<AxisDevice>{light, heavy} : std::vector<AxisDevice>{heavy, light};
    const StabilityReport worst = Analyse(both, loop, coupling);
    EXPECT_LT(a.stable.N_per_m, b.stable.N_per_m);
    EXPECT_EQ(worst.first, light_first ? 0 : 1);
    EXPECT_EQ(worst.stable.N_per_m, a.stable.N_per_m);
    EXPECT_EQ(worst.passive_closed_form_N_per_m, std::min(a.passive_closed_form_N_per_m, b.passive_closed_form_N_per_m));
    EXPECT_EQ(worst.growth, std::max(a.growth, b.growth));
    EXPECT_EQ(worst.friction_N_per_m, a.friction_N_per_m);
    const AxisCoupling good = Recommend(both, loop, 20e3).coupling;
    EXPECT_TRUE(IsStable({light}, loop, good) && IsStable({heavy}, loop, good));
  }
  const AxisCoupling between{.stiffness_N_per_m = std::sqrt(a.stable.N_per_m * b.stable.N_per_m), .damping_Ns_per_m = 8};
  EXPECT_TRUE(IsStable({heavy}, loop, between));
  EXPECT_FALSE(IsStable({heavy, light}, loop, between));
  const AxisDevice wrong{.mass_kg = -1, .damping_Ns_per_m = 0, .coulomb_N = {}};
  EXPECT_FALSE(Analyse({light, wrong}, loop, coupling).refusal.empty());
  EXPECT_FALSE(IsStable({light, wrong}, loop, coupling));
}

// Source: f_c against K q/2 [AbbottOkamura05]: what would grow within a count is held while f_c is the larger, and counts
// where it is not or nobody knows. A mass that is declared too heavy makes it grow.
TEST(Stability, CountsASwingWithinACountOnlyWhereFrictionDoesNotHoldIt) {
  const AxisLoop loop{.period_s = kT, .delay_ticks = 1.4, .declared_delay_ticks = 1, .declared_mass = 0.14};
  const AxisCoupling coupling{.stiffness_N_per_m = 1500, .damping_Ns_per_m = 3};
  AxisDevice device{.mass_kg = 0.08, .damping_Ns_per_m = 0.07, .coulomb_N = 0.1, .resolution_m = 70e-6};
  const StabilityReport held = Analyse({device}, loop, coupling);
  EXPECT_LT(held.stable_calm_N_per_m, 1500);
  EXPECT_TRUE(held.is_stable);
  EXPECT_DOUBLE_EQ(held.stable.N_per_m, std::min(held.friction_N_per_m, held.stable_moving_N_per_m));
  for (const std::optional<double> friction : {std::optional<double>(0.05), std::optional<double>()}) {
    device.coulomb_N = friction;  // K q/2 is 0.0525
    const StabilityReport loose = Analyse({device}, loop, coupling);
    EXPECT_FALSE(loose.is_stable);
    EXPECT_EQ(loose.stable.by, StabilityLimit::kCalmPole);
    EXPECT_LT(loose.stable.N_per_m, 1500);
  }
}

// Source: docs/benchmarks.md, preset-zwidth, measured: woodenhaptics on its own line swings above 2.8 kN/m at B = 3, 1.1
// at 1. Its mean mass says 3.2 and 1.25.
TEST(Stability, OfAPresetIsThatOfItsLightestDirection) {
  const DeviceModel device = ModelOf(*hal::FindPreset("woodenhaptics"));
  const std::vector<AxisDevice> axes = AxesOf(device, false);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_LT(axes[0].mass_kg, 0.6 * device.linear.mass_kg);
  double moment = 0;  // of M_x: its trace is the sum of its eigenvalues, and the mean mass a third of it
  for (const AxisDevice& axis : axes) moment += axis.mass_kg / 3;
  EXPECT_NEAR(moment, device.linear.mass_kg, 1e-9);
  EXPECT_EQ(AxesOf(DeclaredModel("d", PegInHoleConfig().device), false).size(), 1u);
}

TEST(Stability, RefusesHostileNumbersByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto refusal = [](const auto& change) {
    AxisDevice device = Rig();
    AxisLoop loop;
    AxisCoupling coupling{.stiffness_N_per_m = 1000, .damping_Ns_per_m = 1};
    change(&device, &loop, &coupling);
    EXPECT_FALSE(IsStable({device}, loop, coupling));
    const std::string text = Analyse({device}, loop, coupling).refusal;
    return text.substr(0, text.find(' '));
  };
  for (const double bad : {nan, inf, -inf, -1.0, 0.0, 1e-300, 1e300}) {
    EXPECT_EQ(refusal([&](AxisDevice* d, AxisLoop*, AxisCoupling*) { d->mass_kg = bad; }), "mass_kg") << bad;
    EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop* l, AxisCoupling*) { l->period_s = bad; }), "period_s") << bad;
  }
  for (const double bad : {nan, inf, -1.0, 1e300}) {
    EXPECT_EQ(refusal([&](AxisDevice* d, AxisLoop*, AxisCoupling*) { d->damping_Ns_per_m = bad; }), "damping_Ns_per_m");
    EXPECT_EQ(refusal([&](AxisDevice* d, AxisLoop*, AxisCoupling*) { d->coulomb_N = bad; }), "coulomb_N");
    EXPECT_EQ(refusal([&](AxisDevice* d, AxisLoop*, AxisCoupling*) { d->resolution_m = bad; }), "resolution_m");
    EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop* l, AxisCoupling*) { l->delay_ticks = bad; }), "delay_ticks");
    EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop* l, AxisCoupling*) { l->tool_mass_kg = bad; }), "tool_mass_kg");
    EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop*, AxisCoupling* c) { c->stiffness_N_per_m = bad; }), "coupling.stiffness");
    EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop*, AxisCoupling* c) { c->damping_Ns_per_m = bad; }), "coupling.damping");
  }
  EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop* l, AxisCoupling*) { l->window = 0; }), "window");
  EXPECT_EQ(refusal([&](AxisDevice*, AxisLoop* l, AxisCoupling*) { l->declared_delay_ticks = -1; }), "declared_delay_ticks");
}

// 85 states of 88: the check of Eigen's bounds would abort.
TEST(Stability, FitsTheLongestDelayAndTheLongestWindow) {
  const AxisLoop window{.period_s = kT, .delay_ticks = 20, .estimate = Estimate::kWindow, .window = 60};
  EXPECT_TRUE(IsStable({Rig()}, window, {.stiffness_N_per_m = 1, .damping_Ns_per_m = 0}));
  EXPECT_FALSE(IsStable({Rig()}, window, {.stiffness_N_per_m = 1000, .damping_Ns_per_m = 0}));
  const AxisLoop own{.period_s = kT, .delay_ticks = 20, .declared_delay_ticks = 20};
  AxisDevice coarse = Rig();
  coarse.resolution_m = 40e-6;
  EXPECT_TRUE(IsStable({coarse}, own, {.stiffness_N_per_m = 1, .damping_Ns_per_m = 0.01}));
}

}  // namespace
}  // namespace tactus::host
