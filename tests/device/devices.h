#pragma once
// The devices that the tests of this folder go through, and random postures of them.
#include <random>

#include "tactus/device/arms.h"
#include "tactus/device/five_bar.h"
#include "tactus/device/hapkit.h"
#include "tactus/device/stamper_delta.h"
#include "tactus/device/wrist_arm.h"

namespace tactus::device_test {

// Every device with masses (most are not published: these are made up), so that gravity has something to hold.
template <class Scalar>
struct Paddle : Hapkit<Scalar> {
  Paddle() { this->mass_kg = Scalar(0.06); }
};
template <class Scalar>
struct Pantograph : FiveBar<Scalar> {
  Pantograph() { this->elbow_mass_kg = Scalar(0.03), this->handle_mass_kg = Scalar(0.05); }
};
template <class Scalar>
struct Falcon : StamperDelta<Scalar> {
  Falcon() { this->crank_mass_kg = Scalar(0.04), this->platform_mass_kg = Scalar(0.15); }
};
/// A delta whose torus is a sphere: both hinges meet.
template <class Scalar>
struct PlainDelta : Falcon<Scalar> {
  PlainDelta() { this->hinge_m = 0; }
};
template <class Scalar>
struct Wooden : GimbalArm<Scalar> {
  Wooden() : GimbalArm<Scalar>(WoodenHaptics<Scalar>()) {}
};
template <class Scalar>
struct Alu : GimbalArm<Scalar> {
  Alu() : GimbalArm<Scalar>(AluHaptics<Scalar>()) {}
};
template <class Scalar>
struct Premium : GimbalArm<Scalar> {
  Premium() : GimbalArm<Scalar>(PhantomPremium<Scalar>()) {
    this->arm.upper_mass_kg = Scalar(0.2),
    this->arm.upper_centre_m = Scalar(-0.02);  // the counterweight is behind the joint
    this->arm.fore_mass_kg = Scalar(0.1), this->arm.fore_centre_m = Scalar(0.08), this->arm.wrist_mass_kg = Scalar(0.05);
  }
};
template <class Scalar>
struct Omni : GimbalArm<Scalar> {
  Omni() : GimbalArm<Scalar>(Touch<Scalar>()) {}
};
template <class Scalar>
struct SixAxes : WristArm<Scalar> {
  SixAxes() {
    this->base = Premium<Scalar>();
    this->handle_H_m << Scalar(0.05), Scalar(0.01), Scalar(-0.02);
    this->tool_mass_kg = Scalar(0.07);
    this->tool_centre_H_m << Scalar(0.03), Scalar(0), Scalar(-0.01);
  }
};

template <class D>
DeviceAngles<D> RandomAngles(const D& device, std::mt19937_64* random) {
  const auto limits = device.Limits();
  DeviceAngles<D> q;
  for (int i = 0; i < q.size(); ++i) {
    std::uniform_real_distribution<double> range(static_cast<double>(limits.low_rad(i)),
                                                 static_cast<double>(limits.high_rad(i)));
    q(i) = Clamp(static_cast<typename D::Real>(range(*random)), limits.low_rad(i), limits.high_rad(i));
  }
  return q;
}

/// Angles in which the mechanism can stand, away from the edge by `room_rad` in every joint.
template <class D>
DeviceAngles<D> RandomPosture(const D& device, std::mt19937_64* random, double room_rad = 0) {
  using Real = typename D::Real;
  for (;;) {
    const DeviceAngles<D> q = RandomAngles(device, random);
    HandlePose<Real> pose;
    bool stands = device.Forward(q, &pose).ok();
    for (int i = 0; stands && room_rad > 0 && i < q.size(); ++i) {
      DeviceAngles<D> low = q, high = q;
      low(i) -= static_cast<Real>(room_rad), high(i) += static_cast<Real>(room_rad);
      stands = device.Forward(low, &pose).ok() && device.Forward(high, &pose).ok();
    }
    if (stands) return q;
  }
}

template <class D>
Vec<typename D::Real, D::kRows> RandomWrench(std::mt19937_64* random) {
  std::uniform_real_distribution<double> range(-10, 10);
  Vec<typename D::Real, D::kRows> F;
  for (int i = 0; i < D::kRows; ++i) F(i) = static_cast<typename D::Real>(range(*random));
  return F;
}

}  // namespace tactus::device_test
