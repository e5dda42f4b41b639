#pragma once
#include "tactus/core/spatial.h"

namespace tactus {

/// J with ω_W = J φ̇ for a body whose rotation is exp(φ): the left Jacobian of the rotations.
///
///     J = I + [φ]× (1 - cos θ)/θ² + [φ]×² (θ - sin θ)/θ³,   θ = |φ|
/// Near 0    below θ = 1e-2 its series I + [φ]×/2 + [φ]×²/6, whose next term is below 5e-8
/// Source    [SDA18], appendix B, equations (145) and (146)
template <class Scalar>
Mat<Scalar, 3, 3> RotationJacobian(const Vec<Scalar, 3>& rotation_rad) {
  const Scalar angle2 = rotation_rad.squaredNorm();
  const Mat<Scalar, 3, 3> K = CrossMatrix(rotation_rad), K2 = K * K;
  const Mat<Scalar, 3, 3> I = Mat<Scalar, 3, 3>::Identity();
  if (angle2 < Scalar(1e-4)) return I + K / Scalar(2) + K2 / Scalar(6);
  const Scalar angle = Sqrt(angle2), s = Sin(angle / Scalar(2));  // 1 - cos θ = 2 s²
  return I + K * (Scalar(2) * s * s / angle2) + K2 * ((angle - Sin(angle)) / (angle2 * angle));
}

/// Its inverse, for |φ| < 2π:  J⁻¹ = I - [φ]×/2 + [φ]×² (1 - (θ/2) cot(θ/2))/θ². Below θ = 1e-2 the last
/// factor is 1/12, and what is left out below 2e-11.
template <class Scalar>
Mat<Scalar, 3, 3> InverseRotationJacobian(const Vec<Scalar, 3>& rotation_rad) {
  const Scalar angle2 = rotation_rad.squaredNorm();
  const Mat<Scalar, 3, 3> K = CrossMatrix(rotation_rad), K2 = K * K;
  Scalar factor = Scalar(1) / Scalar(12);
  if (angle2 >= Scalar(1e-4)) {
    const Scalar half = Sqrt(angle2) / Scalar(2);
    factor = (Scalar(1) - half * Cos(half) / Sin(half)) / angle2;
  }
  return Mat<Scalar, 3, 3>::Identity() - K / Scalar(2) + K2 * factor;
}

}  // namespace tactus
