#pragma once

namespace tactus::internal {

/// Whether contact j depends on C: its Schur complement s_j = zᵀAz, z = (-A_CC⁻¹ A_Cj, 1), is rounding, since an error ε of
/// A becomes ε Σ A_ii z_i² in it.
template <class Scalar>
struct Dependence {
  static constexpr Scalar kRounding = sizeof(Scalar) == 8 ? Scalar(1e-11) : Scalar(2e-6);  // of Σ A_ii z_i²
  static constexpr Scalar kClear = Scalar(1e-2);                                           // of A_jj: no need of the sum

  static bool IsClear(Scalar schur, Scalar A_jj) { return schur > kClear * A_jj || !(schur > kRounding * A_jj); }
  /// @param sum  Σ A_ii z_i² ≥ A_jj, or A_jj alone where IsClear()
  static bool IsIndependent(Scalar schur, Scalar sum) { return schur > kRounding * sum; }
};

}  // namespace tactus::internal
