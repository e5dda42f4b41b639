#pragma once
// With the active normals N_A = Q R: a violated row n enters along z = (I - QQᵀ) n while the multipliers of the active rows
// change by -r, r = R⁻¹Qᵀn. Full step to n's boundary t = -slack/|z|²; a multiplier that reaches zero before drops its row.
#include <limits>

#include "tactus/solve/nearest_velocity.h"

namespace tactus {

template <class Scalar, Capacity kCapacity>
int NearestVelocity<Scalar, kCapacity>::MostViolated(const Problem& problem, const Velocity& u, Scalar tolerance) const {
  int worst = -1;
  Scalar least = -tolerance;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const Scalar slack = Slack(problem, i, u);
    if (slack < least) {
      least = slack;
      worst = i;
    }
  }
  return worst;
}

template <class Scalar, Capacity kCapacity>
void NearestVelocity<Scalar, kCapacity>::Resolve(const Velocity& column, Active* r, Velocity* z) const {
  *z = column;
  for (int c = 0; c < count_; ++c) {
    const std::size_t C = static_cast<std::size_t>(c);
    (*r)[C] = Q_[C].dot(*z);
    *z -= (*r)[C] * Q_[C];
  }
  for (int row = count_ - 1; row >= 0; --row) {
    const std::size_t J = static_cast<std::size_t>(row);
    for (int c = row + 1; c < count_; ++c) (*r)[J] -= R_[static_cast<std::size_t>(c)][J] * (*r)[static_cast<std::size_t>(c)];
    (*r)[J] /= R_[J][J];
  }
}

template <class Scalar, Capacity kCapacity>
bool NearestVelocity<Scalar, kCapacity>::Solve(const Problem& problem, int max_iterations, Velocity* u) {
  constexpr Scalar kTolerance = std::numeric_limits<Scalar>::epsilon() * Scalar(1000);
  const Scalar tolerance = kTolerance * Sqrt(u->squaredNorm());
  count_ = 0;
  for (int left = max_iterations; left > 0;) {
    const int i = MostViolated(problem, *u, tolerance);
    if (i < 0) return true;
    if (!Add(problem, i, &left, u)) return false;
  }
  return false;
}

template <class Scalar, Capacity kCapacity>
bool NearestVelocity<Scalar, kCapacity>::Add(const Problem& problem, int i, int* iterations_left, Velocity* u) {
  const auto& contact = problem.contacts[i];
  Velocity column = Velocity::Zero();
  Problem::AddTo(contact, contact.N, Scalar(1), &column);
  problem.Project(&column);
  constexpr Scalar kDependent = std::numeric_limits<Scalar>::epsilon() * Scalar(1000);
  Scalar theta(0);
  while ((*iterations_left)-- > 0) {
    Active r{};
    Velocity z;
    Resolve(column, &r, &z);
    const Scalar z_squared = z.squaredNorm();
    const bool independent = z_squared > kDependent && count_ < kMaxActive;
    Scalar step = independent ? -Slack(problem, i, *u) / z_squared : std::numeric_limits<Scalar>::max();
    int dropped = -1;
    for (int a = 0; a < count_; ++a) {
      const std::size_t A = static_cast<std::size_t>(a);
      if (r[A] > Scalar(0) && theta_[A] < step * r[A]) {
        step = theta_[A] / r[A];
        dropped = a;
      }
    }
    if (!independent && dropped < 0) return false;  // cannot be: u = 0 is feasible; rounding
    if (independent) *u += step * z;
    for (int a = 0; a < count_; ++a) theta_[static_cast<std::size_t>(a)] -= step * r[static_cast<std::size_t>(a)];
    theta += step;
    if (dropped >= 0) {
      Drop(dropped);
      continue;
    }
    const std::size_t next = static_cast<std::size_t>(count_++);
    const Scalar length = Sqrt(z_squared);
    for (std::size_t c = 0; c < next; ++c) R_[next][c] = Q_[c].dot(column);
    R_[next][next] = length;
    Q_[next] = z / length;
    active_[next] = i;
    theta_[next] = theta;
    return true;
  }
  return false;
}

// Column `position` leaves N_A: Givens rotations bring R back to triangular form and turn the columns of Q along.
template <class Scalar, Capacity kCapacity>
void NearestVelocity<Scalar, kCapacity>::Drop(int position) {
  --count_;
  for (int c = position; c < count_; ++c) {
    const std::size_t C = static_cast<std::size_t>(c);
    R_[C] = R_[C + 1];
    theta_[C] = theta_[C + 1];
    active_[C] = active_[C + 1];
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

}  // namespace tactus
