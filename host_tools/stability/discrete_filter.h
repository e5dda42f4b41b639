#pragma once
#include <complex>
#include <functional>
#include <span>

#include "tactus/core/eigen.h"

namespace tactus::host {

/// A filter has so many states at most, and a loop of two of them no more either: a window of 60 samples, 20 periods of
/// delay.
inline constexpr int kMaxStates = 88;
using FilterVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxStates, 1>;
using FilterMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxStates, kMaxStates>;

/// A linear system in discrete time with one input y and one output f, any H(z) whose numerator is of no higher degree:
///
///     s⁺ = A s + B y,   f = C s + D y,   H(z) = D + C (z I - A)⁻¹ B
///
/// Configuration time only, on the host: its users need eigenvalues and cosines, which lib has not.
struct DiscreteFilter {
  FilterMatrix A;
  FilterVector B, C;  ///< C: its one row
  double D = 0;

  int states() const { return static_cast<int>(A.rows()); }
};

/// The matrices of a linear step that is written as its equations are: it takes the state and the input, changes the state
/// and returns the output. Column i is what the step makes of unit vector i.
DiscreteFilter FilterOf(int states, const std::function<double(FilterVector* state, double input)>& step);

/// (b0 + b1 z⁻¹ + …)/(a0 + a1 z⁻¹ + …). @param[in] denominator  a0 ≠ 0
DiscreteFilter FilterOf(std::span<const double> numerator, std::span<const double> denominator);

/// H(exp(jθ)). @param[in] theta_rad  ω T, 0 … π
std::complex<double> Response(const DiscreteFilter& filter, double theta_rad);

/// Largest magnitude of an eigenvalue. @returns infinity: the matrix is not finite
double SpectralRadius(const FilterMatrix& matrix);

/// The state matrix of `plant` under f = -H y: what comes out of the plant goes into H, and minus its output drives the
/// plant. @param[in] plant  without a direct way from input to output, D = 0
FilterMatrix ClosedLoop(const DiscreteFilter& plant, const DiscreteFilter& H);

}  // namespace tactus::host
