// Closed loop: y = C_p s_p, u = -(C_h s_h + D_h y), so
//
//     s_p⁺ = A_p s_p + B_p u = (A_p - B_p D_h C_p) s_p - B_p C_h s_h
//     s_h⁺ = B_h C_p s_p + A_h s_h
#include "host_tools/stability/discrete_filter.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <limits>

namespace tactus::host {

DiscreteFilter FilterOf(int states, const std::function<double(FilterVector* state, double input)>& step) {
  DiscreteFilter filter{
      .A = FilterMatrix(states, states), .B = FilterVector::Zero(states), .C = FilterVector(states), .D = 0};
  for (int i = 0; i < states; ++i) {
    FilterVector state = FilterVector::Zero(states);
    state(i) = 1;
    filter.C(i) = step(&state, 0);
    filter.A.col(i) = state;
  }
  filter.D = step(&filter.B, 1);
  return filter;
}

// The transposed direct form: f = b0/a0 y + s_1, s_i⁺ = s_(i+1) + b_i/a0 y - a_i/a0 f.
DiscreteFilter FilterOf(std::span<const double> numerator, std::span<const double> denominator) {
  const auto at = [](std::span<const double> p, std::size_t i) { return i < p.size() ? p[i] : 0.0; };
  const std::size_t states = std::max(numerator.size(), denominator.size()) - 1;
  return FilterOf(static_cast<int>(states), [&](FilterVector* state, double y) {
    const double a0 = denominator[0];
    const double f = at(numerator, 0) / a0 * y + (states > 0 ? (*state)(0) : 0.0);
    for (std::size_t i = 1; i <= states; ++i) {
      const double next = i < states ? (*state)(static_cast<Eigen::Index>(i)) : 0.0;
      (*state)(static_cast<Eigen::Index>(i) - 1) = next + (at(numerator, i) * y - at(denominator, i) * f) / a0;
    }
    return f;
  });
}

std::complex<double> Response(const DiscreteFilter& filter, double theta_rad) {
  if (filter.states() == 0) return filter.D;
  const std::complex<double> z = std::polar(1.0, theta_rad);
  using Complex = std::complex<double>;
  Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxStates, kMaxStates> resolvent = -filter.A.cast<Complex>();
  resolvent.diagonal().array() += z;
  const Eigen::Matrix<Complex, Eigen::Dynamic, 1, 0, kMaxStates, 1> s =
      resolvent.partialPivLu().solve(filter.B.cast<Complex>());
  return filter.D + filter.C.cast<Complex>().cwiseProduct(s).sum();
}

double SpectralRadius(const FilterMatrix& matrix) {
  if (matrix.size() == 0) return 0;
  if (!matrix.allFinite()) return std::numeric_limits<double>::infinity();
  const Eigen::EigenSolver<FilterMatrix> solver(matrix, false);
  if (solver.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  return solver.eigenvalues().cwiseAbs().maxCoeff();
}

FilterMatrix ClosedLoop(const DiscreteFilter& plant, const DiscreteFilter& H) {
  const int p = plant.states(), h = H.states();
  FilterMatrix A(p + h, p + h);
  A.topLeftCorner(p, p) = plant.A - H.D * plant.B * plant.C.transpose();
  A.topRightCorner(p, h) = -plant.B * H.C.transpose();
  A.bottomLeftCorner(h, p) = H.B * plant.C.transpose();
  A.bottomRightCorner(h, h) = H.A;
  return A;
}

}  // namespace tactus::host
