#pragma once
#include <concepts>
#include <cstdint>

#include "tactus/core/spatial.h"
#include "tactus/core/status.h"

namespace tactus {

/// Why a calculation on a mechanism has no answer.
enum class KinematicCause : std::uint8_t {
  kNone,
  kNotFinite,      ///< a NaN or an infinity came in
  kAbsurd,         ///< a number beyond kMostAngle_rad or kMostPlace_m
  kJointLimit,     ///< a joint would be outside its range
  kUnreachable,    ///< links are too short or too long: they do not close
  kSingular,       ///< closer to a singularity than the geometry's least sine
  kOffSurface,     ///< the point is not on the curve or plane on which the handle moves
  kOtherBranch,    ///< reachable only with the mechanism folded the other way
  kNoConvergence,  ///< the bounded iteration did not settle
};

constexpr const char* Name(KinematicCause cause) {
  switch (cause) {
    case KinematicCause::kNone: return "none";
    case KinematicCause::kNotFinite: return "not finite";
    case KinematicCause::kAbsurd: return "absurd";
    case KinematicCause::kJointLimit: return "joint limit";
    case KinematicCause::kUnreachable: return "unreachable";
    case KinematicCause::kSingular: return "singular";
    case KinematicCause::kOffSurface: return "off the surface";
    case KinematicCause::kOtherBranch: return "other branch";
    case KinematicCause::kNoConvergence: return "no convergence";
  }
  return "unknown";
}

/// How a calculation ended. On anything but kOk its outputs are zero (a rotation: the identity), never an old value.
struct [[nodiscard]] KinematicResult {
  Status status = Status::kOk;
  KinematicCause cause = KinematicCause::kNone;
  int joint = -1;  ///< whose; -1: of no single joint

  constexpr bool ok() const { return status == Status::kOk; }
};

constexpr KinematicResult KinematicFailure(KinematicCause cause, int joint = -1) {
  return {cause == KinematicCause::kNotFinite ? Status::kNotFinite : Status::kOutOfRange, cause, joint};
}

inline constexpr double kMostAngle_rad = 100;  ///< no joint of a haptic device turns further
inline constexpr double kMostPlace_m = 10;     ///< no handle is further away

/// Position and orientation of the handle H in the device's base D.
template <class Scalar>
struct HandlePose {
  Vec<Scalar, 3> p_DH = Vec<Scalar, 3>::Zero();            ///< [m]
  Mat<Scalar, 3, 3> R_DH = Mat<Scalar, 3, 3>::Identity();  ///< takes H to D
};

/// Ranges in which the joints mechanically are. A measured angle outside of one is a wrong angle.
template <class Scalar, int kJoints>
struct JointLimits {
  Vec<Scalar, kJoints> low_rad, high_rad;
};

/// What is wrong with a geometry or a calibration: "link_m[1] must be above 0".
struct DeviceFault {
  const char* field = nullptr;  ///< nullptr: nothing is wrong
  int index = -1;               ///< motor or joint; -1: the field is one number
  const char* what = nullptr;
  double value = 0;

  constexpr explicit operator bool() const { return field != nullptr; }
};

/// The five functions of a device. q holds kMotors driven angles, then kSensed angles of joints that are only measured;
/// x is the handle's velocity in D, kRows = 3: linear, 6: linear, then angular.
///
///     Validate()          the geometry: first field that is wrong
///     Limits()            of every joint
///     Forward(q, &pose)   p_DH = f(q)
///     Inverse(pose, &q)   Forward(Inverse(pose)) = pose
///     Jacobian(q, &J)     ẋ = J q̇ of the driven joints; with it τ = Jᵀ F (virtual work: τ·δq = F·δx)
template <class D>
concept DeviceKinematics = requires(const D device, Vec<typename D::Real, D::kMotors + D::kSensed> q,
                                    HandlePose<typename D::Real> pose, Mat<typename D::Real, D::kRows, D::kMotors> J) {
  requires D::kMotors >
  0 && D::kSensed >= 0 && (D::kRows == 3 || D::kRows == 6);
  { device.Validate() } -> std::same_as<DeviceFault>;
  { device.Limits() } -> std::same_as<JointLimits<typename D::Real, D::kMotors + D::kSensed>>;
  { device.Forward(q, &pose) } -> std::same_as<KinematicResult>;
  { device.Inverse(pose, &q) } -> std::same_as<KinematicResult>;
  { device.Jacobian(q, &J) } -> std::same_as<KinematicResult>;
};

/// A device whose masses are known: also the torques that hold it against gravity, ∂U/∂q with U = -Σ m g·p.
template <class D>
concept HasMassModel = DeviceKinematics<D> && requires(const D device, Vec<typename D::Real, D::kMotors + D::kSensed> q,
                                                       Vec<typename D::Real, 3> g, Vec<typename D::Real, D::kMotors> tau) {
  { device.HoldingTorque(q, g, &tau) } -> std::same_as<KinematicResult>;
};

template <class D>
using DeviceAngles = Vec<typename D::Real, D::kMotors + D::kSensed>;
template <class D>
using DeviceTorques = Vec<typename D::Real, D::kMotors>;
template <class D>
using DeviceJacobian = Mat<typename D::Real, D::kRows, D::kMotors>;

/// Whether every angle is a number and inside its range.
template <class Scalar, int kJoints>
KinematicResult CheckAngles(const Vec<Scalar, kJoints>& q_rad, const JointLimits<Scalar, kJoints>& limits) noexcept {
  for (int i = 0; i < kJoints; ++i) {
    if (!IsFinite(q_rad(i))) return KinematicFailure(KinematicCause::kNotFinite, i);
    if (Abs(q_rad(i)) > Scalar(kMostAngle_rad)) return KinematicFailure(KinematicCause::kAbsurd, i);
  }
  for (int i = 0; i < kJoints; ++i) {
    const bool inside = q_rad(i) >= limits.low_rad(i) && q_rad(i) <= limits.high_rad(i);
    if (!inside) return KinematicFailure(KinematicCause::kJointLimit, i);
  }
  return {};
}

/// The angle that differs from `angle_rad` by -1, 0 or 1 whole turns and is inside the range; where none is, itself.
template <class Scalar>
Scalar TurnInto(Scalar angle_rad, Scalar low_rad, Scalar high_rad) noexcept {
  if (angle_rad < low_rad && angle_rad + kTurn_rad<Scalar> <= high_rad) return angle_rad + kTurn_rad<Scalar>;
  if (angle_rad > high_rad && angle_rad - kTurn_rad<Scalar> >= low_rad) return angle_rad - kTurn_rad<Scalar>;
  return angle_rad;
}

/// Whether a point is a number and not absurd.
template <class Scalar>
KinematicResult CheckPlace(const Vec<Scalar, 3>& p_m) noexcept {
  if (!IsFinite(p_m)) return KinematicFailure(KinematicCause::kNotFinite);
  for (const Scalar x : p_m) {
    if (Abs(x) > Scalar(kMostPlace_m)) return KinematicFailure(KinematicCause::kAbsurd);
  }
  return {};
}

inline constexpr double kMostGravity_mps2 = 100;  ///< along each axis

/// Whether an acceleration of gravity is a number and not absurd.
template <class Scalar>
KinematicResult CheckGravity(const Vec<Scalar, 3>& g_mps2) noexcept {
  if (!IsFinite(g_mps2)) return KinematicFailure(KinematicCause::kNotFinite);
  for (const Scalar g : g_mps2) {
    if (Abs(g) > Scalar(kMostGravity_mps2)) return KinematicFailure(KinematicCause::kAbsurd);
  }
  return {};
}

/// τ = Jᵀ F: the torques of the driven joints that make force (and moment) F at the handle.
/// @param[in] F  kRows×1 [N, N·m], in D
template <class Scalar, int kRows, int kMotors>
Vec<Scalar, kMotors> TorquesOfWrench(const Mat<Scalar, kRows, kMotors>& J, const Vec<Scalar, kRows>& F) noexcept {
  Vec<Scalar, kMotors> tau;
  for (int j = 0; j < kMotors; ++j) {
    Scalar sum = 0;
    for (int i = 0; i < kRows; ++i) sum += J(i, j) * F(i);
    tau(j) = sum;
  }
  return tau;
}

}  // namespace tactus
