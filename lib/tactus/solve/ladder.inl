namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::IsInAHurry(const LadderOptions& options) {
  return options.work_budget > 0 || options.time_left.is_left != nullptr;
}

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::Run(Problem* problem, const LadderOptions& options, const Recall& recall,
                                           Impulses* impulses, Impulses* certificate) {
  impulses_ = impulses;
  certificate_ = certificate;
  if constexpr (requires(Lemke & any) { any.set_time_left(options.time_left); }) lemke().set_time_left(options.time_left);
  work_ = Work(options.work_budget);
  work_.set_reserve(work::Reserve(problem->contacts.size()));
  if constexpr (kCountsWork) {
    lemke().set_work(&work_);
  } else {
    TACTUS_CHECK(options.work_budget == 0);
  }
  pivots_ = 0;
  squeezed_ = false;
  if (options.warm && TryWarm(*problem, options, Rung::kWarmVerified, Rung::kWarmRepaired)) return;
  const Limits first{IsInAHurry(options) ? Tolerance::kAccept : Tolerance::kAcceptFirst, Tolerance::kAcceptRay};
  Search search;
  for (int attempt = 0; attempt <= options.reseeds && MayStart(options); ++attempt) {
    if (Attempt(*problem, options, attempt, first, &search)) return;
    if (search.outcome != LemkeOutcome::kRay || !squeezed_) continue;
    // Under a deadline the work that is left goes into a safe answer.
    if (options.work_budget > 0 || internal::IsFrictionless(*problem, *certificate_)) return AnswerJam(problem, options);
  }
  if (TryExpanded(*problem, options, &search.outcome) && residual_ <= search.best_residual) return;
  // Walked once more, for its basis goes with it, and a place to keep both is not worth its memory.
  const Limits again{Tolerance::kAccept, Tolerance::kAcceptRay}, last{Tolerance::kAccept, Tolerance::kAccept};
  if (search.best >= 0 && Attempt(*problem, options, search.best, again, &search)) return;
  if (squeezed_) return AnswerJam(problem, options);
  // Nothing better came: now the end point of the first path will do, if its residual is that of a solution.
  if (MayStart(options) && TryCold(*problem, options, 0, &search.outcome, last)) return;
  FallBack(*problem, recall, search.outcome == LemkeOutcome::kBudget);
  // Where no contact slips that carries, it is the solution (theory 10).
  if (!IsInAHurry(options) && rung_ == Rung::kFrictionless) (void)Holds(*problem);
}

// @returns false if the start of an attempt and the look at its answer do not fit.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::StartAttempt(const Problem& problem) {
  return work_.Take(work::Attempt(problem.contacts.size()));
}

// A path from nothing, and if it ends in a ray of rounding, one from the basis it ended with, which is near an answer.
// @returns whether the answer is within `limits`; if not, it may still be the best so far.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Attempt(const Problem& problem, const LadderOptions& options, int attempt,
                                               const Limits& limits, Search* search) {
  if (TryCold(problem, options, attempt, &search->outcome, limits)) return true;
  bool would_do = search->outcome == LemkeOutcome::kSolved && status_ == SolveStatus::kSolved;
  if (search->outcome == LemkeOutcome::kRay && !ray_squeezes_) {
    would_do = TryWarm(problem, options, Rung::kReseeded, Rung::kReseeded);
    if (would_do && residual_ <= limits.solved) return true;
  }
  if (would_do && residual_ < search->best_residual) {
    search->best = attempt;
    search->best_residual = residual_;
  }
  return false;
}

// Three times the friction rows, three times the pivots: for the few needles on which every reduced path ends in rounding.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryExpanded(const Problem& problem, const LadderOptions& options,
                                                   LemkeOutcome* outcome) {
  if constexpr (kStartsWarm) {
    if (options.reseeds == 0 || !MayStart(options) || !StartAttempt(problem)) return false;
    const LemkeReport report = lemke().SolveColdExpanded(problem, options.seed, 3 * options.cold_pivots);
    pivots_ += report.pivots;
    *outcome = report.outcome;
    return report.outcome == LemkeOutcome::kSolved && Accept(problem, Rung::kReseeded);
  } else {
    return false;
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryWarm(const Problem& problem, const LadderOptions& options, Rung verified,
                                               Rung repaired) {
  if constexpr (kStartsWarm) {
    if (!StartAttempt(problem)) return false;
    const LemkeReport report = lemke().SolveWarm(problem, options.seed, options.warm_pivots);
    pivots_ += report.pivots;
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
  const LemkeReport report =
      lemke().SolveCold(problem, options.seed + static_cast<unsigned>(attempt), options.cold_pivots, tolerances);
  pivots_ += report.pivots;
  *outcome = report.outcome;
  ray_squeezes_ = report.outcome == LemkeOutcome::kRay && TakeCertificate(problem);
  if (ray_squeezes_) return false;
  if (report.outcome == LemkeOutcome::kSingular) return false;
  const Scalar limit = report.outcome == LemkeOutcome::kRay ? limits.ray : limits.solved;
  return Accept(problem, attempt == 0 ? Rung::kCold : Rung::kReseeded) && residual_ <= limit;
}

// Trusts no solver, whatever it says: the impulses alone must satisfy (3)-(5), and must not add energy.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Accept(const Problem& problem, Rung rung) {
  lemke().GetImpulses(problem, impulses_);
  u_ = problem.VelocityFor(*impulses_);
  residual_ = ComplementarityResidual(problem, *impulses_, u_);
  rung_ = rung;
  return Holds(problem);
}

// @returns whether impulses_, u_ and residual_ are those of a solution; then it is called one.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Holds(const Problem& problem) {
  if (!(residual_ <= Tolerance::kAccept) || internal::HidesBehindImpulses(problem, *impulses_, residual_)) return false;
  if (internal::AddsEnergy(problem, *impulses_, u_) ||
      (squeezed_ && !internal::RefutesCertificate(problem, *certificate_, u_)))
    return false;
  status_ = SolveStatus::kSolved;
  return true;
}

// @returns whether the ray of the last cold start is a certificate; then it is kept.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TakeCertificate(const Problem& problem) {
  lemke().GetRay(problem, impulses_);
  if (!internal::IsCertificate(problem, *impulses_)) return false;
  *certificate_ = *impulses_;
  squeezed_ = true;
  return true;
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::AnswerJam(Problem* problem, const LadderOptions& options) {
  std::array<Scalar, kCapacity.contacts> gaps;
  for (int i = 0; i < problem->contacts.size(); ++i) {
    gaps[static_cast<std::size_t>(i)] = problem->contacts[i].b;
    problem->contacts[i].b = Max(problem->contacts[i].b, Scalar(0));
  }
  squeezed_ = false;  // with these gaps
  bool answered = false;
  LemkeOutcome outcome = LemkeOutcome::kSingular;  // until a cold start says otherwise
  for (int attempt = 0; attempt <= options.reseeds && !answered && MayStart(options); ++attempt) {
    answered = TryCold(*problem, options, attempt, &outcome, {Tolerance::kAccept, Tolerance::kAccept});
  }
  if (answered) {
    rung_ = Rung::kClampedGaps;
  } else {
    const auto nothing = [](Impulses* impulses) { *impulses = {}; };
    FallBack(*problem, nothing, outcome == LemkeOutcome::kBudget);
  }
  for (int i = 0; i < problem->contacts.size(); ++i) problem->contacts[i].b = gaps[static_cast<std::size_t>(i)];
  residual_ = ComplementarityResidual(*problem, *impulses_);
  status_ = SolveStatus::kJammed;
}

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::FallBack(const Problem& problem, const Recall& recall, bool iterate_is_safe) {
  const int n = problem.contacts.size();
  status_ = SolveStatus::kBudget;
  work_.Spend(work::Fallback(n));
  recall(impulses_);
  const Velocity J = problem.ContactImpulse(*impulses_);
  const Scalar J_squared = J.squaredNorm();
  Scalar s = J_squared > Scalar(0) ? Clamp(-problem.k.dot(J) / J_squared, Scalar(0), Scalar(1)) : Scalar(0);
  Rung rung = Rung::kPreviousProjected;
  if (!(s > Scalar(0)) && iterate_is_safe) {
    lemke().GetImpulses(problem, impulses_);
    s = Scalar(1);
    rung = Rung::kIterateProjected;
  }
  Nearest* const nearest = &workspace_.template emplace<Nearest>();
  nearest->set_work(&work_);
  work_.set_reserve(work::Nearest(n));
  bool answered = s > Scalar(0) && Project(problem, s, rung, nearest);
  if (!answered) {
    *impulses_ = {};
    work_.set_reserve(0);
    answered = Project(problem, Scalar(1), Rung::kFrictionless, nearest);
  }
  workspace_.template emplace<Lemke>();
  if (!answered) Rest(problem);
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::Rest(const Problem& problem) {
  *impulses_ = {};
  u_.setZero();
  rung_ = Rung::kRest;
  residual_ = ComplementarityResidual(problem, *impulses_);
}

// u = nearest velocity to k + scale·(N θ + D φ) that does not penetrate. Refused when it has more energy than k.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Project(const Problem& problem, Scalar scale, Rung rung, Nearest* nearest) {
  if (!work_.Take(work::Projection(problem.contacts.size()))) return false;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    impulses_->theta[I] *= scale;
    for (int j = 0; j < problem.directions; ++j) impulses_->phi[I][static_cast<std::size_t>(j)] *= scale;
  }
  u_ = problem.VelocityFor(*impulses_);
  const int max_iterations = 4 * Problem::kVelocity + 4;
  if (!nearest->Solve(problem, max_iterations, &u_)) return false;
  if (!(u_.squaredNorm() <= problem.k.squaredNorm() * (Scalar(1) + Tolerances<Scalar>::kEnergy))) return false;
  nearest->AddImpulses(impulses_);
  rung_ = rung;
  residual_ = ComplementarityResidual(problem, *impulses_);
  return true;
}

}  // namespace tactus
