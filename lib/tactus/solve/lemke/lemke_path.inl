// [Lloyd04] section 4. Step 0: w_r, r = argmin q_p/c_p, gives its place to z0; its complement drives. One pivot after that:
//
//     R_v = max(R_v, |v|/z0)                                                                      theory 5
//     if driving is θ_i of a contact without friction rows, μ_i > 0:                              5.3, theory 5 (E)
//         add them, with c_σ on the path bound (B); rescale c and z0 (R)
//     m' = RESPOND(driving)                                                                       (20)-(22), theory 4
//     ratio test: the leaving variable, step t                                                    (18), theory 6
//     q' += t m';  the leaving variable's complement drives next
//
// until z0 leaves.

namespace tactus::internal {

template <class Problem>
LemkeReport LemkePath<Problem>::SolveFromNothing(const Problem& problem, FrictionRows friction_rows, unsigned seed,
                                                 int max_pivots, const RatioTolerances<Scalar>& tolerances) {
  generic_ = GenericCover<Scalar>(seed);
  tolerances_ = tolerances;
  StartAtZero(problem, friction_rows);
  if (!EnterCover()) return {LemkeOutcome::kSolved, 0};
  return Pivot(problem, max_pivots);
}

// All w basic: ν_i = N_i·k + b_i, and where a contact has friction rows σ_ij = D_ij·k + τ_ij, γ_i = 0.
template <class Problem>
void LemkePath<Problem>::StartAtZero(const Problem& problem, FrictionRows friction_rows) {
  system_.Reset(problem);
  system_.level_cover = true;
  values_.velocity = problem.k;
  Value(Slots::kCover) = Scalar(0);
  problem_scale_ = Sqrt(problem.k.squaredNorm());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    system_.Enter(i, {});
    Cover(Slots::Normal(i)) = generic_.Normal(i);
    Value(Slots::Normal(i)) = Problem::Dot(contact, contact.N, problem.k) + contact.b;
    problem_scale_ = Max(problem_scale_, Abs(contact.b));
    if (friction_rows == FrictionRows::kFromTheStart && contact.mu > Scalar(0)) AddFrictionRows(problem, i);
  }
}

template <class Problem>
void LemkePath<Problem>::AddFrictionRows(const Problem& problem, int i) {
  (void)AddSlips(problem, i);
  const int first = system_.slots.Slip(i), cone = system_.slots.Cone(i);
  for (int j = 0; j < problem.directions; ++j) Cover(first + j) = generic_.Slip(i);
  Cover(cone) = generic_.Cone(i);
  Value(cone) = Scalar(0);
}

// Rows σ_ij = D_ijᵀv + τ_ij. @returns min(0, min_j σ_ij)
template <class Problem>
typename Problem::Scalar LemkePath<Problem>::AddSlips(const Problem& problem, int i) {
  const auto& contact = problem.contacts[i];
  const typename Problem::Tangential slip = Problem::TangentDot(contact, values_.velocity) + contact.tau;
  system_.Expand(i);
  const int first = system_.slots.Slip(i);
  Scalar least(0);
  for (int j = 0; j < problem.directions; ++j) {
    Value(first + j) = slip.dot(problem.direction[j]);
    least = Min(least, Value(first + j));
  }
  return least;
}

// Step 0: z0 enters for the worst row. Rows above -δ, δ = τ_f max(|k|, max |b|), count as feasible.
// @returns false when z = 0 is the answer. ν ≥ 0 is enough for that: with θ = φ = 0 any λ_i ≥ -σ_ij completes it.
template <class Problem>
bool LemkePath<Problem>::EnterCover() {
  Scalar z0(0), least_nu(0);
  int r = -1;
  for (int p = 1; p < system_.slots.size(); ++p) {
    if (system_.slots.IsNormal(p)) least_nu = Min(least_nu, Value(p));
    if (-Value(p) > z0 * Cover(p)) {
      z0 = -Value(p) / Cover(p);
      r = p;
    }
  }
  // False also for a NaN, which the caller's residual shows.
  if (!(least_nu < -Tolerance::kFeasible * problem_scale_)) return false;
  largest_value_ = AddScaled(z0, system_.cover.data(), system_.slots.size(), values_.at.data());
  Value(r) = Scalar(0);
  Value(Slots::kCover) = z0;
  system_.EnterCover(system_.slots.At(r));
  driving_ = system_.excluded.Complement();
  return true;
}

template <class Problem>
LemkeReport LemkePath<Problem>::Pivot(const Problem& problem, int max_pivots) {
  trace_.Start();
  cover_unit_ = Scalar(1);
  velocity_bound_ = Scalar(0);
  cover_bound_ = Scalar(0);
  return Walk(problem, max_pivots);
}

template <class Problem>
LemkeReport LemkePath<Problem>::Walk(const Problem& problem, int max_pivots) {
  for (int pivots = 1; pivots <= max_pivots; ++pivots) {
    if (!time_left_()) return {LemkeOutcome::kBudget, pivots - 1};
    const Scalar inverse_z0 = Scalar(1) / Value(Slots::kCover);
    if (!IsFinite(inverse_z0)) return {LemkeOutcome::kSolved, pivots - 1};  // z0 = 0: complementary already
    velocity_bound_ = Max(velocity_bound_, Sqrt(values_.velocity.squaredNorm()) * inverse_z0);
    cover_bound_ = Max(cover_bound_, inverse_z0);
    if (driving_.pair == Pair::kNormal && driving_.is_z) Expand(problem, driving_.contact);
    if (!system_.Take(work::Pivot(system_.slots.size(), system_.unknowns()))) return {LemkeOutcome::kBudget, pivots - 1};
    const Scalar pivot_ratio = system_.RespondToDriving(problem, driving_, &rates_);
    if (pivot_ratio < Scalar(0)) return {LemkeOutcome::kBudget, pivots};
    if (!(pivot_ratio > Scalar(0))) return {LemkeOutcome::kSingular, pivots};
    const Scalar scale = is_repair_ ? problem_scale_ : Max(problem_scale_, largest_value_);
    Scalar step;
    int leaving = FindLeavingVariable(values_.at, rates_.at, system_.slots.size(), scale, tolerances_, &step);
    if (leaving > 0) leaving = NormalFirst(leaving, &step);
    if (leaving < 0) return {IsCovered(scale) ? LemkeOutcome::kSolved : LemkeOutcome::kRay, pivots};
    if (leaving == Slots::kCover) {
      Finish(problem, step, scale);
      return {LemkeOutcome::kSolved, pivots};
    }
    const Variable enters = driving_;
    Advance(problem, system_.slots.At(leaving), step);
    trace_.Exchange(enters, driving_.Complement());
    if (trace_.IsBack()) return {LemkeOutcome::kSingular, pivots};
  }
  return {LemkeOutcome::kBudget, max_pivots};
}

// Breaks the tie of θ_i with γ_i or φ_ij. γ_i = μ_i θ_i - Σ_j φ_ij + c_γ z0 with c_γ ≥ 0. If only two of the contact's
// variables are basic, θ_i and γ_i or θ_i and one φ_ij, the second is at least μ_i θ_i and cannot reach zero before θ_i,
// unless γ_i or another φ_ij drives. With rounding they may tie, because the slack of the ratio test can exceed c_γ z0. Then
// θ_i leaves. If the second left instead, nothing would block λ_i or σ_ij, and the path would end in a spurious ray.
template <class Problem>
int LemkePath<Problem>::NormalFirst(int leaving, Scalar* step) const {
  const Variable variable = system_.slots.At(leaving);
  const int i = variable.contact, normal = Slots::Normal(i);
  const ContactBasis& basis = system_.basis(i);
  if (variable.pair == Pair::kNormal || !basis.theta || !(rates_.at[normal] < Scalar(0))) return leaving;
  const bool drives = driving_.contact == i, lambda_drives = drives && driving_.pair == Pair::kCone && driving_.is_z;
  if (drives && !lambda_drives && (driving_.pair == Pair::kCone || driving_.is_z)) return leaving;
  const std::uint32_t others = variable.pair == Pair::kSlip ? basis.phi ^ 1u << variable.direction : basis.phi;
  if (others != 0 || (basis.lambda || lambda_drives) != (variable.pair == Pair::kSlip)) return leaving;
  if (system_.cover[system_.slots.Cone(i)] < Scalar(0)) return leaving;  // after a warm start
  *step = Max(values_.at[normal], Scalar(0)) / -rates_.at[normal];
  return normal;
}

// If z0 is below the tolerance, a ray is a solution, not a failure: w - c z0 ≥ -τ_f S is already complementary to z.
template <class Problem>
bool LemkePath<Problem>::IsCovered(Scalar scale) const {
  return values_.at[Slots::kCover] <= Tolerance::kFeasible * scale;
}

// θ_i is about to enter, so the contact gets its friction rows: (57) with the cover (59) of [Lloyd04] appendix D, raised to
// the path bound (theory 5, (E), (B), (R)).
template <class Problem>
void LemkePath<Problem>::Expand(const Problem& problem, int i) {
  const auto& contact = problem.contacts[i];
  if (system_.basis(i).expanded || contact.mu == Scalar(0)) return;
  trace_.Expand(i);
  constexpr Scalar kSqrt2 = Scalar(1.4142135623730951);  // |D_ij| ≤ √2 after normalisation
  const Scalar g = generic_.Slip(i), z0 = Value(Slots::kCover), least_slip = AddSlips(problem, i);
  const int first = system_.slots.Slip(i), cone = system_.slots.Cone(i);
  const Scalar bound = Max(kSqrt2 * velocity_bound_ + Sqrt(contact.tau.squaredNorm()) * cover_bound_, -least_slip / z0);
  constexpr Scalar kAbove = Scalar(3);  // any factor ≥ 1 will do; pivots with 1, 3, 10: n = 12 15.2, 13.0, 12.6; wedge 15.6,
                                        // 12.7, 11.3; from 1000 on jams end in rounding
  const Scalar cover_slip = Max(cover_unit_ * g, kAbove * (Scalar(1) + Scalar(0.1) * g) * bound);
  for (int j = 0; j < problem.directions; ++j) {
    Cover(first + j) = cover_slip;
    Value(first + j) += cover_slip * z0;
  }
  Cover(cone) = cover_unit_ * generic_.Cone(i);
  Value(cone) = Cover(cone) * z0;
  largest_value_ = Max(largest_value_, LargestAbs(&Value(first), problem.directions + 1));
  constexpr Scalar kLargestCover = Scalar(4);  // above it z0 gets another unit: one tolerance then fits z0 and the rest
  if (cover_slip > kLargestCover) RescaleCover(cover_slip);
}

// c := c/s, z0 := s z0. Later covers are in the new unit too. Otherwise they would outweigh the earlier ones by s and lead
// to another, longer path (peg, n = 20: 71 pivots instead of 21).
template <class Problem>
void LemkePath<Problem>::RescaleCover(Scalar s) {
  const Scalar inverse = Scalar(1) / s;
  system_.ScaleCover(inverse);
  Value(Slots::kCover) *= s;
  largest_value_ = Max(largest_value_, Value(Slots::kCover));
  cover_unit_ *= inverse;
  velocity_bound_ *= inverse;
  cover_bound_ *= inverse;
}

template <class Problem>
void LemkePath<Problem>::MoveBy(Scalar step) {
  largest_value_ = AddScaled(step, rates_.at.data(), system_.slots.size(), values_.at.data());
  values_.velocity += step * rates_.velocity;
  if (driving_.pair == Pair::kCover) return;
  Value(system_.slots.Of(driving_)) = step;
  largest_value_ = Max(largest_value_, step);
}

template <class Problem>
void LemkePath<Problem>::Advance(const Problem& problem, const Variable& leaving, Scalar step) {
  MoveBy(step);
  const bool z_leaves = system_.Exchange(problem, driving_, leaving, rates_);
  Value(system_.slots.Of(leaving)) = Scalar(0);
  driving_ = leaving;
  driving_.is_z = !z_leaves;
}

// The rows of an answer may be below zero by τ_f S, S the largest impulse. Beside a light body's own motion that may be
// much. With the values carried the tolerance can be a share of what is wrong, whatever the impulses are.
template <class Problem>
LemkeReport LemkePath<Problem>::Repair(const Problem& problem, unsigned seed, int max_pivots) {
  constexpr Scalar kShare = Scalar(0.7);  // of what is wrong: the tolerance. 910 float stacks, masses 1e4 apart, most
                                          // repairs 12: 28 stay wrong, with 0.5 52, with 0.15 85, more paths end in rounding
  if (!system_.Sharpen(problem, &values_)) return {};
  const Scalar lowest = LowestOf(values_.at.data(), system_.slots.size());
  if (!(lowest < Scalar(0))) return {LemkeOutcome::kSolved, 0};
  generic_ = GenericCover<Scalar>(seed);
  tolerances_ = {};
  problem_scale_ = kShare * -lowest / Tolerance::kFeasible;
  is_repair_ = true;
  StartFromBasis(problem, kShare * -lowest);
  const LemkeReport report = Pivot(problem, max_pivots);
  is_repair_ = false;
  return report;
}

// Theory 7, step 3: z0 enters with rates c' > 0 for the basics, c = B c', and the most infeasible basic leaves.
template <class Problem>
void LemkePath<Problem>::StartFromBasis(const Problem& problem, Scalar tolerance) {
  constexpr Scalar kFeasibleShare = Scalar(0.3);  // feasible basics are covered too: degenerate ones would block at once
  Scalar z0(0);
  int leaving = -1;
  for (int p = 1; p < system_.slots.size(); ++p) {
    Rate(p) = generic_.At(p) * (Value(p) < -tolerance ? Scalar(1) : kFeasibleShare);
    if (-Value(p) > z0 * Rate(p)) {
      z0 = -Value(p) / Rate(p);
      leaving = p;
    }
  }
  CoverFromRates(problem);
  Value(Slots::kCover) = Scalar(0);
  Rate(Slots::kCover) = Scalar(1);
  driving_ = {Pair::kCover, -1, -1, true};
  Advance(problem, system_.slots.At(leaving), z0);
}

// c = B c': cover rows from the rates of the basics, so that RESPOND(z0) is exactly c'.
template <class Problem>
void LemkePath<Problem>::CoverFromRates(const Problem& problem) {
  system_.level_cover = false;
  Impulses c;
  Extract(problem, rates_, &c);
  rates_.velocity = problem.ContactImpulse(c);
  problem.Project(&rates_.velocity);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const ContactBasis& basis = system_.basis(i);
    Cover(Slots::Normal(i)) = (basis.theta ? Scalar(0) : Rate(Slots::Normal(i))) -
                              Problem::Dot(contact, contact.N, rates_.velocity) - contact.epsilon * c.theta[i];
    if (!basis.expanded) continue;
    const typename Problem::Tangential slip = Problem::TangentDot(contact, rates_.velocity);
    const int first = system_.slots.Slip(i), cone = system_.slots.Cone(i);
    Scalar phi_sum(0);
    for (int j = 0; j < problem.directions; ++j) {
      phi_sum += c.phi[i][j];
      Cover(first + j) = (IsBasic(basis, Pair::kSlip, j) ? Scalar(0) : Rate(first + j)) - slip.dot(problem.direction[j]) -
                         (basis.lambda ? Rate(cone) : Scalar(0));
    }
    Cover(cone) = (basis.lambda ? Scalar(0) : Rate(cone)) - contact.mu * c.theta[i] + phi_sum;
  }
}

// Step 2: z0 leaves and the driving variable takes its place. The values (16) of the complementary basis are computed
// afresh. If that basis is so near to singular that they are infeasible, the values of the path stay.
template <class Problem>
void LemkePath<Problem>::Finish(const Problem& problem, Scalar step, Scalar scale) {
  MoveBy(step);
  Value(Slots::kCover) = Scalar(0);
  system_.ReplaceCover(driving_);
  if (is_repair_) {
    (void)system_.Sharpen(problem, &values_);
    return;
  }
  Values& afresh = rates_;
  if (!(system_.RespondToConstant(problem, &afresh) > Scalar(0))) return;
  const int size = system_.slots.size();
  if (!(LowestOf(afresh.at.data(), size) >= -Tolerance::kAccept * scale)) return;
  for (int p = 0; p < size; ++p) Value(p) = Rate(p);
  values_.velocity = afresh.velocity;
}

template <class Problem>
void LemkePath<Problem>::Extract(const Problem& problem, const Values& values, Impulses* impulses) const {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const ContactBasis& basis = system_.basis(i);
    const Scalar* at = values.at.data();
    impulses->theta[i] = basis.theta ? Max(at[Slots::Normal(i)], Scalar(0)) : Scalar(0);
    for (int j = 0; j < problem.directions; ++j) {
      const bool phi_basic = basis.expanded && IsBasic(basis, Pair::kSlip, j);
      impulses->phi[i][j] = phi_basic ? Max(at[system_.slots.Slip(i) + j], Scalar(0)) : Scalar(0);
    }
  }
}

template <class Problem>
void LemkePath<Problem>::GetRay(const Problem& problem, Impulses* ray) const {
  Extract(problem, rates_, ray);
  if (!driving_.is_z) return;
  if (driving_.pair == Pair::kNormal) ray->theta[driving_.contact] = Scalar(1);
  if (driving_.pair == Pair::kSlip) ray->phi[driving_.contact][driving_.direction] = Scalar(1);
}

}  // namespace tactus::internal
