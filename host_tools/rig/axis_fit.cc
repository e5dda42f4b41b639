#include "host_tools/rig/axis_fit.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "host_tools/rig/predictor.h"

namespace tactus::host {
namespace {

constexpr int kMost = 11;  // m, b, k, f_c, f_0, δ, and for the whole model: f_s, f_c₁, f_c₂, m₁, m₂
constexpr int kDelay = 5, kWithDelay = 6, kWithoutDelay = 5;
constexpr double kWindow_s =
    0.06;  // long against a count's rounding, short against the highest lines: 0.04 and 0.09 are worse (docs/identify.md)
constexpr int kStepsPerWindow = 10;     // windows overlap: the integrals between say nothing new
constexpr std::size_t kOrder = 12;      // of the predictor, in such steps: just beyond a window, within which rows are alike
constexpr std::size_t kSignReach = 8;   // 80 µm: b is 21 % off with 2, 3 % with 5, 0.5 % with 8, 1.2 % with 12 (AxisFit)
constexpr std::size_t kCountReach = 2;  // where it moves by counts now: with 8, 71 µm are 21 % off, with 2 16 %
constexpr double kStretch_s = 0.25;     // far longer than the window; 4 s have enough of them
using Row = Eigen::Matrix<double, kMost, 1>;
using Square = Eigen::Matrix<double, kMost, kMost>;

/// φ = sin⁴(πu/W) at whole periods, with three derivatives; and φ anywhere, with its integral.
class Window {
 public:
  explicit Window(double period_s)
      : T_(period_s),
        n_(static_cast<int>(std::lround(kWindow_s / period_s))),
        W_(n_ * period_s),
        w_(2 * std::numbers::pi / W_) {}

  int periods() const { return n_; }
  // sin⁴(a) = 3/8 - cos(2a)/2 + cos(4a)/8
  double Phi(double u) const {
    if (u <= 0 || u >= W_) return 0;
    return 0.375 - std::cos(w_ * u) / 2 + std::cos(2 * w_ * u) / 8;
  }
  double Phi1(double u) const { return w_ * (std::sin(w_ * u) / 2 - std::sin(2 * w_ * u) / 4); }
  double Phi2(double u) const { return w_ * w_ * (std::cos(w_ * u) - std::cos(2 * w_ * u)) / 2; }
  double Phi3(double u) const { return w_ * w_ * w_ * (-std::sin(w_ * u) / 2 + std::sin(2 * w_ * u)); }
  double Integral(double u) const {
    u = std::clamp(u, 0.0, W_);
    return 0.375 * u - std::sin(w_ * u) / (2 * w_) + std::sin(2 * w_ * u) / (16 * w_);
  }

 private:
  double T_;
  int n_;
  double W_, w_;
};

/// The signs of friction at speed and of what it is about a reversal, sticking and not along the axis alone.
struct Signs {
  double fast, slow;
};
Signs SignsOf(double v_mps) {
  constexpr double kSlow_mps = 0.03;   // above: the place between two reversals; about a tenth of the speed that is planned
  constexpr double kSoft_mps = 0.001;  // a sign's ramp: what a speed is known to
  const double sign = std::clamp(v_mps / kSoft_mps, -1.0, 1.0);
  return std::abs(v_mps) > kSlow_mps ? Signs{sign, 0} : Signs{0, sign};
}

/// The rows of one record, at one delay.
struct Rows {
  std::vector<Row> X, Z;
  std::vector<double> y, coupled;
};

/// What does not change with the delay.
struct Kernels {
  Kernels(const Window& window, double T, bool is_whole) : whole(is_whole) {
    for (int i = 0; i <= window.periods(); ++i) {
      const double u = i * T;
      phi.push_back(T * window.Phi(u));
      phi1.push_back(T * window.Phi1(u));
      phi2.push_back(T * window.Phi2(u));
      phi3.push_back(T * window.Phi3(u));
    }
  }
  bool whole;  ///< the whole model, with the friction about reversals apart
  std::vector<double> phi, phi1, phi2, phi3;
};

/// The speed that was wanted, and the slope of a line through 2 n + 1 deviations from the place that was: what is left of a
/// count's rounding is count/(T √(4 n (n + 1) (2 n + 1))). A sign that flips with the rounding leaves f_c too small and b
/// too large. Of the place itself so wide a slope would be late about a reversal.
std::vector<double> Speeds(const AxisRecord& r, std::size_t reach) {
  const auto n = static_cast<double>(reach);
  const double all = n * (n + 1) * (2 * n + 1) / 3;
  std::vector<double> off_m(r.p_m.size()), v(r.p_m.size(), 0);
  for (std::size_t i = 0; i < off_m.size(); ++i) off_m[i] = r.p_m[i] - r.wanted[i].x_m;
  for (std::size_t i = reach; i + reach < v.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 1; j <= reach; ++j) sum += static_cast<double>(j) * (off_m[i + j] - off_m[i - j]);
    v[i] = r.wanted[i].v_mps + sum / (all * r.period_s);
  }
  return v;
}

/// One position's part of the integrals.
void AddPoint(const Kernels& k, std::size_t i, double x, double v, Row* X) {
  const Signs sign = SignsOf(v);
  (*X)(0) += k.phi2[i] * x;
  (*X)(1) -= k.phi1[i] * x;
  (*X)(2) += k.phi[i] * x;
  (*X)(3) += k.phi[i] * (k.whole ? sign.fast : sign.fast + sign.slow);
  (*X)(4) += k.phi[i];
  (*X)(6) += k.phi[i] * sign.slow;
  (*X)(7) += k.phi[i] * x * sign.fast;
  (*X)(8) += k.phi[i] * x * x * sign.fast;
  (*X)(9) += k.phi2[i] * x * x / 2 - k.phi[i] * v * v / 2;
  (*X)(10) += k.phi2[i] * x * x * x / 3 - k.phi[i] * x * v * v;
}

void AddRow(const AxisRecord& r, const Kernels& k, const std::vector<double>& speed, std::size_t from, Rows* rows) {
  Row X = Row::Zero(), Z = Row::Zero();
  double coupled = 0;
  for (std::size_t i = 0; i < k.phi.size(); ++i) {
    if (!r.coupled_kgm.empty()) coupled += k.phi2[i] * r.coupled_kgm[from + i];
    const Reference& wanted = r.wanted[from + i];
    AddPoint(k, i, r.p_m[from + i], speed[from + i], &X);
    AddPoint(k, i, wanted.x_m, wanted.v_mps, &Z);
    Z(kDelay) += k.phi[i] * wanted.j_mps3;
  }
  rows->X.push_back(X);
  rows->Z.push_back(Z);
  rows->coupled.push_back(coupled);
}

/// y = ∫φ f(t - t_d), and X₅ = -∫φ′ f(t - t_d): of forces that are held, exactly.
void SetForces(const AxisRecord& r, const Window& window, double delay_s, std::size_t from, Row* X, double* y) {
  const double T = r.period_s;
  const int first = static_cast<int>(std::floor(-delay_s / T)) - 1,
            last = window.periods() + 1 - static_cast<int>(std::floor(delay_s / T));
  *y = 0;
  (*X)(kDelay) = 0;
  for (int i = first; i <= last; ++i) {
    const std::int64_t k = static_cast<std::int64_t>(from) + i;
    if (k < 0 || k >= static_cast<std::int64_t>(r.force_N.size())) continue;
    const double f = r.force_N[static_cast<std::size_t>(k)], u = i * T + delay_s;
    *y += f * (window.Integral(u + T) - window.Integral(u));
    (*X)(kDelay) -= f * (window.Phi(u + T) - window.Phi(u));
  }
}

struct Solution {
  bool ok = false;
  Row theta = Row::Zero(), half = Row::Zero();
  Row with_delay = Row::Zero();  ///< Cov(θ, δ)/Var δ
  double residual = 0;
};

/// @param[in] p  unknowns: all, or all but the delay  @param[in] stretch  rows in one stretch
Solution Solve(const Rows& rows, int p, int stretch) {
  Square A = Square::Identity();
  Row b = Row::Zero(), scale = Row::Zero(), weight = Row::Zero();
  A.topLeftCorner(p, p).setZero();
  for (const Row& X : rows.X) scale += X.cwiseAbs2();
  for (const Row& Z : rows.Z) weight += Z.cwiseAbs2();
  scale = scale.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  weight = weight.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  for (std::size_t i = 0; i < rows.X.size(); ++i) {
    const Row X = rows.X[i].cwiseProduct(scale);
    A.topLeftCorner(p, p) += rows.Z[i].cwiseProduct(weight).head(p) * X.head(p).transpose();
    b.head(p) += rows.Z[i].cwiseProduct(weight).head(p) * rows.y[i];
  }
  Solution s;
  const Eigen::FullPivLU<Square> lu(A);
  if (!A.allFinite() || !lu.isInvertible()) return s;
  const Square inverse = lu.inverse();
  const Row scaled = inverse * b;
  Square meat = Square::Zero();
  int stretches = 0;
  Row sum = Row::Zero();
  for (std::size_t i = 0; i < rows.X.size(); ++i) {
    const double e = rows.y[i] - rows.X[i].cwiseProduct(scale).head(p).dot(scaled.head(p));
    s.residual += e * e / static_cast<double>(rows.X.size());
    sum.head(p) += rows.Z[i].cwiseProduct(weight).head(p) * e;
    if ((i + 1) % static_cast<std::size_t>(stretch) != 0 && i + 1 != rows.X.size()) continue;
    meat += sum * sum.transpose();
    sum.setZero();
    ++stretches;
  }
  if (stretches < p + 4) return s;
  const double free = stretches - p, t = 1.96 + 2.4 / free + 3.2 / (free * free);  // Student, 1 % for 4 and more
  const Square cov = inverse * meat * inverse.transpose() * (stretches / free);
  s.theta = scaled.cwiseProduct(scale);
  s.half = (t * cov.diagonal().cwiseMax(0).cwiseSqrt()).cwiseProduct(scale);
  if (p > kDelay && cov(kDelay, kDelay) > 0)
    s.with_delay = cov.col(kDelay).cwiseProduct(scale) / (cov(kDelay, kDelay) * scale(kDelay));
  s.ok = s.theta.allFinite() && s.half.allFinite();
  return s;
}

/// Each row less what the rows before it predict.
Rows Whitened(const Rows& rows, const std::vector<double>& predictor) {
  Rows white;
  for (std::size_t i = predictor.size(); i < rows.X.size(); ++i) {
    Row X = rows.X[i], Z = rows.Z[i];
    double y = rows.y[i];
    for (std::size_t j = 0; j < predictor.size(); ++j) {
      X -= predictor[j] * rows.X[i - 1 - j];
      Z -= predictor[j] * rows.Z[i - 1 - j];
      y -= predictor[j] * rows.y[i - 1 - j];
    }
    white.X.push_back(X);
    white.Z.push_back(Z);
    white.y.push_back(y);
  }
  return white;
}

/// One record's windows, and the fits of them.
class Windows {
 public:
  Windows(const AxisRecord& record, double skip_s, bool whole) : r_(record), window_(record.period_s) {
    const Kernels kernels(window_, r_.period_s, whole);
    const std::vector<double> speed = Speeds(r_, kSignReach);
    const auto n = static_cast<std::size_t>(window_.periods()), step = std::max<std::size_t>(1, n / kStepsPerWindow);
    for (auto i = static_cast<std::size_t>(skip_s / r_.period_s); i + n + 4 < r_.p_m.size(); i += step) {
      AddRow(r_, kernels, speed, i, &rows_);
      from_.push_back(i);
    }
    rows_.y.resize(from_.size());
    stretch_ = std::max(1, static_cast<int>(std::lround(kStretch_s / (r_.period_s * static_cast<double>(step)))));
  }

  /// With p unknowns; those that have the delay take it to where it is. @param[in] predictor  may be empty
  Solution SolveAt(int p, const std::vector<double>& predictor, double* delay_s) {
    constexpr int kSteps = 12;
    Solution s;
    for (int k = 0; k < kSteps; ++k) {
      for (std::size_t i = 0; i < from_.size(); ++i) {
        SetForces(r_, window_, *delay_s, from_[i], &rows_.X[i], &rows_.y[i]);
        rows_.y[i] -= rows_.coupled[i];
      }
      s = predictor.empty() ? Solve(rows_, p, stretch_) : Solve(Whitened(rows_, predictor), p, stretch_);
      if (!s.ok || p <= kDelay) break;
      *delay_s = std::clamp(*delay_s + s.theta(kDelay), -0.002, 0.025);
      if (std::abs(s.theta(kDelay)) < 1e-8) break;
    }
    return s;
  }

  /// What the past tells of y - X θ, at the delay that was solved at last.
  std::vector<double> Predictor(const Row& theta, int p) const {
    std::vector<double> e;
    for (std::size_t i = 0; i < rows_.X.size(); ++i) e.push_back(rows_.y[i] - rows_.X[i].head(p).dot(theta.head(p)));
    return PredictorOf(e, kOrder);
  }

  double residual_N(const Solution& s) const { return std::sqrt(s.residual) / window_.Integral(1); }

 private:
  const AxisRecord& r_;
  const Window window_;
  Rows rows_;
  std::vector<std::size_t> from_;
  int stretch_ = 1;
};

AxisNumbers NumbersOf(const Row& theta) {
  return {.mass_kg = theta(0),
          .damping_Ns_per_m = theta(1),
          .stiffness_N_per_m = theta(2),
          .coulomb_N = theta(3),
          .offset_N = theta(4)};
}

AxisFit FitOf(const Solution& s, const Estimated& delay_s, double residual_N) {
  AxisFit fit;
  if (!s.ok) return fit.refusal = "the signal is too small or too short for a fit", fit;
  fit.mass_kg = {s.theta(0), s.half(0)};
  fit.damping_Ns_per_m = {s.theta(1), s.half(1)};
  fit.stiffness_N_per_m = {s.theta(2), s.half(2)};
  fit.coulomb_N = {s.theta(3), s.half(3)};
  fit.offset_N = {s.theta(4), s.half(4)};
  fit.delay_s = delay_s;
  fit.per_s = NumbersOf(s.with_delay);
  fit.residual_N = residual_N;
  return fit;
}

}  // namespace

AxisNumbers AxisFit::numbers() const {
  return {.mass_kg = mass_kg.value,
          .damping_Ns_per_m = damping_Ns_per_m.value,
          .stiffness_N_per_m = stiffness_N_per_m.value,
          .coulomb_N = coulomb_N.value,
          .offset_N = offset_N.value};
}

AxisFit FitAxis(const AxisRecord& record, double skip_s, bool whole) {
  constexpr int kRounds = 2;  // of the predictor: the second has the residuals of the better fit. A third changes nothing
  const int p = whole ? kMost : kWithDelay;
  Windows windows(record, skip_s, whole);
  double delay_s = record.period_s;
  const Solution plain = windows.SolveAt(p, {}, &delay_s);
  const AxisFit fit = FitOf(plain, {delay_s, plain.half(kDelay)}, windows.residual_N(plain));
  if (!plain.ok || !whole) return fit;
  Solution white = plain;
  for (int round = 0; round < kRounds && white.ok; ++round)
    white = windows.SolveAt(p, windows.Predictor(white.theta, p), &delay_s);
  if (!white.ok || white.half(kDelay) >= plain.half(kDelay)) return fit;
  return FitOf(white, {delay_s, white.half(kDelay)}, fit.residual_N);
}

AxisFit FitAcross(const AxisRecord& record, double skip_s, double delay_s) {
  Windows windows(record, skip_s, false);
  const Solution s = windows.SolveAt(kWithoutDelay, {}, &delay_s);
  return FitOf(s, {delay_s, 0}, windows.residual_N(s));
}

void TakeDelay(const Estimated& delay_s, AxisFit* fit) {
  const double by_s = delay_s.value - fit->delay_s.value;
  const double known = std::max(0.0, fit->delay_s.half * fit->delay_s.half - delay_s.half * delay_s.half);
  const auto take = [&](double per_s, Estimated* number) {
    number->value += per_s * by_s;
    number->half = std::sqrt(std::max(0.0, number->half * number->half - per_s * per_s * known));
  };
  take(fit->per_s.mass_kg, &fit->mass_kg);
  take(fit->per_s.damping_Ns_per_m, &fit->damping_Ns_per_m);
  take(fit->per_s.stiffness_N_per_m, &fit->stiffness_N_per_m);
  take(fit->per_s.coulomb_N, &fit->coulomb_N);
  take(fit->per_s.offset_N, &fit->offset_N);
  fit->delay_s = delay_s;
}

Estimated FitResolution(const AxisRecord& r, double skip_s) {
  constexpr double kBinomial[] = {1, -6, 15, -20, 15, -6, 1};
  constexpr double kGain = 924;       // Σ of their squares
  constexpr double kCountsApart = 3;  // so far apart, roundings have nothing in common
  const std::vector<double> speed = Speeds(r, kCountReach);
  const auto begin = static_cast<std::size_t>(skip_s / r.period_s), stretch = static_cast<std::size_t>(0.5 / r.period_s);
  Estimated q{0, -1};
  for (int round = 0; round < 8; ++round) {  // which positions are apart needs the count
    std::vector<double> of_stretch;
    double sum = 0, all = 0;
    std::size_t count = 0, total = 0;
    for (std::size_t i = begin; i + 6 < r.p_m.size(); ++i) {
      double d = 0;
      for (std::size_t j = 0; j < 7; ++j) d += kBinomial[j] * r.p_m[i + j];
      if (std::min(std::abs(speed[i]), std::abs(speed[i + 6])) * r.period_s > kCountsApart * q.value) {
        sum += d * d;
        ++count;
      }
      if ((i + 1 - begin) % stretch != 0) continue;
      if (count > 20) of_stretch.push_back(sum / static_cast<double>(count));
      all += sum;
      total += count;
      sum = 0;
      count = 0;
    }
    if (total < 200 || of_stretch.size() < 4) return {q.value, -1};
    const double var = all / static_cast<double>(total), S = static_cast<double>(of_stretch.size());
    double scatter = 0;
    for (const double v : of_stretch) scatter += (v - var) * (v - var);
    q.value = std::sqrt(12 * var / kGain);
    q.half = (1.96 + 2.4 / (S - 1)) * 0.5 * std::sqrt(scatter / (S * (S - 1))) / var * q.value;
  }
  return q;
}

}  // namespace tactus::host
