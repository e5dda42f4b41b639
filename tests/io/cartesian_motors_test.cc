// The simulated device's mechanism: rotations of any size, and the same power at motors and handle.
#include "hal/api/cartesian_motors.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace tactus::hal {
namespace {

constexpr CartesianMotors kMotors{.m_per_count = 1e-4f, .rad_per_count = 1e-3f, .N_per_A = 4, .Nm_per_A = 0.1f};
constexpr float kMuch_A[kMaxMotors] = {1e3f, 1e3f, 1e3f, 1e3f, 1e3f, 1e3f};
using Counts = std::int32_t[kMaxMotors];

TEST(CartesianMotors, TellsAQuarterTurnAsOne) {
  const Counts count = {10, -20, 30, 0, 0, 1571};  // Source: 1571 mrad about z; q = (cos, 0, 0, sin) of the half
  SensorFrame sample;
  kMotors.ToPose(count, &sample);
  EXPECT_NEAR(sample.q_WH[0], std::cos(0.7855), 1e-6);  // Tolerance: some ulp of a float
  EXPECT_NEAR(sample.q_WH[3], std::sin(0.7855), 1e-6);
  EXPECT_EQ(sample.q_WH[1], 0);
  EXPECT_NEAR(sample.p_WH_m[2], 3e-3, 1e-9);
}

TEST(CartesianMotors, HasAUnitQuaternionWhateverTheCounts) {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    Counts count = {};
    for (int k = 3; k < 6; ++k) count[k] = static_cast<std::int32_t>(random() % 10'000) - 5000;  // up to 8.7 rad
    SensorFrame sample;
    kMotors.ToPose(count, &sample);
    float square = 0;
    for (const float q : sample.q_WH) square += q * q;
    ASSERT_NEAR(square, 1, 1e-5);  // Source: a rotation; the guard of the tick takes 1e-3
  }
}

// Source: virtual work, Σ I_i Nm_per_A dφ_i = τ·dθ_W with dθ_W = log(q(φ + dφ) q(φ)⁻¹): the difference quotient stands in
// for the Jacobian, so the test knows none.
TEST(CartesianMotors, MakesTheTorqueThatHasTheSamePowerAtAnyAngle) {
  for (const std::array<double, 3>& phi :
       {std::array{0.0, 0.0, 0.0}, {1e-3, -2e-3, 4e-3}, {0.9, -0.4, 0.3}, {-1.5, 1.2, 1.9}}) {
    Counts count = {};
    for (int k = 0; k < 3; ++k)
      count[3 + k] = static_cast<std::int32_t>(std::lround(phi[static_cast<std::size_t>(k)] / 1e-3));
    const Vec<double, 3> at(count[3] * 1e-3, count[4] * 1e-3, count[5] * 1e-3), torque_Nm(0.02, -0.05, 0.03);
    CommandFrame command;
    for (int k = 0; k < 3; ++k) command.torque_Nm[k] = static_cast<float>(torque_Nm(k));
    float current_A[kMaxMotors];
    kMotors.ToCurrents(command, count, kMuch_A, &current_A);
    for (int k = 0; k < 3; ++k) {
      constexpr double kStep = 1e-6;
      const Vec<double, 3> more = at + kStep * Vec<double, 3>::Unit(k), less = at - kStep * Vec<double, 3>::Unit(k);
      const Vec<double, 3> turn =
          LogMap<double>(Multiply<double>(ExpMap<double>(more), Conjugate<double>(ExpMap<double>(less))));
      EXPECT_NEAR(0.1 * static_cast<double>(current_A[3 + k]), torque_Nm.dot(turn) / (2 * kStep), 1e-7)
          << k;  // Tolerance: floats of 0.05
    }
  }
}

TEST(RotationJacobian, IsUndoneByItsInverseBelowATurn) {
  for (const double angle : {0.0, 1e-4, 9.9e-3, 1.01e-2, 0.5, 2.0, 3.14, 4.0}) {
    const Vec<double, 3> phi = angle * Vec<double, 3>(2, -1, 2) / 3;
    const Mat<double, 3, 3> one = RotationJacobian<double>(phi) * InverseRotationJacobian<double>(phi);
    EXPECT_LT((one - Mat<double, 3, 3>::Identity()).cwiseAbs().maxCoeff(), 1e-7) << angle;  // Tolerance: the series
  }
}

TEST(CartesianMotors, KeepsCurrentsWithinTheirCeilingsAndPassesNaNOn) {
  const Counts count = {0, 0, 0, 500, 0, 0};
  constexpr float kLittle_A[kMaxMotors] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
  CommandFrame command{.force_N = {100, -100, std::nanf("")}, .torque_Nm = {100, 0, 0}};
  float current_A[kMaxMotors];
  kMotors.ToCurrents(command, count, kLittle_A, &current_A);
  EXPECT_EQ(current_A[0], 0.5f);
  EXPECT_EQ(current_A[1], -0.5f);
  EXPECT_TRUE(std::isnan(current_A[2]));
  EXPECT_EQ(current_A[3], 0.5f);
}

}  // namespace
}  // namespace tactus::hal
