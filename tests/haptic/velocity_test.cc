#include "tactus/haptic/velocity.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec6 = Vec<double, 6>;
constexpr double kPeriod_s = 1e-3;
constexpr VelocityConfig<double> kConfig{.resolution_m = 4e-5, .resolution_rad = 1e-3, .max_window_ticks = 10};

/// Feeds positions of axis 0; the first is where the handle starts.
class Feed {
 public:
  explicit Feed(double start_m) : last_m_(start_m) {}
  double operator()(double position_m, int periods = 1) {
    Vec6 step = Vec6::Zero();
    step(0) = position_m - last_m_;
    last_m_ = position_m;
    estimator_.Push(step, periods);
    return estimator_.Estimate(kConfig, kPeriod_s)(0);
  }

 private:
  VelocityEstimator<double> estimator_;
  double last_m_;
};

TEST(VelocityEstimator, IsZeroBeforeTheFirstStep) {
  EXPECT_EQ(VelocityEstimator<double>().Estimate(kConfig, kPeriod_s), Vec6::Zero());
}

TEST(VelocityEstimator, IsExactAtConstantSpeedFromTheFirstStepOn) {
  Feed feed(0);
  for (int k = 1; k <= 40; ++k) EXPECT_NEAR(feed(0.3 * k * kPeriod_s), 0.3, 1e-13) << k;
}

TEST(VelocityEstimator, KeepsTheNoiseOfASlowQuantisedMotionInBounds) {
  // Source: both ends of a window of n periods are off by at most the encoder's half step D/2 (D is the resolution).
  constexpr double kSpeed_mps = 0.01, kBound_mps = 4e-5 / (10 * kPeriod_s);
  const auto quantised = [](int k) { return 4e-5 * std::round(kSpeed_mps * k * kPeriod_s / 4e-5); };
  Feed feed(0);
  for (int k = 1; k <= 500; ++k) {
    const double speed_mps = feed(quantised(k));
    if (k < 10) continue;
    EXPECT_NEAR(speed_mps, kSpeed_mps, kBound_mps) << k;
  }
}

TEST(VelocityEstimator, FollowsASuddenStopWithinTwoPeriods) {
  Feed feed(0);
  for (int k = 1; k <= 20; ++k) feed(0.5 * k * kPeriod_s);
  feed(0.5 * 20 * kPeriod_s);
  // The stop cuts the window: at 0.5 mm a period a line over the kink misses by more than the resolution.
  EXPECT_NEAR(feed(0.5 * 20 * kPeriod_s), 0, 1e-12);
}

TEST(VelocityEstimator, LagsByHalfTheWindowAtMost) {
  // Source: closed form: under constant acceleration a the mean slope over n periods is a n h / 2 behind.
  constexpr double kAcceleration = 2;
  Feed feed(0);
  for (int k = 1; k <= 200; ++k) {
    const double t_s = k * kPeriod_s, speed_mps = feed(kAcceleration * t_s * t_s / 2);
    EXPECT_LE(kAcceleration * t_s - speed_mps, kAcceleration * 10 * kPeriod_s / 2 + 1e-12);
    EXPECT_GE(kAcceleration * t_s - speed_mps, 0);
  }
}

TEST(VelocityEstimator, SharesAStepOutOverMissedPeriods) {
  Feed feed(0);
  for (int k = 1; k <= 5; ++k) feed(0.2 * k * kPeriod_s);
  EXPECT_NEAR(feed(0.2 * 9 * kPeriod_s, 4), 0.2, 1e-13);
}

TEST(VelocityEstimator, SurvivesAGapLongerThanItsWindow) {  // Source: the mean speed over the gap.
  Feed feed(0);
  EXPECT_NEAR(feed(1.0, 1000), 1.0, 1e-12);
}

TEST(VelocityEstimator, ForgetsItsStepsWhenItIsReset) {
  VelocityEstimator<double> estimator;
  estimator.Push(Vec6::Ones(), 3);
  estimator.Reset();
  EXPECT_EQ(estimator.count(), 0);
  for (int age = 0; age < kMaxVelocityWindow; ++age) EXPECT_EQ(estimator.step(age), Vec6::Zero()) << age;
}

TEST(VelocityEstimator, TreatsEveryAxisByItself) {
  VelocityEstimator<double> estimator;
  Vec6 step;
  step << 1e-4, -2e-4, 3e-4, 1e-3, -2e-3, 3e-3;
  for (int k = 0; k < 12; ++k) estimator.Push(step, 1);
  const Vec6 expected = step / kPeriod_s;
  EXPECT_LE((estimator.Estimate(kConfig, kPeriod_s) - expected).norm(), 1e-12);
}

}  // namespace
}  // namespace tactus
