#pragma once
#include "tactus/solve/internal/dual_active_set.h"

namespace tactus::internal {

// q = Qᵀa, z = a - Q q, r = R⁻¹q.
template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::Resolve(const Velocity& column, Active* q, Active* r, Velocity* z) const {
  *z = column;
  for (int c = 0; c < count_; ++c) {
    const std::size_t C = static_cast<std::size_t>(c);
    (*q)[C] = Q_[C].dot(*z);
    *z -= (*q)[C] * Q_[C];
    (*r)[C] = (*q)[C];
  }
  SolveUpper(r);
}

template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::SolveUpper(Active* r) const {
  for (int row = count_ - 1; row >= 0; --row) {
    const std::size_t J = static_cast<std::size_t>(row);
    for (int c = row + 1; c < count_; ++c) {
      (*r)[J] -= R_[static_cast<std::size_t>(c)][J] * (*r)[static_cast<std::size_t>(c)];
    }
    (*r)[J] /= R_[J][J];
  }
}

template <class Scalar, Capacity kCapacity>
template <class Rows>
bool DualActiveSet<Scalar, kCapacity>::Continue(const Rows& rows, int max_iterations, Velocity* u) {
  iterations_ = 0;
  while (iterations_ < max_iterations) {
    Scalar scale = rows.Scale();  // of what was added up to u: multipliers can exceed |k| by far
    for (int a = 0; a < count_; ++a) scale = Max(scale, multiplier_[static_cast<std::size_t>(a)]);
    const ConeRow row = rows.MostViolated(*u, kRounding * scale);
    if (row.contact < 0) return true;
    if (!Add(rows, row, max_iterations, u)) return false;
  }
  return false;
}

template <class Scalar, Capacity kCapacity>
template <class Rows>
bool DualActiveSet<Scalar, kCapacity>::Add(const Rows& rows, const ConeRow& row, int max_iterations, Velocity* u) {
  Velocity column, z;
  rows.Column(row, &column);
  const Scalar column_squared = column.squaredNorm();
  Active q, r;
  Scalar multiplier(0);
  while (iterations_++ < max_iterations) {
    Resolve(column, &q, &r, &z);
    const Scalar z_squared = z.squaredNorm();
    const bool independent = z_squared > kRounding * column_squared && count_ < kMaxActive;
    Scalar step = independent ? -rows.Slack(row, *u) / z_squared : std::numeric_limits<Scalar>::max();
    int dropped = -1;
    for (int a = 0; a < count_; ++a) {
      const std::size_t A = static_cast<std::size_t>(a);
      if (r[A] > Scalar(0) && multiplier_[A] < step * r[A]) {
        step = multiplier_[A] / r[A];
        dropped = a;
      }
    }
    if (!independent && dropped < 0) return false;  // no feasible u, or rounding
    if (independent) *u += step * z;
    for (int a = 0; a < count_; ++a) multiplier_[static_cast<std::size_t>(a)] -= step * r[static_cast<std::size_t>(a)];
    multiplier += step;
    if (dropped < 0) {
      Append(row, q, z, Sqrt(z_squared), multiplier);
      return true;
    }
    Drop(dropped);
  }
  return false;
}

template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::Append(const ConeRow& row, const Active& q, const Velocity& z, Scalar length,
                                              Scalar multiplier) {
  const std::size_t next = static_cast<std::size_t>(count_++);
  for (std::size_t c = 0; c < next; ++c) R_[next][c] = q[c];
  R_[next][next] = length;
  Q_[next] = z / length;
  row_[next] = row;
  multiplier_[next] = multiplier;
}

// Column `position` leaves N_A: Givens rotations bring R back to triangular form and turn the columns of Q along.
template <class Scalar, Capacity kCapacity>
void DualActiveSet<Scalar, kCapacity>::Drop(int position) {
  --count_;
  for (int c = position; c < count_; ++c) {
    const std::size_t C = static_cast<std::size_t>(c);
    R_[C] = R_[C + 1];
    row_[C] = row_[C + 1];
    multiplier_[C] = multiplier_[C + 1];
  }
  for (int c = position; c < count_; ++c) {
    const std::size_t C = static_cast<std::size_t>(c);
    const Scalar a = R_[C][C], b = R_[C][C + 1], length = Sqrt(a * a + b * b);
    const Scalar cosine = a / length, sine = b / length;
    for (int later = c; later < count_; ++later) {
      Active& column = R_[static_cast<std::size_t>(later)];
      const Scalar upper = column[C], lower = column[C + 1];
      column[C] = cosine * upper + sine * lower;
      column[C + 1] = cosine * lower - sine * upper;
    }
    const Velocity q = Q_[C];
    Q_[C] = cosine * q + sine * Q_[C + 1];
    Q_[C + 1] = cosine * Q_[C + 1] - sine * q;
  }
}

// The optimum with the old rows active: Rᵀ R β = c - N_Aᵀk; rows with β < 0 are dropped, most negative first, until none is
// left.
template <class Scalar, Capacity kCapacity>
template <class Rows>
void DualActiveSet<Scalar, kCapacity>::StartFromActive(const Rows& rows, Velocity* u) {
  const int suggested = count_;
  std::array<ConeRow, kMaxActive> old = row_;
  Active q, r;
  Velocity column, z;
  count_ = 0;
  for (int a = 0; a < suggested; ++a) {
    rows.Column(old[static_cast<std::size_t>(a)], &column);
    Resolve(column, &q, &r, &z);
    const Scalar z_squared = z.squaredNorm();
    if (z_squared > kRounding * column.squaredNorm()) {
      Append(old[static_cast<std::size_t>(a)], q, z, Sqrt(z_squared), Scalar(0));
    }
  }
  const Velocity k = *u;
  for (int round = count_; round >= 0; --round) {
    Active y;  // Qᵀ(u - k): Rᵀ y = c - N_Aᵀk, then R β = y
    for (int a = 0; a < count_; ++a) {
      const std::size_t A = static_cast<std::size_t>(a);
      y[A] = -rows.Slack(row_[A], k);
      for (std::size_t c = 0; c < A; ++c) y[A] -= R_[A][c] * y[c];
      y[A] /= R_[A][A];
      multiplier_[A] = y[A];
    }
    SolveUpper(&multiplier_);
    int worst = 0;
    for (int a = 1; a < count_; ++a) {
      if (multiplier_[static_cast<std::size_t>(a)] < multiplier_[static_cast<std::size_t>(worst)]) worst = a;
    }
    if (count_ > 0 && multiplier_[static_cast<std::size_t>(worst)] < Scalar(0)) {
      Drop(worst);
      continue;
    }
    for (int a = 0; a < count_; ++a) *u += y[static_cast<std::size_t>(a)] * Q_[static_cast<std::size_t>(a)];
    return;
  }
}

}  // namespace tactus::internal
