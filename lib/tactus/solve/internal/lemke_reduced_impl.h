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

// Calls visit(pair, q', m') for every pair that has a basic variable, z0 last. The excluded pair has q' = m' = 0 and passes
// by.
template <class Scalar, Capacity kCapacity>
template <class Visit>
void LemkeReduced<Scalar, kCapacity>::VisitBasics(const Problem& problem, Visit&& visit) const {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    visit(Variable{Pair::kNormal, i, -1, false}, values_.normal[I], rates_.normal[I]);
    if (!system_.basis[I].expanded) continue;
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      visit(Variable{Pair::kSlip, i, j, false}, values_.slip[I][J], rates_.slip[I][J]);
    }
    visit(Variable{Pair::kCone, i, -1, false}, values_.cone[I], rates_.cone[I]);
  }
  if (system_.z0_basic) visit(Variable{Pair::kCover, -1, -1, true}, values_.z0, rates_.z0);
}

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
  values_.velocity = problem.k;
  values_.z0 = Scalar(0);
  problem_scale_ = Sqrt(problem.k.squaredNorm());
  Scalar z0(0);
  int r = -1;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    const auto& contact = problem.contacts[i];
    system_.basis[I] = {};
    system_.cover.normal[I] = GenericCover(3 * i + 1);
    values_.normal[I] = Problem::Dot(contact, contact.N, problem.k) + contact.b;
    problem_scale_ = Max(problem_scale_, Abs(contact.b));
    if (-values_.normal[I] > z0 * system_.cover.normal[I]) {
      z0 = -values_.normal[I] / system_.cover.normal[I];
      r = i;
    }
  }
  system_.z0_basic = false;
  // Every row above -δ, δ = τ_f S: nothing to do, and what remains is rounding.
  if (r < 0 || values_.normal[static_cast<std::size_t>(r)] >= -Tolerance::kFeasible * problem_scale_) return true;
  values_.z0 = z0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    values_.normal[static_cast<std::size_t>(i)] += z0 * system_.cover.normal[static_cast<std::size_t>(i)];
  }
  values_.normal[static_cast<std::size_t>(r)] = Scalar(0);
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
    velocity_bound_ = Max(velocity_bound_, Sqrt(values_.velocity.squaredNorm()) / values_.z0);
    cover_bound_ = Max(cover_bound_, Scalar(1) / values_.z0);
    if (driving_.pair == Pair::kNormal && driving_.is_z) Expand(problem, driving_.contact);
    system_.RespondToDriving(problem, driving_, &rates_);
    Scalar step;
    const Variable leaving = RatioTest(problem, &step);
    if (leaving.pair == Pair::kNone) return {LemkeOutcome::kRay, pivots};
    if (leaving.pair == Pair::kCover) {
      return {Finish(problem) ? LemkeOutcome::kSolved : LemkeOutcome::kSingular, pivots};
    }
    Advance(problem, leaving, step);
  }
  return {LemkeOutcome::kBudget, max_pivots};
}

// θ_i is about to enter: from here on the contact has friction (theory 5, (E), (B), (R)).
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Expand(const Problem& problem, int i) {
  const auto& contact = problem.contacts[i];
  const std::size_t I = static_cast<std::size_t>(i);
  if (system_.basis[I].expanded || contact.mu == Scalar(0)) return;
  constexpr Scalar kSqrt2 = Scalar(1.4142135623730951);  // |D_ij| ≤ √2 after normalisation
  const Scalar g = GenericCover(3 * i + 2);
  const typename Problem::Tangential slip = Problem::TangentDot(contact, values_.velocity) + contact.tau;
  Scalar bound = kSqrt2 * velocity_bound_ + Sqrt(contact.tau.squaredNorm()) * cover_bound_;
  for (int j = 0; j < problem.directions; ++j) {
    bound = Max(bound, -slip.dot(problem.direction[static_cast<std::size_t>(j)]) / values_.z0);
  }
  const Scalar cover_slip = Max(cover_unit_ * g, (Scalar(1) + Scalar(0.1) * g) * bound);
  system_.basis[I].expanded = true;
  system_.cover.cone[I] = cover_unit_ * GenericCover(3 * i + 3);
  values_.cone[I] = system_.cover.cone[I] * values_.z0;
  for (int j = 0; j < problem.directions; ++j) {
    const std::size_t J = static_cast<std::size_t>(j);
    system_.cover.slip[I][J] = cover_slip;
    values_.slip[I][J] = slip.dot(problem.direction[J]) + cover_slip * values_.z0;
  }
  constexpr Scalar kLargestCover = Scalar(4);  // above it z0 is counted in another unit, so that one tolerance fits z0 too
  if (cover_slip > kLargestCover) RescaleCover(problem, cover_slip);
}

// c := c/s, z0 := s z0. Later covers are counted in the new unit too: else they would outweigh the earlier ones by s, the
// path would be another one, and long (peg, n = 20: 71 pivots instead of 21, 3 of 60 not solved).
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::RescaleCover(const Problem& problem, Scalar s) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    system_.cover.normal[I] /= s;
    system_.cover.cone[I] /= s;
    for (Scalar& c : system_.cover.slip[I]) c /= s;
  }
  values_.z0 *= s;
  cover_unit_ /= s;
  velocity_bound_ /= s;
  cover_bound_ /= s;
  (void)system_.Factor(problem);  // only the scale of z0's column changes: as regular as before
}

// Harris' two passes with z0 preferred (theory 6).
template <class Scalar, Capacity kCapacity>
Variable LemkeReduced<Scalar, kCapacity>::RatioTest(const Problem& problem, Scalar* step) {
  Scalar scale = problem_scale_, largest_rate(0);
  VisitBasics(problem, [&](const Variable&, Scalar q, Scalar m) {
    scale = Max(scale, Abs(q));
    largest_rate = Max(largest_rate, Abs(m));
  });
  const Scalar least_rate = Tolerance::kPivot * largest_rate, slack = Tolerance::kFeasible * scale;
  Scalar longest = std::numeric_limits<Scalar>::max();  // t^: how far we may go if every row may be violated by τ_f S
  VisitBasics(problem, [&](const Variable&, Scalar q, Scalar m) {
    if (m < -least_rate && Max(q, Scalar(0)) + slack < -m * longest) longest = (Max(q, Scalar(0)) + slack) / -m;
  });
  Variable leaving;
  Scalar best_rate(0);
  VisitBasics(problem, [&](const Variable& y, Scalar q, Scalar m) {
    if (!(m < -least_rate) || Max(q, Scalar(0)) > -m * longest) return;
    if (-m > best_rate || y.pair == Pair::kCover) {
      best_rate = -m;
      leaving = y;
      *step = Max(q, Scalar(0)) / -m;
    }
  });
  return leaving;
}

// q' += t m'; the driving variable takes the place of the leaving one, whose complement drives next.
template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Advance(const Problem& problem, const Variable& leaving, Scalar step) {
  const int contacts = problem.contacts.size();
  for (int i = 0; i < contacts; ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    values_.normal[I] += step * rates_.normal[I];
    if (!system_.basis[I].expanded) continue;
    values_.cone[I] += step * rates_.cone[I];
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      values_.slip[I][J] += step * rates_.slip[I][J];
    }
  }
  values_.z0 += step * rates_.z0;
  values_.velocity += step * rates_.velocity;
  if (driving_.pair != Pair::kCover) {
    ContactBasis& entering_basis = system_.basis[static_cast<std::size_t>(driving_.contact)];
    SetBasic(&entering_basis, driving_.pair, driving_.direction, driving_.is_z);
    values_[driving_] = step;
  }
  ContactBasis& leaving_basis = system_.basis[static_cast<std::size_t>(leaving.contact)];
  const bool z_leaves = IsBasic(leaving_basis, leaving.pair, leaving.direction);
  SetBasic(&leaving_basis, leaving.pair, leaving.direction, false);
  values_[leaving] = Scalar(0);
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
  for (int i = 0; i < problem.contacts.size(); ++i) {
    ContactBasis& basis = system_.basis[static_cast<std::size_t>(i)];
    basis.expanded = basis.expanded && problem.contacts[i].mu > Scalar(0);
    basis.phi = basis.expanded ? basis.phi & directions : 0u;
    basis.lambda = basis.expanded && basis.lambda && basis.phi != 0;
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
  Scalar scale = problem_scale_, least(0);
  VisitBasics(problem, [&](const Variable&, Scalar q, Scalar) {
    scale = Max(scale, Abs(q));
    least = Min(least, q);
  });
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
  int row = 0;
  Scalar z0(0);
  Variable leaving;
  VisitBasics(problem, [&](const Variable& y, Scalar x, Scalar) {
    const Scalar c = GenericCover(++row) * (x < -tolerance ? Scalar(1) : kFeasibleShare);
    rates_[y] = c;
    if (-x > z0 * c) {
      z0 = -x / c;
      leaving = y;
    }
  });
  CoverFromRates(problem);
  system_.z0_basic = true;
  values_.z0 = Scalar(0);
  rates_.z0 = Scalar(1);
  driving_ = {Pair::kCover, -1, -1, true};
  Advance(problem, leaving, z0);
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
    system_.cover.normal[I] = (basis.theta ? Scalar(0) : rates_.normal[I]) -
                              Problem::Dot(contact, contact.N, rates_.velocity) - contact.epsilon * c.theta[I];
    if (!basis.expanded) continue;
    const typename Problem::Tangential slip = Problem::TangentDot(contact, rates_.velocity);
    Scalar phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      const bool phi_basic = IsBasic(basis, Pair::kSlip, j);
      phi_sum += c.phi[I][J];
      system_.cover.slip[I][J] = (phi_basic ? Scalar(0) : rates_.slip[I][J]) - slip.dot(problem.direction[J]) -
                                 (basis.lambda ? rates_.cone[I] : Scalar(0));
    }
    system_.cover.cone[I] = (basis.lambda ? Scalar(0) : rates_.cone[I]) - contact.mu * c.theta[I] + phi_sum;
  }
}

template <class Scalar, Capacity kCapacity>
void LemkeReduced<Scalar, kCapacity>::Extract(const Problem& problem, const Values& values, Impulses* impulses) const {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    const ContactBasis& basis = system_.basis[I];
    impulses->theta[I] = basis.theta ? Max(values.normal[I], Scalar(0)) : Scalar(0);
    for (int j = 0; j < problem.directions; ++j) {
      const std::size_t J = static_cast<std::size_t>(j);
      impulses->phi[I][J] = IsBasic(basis, Pair::kSlip, j) ? Max(values.slip[I][J], Scalar(0)) : Scalar(0);
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
