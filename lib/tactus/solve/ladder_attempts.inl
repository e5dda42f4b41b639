namespace tactus {

// Counts the start of an attempt and the verification of its answer. @returns false if they do not fit into the budget.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::StartAttempt(const Problem& problem) {
  return work_.Take(work::Attempt(problem.contacts.size()));
}

// A path from nothing. If it ends in a ray that is only rounding, a second path starts from the basis it ended with, which
// is near an answer. @returns whether the answer is within `limits`. If it is not, it may still be the best so far.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Attempt(const Problem& problem, const LadderOptions& options, int attempt,
                                               const Limits& limits, Search* search) {
  if (TryCold(problem, options, attempt, &search->outcome, limits)) return true;
  bool is_loose = search->outcome == LemkeOutcome::kSolved && status_ == SolveStatus::kSolved;
  if (search->outcome == LemkeOutcome::kRay && !ray_squeezes_) {
    is_loose = TryWarm(problem, options, Rung::kReseeded, Rung::kReseeded);
    if (is_loose && residual_ <= limits.solved) return true;
  }
  if (is_loose && residual_ < search->best_residual) {
    search->best = attempt;
    search->best_residual = residual_;
  }
  return false;
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryWarm(const Problem& problem, const LadderOptions& options, Rung verified,
                                               Rung repaired) {
  if constexpr (kStartsWarm) {
    if (!StartAttempt(problem)) return false;
    LemkeReport report = lemke().SolveWarm(problem, options.seed, options.warm_pivots);
    const bool answered = EndsInConvexStep(problem, options.warm_pivots, &report);
    pivots_ += report.pivots;
    if (answered) return true;
    return report.outcome != LemkeOutcome::kSingular && Accept(problem, report.pivots == 0 ? verified : repaired);
  } else {
    return false;
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryCold(const Problem& problem, const LadderOptions& options, int attempt,
                                               LemkeOutcome* outcome, const Limits& limits) {
  status_ = SolveStatus::kBudget;
  ray_squeezes_ = false;
  if (!StartAttempt(problem)) return false;
  const RatioTolerances<Scalar> tolerances = attempt % 2 == 0 ? RatioTolerances<Scalar>{} : RatioTolerances<Scalar>::Finer();
  LemkeReport report =
      lemke().SolveCold(problem, options.seed + static_cast<unsigned>(attempt), options.cold_pivots, tolerances);
  const bool answered = EndsInConvexStep(problem, options.cold_pivots, &report);
  pivots_ += report.pivots;
  *outcome = report.outcome;
  if (answered) return true;
  ray_squeezes_ = report.outcome == LemkeOutcome::kRay && TakeCertificate(problem);
  if (ray_squeezes_) return false;
  if (report.outcome == LemkeOutcome::kSingular) return false;
  const Scalar limit = report.outcome == LemkeOutcome::kRay ? limits.ray : limits.solved;
  return Accept(problem, attempt == 0 ? Rung::kCold : Rung::kReseeded) && residual_ <= limit;
}

// Verifies what a solver found, from the impulses alone: they must satisfy (3)-(5) and must not add energy.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Accept(const Problem& problem, Rung rung) {
  lemke().GetImpulses(problem, impulses_);
  u_ = problem.VelocityFor(*impulses_);
  residual_ = ComplementarityResidual(problem, *impulses_, u_);
  rung_ = rung;
  return Holds(problem);
}

// @returns whether impulses_, u_ and residual_ are those of a solution. If so, sets the status.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Holds(const Problem& problem) {
  if (!(residual_ <= accept_) || internal::HidesBehindImpulses(problem, *impulses_, residual_)) return false;
  if (internal::AddsEnergy(problem, *impulses_, u_) ||
      (squeezed_ && !internal::RefutesCertificate(problem, *certificate_, u_)))
    return false;
  status_ = SolveStatus::kSolved;
  return true;
}

// Keeps the ray of the last cold start if it is a certificate. @returns whether it is.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TakeCertificate(const Problem& problem) {
  lemke().GetRay(problem, impulses_);
  if (!internal::IsCertificate(problem, *impulses_)) return false;
  *certificate_ = *impulses_;
  squeezed_ = true;
  return true;
}

}  // namespace tactus
