#include "tactus/haptic/limits.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;
constexpr double kPeriod_s = 1e-3;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

LimitConfig<double> Limits() {
  return {.max_force_rate_N_per_s = 1000, .max_torque_rate_Nm_per_s = 50, .max_force_N = 8, .max_torque_Nm = 0.2};
}

Vec6 Wrench(const Vec3& force_N, const Vec3& torque_Nm) {
  Vec6 wrench;
  wrench << force_N, torque_Nm;
  return wrench;
}

TEST(ClampNorm, KeepsTheDirection) {
  Vec3 a(3, -4, 12);
  EXPECT_TRUE(ClampNorm(6.5, &a));
  EXPECT_LE((a - Vec3(1.5, -2, 6)).norm(), 1e-15);
  EXPECT_FALSE(ClampNorm(6.6, &a));
}

TEST(ClampNorm, DoesNotOverflow) {
  Vec3 a(1e300, 0, -1e300);
  EXPECT_TRUE(ClampNorm(1.0, &a));
  EXPECT_NEAR(a.norm(), 1, 1e-15);
}

TEST(LimitWrench, PassesWhatIsInsideAllLimits) {
  std::uint32_t status = 0;
  const Vec6 last = Wrench(Vec3(1, 2, 3), Vec3(0.1, 0, 0)), wanted = Wrench(Vec3(1.2, 2, 3), Vec3(0.11, 0, 0));
  EXPECT_LE((LimitWrench(wanted, 1.0, last, kPeriod_s, Limits(), &status) - wanted).norm(), 1e-15);
  EXPECT_EQ(status, 0u);
}

TEST(LimitWrench, ZeroesTheCommandAtOnceWhenAnythingIsNotFinite) {
  for (const double bad : {kNan, kInf, -kInf}) {
    for (int i = 0; i < 6; ++i) {
      Vec6 wrench = Vec6::Ones();
      wrench(i) = bad;
      std::uint32_t status = 0;
      EXPECT_EQ(LimitWrench(wrench, 1.0, Wrench(Vec3(5, 0, 0), Vec3::Zero()), kPeriod_s, Limits(), &status), Vec6::Zero());
      EXPECT_EQ(status, status_bit::kForceNotFinite);
    }
  }
}

TEST(LimitWrench, LimitsTheChangeOfTheVector) {  // Source: 1000 N/s for 1 ms is 1 N, along the change.
  std::uint32_t status = 0;
  const Vec6 last = Wrench(Vec3(2, 0, 0), Vec3::Zero());
  const Vec6 command = LimitWrench(Wrench(Vec3(2, 5, 0), Vec3::Zero()), 1.0, last, kPeriod_s, Limits(), &status);
  EXPECT_LE((command.head<3>() - Vec3(2, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(status, status_bit::kRateLimited);
}

TEST(LimitWrench, ScalesByTheGainBeforeItLimitsTheRate) {
  std::uint32_t status = 0;
  const Vec6 last = Wrench(Vec3(2.9, 0, 0), Vec3::Zero());
  const Vec6 command = LimitWrench(Wrench(Vec3(6, 0, 0), Vec3::Zero()), 0.5, last, kPeriod_s, Limits(), &status);
  EXPECT_NEAR(command(0), 3, 1e-15);
  EXPECT_EQ(status, 0u);
}

TEST(LimitWrench, RampsInAStraightLineWhenMoreIsWantedThanMayGoOut) {  // Source: gain times the clamp, 8 N and 0.2 N·m.
  Vec6 last = Vec6::Zero();
  for (int k = 1; k <= 250; ++k) {
    std::uint32_t status = 0;
    last = LimitWrench(Wrench(Vec3(0, 0, 73.6), Vec3(1.5, 0, 0)), k / 250.0, last, kPeriod_s, Limits(), &status);
    // Tolerance: the roundings of 250 sums of numbers below 8.
    ASSERT_NEAR(last(2), 8 * k / 250.0, 1e-12) << k;
    ASSERT_NEAR(last(3), 0.2 * k / 250.0, 1e-13) << k;
    ASSERT_EQ(status, status_bit::kForceClamped | status_bit::kTorqueClamped) << k;
  }
}

TEST(LimitWrench, ClampsForceAndTorqueEachByItself) {
  std::uint32_t status = 0;
  const Vec6 last = Wrench(Vec3(0, 7.9, 0), Vec3(0, 0, 0.19));
  const Vec6 command = LimitWrench(Wrench(Vec3(0, 8.5, 0), Vec3(0, 0, 0.15)), 1.0, last, kPeriod_s, Limits(), &status);
  EXPECT_LE((command - Wrench(Vec3(0, 8, 0), Vec3(0, 0, 0.15))).norm(), 1e-14);
  EXPECT_EQ(status, status_bit::kForceClamped);
}

TEST(LimitWrench, IsInsideEveryLimitWhateverComesIn) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-3, 200);
  Vec6 last = Vec6::Zero();
  for (int i = 0; i < 10'000; ++i) {
    Vec6 wanted;
    for (int j = 0; j < 6; ++j) wanted(j) = normal(random) * std::pow(10.0, exponent(random));
    std::uint32_t status = 0;
    const Vec6 command = LimitWrench(wanted, 1.0, last, kPeriod_s, Limits(), &status);
    const Vec6 change = command - last;
    // Tolerance: a few roundings of numbers of the limits' size.
    EXPECT_LE(command.head<3>().norm(), 8 * (1 + 1e-15));
    EXPECT_LE(command.tail<3>().norm(), 0.2 * (1 + 1e-15));
    EXPECT_LE(change.head<3>().norm(), 1 + 1e-14);
    EXPECT_LE(change.tail<3>().norm(), 0.05 + 1e-15);
    last = command;
  }
}

}  // namespace
}  // namespace tactus
