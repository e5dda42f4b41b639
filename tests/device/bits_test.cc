// The same bits on every target: a hash over answers of every device. Whole numbers pick the postures, so that the test
// itself uses no libm. Other compilers and processors must find the same two numbers.
#include <gtest/gtest.h>

#include "tests/device/devices.h"
#include "tests/target/hash.h"

namespace tactus {
namespace {

using namespace device_test;

template <class D>
void AddDevice(std::uint64_t seed, target::Hash* hash) {
  using Real = typename D::Real;
  const D device;
  const auto limits = device.Limits();
  target::Random random(seed);
  for (int n = 0; n < 2'000; ++n) {
    DeviceAngles<D> q, back;
    for (int i = 0; i < q.size(); ++i) {
      q(i) =
          static_cast<Real>(random.Between(static_cast<double>(limits.low_rad(i)), static_cast<double>(limits.high_rad(i))));
    }
    HandlePose<Real> pose;
    DeviceJacobian<D> J;
    DeviceTorques<D> tau;
    hash->AddValue(static_cast<Real>(device.Forward(q, &pose).cause));
    hash->AddValue(static_cast<Real>(device.Inverse(pose, &back).cause));
    hash->AddValue(static_cast<Real>(device.Jacobian(q, &J).cause));
    hash->AddValue(static_cast<Real>(device.HoldingTorque(q, Vec<Real, 3>(Real(0.5), Real(-9), Real(2)), &tau).cause));
    for (const Real x : pose.p_DH) hash->AddValue(x);
    for (int i = 0; i < 9; ++i) hash->AddValue(pose.R_DH.data()[i]);
    for (const Real x : back) hash->AddValue(x);
    for (int i = 0; i < J.size(); ++i) hash->AddValue(J.data()[i]);
    for (const Real x : tau) hash->AddValue(x);
  }
}

template <class Scalar>
std::uint64_t BitsOfAll() {
  target::Hash hash;
  AddDevice<Paddle<Scalar>>(1, &hash);
  AddDevice<Pantograph<Scalar>>(2, &hash);
  AddDevice<Falcon<Scalar>>(3, &hash);
  AddDevice<Wooden<Scalar>>(4, &hash);
  AddDevice<Premium<Scalar>>(5, &hash);
  AddDevice<SixAxes<Scalar>>(6, &hash);
  return hash.value();
}

// Source: GCC 12 on x86-64, first recorded here; a change of either number is a change of the equations' order.
TEST(DeviceBits, AreTheSameEverywhere) {
  EXPECT_EQ(BitsOfAll<double>(), 15915322482553275623u);
  EXPECT_EQ(BitsOfAll<float>(), 5367724167855248474u);
}

}  // namespace
}  // namespace tactus
