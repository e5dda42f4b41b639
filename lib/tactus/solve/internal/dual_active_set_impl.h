#pragma once
#include "tactus/solve/internal/dual_active_set.h"

namespace tactus::internal {

// g = Aᵀv. @returns the place of its first element that is not zero.
template <class Scalar, Capacity kCapacity>
int DualActiveSet<Scalar, kCapacity>::Gram(const Problem& problem, const Velocity& v, Active* g) const {
  int first = size();
  for (int a = size() - 1; a >= 0; --a) {
    const std::size_t A = static_cast<std::size_t>(a);
    (*g)[A] = Problem::Dot(problem.contacts[row_[A].contact], column_[A], v);
    if ((*g)[A] != Scalar(0)) first = a;
  }
  return first;
}

// v := P (v + sign A x)
template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::Combine(const Problem& problem, const Active& x, Scalar sign, Velocity* v) const {
  for (int a = 0; a < size(); ++a) {
    const std::size_t A = static_cast<std::size_t>(a);
    Problem::AddTo(problem.contacts[row_[A].contact], column_[A], sign * x[A], v);
  }
  problem.Project(v);
}

// r = L⁻ᵀy, z = a - A r, for y = L⁻¹Aᵀa. @returns |z|².
template <class Scalar, Capacity kCapacity>
Scalar DualActiveSet<Scalar, kCapacity>::Resolve(const Problem& problem, const Velocity& column, Scalar column_squared,
                                                 const Active& y, Active* r, Velocity* z) const {
  for (int a = 0; a < size(); ++a) (*r)[static_cast<std::size_t>(a)] = y[static_cast<std::size_t>(a)];
  factor_.Backward(r);
  *z = column;
  Combine(problem, *r, Scalar(-1), z);
  const Scalar z_squared = z->squaredNorm();
  if (z_squared > kNearlyDependent * column_squared) return z_squared;
  Active change;
  factor_.Forward(&change, Gram(problem, *z, &change));
  factor_.Backward(&change);
  for (int a = 0; a < size(); ++a) (*r)[static_cast<std::size_t>(a)] += change[static_cast<std::size_t>(a)];
  Combine(problem, change, Scalar(-1), z);
  return z->squaredNorm();
}

template <class Scalar, Capacity kCapacity>
template <class Rows>
bool DualActiveSet<Scalar, kCapacity>::Continue(const Rows& rows, int max_iterations, Velocity* u) {
  constexpr Scalar kBlind = Scalar(10) * Tolerances<Scalar>::kAcceptMotion;  // a larger tolerance proves nothing
  iterations_ = 0;
  bool refined = false;
  Scalar motion = rows.Scale();
  while (iterations_ < max_iterations) {
    Scalar scale = rows.Scale();  // of what was added up to u: multipliers can exceed |k| by far
    for (int a = 0; a < size(); ++a) scale = Max(scale, multiplier_[static_cast<std::size_t>(a)]);
    const Scalar tolerance = kRounding * scale;
    const Violation<Scalar> violation = rows.MostViolated(*u, tolerance);
    if (iterations_ == 0) motion = Max(motion, -violation.slack);
    if (!(tolerance <= kBlind * motion)) return false;
    if (violation.row.contact >= 0) {
      if (!Add(rows, violation, max_iterations, u)) return false;
      refined = false;
    } else {
      if (refined || !Refine(rows, tolerance, u)) return IsFinite(u->squaredNorm());
      refined = true;
    }
  }
  return false;
}

// One step of refinement of Aᵀu = c: AᵀA δβ = c - Aᵀu. @returns whether there was anything to do.
template <class Scalar, Capacity kCapacity>
template <class Rows>
bool DualActiveSet<Scalar, kCapacity>::Refine(const Rows& rows, Scalar tolerance, Velocity* u) {
  Active change;
  (void)Gram(rows.problem, *u, &change);
  Scalar worst(0);
  for (int a = 0; a < size(); ++a) {
    const std::size_t A = static_cast<std::size_t>(a);
    change[A] = -(change[A] + rows.Offset(row_[A]));
    worst = Max(worst, Abs(change[A]));
  }
  if (!(worst > tolerance)) return false;
  factor_.Forward(&change);
  factor_.Backward(&change);
  for (int a = 0; a < size(); ++a) multiplier_[static_cast<std::size_t>(a)] += change[static_cast<std::size_t>(a)];
  Combine(rows.problem, change, Scalar(1), u);
  return true;
}

template <class Scalar, Capacity kCapacity>
template <class Rows>
bool DualActiveSet<Scalar, kCapacity>::Add(const Rows& rows, const Violation<Scalar>& violation, int max_iterations,
                                           Velocity* u) {
  const Row row_column = rows.Column(violation.row);
  const auto& contact = rows.problem.contacts[violation.row.contact];
  Velocity column = Velocity::Zero(), z;
  Problem::AddTo(contact, row_column, Scalar(1), &column);
  rows.problem.Project(&column);
  const Scalar column_squared = column.squaredNorm();
  Active y, r;
  const int first = Gram(rows.problem, column, &y);
  factor_.Forward(&y, first);
  Scalar multiplier(0), slack = violation.slack;
  while (iterations_++ < max_iterations) {
    const Scalar z_squared = Resolve(rows.problem, column, column_squared, y, &r, &z);
    const bool independent = z_squared > kRounding * column_squared && size() < kMaxActive;
    Scalar step = independent ? -slack / z_squared : std::numeric_limits<Scalar>::max();
    int dropped = -1;
    for (int a = 0; a < size(); ++a) {
      const std::size_t A = static_cast<std::size_t>(a);
      if (r[A] > Scalar(0) && multiplier_[A] < step * r[A]) {
        step = multiplier_[A] / r[A];
        dropped = a;
      }
    }
    if (!independent && dropped < 0) return false;  // no feasible u, or rounding
    if (independent) *u += step * z;
    for (int a = 0; a < size(); ++a) multiplier_[static_cast<std::size_t>(a)] -= step * r[static_cast<std::size_t>(a)];
    multiplier += step;
    if (dropped < 0) {
      Append(violation.row, row_column, y, Sqrt(z_squared), multiplier);
      return true;
    }
    Drop(dropped, &y);
    slack = Problem::Dot(contact, row_column, *u) + rows.Offset(violation.row);
  }
  return false;
}

template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::Append(const ConeRow& row, const Row& column, const Active& y, Scalar length,
                                              Scalar multiplier) {
  const std::size_t next = static_cast<std::size_t>(size());
  row_[next] = row;
  column_[next] = column;
  multiplier_[next] = multiplier;
  factor_.Append(y, length);
}

template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::Drop(int position, Active* y) {
  factor_.Remove(position, y);
  for (int a = position; a < size(); ++a) {
    const std::size_t A = static_cast<std::size_t>(a);
    row_[A] = row_[A + 1];
    column_[A] = column_[A + 1];
    multiplier_[A] = multiplier_[A + 1];
  }
}

// The old rows, in the columns that they have now. What has become dependent, or is gone, is left out.
template <class Scalar, Capacity kCapacity>
template <class Rows>
void DualActiveSet<Scalar, kCapacity>::Rebuild(const Rows& rows) {
  const int old = size();
  factor_.Clear();
  Active y, r;
  for (int a = 0; a < old; ++a) {
    const ConeRow row = row_[static_cast<std::size_t>(a)];
    if (row.contact >= rows.problem.contacts.size()) continue;
    const Row row_column = rows.Column(row);
    Velocity column = Velocity::Zero(), z;
    Problem::AddTo(rows.problem.contacts[row.contact], row_column, Scalar(1), &column);
    rows.problem.Project(&column);
    const Scalar column_squared = column.squaredNorm();
    const int first = Gram(rows.problem, column, &y);
    factor_.Forward(&y, first);
    Scalar schur = column_squared - DotOf<kMaxActive>(y.data(), y.data(), size());
    if (!(schur > kNearlyDependent * column_squared)) {
      schur = Resolve(rows.problem, column, column_squared, y, &r, &z);
      if (!(schur > kRounding * column_squared)) continue;
    }
    Append(row, row_column, y, Sqrt(schur), Scalar(0));
  }
}

// The optimum with the old rows active: L Lᵀ β = c - Aᵀk; rows with β < 0 are dropped, most negative first, until none is
// left.
template <class Scalar, Capacity kCapacity>
template <class Rows>
void DualActiveSet<Scalar, kCapacity>::StartFromActive(const Rows& rows, Velocity* u) {
  Active y;
  (void)Gram(rows.problem, *u, &y);
  for (int a = 0; a < size(); ++a) {
    const std::size_t A = static_cast<std::size_t>(a);
    y[A] = -(y[A] + rows.Offset(row_[A]));
  }
  factor_.Forward(&y);
  while (size() > 0) {
    for (int a = 0; a < size(); ++a) multiplier_[static_cast<std::size_t>(a)] = y[static_cast<std::size_t>(a)];
    factor_.Backward(&multiplier_);
    int worst = 0;
    for (int a = 1; a < size(); ++a) {
      if (multiplier_[static_cast<std::size_t>(a)] < multiplier_[static_cast<std::size_t>(worst)]) worst = a;
    }
    if (!(multiplier_[static_cast<std::size_t>(worst)] < Scalar(0))) break;
    Drop(worst, &y);
  }
  Combine(rows.problem, multiplier_, Scalar(1), u);
}

}  // namespace tactus::internal
