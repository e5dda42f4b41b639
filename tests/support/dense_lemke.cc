#include "tests/support/dense_lemke.h"

#include <algorithm>
#include <cmath>

namespace tactus::test {
namespace {

constexpr Real kPivotTolerance = 1e-12L;  // times the largest entry of the column; long double carries 19 digits
constexpr Real kTieTolerance = 1e-14L;    // times the size of q
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Basic variables as affine functions of the nonbasic ones: x_basic = q + A x_nonbasic. Variables 0..n-1 are w, n..2n-1 are
// z, 2n is z0.
class Dictionary {
 public:
  Dictionary(const Lcp& lcp, const DenseVector& covering) : n_(lcp.q.size()), a_(n_, n_ + 1), q_(lcp.q) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) a_(i, j) = lcp.M(i, j);
      a_(i, n_) = covering[i];
      basic_.push_back(i);
      nonbasic_.push_back(n_ + i);
    }
    nonbasic_.push_back(2 * n_);
    UpdatePlaces();
    for (const Real q : q_) scale_ = std::max(scale_, std::abs(q));
  }

  LcpAnswer Run(int max_pivots) {
    LcpAnswer answer;
    if (*std::min_element(q_.begin(), q_.end()) >= 0) return Finish(LcpOutcome::kSolved, &answer);
    std::size_t column = n_, row = FirstRow();
    while (true) {
      const std::size_t leaving = basic_[row];
      Pivot(row, column);
      ++answer.pivots;
      if (leaving == 2 * n_) return Finish(LcpOutcome::kSolved, &answer);
      if (answer.pivots > max_pivots) return Finish(LcpOutcome::kBudget, &answer);
      const std::size_t entering = leaving < n_ ? leaving + n_ : leaving - n_;
      column = static_cast<std::size_t>(std::find(nonbasic_.begin(), nonbasic_.end(), entering) - nonbasic_.begin());
      row = LeavingRow(column);
      if (row == kNone) return Finish(LcpOutcome::kRay, &answer);
    }
  }

 private:
  std::size_t FirstRow() const {
    std::size_t first = 0;
    for (std::size_t i = 1; i < n_; ++i) {
      if (q_[i] / a_(i, n_) < q_[first] / a_(first, n_)) first = i;
    }
    return first;
  }

  std::size_t LeavingRow(std::size_t column) const {
    Real largest = 0;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(a_(i, column)));
    std::vector<std::size_t> candidates;
    Real step = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!(a_(i, column) < -kPivotTolerance * largest)) continue;
      const Real ratio = std::max<Real>(q_[i], 0) / -a_(i, column);
      if (candidates.empty() || ratio < step) step = ratio;
      candidates.push_back(i);
    }
    std::size_t best = kNone;
    for (const std::size_t i : candidates) {
      const Real ratio = std::max<Real>(q_[i], 0) / -a_(i, column);
      if (ratio > step + kTieTolerance * scale_ / -a_(i, column)) continue;
      if (basic_[i] == 2 * n_) return i;
      if (best == kNone || IsBefore(i, best, column)) best = i;
    }
    return best;
  }

  // Whether row i leaves before row j when q_p grows by an infinitesimal δᵖ, δ ≫ δ² ≫ ...
  bool IsBefore(std::size_t i, std::size_t j, std::size_t column) const {
    for (std::size_t p = 0; p < n_; ++p) {
      const Real difference = Perturbation(i, p) / -a_(i, column) - Perturbation(j, p) / -a_(j, column);
      if (std::abs(difference) > kPivotTolerance) return difference < 0;
    }
    return false;
  }

  // d(basic variable of row i)/d q_p
  Real Perturbation(std::size_t i, std::size_t p) const {
    const std::size_t column = place_[p];
    if (column != kNone) return -a_(i, column);
    return basic_[i] == p ? 1 : 0;
  }

  void Pivot(std::size_t row, std::size_t column) {
    const Real pivot = a_(row, column);
    Real* r = a_.row(row);
    for (std::size_t j = 0; j <= n_; ++j) r[j] /= -pivot;
    r[column] = 1 / pivot;
    q_[row] /= -pivot;
    for (std::size_t i = 0; i < n_; ++i) {
      if (i == row) continue;
      Real* line = a_.row(i);
      const Real factor = line[column];
      if (factor == 0) continue;
      line[column] = 0;
      for (std::size_t j = 0; j <= n_; ++j) line[j] += factor * r[j];
      q_[i] += factor * q_[row];
    }
    std::swap(basic_[row], nonbasic_[column]);
    UpdatePlaces();
  }

  void UpdatePlaces() {
    place_.assign(2 * n_ + 1, kNone);
    for (std::size_t j = 0; j <= n_; ++j) place_[nonbasic_[j]] = j;
  }

  LcpAnswer Finish(LcpOutcome outcome, LcpAnswer* answer) const {
    answer->outcome = outcome;
    answer->z.assign(n_, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      if (basic_[i] >= n_ && basic_[i] < 2 * n_) answer->z[basic_[i] - n_] = std::max<Real>(q_[i], 0);
    }
    return *answer;
  }

  std::size_t n_;
  DenseMatrix a_;
  DenseVector q_;
  std::vector<std::size_t> basic_, nonbasic_;
  std::vector<std::size_t> place_;  // column of a nonbasic variable
  Real scale_ = 0;
};

// Rows of contact i in FullLcp.
struct Rows {
  explicit Rows(const DenseContact& dense) : contacts(dense.contacts), directions(dense.directions) {}
  std::size_t nu(std::size_t i) const { return i; }
  std::size_t sigma(std::size_t i, std::size_t j) const { return contacts + i * directions + j; }
  std::size_t gamma(std::size_t i) const { return contacts * (1 + directions) + i; }
  std::size_t size() const { return contacts * (2 + directions); }
  std::size_t contacts, directions;
};

// A covering vector with nothing in common with the geometry, equal over the directions of a contact (theory, section 5).
DenseVector Covering(const Rows& rows) {
  DenseVector c(rows.size());
  const auto generic = [](std::size_t p) { return 1 + 0.5L * std::fmod(0.618034L * static_cast<Real>(p), 1.0L); };
  for (std::size_t i = 0; i < rows.contacts; ++i) {
    c[rows.nu(i)] = generic(3 * i + 1);
    for (std::size_t j = 0; j < rows.directions; ++j) c[rows.sigma(i, j)] = generic(3 * i + 2);
    c[rows.gamma(i)] = generic(3 * i + 3);
  }
  return c;
}

}  // namespace

LcpAnswer SolveLemke(const Lcp& lcp, const DenseVector& covering, int max_pivots) {
  return Dictionary(lcp, covering).Run(max_pivots);
}

Lcp FullLcp(const DenseContact& dense) {
  const Rows rows(dense);
  Lcp lcp{DenseMatrix(rows.size(), rows.size()), DenseVector(rows.size())};
  std::vector<const DenseVector*> columns(rows.gamma(0));
  for (std::size_t i = 0; i < rows.contacts; ++i) {
    columns[rows.nu(i)] = &dense.N_unit[i];
    for (std::size_t j = 0; j < rows.directions; ++j) columns[rows.sigma(i, j)] = &dense.D_unit[i][j];
  }
  for (std::size_t p = 0; p < columns.size(); ++p) {
    for (std::size_t q = 0; q < columns.size(); ++q) lcp.M(p, q) = Dot(*columns[p], *columns[q]);
    lcp.q[p] = Dot(*columns[p], dense.k);
  }
  for (std::size_t i = 0; i < rows.contacts; ++i) {
    lcp.M(rows.nu(i), rows.nu(i)) += dense.epsilon[i];
    lcp.M(rows.gamma(i), rows.nu(i)) = dense.mu[i];
    lcp.q[rows.nu(i)] += dense.b[i];
    for (std::size_t j = 0; j < rows.directions; ++j) {
      lcp.M(rows.sigma(i, j), rows.gamma(i)) = 1;
      lcp.M(rows.gamma(i), rows.sigma(i, j)) = -1;
      lcp.q[rows.sigma(i, j)] += dense.tau[i][j];
    }
  }
  return lcp;
}

std::vector<host::ImpulseDocument> ImpulsesOf(const DenseContact& dense, const DenseVector& z) {
  const Rows rows(dense);
  std::vector<host::ImpulseDocument> impulses;
  for (std::size_t i = 0; i < rows.contacts; ++i) {
    host::ImpulseDocument& impulse = impulses.emplace_back();
    impulse.normal_Ns = static_cast<double>(z[rows.nu(i)] / dense.normal_scale[i]);
    for (std::size_t j = 0; j < rows.directions; ++j) {
      impulse.friction_Ns.push_back(static_cast<double>(z[rows.sigma(i, j)] / dense.tangent_scale[i]));
    }
  }
  return impulses;
}

DenseAnswer SolveDense(const host::ProblemDocument& problem, int max_pivots) {
  const DenseContact dense = WriteOut(problem);
  const LcpAnswer lcp = SolveLemke(FullLcp(dense), Covering(Rows(dense)), max_pivots);
  DenseAnswer answer{lcp.outcome, lcp.pivots, ImpulsesOf(dense, lcp.z)};
  answer.residual = Residual(dense, answer.impulse);
  return answer;
}

}  // namespace tactus::test
