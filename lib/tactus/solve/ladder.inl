namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::Run(Problem* problem, const LadderOptions& options, const Recall& recall,
                                           Impulses* impulses, Impulses* certificate) {
  Search search{.best_residual = accept_};
  Begin(*problem, options, impulses, certificate);
  if (TryLastBasis(*problem, options)) return;
  if constexpr (requires { recall.ReduceProblem(problem, &work_); }) {
    if (convex_.state == ConvexState::kUntried) {
      recall.ReduceProblem(problem, &work_);
      ShareWithConvexStep(problem->contacts.size());
    }
  }
  if (TryColdStarts(*problem, options, &search)) return;
  if (!options.falls_back) return FindShortfall(options, search.is_too_long());
  if (search.has_no_solution) return AnswerSqueeze(problem, options);
  if (TryAllFrictionRows(*problem, options, &search)) return;
  if (TakeBestOfLooseAnswers(*problem, options, &search)) return;
  if (squeezed_) return AnswerSqueeze(problem, options);
  if (TryEndOfFirstPath(*problem, options, &search)) return;
  TakeSafeVelocity(*problem, options, recall, search.outcome == LemkeOutcome::kBudget);
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::Begin(const Problem& problem, const LadderOptions& options, Impulses* impulses,
                                             Impulses* certificate) {
  const Deadline& deadline = options.deadline;
  impulses_ = impulses;
  certificate_ = certificate;
  if constexpr (requires(Lemke & any) { any.set_time_left(deadline.time_left); }) lemke().set_time_left(deadline.time_left);
  work_ = Work(deadline.work_budget);
  work_.set_reserve(work::Reserve(problem.contacts.size()));
  if constexpr (kCountsWork) {
    lemke().set_work(&work_);
  } else {
    TACTUS_CHECK(deadline.work_budget == 0);
  }
  pivots_ = 0;
  shortfall_ = Shortfall::kNone;
  squeezed_ = false;
  recalls_ = options.recalls;
  ForgetConvexStep();
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryLastBasis(const Problem& problem, const LadderOptions& options) {
  return options.warm && TryWarm(problem, options, Rung::kWarmVerified, Rung::kWarmRepaired);
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryColdStarts(const Problem& problem, const LadderOptions& options, Search* search) {
  const Limits limits{options.deadline.IsSet() ? accept_ : Min(accept_, Tolerance::kAcceptFirst),
                      Min(accept_, Tolerance::kAcceptRay)};
  for (int attempt = 0; attempt <= options.reseeds && MayStart(options); ++attempt) {
    if (Attempt(problem, options, attempt, limits, search)) return true;
    if (search->is_too_long()) return false;
    if (search->outcome != LemkeOutcome::kRay || !squeezed_) continue;
    // With a budget the work that is left goes into a safe answer.
    search->has_no_solution = options.deadline.work_budget > 0 || internal::IsFrictionless(problem, *certificate_);
    if (search->has_no_solution) return false;
  }
  return false;
}

// Three times the friction rows, three times the pivots: for the few needles on which every reduced path ends in rounding.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryAllFrictionRows(const Problem& problem, const LadderOptions& options,
                                                          Search* search) {
  if constexpr (kStartsWarm) {
    if (options.reseeds == 0 || search->is_too_long() || !MayStart(options) || !StartAttempt(problem)) return false;
    const LemkeReport report = lemke().SolveColdExpanded(problem, options.seed, 3 * options.cold_pivots);
    pivots_ += report.pivots;
    search->outcome = report.outcome;
    return report.outcome == LemkeOutcome::kSolved && Accept(problem, Rung::kReseeded) && residual_ <= search->best_residual;
  } else {
    return false;
  }
}

// Re-run the best attempt: storing its basis would cost more memory than the rare re-run costs time.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TakeBestOfLooseAnswers(const Problem& problem, const LadderOptions& options,
                                                              Search* search) {
  const Limits limits{accept_, Min(accept_, Tolerance::kAcceptRay)};
  return search->best >= 0 && Attempt(problem, options, search->best, limits, search);
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryEndOfFirstPath(const Problem& problem, const LadderOptions& options,
                                                         Search* search) {
  const Limits limits{accept_, accept_};
  return !search->is_too_long() && MayStart(options) && TryCold(problem, options, 0, &search->outcome, limits);
}

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::TakeSafeVelocity(const Problem& problem, const LadderOptions& options,
                                                        const Recall& recall, bool iterate_is_safe) {
  FindShortfall(options, iterate_is_safe);
  FallBack(problem, recall, iterate_is_safe);
  // It may be a solution all the same: the frictionless answer is one where no loaded contact slips (theory 10).
  if (!options.deadline.IsSet()) (void)Holds(problem);
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::FindShortfall(const LadderOptions& options, bool too_long) {
  shortfall_ = too_long ? Shortfall::kPivots : Shortfall::kRounding;
  if (!options.deadline.time_left()) shortfall_ = Shortfall::kClock;
  if (work_.was_refused()) shortfall_ = Shortfall::kWork;
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Polish(const Problem& problem, int sweeps, Work* work, Impulses* impulses) {
  const int n = problem.contacts.size();
  if (!work->Take(work::Improvement(n) + sweeps * work::Sweep(n))) return false;
  CarriedSweeps<Problem>::Run(problem, sweeps, impulses, &u_);
  return Measure(problem, impulses);
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Repair(const Problem& problem, const LadderOptions& options, Work* work,
                                              Impulses* impulses) {
  if constexpr (kRepairs) {
    if (!work->Take(work::Improvement(problem.contacts.size()))) return false;
    lemke().set_work(work);
    const LemkeReport report = lemke().Repair(problem, options.seed, options.warm_pivots);
    pivots_ += report.pivots;
    if (report.outcome != LemkeOutcome::kSolved) return false;
    lemke().GetImpulses(problem, impulses);
    u_ = lemke().velocity();
    return Measure(problem, impulses);
  } else {
    return false;
  }
}

// Of impulses and the velocity that was carried with them.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Measure(const Problem& problem, Impulses* impulses) {
  impulses_ = impulses;
  residual_ = ComplementarityResidual(problem, *impulses, u_);
  return Holds(problem);
}

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::MakeSafe(const Problem& problem, const Recall& recall, Work* work,
                                                Impulses* impulses) {
  impulses_ = impulses;
  shortfall_ = Shortfall::kRounding;
  work_ = *work;
  FallBack(problem, recall, false);
  *work = work_;
}

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

// Where work has run out on a path the convex step comes first. If it is no solution it is in hand as the safe answer, and
// the path goes on with what its reserve sets free. @returns whether it is a solution
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::EndsInConvexStep(const Problem& problem, int max_pivots, LemkeReport* report) {
  if constexpr (kHasConvexStep && kResumes) {
    if (report->outcome != LemkeOutcome::kBudget || !work_.was_refused()) return false;
    if (convex_.state != ConvexState::kUntried) return false;
    if (TryConvexStep(problem)) return true;
    if (convex_.state != ConvexState::kInHand) return false;
    const int n = problem.contacts.size();
    work_.GoOn(ReserveInHand(n));
    const LemkeReport rest = lemke().Resume(problem, max_pivots - report->pivots);
    *report = {rest.outcome, report->pivots + rest.pivots};
  }
  return false;
}

// LCP2 for gaps max(Φ, 0), Γ = b_clear - b: solvable unless a surface moves, |u| ≤ |k|, and no gap closes (theory 8, 11).
// @returns whether it solves the problem as given
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryConvexStep(const Problem& problem) {
  if constexpr (kHasConvexStep) {
    if (convex_.state != ConvexState::kUntried) return false;
    convex_.state = ConvexState::kFailed;
    const int n = problem.contacts.size();
    for (int i = 0; i < n; ++i) {
      if (problem.contacts[i].epsilon > Scalar(0)) return false;  // it has walls alone
    }
    Work work = work_;
    work.GoOn(work::Fallback(n) + work::Nearest(n));
    if (!work.Take(work::ConvexStep(n))) return false;
    typename ConvexStep<Scalar, kCapacity>::Gamma gamma;
    for (int i = 0; i < n; ++i) gamma[i] = problem.contacts[i].b_clear - problem.contacts[i].b;
    // Ten for each row that can be active. Of 12 000 cold starts of one body none took more than 40.
    constexpr int kMostIterations = 10 * Problem::kVelocity;
    convex_.step.set_work(&work);
    const bool done = convex_.step.Solve(problem, gamma, kMostIterations);
    if (done) {
      convex_.state = ConvexState::kInHand;
    } else if (work.was_refused()) {
      convex_.state = ConvexState::kCutOff;
    }
    convex_.answer.Take(convex_.step);
    bool is_solution = false;
    if (done) {
      GiveConvexStep(problem);
      if (internal::AddsEnergy(problem, *impulses_, u_)) {
        convex_.state = ConvexState::kFailed;
      } else {
        is_solution = Holds(problem) || TryExactLaw(problem, &gamma, &work);
      }
    }
    convex_.step.set_work(nullptr);
    work_.Spend(work.done() - work_.done());
    return is_solution;
  }
  return false;
}

// The path from nothing begins with two thirds of what is left beside the reserve. The rest is the convex step's, and what
// that leaves is the path's again.
template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::ShareWithConvexStep(int contacts) {
  const std::int64_t reserve = work::Reserve(contacts);
  work_.set_reserve(reserve);
  if constexpr (kHasExactLaw) {
    if (work_.left() > 0) work_.set_reserve(reserve + work_.left() / kConvexShare);
  }
}

// Where the convex step slips and so takes off: the exact law on its rows, and if that is no solution on those of the next
// step of LCP1, Γ = μ Λ(u) (theory 8.4). @returns whether one is found
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryExactLaw(const Problem& problem,
                                                   typename ConvexStep<Scalar, kCapacity>::Gamma* gamma, Work* work) {
  if constexpr (kHasExactLaw) {
    constexpr int kMostSteps = 3, kMostIterations = 5 * Problem::kVelocity;
    const int n = problem.contacts.size();
    const auto in_hand = convex_.answer;
    work->GoOn(ReserveInHand(n));
    for (int step = 0; step < kMostSteps; ++step) {
      internal::ExactLaw<Problem> law;
      const bool is_new = step == 0 || convex_.step.iterations() > 0;
      if (is_new) {
        if (!work->Take(work::ExactLaw())) break;
        const bool is_possible = law.Solve(problem, &convex_.answer);
        if (is_possible) {
          if (!work->Take(work::Verification(n))) break;
          GiveConvexStep(problem);
          if (Holds(problem)) return true;
        }
      }
      if (!work->Take(work::NextConvexStep(n))) break;
      for (int i = 0; i < n; ++i) {
        const auto& contact = problem.contacts[i];
        const typename Problem::Tangential slip = Problem::TangentDot(contact, convex_.step.velocity()) + contact.tau;
        Scalar lambda(0);
        for (int j = 0; j < problem.directions; ++j) lambda = Max(lambda, -slip.dot(problem.direction[j]));
        (*gamma)[i] = contact.b_clear - contact.b + contact.mu * lambda;
      }
      if (!convex_.step.SolveAgain(problem, *gamma, kMostIterations)) break;
      convex_.answer.Take(convex_.step);
    }
    convex_.answer = in_hand;
  }
  return false;
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::GiveConvexStep(const Problem& problem) {
  if constexpr (kHasConvexStep) {
    convex_.answer.GetImpulses(problem, impulses_);
    u_ = problem.VelocityFor(*impulses_);
    residual_ = ComplementarityResidual(problem, *impulses_, u_);
    rung_ = Rung::kConvexStep;
  }
}

// A contact with active rows (i, j) carries, and slides or sticks at the edge of its cone: θ, λ and these φ are basic.
template <class Scalar, Capacity kCapacity, class Lemke>
ContactBasis Ladder<Scalar, kCapacity, Lemke>::ConvexBasis(int contact) const {
  ContactBasis basis;
  if constexpr (kHasConvexStep) {
    for (const auto& [row, beta] : convex_.answer.entries) {
      if (row.contact != contact) continue;
      basis.theta = true;
      if (row.direction < 0) continue;
      basis.expanded = basis.lambda = true;
      basis.phi |= 1u << row.direction;
    }
  }
  return basis;
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

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::AnswerSqueeze(Problem* problem, const LadderOptions& options) {
  std::array<Scalar, kCapacity.contacts> gaps;
  for (int i = 0; i < problem->contacts.size(); ++i) gaps[i] = problem->contacts[i].b;
  // The overlap of a spring is its force and stays: no ray goes along a contact that yields (theory 11.2).
  const auto clamp_gaps = [&](Scalar least) {
    for (auto& contact : problem->contacts) {
      if (contact.epsilon == Scalar(0)) contact.b = Max(contact.b_clear, least);
    }
  };
  LemkeOutcome outcome = LemkeOutcome::kSingular;  // if no cold start runs
  const auto answer = [&] {
    for (int attempt = 0; attempt <= options.reseeds && MayStart(options); ++attempt) {
      if (TryCold(*problem, options, attempt, &outcome, {accept_, accept_})) return true;
    }
    return false;
  };
  constexpr Scalar kAsDriven = std::numeric_limits<Scalar>::lowest();
  clamp_gaps(kAsDriven);
  squeezed_ = false;  // the certificate does not hold for the clamped gaps
  // What drives the bodies together may squeeze them by itself: then it rests.
  const bool is_driven = problem->IsDriven(), still_squeezed = is_driven && internal::IsCertificate(*problem, *certificate_);
  bool answered = !still_squeezed && answer();
  if (!answered && is_driven) {
    clamp_gaps(Scalar(0));
    answered = answer();
  }
  if (work_.was_refused()) shortfall_ = Shortfall::kWork;
  if (answered) {
    rung_ = Rung::kClampedGaps;
  } else {
    const auto nothing = [](Impulses* impulses) { *impulses = {}; };
    clamp_gaps(kAsDriven);
    FallBack(*problem, nothing, outcome == LemkeOutcome::kBudget);
  }
  for (int i = 0; i < problem->contacts.size(); ++i) problem->contacts[i].b = gaps[i];
  residual_ = ComplementarityResidual(*problem, *impulses_);
  status_ = SolveStatus::kJammed;
}

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::FallBack(const Problem& problem, const Recall& recall, bool iterate_is_safe) {
  const int n = problem.contacts.size();
  status_ = SolveStatus::kBudget;
  if (TryConvexStep(problem)) return;
  const bool in_hand = convex_.state == ConvexState::kInHand;
  if (in_hand && !recalls_) {
    work_.Spend(work::InHand(n));
    return GiveConvexStep(problem);
  }
  work_.Spend(work::Fallback(n));
  recall(impulses_);
  const Velocity J = problem.ContactImpulse(*impulses_);
  const Scalar J_squared = J.squaredNorm();
  Scalar s = J_squared > Scalar(0) ? Clamp(-problem.k.dot(J) / J_squared, Scalar(0), Scalar(1)) : Scalar(0);
  Rung rung = Rung::kPreviousProjected;
  if (!(s > Scalar(0)) && in_hand) return GiveConvexStep(problem);
  if (!(s > Scalar(0)) && convex_.state == ConvexState::kCutOff) {
    GiveConvexStep(problem);
    s = Scalar(1);
    rung = Rung::kConvexStep;
  } else if (!(s > Scalar(0)) && iterate_is_safe) {
    lemke().GetImpulses(problem, impulses_);
    s = Scalar(1);
    rung = Rung::kIterateProjected;
  }
  Nearest* const nearest = &workspace_.template emplace<Nearest>();
  nearest->set_work(&work_);
  work_.set_reserve(0);
  bool answered = s > Scalar(0) && Project(problem, s, rung, nearest);
  if (!answered && in_hand) {
    GiveConvexStep(problem);
    answered = true;
  }
  if (!answered) {
    *impulses_ = {};
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

// u = the velocity nearest to k + scale·(N θ + D φ) that does not penetrate. @returns false if it has more energy than k and
// what moving surfaces and joints give.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Project(const Problem& problem, Scalar scale, Rung rung, Nearest* nearest) {
  if (!work_.Take(work::Projection(problem.contacts.size()))) return false;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    impulses_->theta[i] *= scale;
    for (int j = 0; j < problem.directions; ++j) impulses_->phi[i][j] *= scale;
  }
  u_ = problem.VelocityFor(*impulses_);
  // Four for each row that can be active. One body has 28; of 8 000 projections in hostile ticks 6 took more than 12
  // (work.h).
  constexpr int max_iterations = 4 * Problem::kVelocity + 4;
  if (!nearest->Solve(problem, max_iterations, &u_)) return false;
  const Scalar most = problem.k.squaredNorm() + Scalar(2) * nearest->given_energy();
  if (!(u_.squaredNorm() <= most * (Scalar(1) + Tolerances<Scalar>::kEnergy))) return false;
  nearest->AddImpulses(impulses_);
  rung_ = rung;
  residual_ = ComplementarityResidual(problem, *impulses_);
  return true;
}

}  // namespace tactus
