#pragma once
#include "tactus/device/kinematics.h"

namespace tactus {

/// Three axes that meet in the wrist's centre, between the forearm F and the handle H.
///
///     R_FH = Rz(g₁) Ry(g₂) Rx(g₃)        singular at cos g₂ = 0: axes 1 and 3 are one
template <class Scalar>
struct Gimbal {
  using Vec3 = Vec<Scalar, 3>;
  using Mat3 = Mat<Scalar, 3, 3>;

  static Mat3 Rotation(const Vec3& g_rad) noexcept {
    const Scalar c1 = Cos(g_rad(0)), s1 = Sin(g_rad(0)), c2 = Cos(g_rad(1)), s2 = Sin(g_rad(1)), c3 = Cos(g_rad(2)),
                 s3 = Sin(g_rad(2));
    Mat3 R;
    R << c1 * c2, c1 * s2 * s3 - s1 * c3, c1 * s2 * c3 + s1 * s3,  //
        s1 * c2, s1 * s2 * s3 + c1 * c3, s1 * s2 * c3 - c1 * s3,   //
        -s2, c2 * s3, c2 * c3;
    return R;
  }

  /// The axes in F: angular velocity of H in F = Axes ġ.
  static Mat3 Axes(const Vec3& g_rad) noexcept {
    const Scalar c1 = Cos(g_rad(0)), s1 = Sin(g_rad(0)), c2 = Cos(g_rad(1)), s2 = Sin(g_rad(1));
    Mat3 A;
    A << Scalar(0), -s1, c1 * c2, Scalar(0), c1, s1 * c2, Scalar(1), Scalar(0), -s2;
    return A;
  }

  /// g₂ in (-π/2, π/2). @returns kSingular, joint 4: cos g₂ < least_sine
  static KinematicResult Angles(const Mat3& R_FH, Scalar least_sine, Vec3* g_rad) noexcept {
    g_rad->setZero();
    const Scalar cosine = Sqrt(R_FH(0, 0) * R_FH(0, 0) + R_FH(1, 0) * R_FH(1, 0));
    if (!(cosine >= least_sine)) return KinematicFailure(KinematicCause::kSingular, 4);
    *g_rad << Atan2(R_FH(1, 0), R_FH(0, 0)), Atan2(-R_FH(2, 0), cosine), Atan2(R_FH(2, 1), R_FH(2, 2));
    return {};
  }
};

/// Whether R is a rotation: RᵀR = 1 to 1e-3, det R > 0.
template <class Scalar>
KinematicResult CheckRotation(const Mat<Scalar, 3, 3>& R) noexcept {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!IsFinite(R(i, j))) return KinematicFailure(KinematicCause::kNotFinite);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Scalar product = R.col(i).dot(R.col(j)), expected = i == j ? Scalar(1) : Scalar(0);
      if (!(Abs(product - expected) <= Scalar(1e-3))) return KinematicFailure(KinematicCause::kAbsurd);
    }
  }
  const Vec<Scalar, 3> x = R.col(0), y = R.col(1), z = R.col(2);
  return z.dot(Cross(x, y)) > 0 ? KinematicResult{} : KinematicFailure(KinematicCause::kAbsurd);
}

}  // namespace tactus
