#pragma once
#include "hal/sim/hand_script.h"
#include "hal/sim/parameters.h"
#include "tactus/core/spatial.h"

namespace tactus::hal {

/// A handle that turns freely in a measured gimbal: the hand alone turns it, no motor does.
///
/// Equation  (I_hand + I_grip) dω/dt = K e + B (ω_s - ω) - b ω + n,   e = 2 vec(q_s q*)
/// Method    linear-implicit, as hal/sim/sim_device.cc has it
struct LooseWrist {
  Quaternion<double> q_WH = IdentityQuaternion<double>();
  Vec<double, 3> w_WH_radps = Vec<double, 3>::Zero();

  /// Of the grip in its gimbal: a pen of 20 g and 15 cm, and what keeps it from swinging. Assumed.
  static constexpr double kInertia_kgm2 = 4e-5, kDamping_Nms_per_rad = 1e-3;

  void Step(const HandParameters& hand, const HandTarget<double>& before, const HandTarget<double>& after,
            const Vec<double, 3>& push_Nm, double h_s) {
    const double B = hand.damping_Nms_per_rad, K = hand.stiffness_Nm_per_rad, I = hand.inertia_kgm2 + kInertia_kgm2;
    const Vec<double, 3> pace = Between(before.q_WS, after.q_WS) / h_s;
    const Vec<double, 3> torque = K * Between(q_WH, after.q_WS) + B * pace + push_Nm;
    w_WH_radps = (I * w_WH_radps + h_s * torque) / (I + h_s * (B + kDamping_Nms_per_rad) + h_s * h_s * K);
    Quaternion<double> turn;
    turn << 1, 0.5 * h_s * w_WH_radps;
    q_WH = Normalized<double>(Multiply<double>(turn, q_WH));
  }

 private:
  static Vec<double, 3> Between(const Quaternion<double>& from, const Quaternion<double>& to) {
    const Quaternion<double> turn = Multiply<double>(to, Conjugate<double>(from));
    return (turn(0) < 0 ? -2.0 : 2.0) * turn.tail<3>();
  }
};

/// The unit quaternion of a rotation: the largest of its four components by its root, the others by quotients.
inline Quaternion<double> QuaternionOfRotation(const Mat<double, 3, 3>& R) {
  const double s[4] = {R(0, 0) + R(1, 1) + R(2, 2), R(0, 0) - R(1, 1) - R(2, 2), R(1, 1) - R(2, 2) - R(0, 0),
                       R(2, 2) - R(0, 0) - R(1, 1)};  // 4 w² - 1, 4 x² - 1, 4 y² - 1, 4 z² - 1
  int k = 0;
  for (int i = 1; i < 4; ++i) k = s[i] > s[k] ? i : k;
  const double wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  const double xy = R(1, 0) + R(0, 1), yz = R(2, 1) + R(1, 2), zx = R(0, 2) + R(2, 0), own = 1 + s[k];
  const Quaternion<double> q[4] = {{own, wx, wy, wz}, {wx, own, xy, zx}, {wy, xy, own, yz}, {wz, zx, yz, own}};
  const Quaternion<double> unit = Normalized<double>(q[k]);
  return unit(0) < 0 ? Quaternion<double>(-unit) : unit;
}

}  // namespace tactus::hal
