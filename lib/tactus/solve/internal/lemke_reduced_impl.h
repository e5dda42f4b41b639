#pragma once
// One pivot of docs/theory.md, section 5:
//
//     FACTOR;  R_v = max(R_v, |v|/z0)
//     if driving is θ_i of a contact not yet expanded, μ_i > 0:  expand, with c_σ on the path bound (B); rescale c and z0
//     (R) m' = RESPOND(driving);  ratio test (section 6);  q' += t m';  the leaving variable's complement drives next
//
// until z0 leaves.
#include <limits>

#include "tactus/core/scalar.h"
#include "tactus/solve/lemke_reduced.h"

namespace tactus {
namespace internal {

// max |x_p|, 0 for none. Four lanes, so that a maximum need not wait for the one before it.
template <class Scalar>
Scalar LargestAbs(const Scalar* x, int size) {
  Scalar largest[4] = {};
  int p = 0;
  for (; p + 4 <= size; p += 4) {
    for (int lane = 0; lane < 4; ++lane) largest[lane] = Max(largest[lane], Abs(x[p + lane]));
  }
  for (; p < size; ++p) largest[0] = Max(largest[0], Abs(x[p]));
  return Max(Max(largest[0], largest[1]), Max(largest[2], largest[3]));
}

}  // namespace internal

// g of theory 5: 1 + frac(0.618034 row + 0.37 seed)/2, generic numbers in [1, 1.5).
template <class Scalar, Capacity kCapacity>
Scalar LemkeReduced<Scalar, kCapacity>::GenericCover(int row) const {
  const Scalar x = Scalar(0.618034) * static_cast<Scalar>(row) + Scalar(0.37) * static_cast<Scalar>(seed_ % 1000u);
  return Scalar(1) + Scalar(0.5) * (x - static_cast<Scalar>(static_cast<int>(x)));
}

template <class Scalar, Capacity kCapacity>
LemkeReport LemkeReduced<Scalar, kCapacity>::SolveCold(const Problem& problem, unsigned seed, int max_pivots) {
  seed_ = seed;
  if (StartCold(problem)) return {LemkeOutcome::kSolved, 0};
  return Pivot(problem, max_pivots);
}

// All w basic: ν_i = N_i·k + b_i. @returns true when that is the answer; else z0 enters for the worst row.
template <class Scalar, Capacity kCapacity>
bool LemkeReduced<Scalar, kCapacity>::StartCold(const Problem& problem) {
  system_.slots.Reset(problem.contacts.size(), problem.directions);
  system_.z0_basic = false;
  values_.velocity = problem.k;
  values_.at[Slots::kCover] = Scalar(0);
  problem_scale_ = Sqrt(problem.k.squaredNorm());
  Scalar z0(0);
  int r = -1;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    system_.basis[static_cast<std::size_t>(i)] = {};
    const Scalar c = GenericCover(3 * i + 1), nu = Problem::Dot(contact, contact.N, problem.k) + contact.b;
    Cover(Slots::Normal(i)) = c;
    Value(Slots::Normal(i)) = nu;
    problem_scale_ = Max(problem_scale_, Abs(contact.b));
    if (-nu > z0 * c) {
      z0 = -nu / c;
      r = i;
    }
  }
  // Every row above -δ, δ = τ_f S: nothing to do, and what remains is rounding.
  if (r < 0 || Value(Slots::Normal(r)) >= -Tolerance::kFeasible * problem_scale_) return true;
  for (int i = 0; i < problem.contacts.size(); ++i) Value(Slots::Normal(i)) += z0 * Cover(Slots::Normal(i));
  Value(Slots::Normal(r)) = Scalar(0);
  Value(Slots::kCover) = z0;
  system_.z0_basic = true;
  system_.excluded = {Pair::kNormal, r, -1, false};
  driving_ = system_.excluded.Complement();
  return false;
}

template <class Scalar, Capacity kCapacity>
LemkeReport LemkeReduced<Scalar, kCapacity>::Pivot(const Problem& problem, int max_pivots) {
  cover_unit_ = Scalar(1);
  velocity_bound_ = Scalar(0);
  cover_bound_ = Scalar(0);
  for (int pivots = 1; pivots <= max_pivots; ++pivots) {
    if (!(system_.Factor(problem) > Scalar(0))) return {LemkeOutcome::kSingular, pivots};
    const Scalar inverse_z0 = Scalar(1) / Value(Slots::kCover);
    velocity_bound_ = Max(velocity_bound_, Sqrt(values_.velocity.squaredNorm()) * inverse_z0);
    cover_bound_ = Max(cover_bound_, inverse_z0);
    if (driving_.pair == Pair::kNormal && driving_.is_z) Expand(problem, driving_.contact);
    system_.RespondToDriving(problem, driving_, &rates_);
    Scalar step;
    const Variable leaving = RatioTest(&step);
    if (leaving.pair == Pair::kNone) return {LemkeOutcome::kRay, pivots};
    if (leaving.pair == Pair::kCover) {
      return {Finish(problem) ? LemkeOutcome::kSolved : LemkeOutcome::kSingular, pivots};
    }
    Advance(leaving, step);
  }
  return {LemkeOutcome::kBudget, max_pivots};
}

// θ_i is about to enter: from here on the contact has friction (theory 5, (E), (B), (R)).
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Expand(const Problem& problem, int i) {
  const auto& contact = problem.contacts[i];
  ContactBasis& basis = system_.basis[static_cast<std::size_t>(i)];
  if (basis.expanded || contact.mu == Scalar(0)) return;
  constexpr Scalar kSqrt2 = Scalar(1.4142135623730951);  // |D_ij| ≤ √2 after normalisation
  const Scalar g = GenericCover(3 * i + 2), z0 = Value(Slots::kCover);
  const typename Problem::Tangential slip = Problem::TangentDot(contact, values_.velocity) + contact.tau;
  Scalar bound = kSqrt2 * velocity_bound_ + Sqrt(contact.tau.squaredNorm()) * cover_bound_;
  for (int j = 0; j < problem.directions; ++j) {
    bound = Max(bound, -slip.dot(problem.direction[static_cast<std::size_t>(j)]) / z0);
  }
  const Scalar cover_slip = Max(cover_unit_ * g, (Scalar(1) + Scalar(0.1) * g) * bound);
  basis.expanded = true;
  system_.slots.Expand(i);
  const int first = system_.slots.Slip(i), cone = system_.slots.Cone(i);
  Cover(cone) = cover_unit_ * GenericCover(3 * i + 3);
  Value(cone) = Cover(cone) * z0;
  for (int j = 0; j < problem.directions; ++j) {
    Cover(first + j) = cover_slip;
    Value(first + j) = slip.dot(problem.direction[static_cast<std::size_t>(j)]) + cover_slip * z0;
  }
  constexpr Scalar kLargestCover = Scalar(4);  // above it z0 is counted in another unit, so that one tolerance fits z0 too
  if (cover_slip > kLargestCover) RescaleCover(problem, cover_slip);
}

// c := c/s, z0 := s z0. Later covers are counted in the new unit too: else they would outweigh the earlier ones by s, the
// path would be another one, and long (peg, n = 20: 71 pivots instead of 21, 3 of 60 not solved).
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::RescaleCover(const Problem& problem, Scalar s) {
  const Scalar inverse = Scalar(1) / s;
  for (int slot = 1; slot < system_.slots.size(); ++slot) Cover(slot) *= inverse;
  Value(Slots::kCover) *= s;
  cover_unit_ *= inverse;
  velocity_bound_ *= inverse;
  cover_bound_ *= inverse;
  (void)system_.Factor(problem);  // only the scale of z0's column changes: as regular as before
}

// Harris' two passes with z0 preferred (theory 6). Pairs without a basic variable have q' = m' = 0 and never block.
template <class Scalar, Capacity kCapacity>
Variable LemkeReduced<Scalar, kCapacity>::RatioTest(Scalar* step) const {
  const int size = system_.slots.size();
  const Scalar *q = values_.at.data(), *m = rates_.at.data();
  const Scalar scale = Max(problem_scale_, internal::LargestAbs(q, size));
  const Scalar least_rate = Tolerance::kPivot * internal::LargestAbs(m, size), slack = Tolerance::kFeasible * scale;

  std::array<std::int16_t, Slots::kSlots> candidates;
  int count = 0;
  for (int p = 0; p < size; ++p) {  // without a branch: which rates are negative is as good as random
    candidates[static_cast<std::size_t>(count)] = static_cast<std::int16_t>(p);
    count += m[p] < -least_rate ? 1 : 0;
  }
  Scalar longest = std::numeric_limits<Scalar>::max();  // t^: how far we may go if every row may be violated by τ_f S
  for (int c = 0; c < count; ++c) {
    const int p = candidates[static_cast<std::size_t>(c)];
    longest = Min(longest, (Max(q[p], Scalar(0)) + slack) / -m[p]);
  }
  int leaving = -1;
  for (int c = 0; c < count; ++c) {
    const int p = candidates[static_cast<std::size_t>(c)];
    if (Max(q[p], Scalar(0)) > -m[p] * longest) continue;
    if (leaving < 0 || m[p] < m[leaving]) leaving = p;
    if (p == Slots::kCover) break;  // z0, the first candidate if it is one, goes before all others
  }
  if (leaving < 0) return {};
  *step = Max(q[leaving], Scalar(0)) / -m[leaving];
  return system_.slots.At(leaving);
}

// q' += t m'; the driving variable takes the place of the leaving one, whose complement drives next.
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Advance(const Variable& leaving, Scalar step) {
  for (int p = 0; p < system_.slots.size(); ++p) Value(p) += step * Rate(p);
  values_.velocity += step * rates_.velocity;
  if (driving_.pair != Pair::kCover) {
    SetBasic(&system_.basis[static_cast<std::size_t>(driving_.contact)], driving_.pair, driving_.direction, driving_.is_z);
    Value(system_.slots.Of(driving_)) = step;
  }
  ContactBasis& basis = system_.basis[static_cast<std::size_t>(leaving.contact)];
  const bool z_leaves = IsBasic(basis, leaving.pair, leaving.direction);
  SetBasic(&basis, leaving.pair, leaving.direction, false);
  Value(system_.slots.Of(leaving)) = Scalar(0);
  system_.excluded = leaving;
  driving_ = leaving;
  driving_.is_z = !z_leaves;
}

// z0 leaves, the driving variable takes its place: values of the complementary basis, computed afresh.
template <class Scalar, Capacity kCapacity>
bool LemkeReduced<Scalar, kCapacity>::Finish(const Problem& problem) {
  ContactBasis& entering_basis = system_.basis[static_cast<std::size_t>(driving_.contact)];
  SetBasic(&entering_basis, driving_.pair, driving_.direction, driving_.is_z);
  system_.z0_basic = false;
  system_.excluded = {};
  if (!(system_.Factor(problem) > Scalar(0))) return false;
  system_.RespondToConstant(problem, &values_);
  return true;
}

// A basis from elsewhere may be anything: clear what cannot be.
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Sanitise(const Problem& problem) {
  const std::uint32_t directions = problem.directions == 32 ? ~0u : (1u << problem.directions) - 1u;
  problem_scale_ = Sqrt(problem.k.squaredNorm());
  system_.slots.Reset(problem.contacts.size(), problem.directions);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    ContactBasis& basis = system_.basis[static_cast<std::size_t>(i)];
    basis.expanded = basis.expanded && problem.contacts[i].mu > Scalar(0);
    basis.phi = basis.expanded ? basis.phi & directions : 0u;
    basis.lambda = basis.expanded && basis.lambda && basis.phi != 0;
    if (basis.expanded) system_.slots.Expand(i);
    problem_scale_ = Max(problem_scale_, Abs(problem.contacts[i].b));
  }
}

template <class Scalar, Capacity kCapacity>
LemkeReport LemkeReduced<Scalar, kCapacity>::SolveWarm(const Problem& problem, unsigned seed, int max_pivots) {
  seed_ = seed;
  Sanitise(problem);
  system_.z0_basic = false;
  system_.excluded = {};
  if (!(system_.Factor(problem) >= Tolerance::kSingular)) return {LemkeOutcome::kSingular, 0};
  system_.RespondToConstant(problem, &values_);
  const Scalar scale = Max(problem_scale_, internal::LargestAbs(values_.at.data(), system_.slots.size()));
  Scalar least(0);
  for (int p = 0; p < system_.slots.size(); ++p) least = Min(least, Value(p));
  const Scalar tolerance = Tolerance::kFeasible * scale;
  if (!IsFinite(scale)) return {LemkeOutcome::kSingular, 0};
  if (least >= -tolerance) return {LemkeOutcome::kSolved, 0};
  StartWarm(problem, tolerance);
  return Pivot(problem, max_pivots);
}

// Theory 7, step 3: z0 enters with rates c' > 0 for the basics, c = B c', and the most infeasible basic leaves.
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::StartWarm(const Problem& problem, Scalar tolerance) {
  constexpr Scalar kFeasibleShare = Scalar(0.3);  // feasible basics are covered too, or degenerate ones would block at once
  Scalar z0(0);
  int leaving = -1;
  for (int p = 1; p < system_.slots.size(); ++p) {
    Rate(p) = GenericCover(p) * (Value(p) < -tolerance ? Scalar(1) : kFeasibleShare);
    if (-Value(p) > z0 * Rate(p)) {
      z0 = -Value(p) / Rate(p);
      leaving = p;
    }
  }
  CoverFromRates(problem);
  system_.z0_basic = true;
  Value(Slots::kCover) = Scalar(0);
  Rate(Slots::kCover) = Scalar(1);
  driving_ = {Pair::kCover, -1, -1, true};
  Advance(system_.slots.At(leaving), z0);
}

// c = B c': cover rows from the rates of the basics, so that RESPOND(z0) is exactly c'.
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::CoverFromRates(const Problem& problem) {
  Impulses c;
  Extract(problem, rates_, &c);
  rates_.velocity = problem.ContactImpulse(c);
  problem.Project(&rates_.velocity);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    const auto& contact = problem.contacts[i];
    const ContactBasis& basis = system_.basis[I];
    Cover(Slots::Normal(i)) = (basis.theta ? Scalar(0) : Rate(Slots::Normal(i))) -
                              Problem::Dot(contact, contact.N, rates_.velocity) - contact.epsilon * c.theta[I];
    if (!basis.expanded) continue;
    const typename Problem::Tangential slip = Problem::TangentDot(contact, rates_.velocity);
    const int first = system_.slots.Slip(i), cone = system_.slots.Cone(i);
    Scalar phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      phi_sum += c.phi[I][J];
      Cover(first + j) = (IsBasic(basis, Pair::kSlip, j) ? Scalar(0) : Rate(first + j)) - slip.dot(problem.direction[J]) -
                         (basis.lambda ? Rate(cone) : Scalar(0));
    }
    Cover(cone) = (basis.lambda ? Scalar(0) : Rate(cone)) - contact.mu * c.theta[I] + phi_sum;
  }
}

template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Extract(const Problem& problem, const Values& values, Impulses* impulses) const {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    const ContactBasis& basis = system_.basis[I];
    const Scalar* at = values.at.data();
    impulses->theta[I] = basis.theta ? Max(at[Slots::Normal(i)], Scalar(0)) : Scalar(0);
    for (int j = 0; j < problem.directions; ++j) {
      const bool phi_basic = basis.expanded && IsBasic(basis, Pair::kSlip, j);
      impulses->phi[I][static_cast<std::size_t>(j)] = phi_basic ? Max(at[system_.slots.Slip(i) + j], Scalar(0)) : Scalar(0);
    }
  }
}

template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::GetRay(const Problem& problem, Impulses* ray) const {
  Extract(problem, rates_, ray);
  if (!driving_.is_z) return;
  const std::size_t I = static_cast<std::size_t>(driving_.contact);
  if (driving_.pair == Pair::kNormal) ray->theta[I] = Scalar(1);
  if (driving_.pair == Pair::kSlip) ray->phi[I][static_cast<std::size_t>(driving_.direction)] = Scalar(1);
}

}  // namespace tactus
