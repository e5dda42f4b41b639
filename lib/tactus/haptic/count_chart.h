#pragma once
#include "tactus/core/cholesky.h"
#include "tactus/core/eigen.h"
#include "tactus/core/frames.h"
#include "tactus/core/scalar.h"
#include "tactus/haptic/config.h"

namespace tactus {

/// The coordinates of a position in which its rounding is that of one coordinate alone: counts c of the motors that it is
/// from, or x, y, z, where it is from none.
///
///     Δx = C Δc,   Δc = A Δx,   A = (CᵀC)⁻¹ Cᵀ,   C: a column for each motor, its step in W [m]
///
/// Of a device whose motors make unequal steps, or whose steps are not along x, y and z, one count of x, y, z is none of the
/// device's: what rounds much along one motor rounds little along another.
///
/// A sensor may be coarser than what it counts: then D is declared, and C is taken larger by
///
///     max(1, D/d),   d = max over x, y, z of √(Σ C_xi²)
///
/// so that a count is as coarse as is declared along the coarsest axis, and along others in proportion.
template <class Scalar>
class CountChart {
  using Vec3 = Vec<Scalar, 3>;
  using Matrix = Mat<Scalar, 3, 3>;

 public:
  /// Steps beyond these are no device's, nor is a motor whose step is so nearly along another's, or in the plane of two: x,
  /// y, z are used.
  static constexpr float kLeastStep_m = 1e-9f, kMostStep_m = 1e-3f;
  static constexpr float kLeastSine = 0.1f;

  /// x, y, z.
  CountChart() = default;

  /// Counts of motors, where their steps are usable; else x, y, z. NaN is not usable.
  /// @param[in] resolution_m  D; 0: the counts are all there is
  explicit CountChart(const CountSteps& counts, Scalar resolution_m = Scalar(0)) noexcept {
    const int motors = counts.motors;
    if (motors < 1 || motors > 3) return;
    Matrix U = Matrix::Zero(), N = Matrix::Identity(), L;  // unit columns, UᵀU
    Vec3 step_m = Vec3::Ones();
    for (int i = 0; i < motors; ++i) {
      for (int x = 0; x < 3; ++x) C_(x, i) = static_cast<Scalar>(counts.step_m[i][x]);
      step_m(i) = Norm(Vec3(C_.col(i)));
      if (!(step_m(i) >= Scalar(kLeastStep_m) && step_m(i) <= Scalar(kMostStep_m))) return;
      U.col(i) = C_.col(i) / step_m(i);
    }
    for (int i = 0; i < motors; ++i) {
      for (int j = 0; j < i; ++j) N(i, j) = N(j, i) = U.col(i).dot(U.col(j));
    }
    if (!Cholesky(N, &L)) return;
    for (int i = 0; i < motors; ++i) {
      if (L(i, i) < Scalar(kLeastSine)) return;
    }
    const Matrix half = InverseOfLower(L);
    const Scalar coarser = CoarserBy(resolution_m);
    A_ = half.transpose() * (half * U.transpose());
    for (int i = 0; i < motors; ++i) A_.row(i) /= coarser * step_m(i);
    C_ *= coarser;
    motors_ = motors;
  }

  /// 0: x, y, z.
  int motors() const { return motors_; }
  /// Its coordinates: the first so many of each vector.
  int axes() const { return motors_ > 0 ? motors_ : 3; }
  /// C
  const Matrix& steps_m() const { return C_; }

  /// A x
  Vec3 Into(const Vec3& x) const { return motors_ > 0 ? Vec3(A_ * x) : x; }
  /// C c
  Vec3 OutOf(const Vec3& c) const { return motors_ > 0 ? Vec3(C_ * c) : c; }

  /// The way of one count of a motor [m].
  Scalar Step_m(int motor) const { return Norm(Vec3(C_.col(motor))); }
  /// Σ of the squares of a count's way over the motors [m²].
  Scalar Square_m2() const { return C_.squaredNorm(); }
  /// The farthest that a count each way of every motor takes the handle, squared: max |C e|², e_i = ±1 [m²].
  Scalar Widest_m2() const {
    Scalar widest_m2(0);
    for (const Scalar y : {Scalar(-1), Scalar(1)}) {
      for (const Scalar z : {Scalar(-1), Scalar(1)})
        widest_m2 = Max(widest_m2, Vec3(C_.col(0) + y * C_.col(1) + z * C_.col(2)).squaredNorm());
    }
    return widest_m2;
  }

 private:
  Scalar CoarserBy(Scalar resolution_m) const {
    Scalar d2(0);
    for (int x = 0; x < 3; ++x) d2 = Max(d2, C_.row(x).squaredNorm());
    return resolution_m * resolution_m > d2 ? resolution_m / Sqrt(d2) : Scalar(1);
  }

  int motors_ = 0;
  Matrix C_ = Matrix::Zero(), A_ = Matrix::Zero();
};

}  // namespace tactus
