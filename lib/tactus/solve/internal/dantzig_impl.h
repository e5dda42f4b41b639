#pragma once
#include "tactus/solve/dantzig.h"

namespace tactus {

// One step of a drive, in the partition (7) of A into C (11), NC (22) and d:
//
//     Δf = (x, 0, 1),    A_11 x = -v_1                                                                       (9)
//     Δa = A Δf = (0, A_12ᵀx + v_2, v_1ᵀx + α)                                                               (8)
//
// With L Lᵀ = A_11 and y = L⁻¹v_1 this is x = -L⁻ᵀy, and Δa_d = v_1ᵀx + α = α - yᵀy, the Schur complement, ≥ 0 by theorem 2.
// The step ends where f_i of C (10), a_i of NC (11) or a_d (12) reaches zero.

template <class Scalar, int kSize>
DantzigReport<Scalar> Dantzig<Scalar, kSize>::Solve(const System& system, int max_steps) {
  constexpr int kRefinements = 3;  // each starts from a solution up to rounding; measured: the second finds nothing to do
  report_ = {.outcome = DantzigOutcome::kSolved};
  negligible_ = kRounding;
  factor_.Clear();
  for (int i = 0; i < system.size; ++i) {
    f_[i] = Scalar(0);
    a_[i] = system.b[i];
    place_[i] = Place::kIgnored;
  }
  if (!ClampBilateral(system)) report_.outcome = DantzigOutcome::kContradiction;
  for (int round = 0; round < kRefinements && report_.outcome == DantzigOutcome::kSolved; ++round) {
    int d = MostNegative(system);
    if (round > 0 && d < 0) break;
    for (; d >= 0; d = MostNegative(system)) {
      if (!DriveToZero(system, d, max_steps)) break;
    }
    if (report_.outcome == DantzigOutcome::kSolved) Refine(system);
  }
  report_.residual = Residual(system);
  if (report_.outcome == DantzigOutcome::kSolved && !(report_.residual <= Tolerances<Scalar>::kAccept)) {
    report_.outcome = DantzigOutcome::kInaccurate;
  }
  return report_;
}

// [Baraff94] 4.5: the bilateral rows enter C before all others and stay there.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::ClampBilateral(const System& system) {
  for (int i = 0; i < system.bilateral; ++i) {
    factor_.Forward(system.A[i], &column_);
    const Scalar schur = factor_.Schur(system.A[i][i], column_);
    if (Independent(system, i, schur, column_)) {
      Clamp(i, column_, schur, system.A[i][i]);
    } else {
      place_[i] = Place::kRedundant;
    }
  }
  if (system.bilateral == 0) return true;
  Refine(system);
  const Scalar tolerance = kDeclaredZero * Scale(system);
  for (int i = 0; i < system.bilateral; ++i) {
    if (!(Abs(a_[i]) <= tolerance)) return false;
  }
  return true;
}

template <class Scalar, int kSize>
int Dantzig<Scalar, kSize>::MostNegative(const System& system) const {
  int d = -1;
  Scalar least = -negligible_ * Scale(system);
  for (int i = system.bilateral; i < system.size; ++i) {
    if (place_[i] == Place::kC || place_[i] == Place::kRedundant || !(a_[i] < least)) continue;
    least = a_[i];
    d = i;
  }
  return d;
}

// @returns whether to go on with the next contact; if not, report_.outcome says why.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::DriveToZero(const System& system, int d, int max_steps) {
  // n drives are enough in exact arithmetic: beyond them rounding undoes what was established, so it is larger than thought.
  if (++report_.drives % (system.size + 1) == 0) negligible_ *= Scalar(10);
  IgnoreViolated(system);
  place_[d] = Place::kIgnored;
  factor_.Forward(system.A[d], &y_);
  while (report_.steps++ < max_steps) {
    const Scalar schur = Direction(system, d);
    const Limit limit = MaxStep(system, d, schur);
    if (limit.index < 0) return EndUnbounded(system, d);
    for (int c = 0; c < factor_.size(); ++c) f_[factor_.index(c)] += limit.step * df_[factor_.index(c)];
    f_[d] += limit.step;
    internal::AddMultiple<kSize>(limit.step, da_.data(), system.size, a_.data());
    if (limit.index == d) {
      a_[d] = Scalar(0);
      Clamp(d, y_, schur, system.A[d][d]);
      return true;
    }
    if (limit.position >= 0) {
      Unclamp(system, limit.position);
    } else if (!EnterC(system, limit.index, d)) {
      place_[limit.index] = Place::kRedundant;
    }
  }
  report_.outcome = DantzigOutcome::kStepLimit;
  return false;
}

// fdirection: (9), then (8). @returns Δa_d; 0 when d depends on C, and then Δa = 0 altogether.
template <class Scalar, int kSize>
Scalar Dantzig<Scalar, kSize>::Direction(const System& system, int d) {
  const int clamped = factor_.size();
  column_ = y_;
  factor_.Backward(&column_);
  for (int i = 0; i < system.size; ++i) df_[i] = Scalar(0);
  df_[d] = Scalar(1);
  for (int i = 0; i < clamped; ++i) df_[factor_.index(i)] = -column_[i];
  const Scalar schur = factor_.Schur(system.A[d][d], y_);
  if (!Independent(system, d, schur, y_)) {
    for (int i = 0; i < system.size; ++i) da_[i] = Scalar(0);
    return Scalar(0);
  }
  for (int i = 0; i < system.size; ++i) da_[i] = system.A[d][i];
  int c = 0;
  for (; c + 4 <= clamped; c += 4) {
    const auto row = [&](int q) { return system.A[factor_.index(c + q)].data(); };
    internal::AddFourMultiples<kSize, Scalar>({-column_[c], -column_[c + 1], -column_[c + 2], -column_[c + 3]},
                                              {row(0), row(1), row(2), row(3)}, system.size, da_.data());
  }
  for (; c < clamped; ++c) {
    internal::AddMultiple<kSize>(-column_[c], system.A[factor_.index(c)].data(), system.size, da_.data());
  }
  for (c = 0; c < clamped; ++c) da_[factor_.index(c)] = Scalar(0);
  da_[d] = schur;
  return schur;
}

// maxstep: (10), (11), (12).
template <class Scalar, int kSize>
typename Dantzig<Scalar, kSize>::Limit Dantzig<Scalar, kSize>::MaxStep(const System& system, int d, Scalar schur) const {
  Limit limit{std::numeric_limits<Scalar>::max(), -1, -1};
  Scalar largest(1);
  for (int c = 0; c < factor_.size(); ++c) largest = Max(largest, Abs(df_[factor_.index(c)]));
  const Scalar least = kRounding * largest;
  if (schur > Scalar(0)) limit = {-a_[d] / schur, -1, d};
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    if (i < system.bilateral || df_[i] >= -least || f_[i] >= -limit.step * df_[i]) continue;
    limit = {f_[i] / -df_[i], c, i};
  }
  if (!(schur > Scalar(0))) return limit;
  for (int i = system.bilateral; i < system.size; ++i) {
    if (place_[i] != Place::kNC || da_[i] >= -least * system.A[i][i]) continue;
    const Scalar a = Max(a_[i], Scalar(0));
    if (a < -limit.step * da_[i]) limit = {a / -da_[i], -1, i};
  }
  return limit;
}

// Whether A Δf = 0 up to rounding, which a certificate needs.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::IsNeutral(const System& system) const {
  for (int i = 0; i < system.size; ++i) {
    Scalar sum(0), size(0);
    for (int j = 0; j < system.size; ++j) {
      sum += system.A[i][j] * df_[j];
      size = Max(size, Abs(df_[j]) * Max(system.A[i][i], system.A[j][j]));
    }
    if (!(Abs(sum) <= kDeclaredZero * size)) return false;
  }
  return true;
}

// d depends on C and nothing stops its force: rounding if a_d is nearly zero, else Δf proves that no solution exists.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::EndUnbounded(const System& system, int d) {
  if (a_[d] < -kDeclaredZero * Scale(system)) {
    report_.outcome = IsNeutral(system) ? DantzigOutcome::kRay : DantzigOutcome::kInaccurate;
    return false;
  }
  // Back along the neutral direction until f_d is zero, or until a force of C is, whose place d then takes.
  Scalar step = f_[d];
  int leaving = -1;
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    if (i < system.bilateral || df_[i] <= Scalar(0) || f_[i] >= step * df_[i]) continue;
    step = f_[i] / df_[i];
    leaving = c;
  }
  for (int c = 0; c < factor_.size(); ++c) f_[factor_.index(c)] -= step * df_[factor_.index(c)];
  f_[d] -= step;
  place_[d] = Place::kRedundant;
  if (leaving < 0) return true;
  Unclamp(system, leaving);
  const Scalar schur = factor_.Schur(system.A[d][d], y_);
  if (Independent(system, d, schur, y_)) Clamp(d, y_, schur, system.A[d][d]);
  return true;
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Clamp(int j, const Vector& y, Scalar schur, Scalar A_jj) {
  factor_.Append(j, y, schur);
  place_[j] = Place::kC;
  report_.least_pivot = Min(report_.least_pivot, schur / A_jj);
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Unclamp(const System& system, int position) {
  const int i = factor_.index(position);
  f_[i] = Scalar(0);
  place_[i] = Place::kNC;
  factor_.Remove(position, &y_);
  for (int j = system.bilateral; j < system.size; ++j) {
    if (place_[j] == Place::kRedundant) place_[j] = Place::kNC;  // what depended on C may no longer
  }
}

// Whether schur = zᵀAz, z = (-L⁻ᵀy, 1), is more than rounding.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::Independent(const System& system, int j, Scalar schur, const Vector& y) {
  if (schur > kClearlyIndependent * system.A[j][j]) return true;
  Scalar sum = system.A[j][j];
  for (int c = 0; c < factor_.size(); ++c) da_[c] = y[c];
  factor_.Backward(&da_);
  for (int c = 0; c < factor_.size(); ++c) sum += da_[c] * da_[c] * system.A[factor_.index(c)][factor_.index(c)];
  return schur > kDependent * sum;
}

// j, whose a has reached zero, moves from NC to C. y = L⁻¹ A_Cd grows by one element. @returns false: it depends on C.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::EnterC(const System& system, int j, int d) {
  factor_.Forward(system.A[j], &column_);
  const Scalar schur = factor_.Schur(system.A[j][j], column_);
  if (!Independent(system, j, schur, column_)) return false;
  const int last = factor_.size();
  y_[last] = (system.A[j][d] - internal::DotOf<kSize>(column_.data(), y_.data(), last)) / Sqrt(schur);
  a_[j] = Scalar(0);
  Clamp(j, column_, schur, system.A[j][j]);
  return true;
}

// What rounding has taken out of NC since it was established is to be driven again.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::IgnoreViolated(const System& system) {
  const Scalar least = -negligible_ * Scale(system);
  for (int i = system.bilateral; i < system.size; ++i) {
    if (place_[i] == Place::kNC && a_[i] < least) place_[i] = Place::kIgnored;
  }
}

// (1)
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Accelerations(const System& system) {
  for (int i = 0; i < system.size; ++i) a_[i] = system.b[i];
  for (int j = 0; j < system.size; ++j) {
    if (f_[j] != Scalar(0)) internal::AddMultiple<kSize>(f_[j], system.A[j].data(), system.size, a_.data());
  }
}

// What the steps have piled up in a and f is removed: a anew from (1), f_C by one step of iterative refinement.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Refine(const System& system) {
  Accelerations(system);
  factor_.Forward(a_, &column_);
  factor_.Backward(&column_);
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    f_[i] -= column_[c];
    if (i >= system.bilateral) f_[i] = Max(f_[i], Scalar(0));
  }
  Accelerations(system);
}

template <class Scalar, int kSize>
Scalar Dantzig<Scalar, kSize>::Residual(const System& system) const {
  Scalar worst(0);
  for (int i = 0; i < system.size; ++i) {
    const Scalar violation = Abs(i < system.bilateral ? a_[i] : Min(f_[i] * system.A[i][i], a_[i]));
    if (!(violation <= worst)) worst = violation;  // keeps a NaN
  }
  const Scalar scale = Scale(system);
  return scale > Scalar(0) ? worst / scale : worst;
}

template <class Scalar, int kSize>
Scalar Dantzig<Scalar, kSize>::Scale(const System& system) const {
  Scalar scale(0);
  for (int i = 0; i < system.size; ++i) scale = Max(scale, Max(Abs(system.b[i]), Abs(f_[i]) * system.A[i][i]));
  return scale;
}

}  // namespace tactus
