#pragma once
#include <limits>

#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"

namespace tactus {

// Rotations as unit quaternions q = (w, x, y, z): q_WT takes vectors given in T to W. Products are Hamilton's.

template <class Scalar>
using Quaternion = Vec<Scalar, 4>;

template <class Scalar>
Quaternion<Scalar> IdentityQuaternion() {
  return Quaternion<Scalar>(Scalar(1), Scalar(0), Scalar(0), Scalar(0));
}

/// [a]× : CrossMatrix(a) b = a × b.
template <class Scalar>
Mat<Scalar, 3, 3> CrossMatrix(const Vec<Scalar, 3>& a) {
  Mat<Scalar, 3, 3> m;
  m << Scalar(0), -a(2), a(1), a(2), Scalar(0), -a(0), -a(1), a(0), Scalar(0);
  return m;
}

/// a × b.
template <class Scalar>
Vec<Scalar, 3> Cross(const Vec<Scalar, 3>& a, const Vec<Scalar, 3>& b) {
  return Vec<Scalar, 3>(a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0));
}

/// A a in line: the compilers leave Eigen's product of this size a call. The same bits: A_i0 a_0 + (A_i1 a_1 + A_i2 a_2).
template <class Scalar>
[[gnu::always_inline]] inline Vec<Scalar, 3> Times(const Mat<Scalar, 3, 3>& A, const Vec<Scalar, 3>& a) {
  return Vec<Scalar, 3>(A(0, 0) * a(0) + (A(0, 1) * a(1) + A(0, 2) * a(2)),
                        A(1, 0) * a(0) + (A(1, 1) * a(1) + A(1, 2) * a(2)),
                        A(2, 0) * a(0) + (A(2, 1) * a(1) + A(2, 2) * a(2)));
}

/// The same of one number: in the plane a moment of inertia.
template <class Scalar>
[[gnu::always_inline]] inline Vec<Scalar, 1> Times(const Mat<Scalar, 1, 1>& A, const Vec<Scalar, 1>& a) {
  return Vec<Scalar, 1>(A(0, 0) * a(0));
}

/// |a|, without a call: 0 for the zero vector.
template <class Scalar, int kRows>
Scalar Norm(const Vec<Scalar, kRows>& a) {
  return Sqrt(Scalar(a.squaredNorm()));
}

/// Whether no component is NaN or infinite.
template <class Scalar, int kRows>
bool IsFinite(const Vec<Scalar, kRows>& a) {
  for (int i = 0; i < kRows; ++i) {
    if (!IsFinite(a(i))) return false;
  }
  return true;
}

template <class Scalar>
Quaternion<Scalar> Conjugate(const Quaternion<Scalar>& q) {
  return Quaternion<Scalar>(q(0), -q(1), -q(2), -q(3));
}

/// q_AC = q_AB q_BC.
template <class Scalar>
Quaternion<Scalar> Multiply(const Quaternion<Scalar>& a, const Quaternion<Scalar>& b) {
  return Quaternion<Scalar>(
      a(0) * b(0) - a(1) * b(1) - a(2) * b(2) - a(3) * b(3), a(0) * b(1) + a(1) * b(0) + a(2) * b(3) - a(3) * b(2),
      a(0) * b(2) - a(1) * b(3) + a(2) * b(0) + a(3) * b(1), a(0) * b(3) + a(1) * b(2) - a(2) * b(1) + a(3) * b(0));
}

/// q / |q|; the identity if |q| is zero, NaN if |q| is not finite.
template <class Scalar>
Quaternion<Scalar> Normalized(const Quaternion<Scalar>& q) {
  const Scalar norm = Norm(q);
  if (!IsFinite(norm)) return Quaternion<Scalar>::Constant(std::numeric_limits<Scalar>::quiet_NaN());
  if (!(norm > Scalar(0))) return IdentityQuaternion<Scalar>();
  return q / norm;
}

/// The rotation matrix of a unit quaternion.
template <class Scalar>
Mat<Scalar, 3, 3> RotationMatrix(const Quaternion<Scalar>& q) {
  const Scalar w = q(0), x = q(1), y = q(2), z = q(3), two = Scalar(2), one = Scalar(1);
  Mat<Scalar, 3, 3> R;
  R << one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y),  //
      two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x),   //
      two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y);
  return R;
}

/// Exponential map: the rotation by |φ| about φ/|φ|, as a unit quaternion.
///
/// q = (cos(|φ|/2), sin(|φ|/2) φ/|φ|); below |φ| = 1e-3 the sine's and cosine's series to φ⁴, whose next terms are below
/// 1e-17.
template <class Scalar>
Quaternion<Scalar> ExpMap(const Vec<Scalar, 3>& rotation_rad) {
  const Scalar angle2 = rotation_rad.squaredNorm();
  Scalar w, s;  // s = sin(|φ|/2) / |φ|
  if (angle2 < Scalar(1e-6)) {
    w = Scalar(1) - angle2 * (Scalar(1) / 8 - angle2 * (Scalar(1) / 384));
    s = Scalar(0.5) - angle2 * (Scalar(1) / 48 - angle2 * (Scalar(1) / 3840));
  } else {
    const Scalar angle = Sqrt(angle2);
    w = Cos(angle / 2);
    s = Sin(angle / 2) / angle;
  }
  return Quaternion<Scalar>(w, s * rotation_rad(0), s * rotation_rad(1), s * rotation_rad(2));
}

/// Logarithmic map: the rotation vector φ of a unit quaternion, |φ| ≤ π. q and -q give the same; the inverse of ExpMap below
/// π.
///
/// φ = 2 atan2(|v|, w) v/|v|; below |v| = 1e-3 its series 2 v/w (1 - |v|²/(3w²) + |v|⁴/(5w⁴)), whose next term is below
/// 2e-19.
template <class Scalar>
Vec<Scalar, 3> LogMap(const Quaternion<Scalar>& q) {
  const Scalar sign = q(0) < Scalar(0) ? Scalar(-1) : Scalar(1);
  const Scalar w = sign * q(0);
  const Vec<Scalar, 3> v(sign * q(1), sign * q(2), sign * q(3));
  const Scalar s2 = v.squaredNorm();
  if (s2 < Scalar(1e-6)) {
    const Scalar t2 = s2 / (w * w);
    return v * (Scalar(2) / w * (Scalar(1) - t2 * (Scalar(1) / 3 - t2 * (Scalar(1) / 5))));
  }
  const Scalar s = Sqrt(s2);
  return v * (Scalar(2) * Atan2(s, w) / s);
}

/// R diag(J) Rᵀ: principal moments of inertia in the axes R takes to.
template <class Scalar>
Mat<Scalar, 3, 3> RotateInertia(const Mat<Scalar, 3, 3>& R_WT, const Vec<Scalar, 3>& principal_kgm2) {
  const Mat<Scalar, 3, 3> scaled = R_WT * principal_kgm2.asDiagonal();
  return scaled * R_WT.transpose();
}

}  // namespace tactus
