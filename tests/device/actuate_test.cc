#include "tactus/device/actuate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/device/devices.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kPeriod_s = 1e-3;

MotorCalibration<double> Motor() {
  return {.counts_per_turn = 2000,
          .turns_per_joint_turn = 12,
          .torque_constant_Nm_per_A = 0.0259,
          .max_current_A = 3,
          .continuous_current_A = 1,
          .thermal_time_s = 10};
}
Calibration<double, 3> Three() {
  Calibration<double, 3> calibration{Motor(), Motor(), Motor()};
  calibration[1].torque_sign = -1;
  calibration[2].turns_per_joint_turn = 16;
  return calibration;
}

/// The force at the hand that these currents make, less what the base torques make.
Vec3 ForceOf(const Mat3& J, const Vec3& current, const Vec3& base, double base_scale) {
  const Calibration<double, 3> calibration = Three();
  Vec3 tau;
  for (int i = 0; i < 3; ++i)
    tau(i) = current(i) / CurrentPerTorque(calibration[static_cast<std::size_t>(i)]) - base_scale * base(i);
  Mat3 inverse;  // of Jᵀ, Cramer's way
  const Vec3 a = J.col(0), b = J.col(1), c = J.col(2);
  inverse << Cross(b, c), Cross(c, a), Cross(a, b);
  return inverse * tau / a.dot(Cross(b, c));
}

// Source: the promise: limits kept exactly; the hand's force is s F, s within [0, 1], and as large as the limits allow.
TEST(CurrentsOfWrench, KeepsLimitsAndTheDirectionOfTheForce) {
  const GimbalArm<double> device = WoodenHaptics<double>();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> range(-1, 1), limit(0.2, 3);
  int cut = 0;
  for (int i = 0; i < 20'000; ++i) {
    Mat3 J;
    ASSERT_TRUE(device.Jacobian(device_test::RandomPosture(device, &random), &J).ok());
    const Vec3 F = 20 * Vec3(range(random), range(random), range(random));
    const Vec3 base = 0.05 * Vec3(range(random), range(random), range(random));
    const Vec3 most(limit(random), limit(random), limit(random));
    MotorCommand<double, 3> command;
    ASSERT_TRUE(CurrentsOfWrench(Three(), J, F, base, most, &command).ok());
    double closest = 0;
    for (int k = 0; k < 3; ++k) {
      ASSERT_LE(Abs(command.current_A(k)), most(k));
      closest = std::max(closest, Abs(command.current_A(k)) / most(k));
    }
    ASSERT_LE((ForceOf(J, command.current_A, base, command.base_scale) - command.force_scale * F).norm(), 1e-10);
    if (command.force_scale == 1) {
      ASSERT_EQ(command.limiting_motor, -1);
      continue;
    }
    ++cut;
    ASSERT_NEAR(closest, 1, 1e-12);  // not cut more than needed
    ASSERT_GE(command.limiting_motor, 0);
  }
  EXPECT_GT(cut, 2'000);
}

TEST(CurrentsOfWrench, GivesTheCurrentOfTheRatioAndTheTorqueConstant) {  // Source: I = s τ / (N k_t).
  const Mat3 J = Mat3::Identity();
  MotorCommand<double, 3> command;
  ASSERT_TRUE(
      (CurrentsOfWrench<double, 3, 3>(Three(), J, Vec3(0.1, 0.2, 0.3), Vec3::Zero(), Vec3::Constant(3), &command).ok()));
  EXPECT_NEAR(command.current_A(0), 0.1 / (12 * 0.0259), 1e-15);
  EXPECT_NEAR(command.current_A(1), -0.2 / (12 * 0.0259), 1e-15);
  EXPECT_NEAR(command.current_A(2), 0.3 / (16 * 0.0259), 1e-15);
}

TEST(CurrentsOfWrench, WhatHoldsTheDeviceComesFirst) {
  MotorCommand<double, 3> command;
  const Vec3 base(5, 0, 0);  // 16 A of 3
  ASSERT_TRUE(
      (CurrentsOfWrench<double, 3, 3>(Three(), Mat3::Identity(), Vec3(1, 1, 1), base, Vec3::Constant(3), &command).ok()));
  EXPECT_EQ(command.current_A(0), 3);
  EXPECT_NEAR(command.base_scale, 3 * 12 * 0.0259 / 5, 1e-15);
  EXPECT_NEAR(command.force_scale, 0, 1e-15);
  EXPECT_NEAR(command.current_A(1), 0, 1e-14);
}

TEST(CurrentsOfWrench, RefusesWhatIsNoNumberWithZeroCurrents) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Vec3 fine = Vec3::Constant(0.1), most = Vec3::Constant(3);
  for (const double bad : {nan, inf, -inf, 1e30}) {
    for (int i = 0; i < 3; ++i) {
      Vec3 wrong = fine;
      wrong(i) = bad;
      MotorCommand<double, 3> command;
      command.current_A.setConstant(7);
      EXPECT_FALSE((CurrentsOfWrench<double, 3, 3>(Three(), Mat3::Identity(), wrong, fine, most, &command).ok()));
      EXPECT_EQ(command.current_A.norm(), 0);
      command.current_A.setConstant(7);
      EXPECT_FALSE((CurrentsOfWrench<double, 3, 3>(Three(), Mat3::Identity(), fine, wrong, most, &command).ok()));
      EXPECT_EQ(command.current_A.norm(), 0);
      if (bad > 0) continue;
      EXPECT_FALSE((CurrentsOfWrench<double, 3, 3>(Three(), Mat3::Identity(), fine, fine, wrong, &command).ok()));
      EXPECT_EQ(command.current_A.norm(), 0);
    }
  }
}

// Source: x' = (I² - x)/T in closed form.
TEST(MotorHeat, FollowsTheFirstOrderModel) {
  MotorHeat<double> heat;
  for (int i = 0; i < 10'000; ++i) StepHeat(Motor(), 2.0, kPeriod_s, &heat);
  EXPECT_NEAR(heat.mean_square_A2, 4 * (1 - std::exp(-1.0)), 4 * kPeriod_s / 10);  // Euler's step: Δt/T
}

// Whatever is asked, the winding never gets hotter than at its continuous current, and ends at that current.
TEST(MotorHeat, NeverExceedsTheContinuousBudget) {
  std::mt19937_64 random(2);
  for (const double time_s : {0.002, 0.05, 10.0}) {
    MotorCalibration<double> motor = Motor();
    motor.thermal_time_s = time_s;
    MotorHeat<double> heat;
    double last = 0;
    for (int i = 0; i < 100'000; ++i) {
      last = AllowedCurrent(motor, heat, kPeriod_s);
      ASSERT_LE(last, motor.max_current_A);
      StepHeat(motor, random() % 4 == 0 ? -last : last, kPeriod_s, &heat);
      ASSERT_LE(heat.mean_square_A2, 1 + 1e-12);
    }
    EXPECT_NEAR(last, 1, 0.01);
  }
}

TEST(MotorHeat, RecoversAndAllowsNothingWhenItsStateIsBroken) {
  MotorHeat<double> heat{1.0};
  EXPECT_NEAR(AllowedCurrent(Motor(), heat, kPeriod_s), 1, 1e-12);
  for (int i = 0; i < 50'000; ++i) StepHeat(Motor(), 0.0, kPeriod_s, &heat);
  EXPECT_EQ(AllowedCurrent(Motor(), heat, kPeriod_s), 3);
  for (const double broken : {std::nan(""), -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(AllowedCurrent(Motor(), {broken}, kPeriod_s), 0);
  }
  heat = {};
  StepHeat(Motor(), 1e300, kPeriod_s, &heat);
  EXPECT_TRUE(std::isfinite(heat.mean_square_A2));
  heat = {};
  StepHeat(Motor(), std::nan(""), kPeriod_s, &heat);
  EXPECT_NEAR(heat.mean_square_A2, 9 * kPeriod_s / 10, 1e-12);
}

}  // namespace
}  // namespace tactus
