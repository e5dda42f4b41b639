#include "tactus/device/joint_friction.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace tactus {
namespace {

constexpr double kPeriod_s = 1e-3;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::array<MotorCalibration<double>, 1> Motor() {
  return {MotorCalibration<double>{.counts_per_turn = 2000, .turns_per_joint_turn = 16}};
}
JointFriction<double> Half() {
  return {.share = 0.5, .coulomb_Nm = 0.04, .viscous_Nms_per_rad = 0.002, .full_speed_radps = 1};
}

TEST(JointFriction, IsOffAsItIsMade) {
  EXPECT_EQ(CompensationTorque(JointFriction<double>{}, 3.0), 0);
  EXPECT_FALSE((Validate<double, 1>({JointFriction<double>{}}, Motor(), kPeriod_s)));
}

TEST(JointFriction, GivesItsShareAlongTheMotion) {  // Source: its equation
  EXPECT_NEAR(CompensationTorque(Half(), 2.0), 0.5 * (0.04 + 0.004), 1e-15);
  EXPECT_NEAR(CompensationTorque(Half(), -2.0), -0.5 * (0.04 + 0.004), 1e-15);
  EXPECT_NEAR(CompensationTorque(Half(), 0.25), 0.5 * (0.01 + 0.0005), 1e-15);
  EXPECT_EQ(CompensationTorque(Half(), 0.0), 0);
}

// Source: passivity. Friction and its compensation together take energy at every speed, for every share that is allowed.
TEST(JointFriction, LeavesAJointThatTakesEnergy) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1), speed(-50, 50);
  for (int n = 0; n < 100'000; ++n) {
    const JointFriction<double> f{.share = kMostShare * unit(random),
                                  .coulomb_Nm = unit(random),
                                  .viscous_Nms_per_rad = unit(random),
                                  .full_speed_radps = 0.8 + unit(random)};
    ASSERT_FALSE((Validate<double, 1>({f}, Motor(), kPeriod_s)));
    const double v = n % 3 == 0 ? 0.01 * speed(random) : speed(random);
    const double friction = -(f.coulomb_Nm * (v > 0 ? 1 : -1) + f.viscous_Nms_per_rad * v);
    EXPECT_LE((friction + CompensationTorque(f, v)) * v, 0);
  }
}

// One count more or less in a period, at rest: at most a quarter of the compensated torque.
TEST(JointFriction, OneCountIsNotASpeed) {
  JointFriction<double> f = Half();
  const double count_rad = 6.28318530717958647693 / 32000;
  f.full_speed_radps = 4 * count_rad / kPeriod_s;
  f.viscous_Nms_per_rad = 0;
  EXPECT_FALSE((Validate<double, 1>({f}, Motor(), kPeriod_s)));
  EXPECT_LE(CompensationTorque(f, count_rad / kPeriod_s), 0.25 * f.share * f.coulomb_Nm * (1 + 1e-12));
  f.full_speed_radps *= 0.99;
  EXPECT_STREQ((Validate<double, 1>({f}, Motor(), kPeriod_s)).field, "full_speed_radps");
}

TEST(JointFriction, NamesTheFirstWrongField) {
  const auto fault = [](auto spoil) {
    JointFriction<double> f = Half();
    spoil(&f);
    return Validate<double, 1>({f}, Motor(), kPeriod_s);
  };
  EXPECT_FALSE(fault([](auto*) {}));
  EXPECT_STREQ(fault([](auto* f) { f->share = 0.81; }).field, "share");
  EXPECT_STREQ(fault([](auto* f) { f->share = -0.1; }).field, "share");
  EXPECT_STREQ(fault([](auto* f) { f->share = kNan; }).field, "share");
  EXPECT_STREQ(fault([](auto* f) { f->coulomb_Nm = -1; }).field, "coulomb_Nm");
  EXPECT_STREQ(fault([](auto* f) { f->viscous_Nms_per_rad = kNan; }).field, "viscous_Nms_per_rad");
  EXPECT_STREQ(fault([](auto* f) { f->full_speed_radps = 0; }).field, "full_speed_radps");
}

TEST(JointFriction, MakesNothingOfABadSpeed) {
  for (const double v : {kNan, std::numeric_limits<double>::infinity(), -1e6, 1e300}) {
    EXPECT_EQ(CompensationTorque(Half(), v), 0);
  }
}

}  // namespace
}  // namespace tactus
