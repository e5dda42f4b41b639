// What holds for every device: forward and inverse undo each other, J is the derivative, work is work, gravity is a
// gradient, and whatever cannot be answered is refused by name with zeros.
#include <algorithm>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/device/devices.h"

namespace tactus {
namespace {

using namespace device_test;

template <class D>
class EveryDevice : public testing::Test {
 protected:
  D device;
};
using Devices =
    testing::Types<Paddle<double>, Pantograph<double>, Falcon<double>, PlainDelta<double>, Wooden<double>, Alu<double>,
                   Premium<double>, Omni<double>, SixAxes<double>, Paddle<float>, Pantograph<float>, Falcon<float>,
                   PlainDelta<float>, Wooden<float>, Alu<float>, Premium<float>, Omni<float>, SixAxes<float>>;
TYPED_TEST_SUITE(EveryDevice, Devices);

TYPED_TEST(EveryDevice, HasAValidGeometryAndAllFunctions) {
  static_assert(DeviceKinematics<TypeParam> && HasMassModel<TypeParam>);
  const DeviceFault fault = this->device.Validate();
  EXPECT_FALSE(fault) << fault.field << "[" << fault.index << "] " << fault.what;
}

// Tolerance: issue 13, 1e-9 m in double and 1e-6 m in float.
TYPED_TEST(EveryDevice, ForwardOfInverseIsThePoseOverTheWorkspace) {
  using Real = typename TypeParam::Real;
  constexpr double kRoom = sizeof(Real) == 8 ? 1e-9 : 1e-6, kTurnRoom = sizeof(Real) == 8 ? 1e-12 : 5e-6;
  std::mt19937_64 random(1);
  double worst_m = 0, worst_turn = 0;
  for (int i = 0; i < 100'000; ++i) {
    HandlePose<Real> pose, again;
    DeviceAngles<TypeParam> q;
    ASSERT_TRUE(this->device.Forward(RandomPosture(this->device, &random), &pose).ok());
    const KinematicResult inverse = this->device.Inverse(pose, &q);
    const bool edge = inverse.cause == KinematicCause::kSingular || inverse.cause == KinematicCause::kJointLimit;
    if (edge) continue;  // a rounding past it: counted in the next test
    ASSERT_TRUE(inverse.ok()) << Name(inverse.cause) << " joint " << inverse.joint;
    const KinematicResult forward = this->device.Forward(q, &again);
    if (!forward.ok()) continue;
    worst_m = std::max(worst_m, static_cast<double>((again.p_DH - pose.p_DH).norm()));
    worst_turn = std::max(worst_turn, static_cast<double>((again.R_DH - pose.R_DH).norm()));
  }
  EXPECT_LE(worst_m, kRoom);
  EXPECT_LE(worst_turn, kTurnRoom);
}

// Source: the joint angles that a posture was made of. An edge within a rounding may refuse: at most 1 in 1000 of them.
TYPED_TEST(EveryDevice, InverseRefusesNoPostureButAtTheEdge) {
  using Real = typename TypeParam::Real;
  std::mt19937_64 random(2);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    HandlePose<Real> pose;
    DeviceAngles<TypeParam> q;
    ASSERT_TRUE(this->device.Forward(RandomPosture(this->device, &random), &pose).ok());
    refused += this->device.Inverse(pose, &q).ok() ? 0 : 1;
  }
  EXPECT_LE(refused, 20);
}

// Points of a box around the workspace, most of them outside: what Inverse answers, Forward confirms.
TYPED_TEST(EveryDevice, InverseOfAnyPointIsConfirmedOrRefusedByName) {
  using Real = typename TypeParam::Real;
  constexpr double kRoom = sizeof(Real) == 8 ? 1e-9 : 1e-6;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> range(-0.6, 0.6);
  int refused = 0;
  for (int i = 0; i < 100'000; ++i) {
    HandlePose<Real> pose, again;
    pose.p_DH << static_cast<Real>(range(random)), static_cast<Real>(range(random)),
        static_cast<Real>(TypeParam::kMotors < 3 ? 0 : range(random));
    DeviceAngles<TypeParam> q;
    const KinematicResult inverse = this->device.Inverse(pose, &q);
    if (!inverse.ok()) {
      ++refused;
      ASSERT_NE(inverse.cause, KinematicCause::kNone);
      ASSERT_EQ(q.norm(), Real(0));
      continue;
    }
    const KinematicResult forward = this->device.Forward(q, &again);
    if (forward.cause == KinematicCause::kSingular) continue;  // a rounding past the edge
    ASSERT_TRUE(forward.ok()) << Name(forward.cause);
    const double room = TypeParam::kMotors == 1 ? 1e-3 : kRoom;  // the paddle takes a point near its arc
    ASSERT_LE(static_cast<double>((again.p_DH - pose.p_DH).norm()), room * 1.001);
  }
  EXPECT_GT(refused, 10'000);
}

// Source: definition of τ = Jᵀ F and ẋ = J q̇. Tolerance: issue 13.
TYPED_TEST(EveryDevice, TorquesDoTheWorkOfTheWrench) {
  using Real = typename TypeParam::Real;
  constexpr double kRoom = sizeof(Real) == 8 ? 1e-12 : 1e-5;
  std::mt19937_64 random(4);
  for (int i = 0; i < 20'000; ++i) {
    DeviceJacobian<TypeParam> J;
    ASSERT_TRUE(this->device.Jacobian(RandomPosture(this->device, &random), &J).ok());
    const auto F = RandomWrench<TypeParam>(&random);
    DeviceTorques<TypeParam> dq;
    for (int j = 0; j < TypeParam::kMotors; ++j) dq(j) = static_cast<Real>(1e-3 * (j + 1) * (i % 2 == 0 ? 1 : -1));
    const DeviceTorques<TypeParam> tau = TorquesOfWrench(J, F);
    const double work = static_cast<double>(F.dot(J * dq)), by_motors = static_cast<double>(tau.dot(dq));
    const double size = static_cast<double>(F.norm() * (J * dq).norm() + tau.norm() * dq.norm());
    ASSERT_NEAR(work, by_motors, kRoom * std::max(size, 1.0));
  }
}

/// The handle's velocity per q_j by central differences of Forward, in double.
template <class D>
Vec<double, D::kRows> Difference(const D& device, const DeviceAngles<D>& q, int j, double step) {
  DeviceAngles<D> low = q, high = q;
  low(j) -= step, high(j) += step;
  HandlePose<double> a, b;
  EXPECT_TRUE(device.Forward(low, &a).ok() && device.Forward(high, &b).ok());
  Vec<double, D::kRows> rate;
  rate.template head<3>() = (b.p_DH - a.p_DH) / (2 * step);
  if constexpr (D::kRows == 6) {
    HandlePose<double> middle;
    EXPECT_TRUE(device.Forward(q, &middle).ok());
    const Mat<double, 3, 3> spin = (b.R_DH - a.R_DH) / (2 * step) * middle.R_DH.transpose();  // Ṙ Rᵀ = [ω]×
    rate.template tail<3>() << spin(2, 1), spin(0, 2), spin(1, 0);
  }
  return rate;
}

// Source: central differences of Forward. Tolerance: step²/6 of the third derivative, which grows towards a singularity.
TYPED_TEST(EveryDevice, JacobianIsTheDerivativeOfForward) {
  if constexpr (std::is_same_v<typename TypeParam::Real, double>) {
    constexpr double kStep = 1e-5;
    std::mt19937_64 random(5);
    double worst = 0;
    for (int i = 0; i < 20'000; ++i) {
      const auto q = RandomPosture(this->device, &random, 0.02);
      DeviceJacobian<TypeParam> J;
      ASSERT_TRUE(this->device.Jacobian(q, &J).ok());
      for (int j = 0; j < TypeParam::kMotors; ++j) {
        const auto rate = Difference(this->device, q, j, kStep);
        worst = std::max(worst, (J.col(j) - rate).norm() / std::max(rate.norm(), 0.05));
      }
    }
    EXPECT_LE(worst, 1e-7);  // measured: 2.3e-8 for the Falcon, 1e-10 for the arms
    EXPECT_GT(worst, 0);
  }
}

TYPED_TEST(EveryDevice, RefusesWhatIsNoNumber) {
  using Real = typename TypeParam::Real;
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN(), inf = std::numeric_limits<Real>::infinity();
  std::mt19937_64 random(7);
  const auto q = RandomPosture(this->device, &random);
  for (const Real bad : {nan, inf, -inf}) {
    for (int i = 0; i < q.size(); ++i) {
      auto wrong = q;
      wrong(i) = bad;
      HandlePose<Real> pose;
      pose.p_DH.setConstant(7);
      DeviceJacobian<TypeParam> J = DeviceJacobian<TypeParam>::Constant(7);
      DeviceTorques<TypeParam> tau = DeviceTorques<TypeParam>::Constant(7);
      const KinematicResult forward = this->device.Forward(wrong, &pose);
      EXPECT_EQ(forward.status, Status::kNotFinite);
      EXPECT_EQ(forward.joint, i);
      EXPECT_EQ(pose.p_DH.norm(), Real(0));
      EXPECT_EQ(this->device.Jacobian(wrong, &J).status, Status::kNotFinite);
      EXPECT_EQ(J.norm(), Real(0));
      EXPECT_EQ(this->device.HoldingTorque(wrong, Vec<Real, 3>::Zero(), &tau).status, Status::kNotFinite);
      EXPECT_EQ(tau.norm(), Real(0));
    }
    for (int i = 0; i < 3; ++i) {
      HandlePose<Real> pose;
      ASSERT_TRUE(this->device.Forward(q, &pose).ok());
      pose.p_DH(i) = bad;
      DeviceAngles<TypeParam> angles = DeviceAngles<TypeParam>::Constant(7);
      EXPECT_EQ(this->device.Inverse(pose, &angles).status, Status::kNotFinite);
      EXPECT_EQ(angles.norm(), Real(0));
      Vec<Real, 3> g = Vec<Real, 3>::Zero();
      g(i) = bad;
      DeviceTorques<TypeParam> tau = DeviceTorques<TypeParam>::Constant(7);
      EXPECT_EQ(this->device.HoldingTorque(q, g, &tau).status, Status::kNotFinite);
      EXPECT_EQ(tau.norm(), Real(0));
    }
  }
}

TYPED_TEST(EveryDevice, RefusesAbsurdNumbers) {
  using Real = typename TypeParam::Real;
  std::mt19937_64 random(8);
  const auto q = RandomPosture(this->device, &random);
  for (const Real absurd : {Real(1e3), Real(-1e3), Real(1e18), std::numeric_limits<Real>::max()}) {
    for (int i = 0; i < q.size(); ++i) {
      auto wrong = q;
      wrong(i) = absurd;
      HandlePose<Real> pose;
      const KinematicResult result = this->device.Forward(wrong, &pose);
      EXPECT_EQ(result.cause, KinematicCause::kAbsurd);
      EXPECT_EQ(result.joint, i);
    }
    HandlePose<Real> pose;
    pose.p_DH.setConstant(absurd);
    DeviceAngles<TypeParam> angles;
    EXPECT_EQ(this->device.Inverse(pose, &angles).cause, KinematicCause::kAbsurd);
  }
}

TYPED_TEST(EveryDevice, RefusesAnglesPastEachJointsRange) {
  using Real = typename TypeParam::Real;
  std::mt19937_64 random(9);
  const auto q = RandomPosture(this->device, &random);
  const auto limits = this->device.Limits();
  for (int i = 0; i < q.size(); ++i) {
    for (const Real past : {limits.low_rad(i) - Real(0.001), limits.high_rad(i) + Real(0.001)}) {
      auto wrong = q;
      wrong(i) = past;
      HandlePose<Real> pose;
      const KinematicResult result = this->device.Forward(wrong, &pose);
      EXPECT_EQ(result.cause, KinematicCause::kJointLimit);
      EXPECT_EQ(result.joint, i);
      EXPECT_EQ(pose.p_DH.norm(), Real(0));
    }
  }
}

}  // namespace
}  // namespace tactus
