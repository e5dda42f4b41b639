#pragma once
#include "tactus/core/scalar.h"
#include "tactus/device/five_bar.h"
#include "tactus/device/gimbal_arm.h"
#include "tactus/device/hapkit.h"
#include "tactus/device/stamper_delta.h"

namespace tactus::hal {

// A mechanism's masses as points that its joints move:
//
//     T = ½ q̇ᵀ M q̇,   M = diag(I) + GᵀG,   G = [√m₁ J₁; √m₂ J₂; …]          J_k: velocity of point k per q̇
//
// Points are the mechanism's own mass fields (docs/kinematics.md); what stands on one joint alone is in I: rotor, drum,
// crank.

/// The driven joints' part of the kinetic energy at one posture.
template <int kMotors, int kRows>
struct MassRows {
  Mat<double, kRows, kMotors> G = Mat<double, kRows, kMotors>::Zero();  ///< [√kg m]
  Vec<double, kMotors> I = Vec<double, kMotors>::Zero();                ///< of the links alone [kg m²]
  Mat<double, 3, kMotors> J = Mat<double, 3, kMotors>::Zero();          ///< the handle's Jacobian
};

template <class D>
inline constexpr int kMassRows = 3;
template <>
inline constexpr int kMassRows<LinkArm<double>> = 9;
template <>
inline constexpr int kMassRows<GimbalArm<double>> = 9;

template <class D>
using MassRowsOf = MassRows<D::kMotors, kMassRows<D>>;

/// @param[in] on_handle_kg  what the hand adds to the handle
inline void AddMasses(const StamperDelta<double>& delta, const Vec<double, 3>&, double on_handle_kg, MassRows<3, 3>* rows) {
  rows->G = Sqrt(delta.platform_mass_kg + on_handle_kg) * rows->J;
  rows->I.setConstant(delta.crank_mass_kg * delta.crank_m * delta.crank_m);
}

inline void AddMasses(const FiveBar<double>& bars, const Vec<double, 2>&, double on_handle_kg, MassRows<2, 3>* rows) {
  rows->G = Sqrt(bars.handle_mass_kg + on_handle_kg) * rows->J;
  rows->I.setConstant(bars.elbow_mass_kg * bars.crank_m * bars.crank_m);
}

inline void AddMasses(const Hapkit<double>& paddle, const Vec<double, 1>&, double on_handle_kg, MassRows<1, 3>* rows) {
  rows->G = Sqrt(on_handle_kg) * rows->J;
  rows->I(0) = paddle.mass_kg * paddle.mass_radius_m * paddle.mass_radius_m;
}

/// The wrist, the forearm's centre and the upper link's; the latter two in the mechanism's frame, which T does not ask for.
inline void AddMasses(const LinkArm<double>& arm, const Vec<double, 3>& q, double on_handle_kg, MassRows<3, 9>* rows) {
  const double ca = Cos(q(0)), sa = Sin(q(0)), cb = Cos(q(1)), sb = Sin(q(1)), cc = Cos(q(2)), sc = Sin(q(2));
  const auto columns = [&](double upper_m, double fore_m) {  // d/dq of upper d_β + fore d_γ
    const double R = upper_m * sb + fore_m * sc;
    Mat<double, 3, 3> J;
    J << -sa * R, upper_m * ca * cb, fore_m * ca * cc,  //
        ca * R, upper_m * sa * cb, fore_m * sa * cc,    //
        0, -upper_m * sb, fore_m * sc;
    return J;
  };
  rows->G.topRows<3>() = Sqrt(arm.wrist_mass_kg + on_handle_kg) * rows->J;
  rows->G.middleRows<3>(3) = Sqrt(arm.fore_mass_kg) * columns(arm.upper_m, arm.fore_centre_m);
  rows->G.bottomRows<3>() = Sqrt(arm.upper_mass_kg) * columns(arm.upper_centre_m, 0);
}

inline void AddMasses(const GimbalArm<double>& device, const Vec<double, 6>& q, double on_handle_kg, MassRows<3, 9>* rows) {
  AddMasses(device.arm, q.head<3>(), on_handle_kg, rows);
}

/// @returns not kOk: no posture
template <class D>
KinematicResult RowsAt(const D& mechanism, const DeviceAngles<D>& q_rad, double on_handle_kg, MassRowsOf<D>* rows) {
  if (const KinematicResult bad = mechanism.Jacobian(q_rad, &rows->J); !bad.ok()) return bad;
  AddMasses(mechanism, q_rad, on_handle_kg, rows);
  return {};
}

}  // namespace tactus::hal
