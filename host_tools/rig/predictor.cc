// With c_j = Σ e_i e_(i-j) and v_0 = c_0, one coefficient more in each step n:
//
//     k = (c_n - Σ_j a_j c_(n-1-j)) / v,   a_j ← a_j - k a_(n-2-j),   a_(n-1) = k,   v ← v (1 - k²)
#include "host_tools/rig/predictor.h"

#include <cmath>

namespace tactus::host {

std::vector<double> PredictorOf(std::span<const double> e, std::size_t order) {
  std::vector<double> c(order + 1, 0), a;
  for (std::size_t j = 0; j <= order; ++j) {
    for (std::size_t i = j; i < e.size(); ++i) c[j] += e[i] * e[i - j];
  }
  if (!(c[0] > 0) || !std::isfinite(c[0])) return {};
  double v = c[0] *= 1 + 1e-6;  // a sequence that is predicted to the last digit has no inverse
  for (std::size_t n = 1; n <= order; ++n) {
    double k = c[n];
    for (std::size_t j = 0; j < a.size(); ++j) k -= a[j] * c[n - 1 - j];
    k /= v;
    std::vector<double> next = a;
    for (std::size_t j = 0; j < a.size(); ++j) next[j] -= k * a[a.size() - 1 - j];
    next.push_back(k);
    a = std::move(next);
    v *= 1 - k * k;
  }
  return a;
}

}  // namespace tactus::host
