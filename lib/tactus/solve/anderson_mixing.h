#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "tactus/core/scalar.h"

namespace tactus {

/// Anderson's mixing [Anderson65, WalkerNi11] for a fixed point x = G(x), with the last two steps:
///
///     f = G(x) - x      γ = argmin |f - ΔF γ|²      x := x + f - (ΔX + ΔF) γ
///
/// Where G is linear in what the steps have spanned this is the fixed point.
template <class Scalar, std::size_t kSize>
class AndersonMixing {
 public:
  /// Before step 1 of another fixed point.
  void Reset() { in_step_.fill(0); }

  /// @param[in]     step     1, then one more each time
  /// @param[in]     members  places of x and G that are numbers of this problem, `size` of them
  /// @param[in]     g        G(x)
  /// @param[in,out] x        in `members` the next x
  void Step(int step, const std::array<std::int16_t, kSize>& members, std::size_t size, const std::array<Scalar, kSize>& g,
            std::array<Scalar, kSize>* x) {
    for (std::size_t m = 0; m < size; ++m) Shift(step, static_cast<std::size_t>(members[m]), g, *x);
    const std::array<Scalar, 2> gamma = LeastSquares(members, size);
    for (std::size_t m = 0; m < size; ++m) {
      const auto i = static_cast<std::size_t>(members[m]);
      (*x)[i] += f_[i] - gamma[0] * (dx_[0][i] + df_[0][i]) - gamma[1] * (dx_[1][i] + df_[1][i]);
    }
  }
  /// Whether x_i has taken this step.
  bool HasTaken(int step, std::size_t i) const { return in_step_[i] == step; }

 private:
  // The newest difference is the first. What was no member a step ago has none.
  void Shift(int step, std::size_t i, const std::array<Scalar, kSize>& g, const std::array<Scalar, kSize>& x) {
    const Scalar f = g[i] - x[i];
    const bool follows = step > 1 && in_step_[i] == step - 1;
    const bool has_two = follows && step > 2;
    dx_[1][i] = has_two ? dx_[0][i] : Scalar(0);
    df_[1][i] = has_two ? df_[0][i] : Scalar(0);
    dx_[0][i] = follows ? x[i] - x_[i] : Scalar(0);
    df_[0][i] = follows ? f - f_[i] : Scalar(0);
    x_[i] = x[i];
    f_[i] = f;
    in_step_[i] = static_cast<std::int8_t>(step);
  }

  // A difference counts where it is more than rounding beside f, and the second where it has a direction of its own.
  std::array<Scalar, 2> LeastSquares(const std::array<std::int16_t, kSize>& members, std::size_t size) const {
    constexpr Scalar kOwn = Scalar(1e-6);    // sin² of the angle between them
    constexpr Scalar kLeast = Scalar(1e-8);  // |Δf|² of |f|²: steps that change next to nothing say nothing
    std::array<Scalar, 2> gamma{};
    const auto dot = [&](const std::array<Scalar, kSize>& a, const std::array<Scalar, kSize>& b) {
      Scalar sum(0);
      for (std::size_t m = 0; m < size; ++m) {
        const auto i = static_cast<std::size_t>(members[m]);
        sum += a[i] * b[i];
      }
      return sum;
    };
    const Scalar aa = dot(df_[0], df_[0]), af = dot(df_[0], f_);
    if (!(aa > kLeast * dot(f_, f_))) return gamma;
    gamma[0] = af / aa;
    const Scalar bb = dot(df_[1], df_[1]), ab = dot(df_[0], df_[1]), det = aa * bb - ab * ab;
    if (!(det > kOwn * aa * bb)) return gamma;
    const Scalar bf = dot(df_[1], f_);
    gamma[0] = (af * bb - bf * ab) / det;
    gamma[1] = (bf * aa - af * ab) / det;
    return gamma;
  }

  std::array<std::int8_t, kSize> in_step_{};  // the last that it was a member in
  std::array<Scalar, kSize> x_, f_;
  std::array<std::array<Scalar, kSize>, 2> dx_, df_;
};

}  // namespace tactus
