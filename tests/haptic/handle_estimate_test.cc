#include "tactus/haptic/handle_estimate.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;
constexpr double kPeriod_s = 1e-3, kCount_m = 4e-5;

double Quantised(double x_m) { return kCount_m * std::round(x_m / kCount_m); }

/// Feeds positions along x, and the force held before each.
class Feed {
 public:
  DeviceConfig<double> device;
  CouplingConfig<double> coupling;
  HandleEstimator<double> estimator;

  double period_s = kPeriod_s;

  Feed() { estimator.Reset(Vec3::Zero(), IdentityQuaternion<double>()); }
  double operator()(double position_m, double force_N = 0, int periods = 1) {
    Vec6 wrench = Vec6::Zero();
    wrench(0) = force_N;
    estimator.Update(Vec3(position_m, 0, 0), IdentityQuaternion<double>(), wrench, periods, device, coupling, period_s);
    return estimator.handle().twist_W(0);
  }
  double position_m() const { return estimator.handle().p_WH_m(0); }
};

TEST(SampleGains, AreTheNumbersThemselvesAtAMillisecond) {
  using Numbers = internal::HandleGains<double>;
  const auto gains = internal::SampleGains<double>::At(0.001);
  EXPECT_EQ(gains.slow, Numbers::kSlow);
  EXPECT_EQ(gains.fast, Numbers::kFast);
  EXPECT_EQ(gains.averaging, Numbers::kAveraging);
  EXPECT_EQ(gains.memory, Numbers::kMemory);
  EXPECT_EQ(gains.learning, Numbers::kLearning);
}

TEST(SampleGains, LeaveTheSameAfterAMillisecondOfAnyRate) {  // Source: 1 - g(h) = (1 - g)^(h/1 ms), by libm's pow.
  using Numbers = internal::HandleGains<double>;
  for (const double s : {0.1, 0.125, 0.25, 0.5, 0.999, 2.0, 10.0}) {  // 10 kHz to 100 Hz: kPeriodField
    const auto gains = internal::SampleGains<double>::At(s * 1e-3);
    // Tolerance: the logarithms have 15 digits, times s.
    EXPECT_NEAR(gains.slow, 1 - std::pow(1 - Numbers::kSlow, s), 1e-13) << s;
    EXPECT_NEAR(gains.fast, 1 - std::pow(1 - Numbers::kFast, s), 1e-13) << s;
    EXPECT_NEAR(gains.averaging, 1 - std::pow(1 - Numbers::kAveraging, s), 1e-13) << s;
    EXPECT_NEAR(gains.memory, std::pow(Numbers::kMemory, s), 1e-13) << s;
  }
}

/// rms of the velocity's error while the handle goes steadily, after a second at that [m/s].
double VelocityNoise_mps(double speed_mps, int rate_Hz) {
  Feed feed;
  feed.period_s = 1.0 / rate_Hz;
  double sum = 0;
  for (int k = 1; k <= 2 * rate_Hz; ++k) {
    const double error_mps = feed(Quantised(speed_mps * k * feed.period_s)) - speed_mps;
    if (k > rate_Hz) sum += error_mps * error_mps;
  }
  return std::sqrt(sum / rate_Hz);
}

// Source: an edge of a count comes at the same place at any rate; seen more often, it tells no less. Gains that did not know
// their period made 3 to 14 times the noise at 4 kHz.
TEST(HandleEstimator, IsNoNoisierAtAHigherRate) {
  for (const double speed_mps : {0.003, 0.0117, 0.03}) {
    const double slow_loop = VelocityNoise_mps(speed_mps, 1000);
    for (const int rate_Hz : {2000, 4000, 10'000}) {
      EXPECT_LE(VelocityNoise_mps(speed_mps, rate_Hz), 1.1 * slow_loop) << speed_mps << " m/s at " << rate_Hz << " Hz";
    }
  }
}

TEST(HandleEstimator, StartsAtRestWhereItIsPut) {
  HandleEstimator<double> estimator;
  const Quaternion<double> q = ExpMap(Vec3(0.1, 0.2, 0.3));
  estimator.Reset(Vec3(1, 2, 3), q);
  EXPECT_EQ(estimator.handle().p_WH_m, Vec3(1, 2, 3));
  EXPECT_EQ(estimator.handle().q_WH, q);
  EXPECT_EQ(estimator.handle().twist_W, Vec6::Zero());
  EXPECT_EQ(estimator.way_W(), Vec6::Zero());
}

TEST(HandleEstimator, IsTheSampleItselfForAnIdealSensor) {
  Feed feed;
  feed.device.resolution_m = 0;
  for (int k = 1; k <= 40; ++k) {
    const double x_m = 0.3 * k * kPeriod_s + 1e-3 * (k % 3);
    feed(x_m, 5);
    EXPECT_NEAR(feed.position_m(), x_m, 1e-15);
  }
  EXPECT_NEAR(feed(0.3 * 41 * kPeriod_s + 1e-3 * 2), 0.3 + 1, 1e-12);  // the step from k = 40, over a period
}

TEST(HandleEstimator, StaysNearTheSampleWhateverComes) {  // Source: the clamp, 1.5 counts.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  Feed feed;
  for (int k = 0; k < 10'000; ++k) {
    const double x_m = 0.01 * unit(random);
    feed(x_m, 8 * unit(random), 1 + k % 5);
    ASSERT_LE(std::abs(feed.position_m() - x_m), 1.5 * kCount_m + 1e-15) << k;
    ASSERT_TRUE(std::isfinite(feed.estimator.handle().twist_W(0))) << k;
  }
}

TEST(HandleEstimator, HoldsStillWhenTheSampleDoes) {  // Source: nothing moves, so the estimate ends at the sample at rest.
  Feed feed;
  for (int k = 1; k <= 200; ++k) feed(0.1 * k * kPeriod_s);
  for (int k = 0; k < 1000; ++k) feed(0.02);
  EXPECT_NEAR(feed.position_m(), 0.02, 1e-9);
  EXPECT_NEAR(feed(0.02), 0, 1e-9);
}

TEST(HandleEstimator, IsQuietOverCounts) {
  // Source: closed form of an α-β filter under white rounding q²/12: velocity noise ≤ √(β²/(θ (4 - 2θ - β)/…)) q/√12/h is
  // below β q/h; with θ = 0.12, β = 0.0077: 0.3 mm/s. A raw step has q/h = 40 mm/s.
  constexpr double kSpeed_mps = 0.0137;
  Feed feed;
  for (int k = 1; k <= 3000; ++k) {
    const double speed_mps = feed(Quantised(kSpeed_mps * k * kPeriod_s));
    if (k < 500) continue;
    ASSERT_NEAR(speed_mps, kSpeed_mps, 0.0077 * kCount_m / kPeriod_s * 2) << k;
    ASSERT_NEAR(feed.position_m(), kSpeed_mps * k * kPeriod_s, kCount_m / 2) << k;
  }
}

/// A mass of `mass_kg` under a force that jumps every 100 ms, behind the default encoder.
/// @returns the largest error of the velocity after a second of learning.
double WorstError(double mass_kg, double force_N, Feed* feed) {
  double x_m = 0, v_mps = 0, worst_mps = 0;
  for (int k = 0; k < 3000; ++k) {
    const double f_N = (k / 100) % 2 == 0 ? force_N : -force_N;
    x_m += kPeriod_s * v_mps + kPeriod_s * kPeriod_s / 2 * f_N / mass_kg;
    v_mps += kPeriod_s * f_N / mass_kg;
    const double estimate_mps = (*feed)(Quantised(x_m), f_N);
    if (k >= 1000) worst_mps = std::max(worst_mps, std::abs(estimate_mps - v_mps));
  }
  return worst_mps;
}

TEST(HandleEstimator, ForeseesWhatItsOwnForceDoes) {
  // 2 N on 0.25 kg: the speed swings by 0.8 m/s. Source: with the right model only rounding is left, β q/h at the fast gain
  // θ = 0.6, β = 0.257: 10 mm/s; without it, a filter of the slow gain's time constant would be 100 mm/s late.
  Feed feed;
  EXPECT_LE(WorstError(0.25, 2, &feed), 0.010);
  EXPECT_NEAR(feed.estimator.share(0), 1, 0.1);
}

TEST(HandleEstimator, LearnsTheShareOfTheForceThatMovesTheHandle) {  // Source: m / (m + m_hand), and a wrong mass.
  for (const double true_mass_kg : {0.1, 0.25, 0.5, 1.0}) {
    Feed feed;
    (void)WorstError(true_mass_kg, 2, &feed);
    EXPECT_NEAR(feed.estimator.share(0), 0.25 / true_mass_kg, 0.15 * 0.25 / true_mass_kg) << true_mass_kg;
  }
}

TEST(HandleEstimator, KeepsTheShareInItsBounds) {  // Source: 0 … 3.
  Feed light, led;
  (void)WorstError(0.02, 2, &light);
  EXPECT_EQ(light.estimator.share(0), 3);
  for (int k = 0; k < 5000; ++k) led(Quantised(-1e-3 * std::sin(0.05 * k)), 8 * std::sin(0.05 * k));  // against the force
  EXPECT_GE(led.estimator.share(0), 0);
}

/// The velocity after a force of ±0.5 N at 5 Hz, or none, on a handle that is led by `amplitude_m` at 5 Hz: the first 0.3 s
/// without force.
double LedSpeed(double amplitude_m, double force_N, double stiffness_N_per_m) {
  Feed feed;
  feed.coupling.stiffness_N_per_m = stiffness_N_per_m;
  double speed_mps = 0;
  for (int k = 0; k < 560; ++k) {
    const double f_N = k < 300 ? 0 : force_N * std::sin(0.01 * std::numbers::pi * (k - 300));
    speed_mps = feed(Quantised(amplitude_m * std::cos(0.01 * std::numbers::pi * k)), f_N);
  }
  return speed_mps;
}

TEST(HandleEstimator, DoesNotFeedSlowForcesToAHandleThatMoves) {
  // Source: 0.5 N at 5 Hz changes by at most 0.016 N a period, δ is 0.004 · 0.25 kg · 40 µm/ms² = 0.04 N.
  EXPECT_EQ(LedSpeed(4 * kCount_m, 0.5, 1500), LedSpeed(4 * kCount_m, 0, 1500));
  EXPECT_NE(LedSpeed(4 * kCount_m, 0.5, 6000), LedSpeed(4 * kCount_m, 0, 6000));      // a stiff loop needs them
  EXPECT_NE(LedSpeed(1.2 * kCount_m, 0.5, 1500), LedSpeed(1.2 * kCount_m, 0, 1500));  // within the play: at rest
}

TEST(HandleEstimator, PredictsOverMissedSamples) {  // Source: constant speed, known.
  Feed feed;
  int k = 0;
  for (; k < 300; ++k) feed(Quantised(0.1 * k * kPeriod_s));
  for (int gap = 1; gap <= kMaxPredicted_periods; ++gap) {
    k += gap - 1;
    const double speed_mps = feed(Quantised(0.1 * k * kPeriod_s), 0, gap);
    ++k;
    EXPECT_NEAR(speed_mps, 0.1, 0.005) << gap;
  }
}

TEST(HandleEstimator, StartsAfreshAfterALongGap) {  // Source: the mean speed over the gap.
  Feed feed;
  feed(0.01);
  const double before_m = feed.position_m();
  EXPECT_NEAR(feed(0.51, 3, 1000), (0.51 - before_m) / 1.0, 1e-12);
  EXPECT_EQ(feed.position_m(), 0.51);
  EXPECT_EQ(feed.estimator.way_W(), Vec6::Zero());
}

TEST(HandleEstimator, FollowsATurnAboutAnyAxis) {  // Source: the exponential map of a constant angular velocity.
  const Vec3 omega_radps(1.2, -0.7, 2.1);
  HandleEstimator<double> estimator;
  estimator.Reset(Vec3::Zero(), IdentityQuaternion<double>());
  const DeviceConfig<double> device;
  for (int k = 1; k <= 1000; ++k) {
    const Quaternion<double> q = ExpMap<double>(omega_radps * (k * kPeriod_s));
    estimator.Update(Vec3::Zero(), q, Vec6::Zero(), 1, device, CouplingConfig<double>{}, kPeriod_s);
    const Vec3 off_rad = LogMap(Multiply(q, Conjugate(estimator.handle().q_WH)));
    ASSERT_LE(off_rad.cwiseAbs().maxCoeff(), 1.5 * device.resolution_rad + 1e-5) << k;  // second order: 2.5 mrad · 1.5 D
  }
  EXPECT_LE((estimator.handle().twist_W.tail<3>() - omega_radps).norm(), 1e-3);
  EXPECT_NEAR(estimator.handle().q_WH.norm(), 1, 1e-12);
}

TEST(HandleEstimator, TreatsEveryAxisByItself) {
  HandleEstimator<double> together;
  together.Reset(Vec3::Zero(), IdentityQuaternion<double>());
  Feed alone;
  const DeviceConfig<double> device;
  for (int k = 1; k <= 500; ++k) {
    const double x_m = Quantised(0.002 * std::sin(0.05 * k));
    Vec6 wrench = Vec6::Zero();
    wrench(0) = 1;
    wrench(1) = -3;
    together.Update(Vec3(x_m, 0.001 * k, -0.0003 * k), IdentityQuaternion<double>(), wrench, 1, device,
                    CouplingConfig<double>{}, kPeriod_s);
    alone(x_m, 1);
    ASSERT_EQ(together.handle().twist_W(0), alone.estimator.handle().twist_W(0));
  }
}

TEST(CommandHistory, GivesTheCommandThatActsNow) {
  CommandHistory<double> history;
  for (int tick = 1; tick <= 20; ++tick) {
    history.Push(Vec6::Constant(tick));
    for (int delay = 0; delay <= kMaxCommandDelay_ticks; ++delay) {
      EXPECT_EQ(history.Applied(delay)(3), std::max(0, tick - delay)) << tick << " " << delay;
    }
  }
}

}  // namespace
}  // namespace tactus
