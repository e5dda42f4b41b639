#pragma once
#include "tactus/device/gimbal_arm.h"

namespace tactus {

// Geometries of known arms; where each number is from: docs/kinematics.md, sections 4 and 5.

/// WoodenHaptics, default and v2015 set. Angles: α = tA, β = tB, γ = tC.
template <class Scalar>
GimbalArm<Scalar> WoodenHaptics() {
  using Vec3 = Vec<Scalar, 3>;
  GimbalArm<Scalar> device;
  device.arm.axes = ArmAxes::kZUp;
  device.arm.base_m = Scalar(0.080);
  device.arm.upper_m = Scalar(0.205);
  device.arm.fore_m = Scalar(0.245);
  device.arm.origin_D_m = Vec3(Scalar(0.220), Scalar(0), Scalar(0.080));
  device.arm.upper_mass_kg = Scalar(0.170);
  device.arm.fore_mass_kg = Scalar(0.110);
  device.arm.upper_centre_m = Scalar(0.051);
  device.arm.fore_centre_m = Scalar(0.091);
  device.arm.limits = {Vec3(Scalar(-1.4), Scalar(-1.2), Scalar(0.2)), Vec3(Scalar(1.4), Scalar(1.2), Scalar(2.6))};
  return device;
}

/// WoodenHaptics' aluminium sister of 2017: shorter links, the same mechanism; its masses are not published.
template <class Scalar>
GimbalArm<Scalar> AluHaptics() {
  GimbalArm<Scalar> device = WoodenHaptics<Scalar>();
  device.arm.base_m = Scalar(0.111);
  device.arm.upper_m = Scalar(0.140);
  device.arm.fore_m = Scalar(0.111);
  device.arm.origin_D_m = Vec<Scalar, 3>(Scalar(0.140), Scalar(0), Scalar(0));
  device.arm.upper_mass_kg = device.arm.fore_mass_kg = device.arm.upper_centre_m = device.arm.fore_centre_m = 0;
  return device;
}

/// A Phantom of two links. Its θ₁, θ₂, θ₃ (upper link from the horizontal, forearm from straight down) are α, π/2 - β, γ:
/// the calibration's signs and offsets of joint β do that. D's origin is the wrist at θ = 0: (α, β, γ) = (0, π/2, 0).
template <class Scalar>
GimbalArm<Scalar> Phantom(Scalar upper_m, Scalar fore_m) {
  using Vec3 = Vec<Scalar, 3>;
  GimbalArm<Scalar> device;
  device.arm.axes = ArmAxes::kYUp;
  device.arm.upper_m = upper_m;
  device.arm.fore_m = fore_m;
  device.arm.origin_D_m = Vec3(Scalar(0), -fore_m, upper_m);
  device.arm.limits = {Vec3(Scalar(-1.2), Scalar(-0.2), Scalar(-0.6)), Vec3(Scalar(1.2), Scalar(1.8), Scalar(2.0))};
  return device;
}

/// Phantom Premium: links as in mahilab/Phantom.
template <class Scalar>
GimbalArm<Scalar> PhantomPremium() {
  return Phantom(Scalar(0.209550), Scalar(0.169545));
}

/// Touch (Phantom Omni): both links 133.35 mm, recalled, not measured.
template <class Scalar>
GimbalArm<Scalar> Touch() {
  return Phantom(Scalar(0.13335), Scalar(0.13335));
}

}  // namespace tactus
