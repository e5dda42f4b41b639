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
      ShareWithConvexStep(*problem);
    }
  }
  if (TryColdStarts(*problem, options, &search)) return;
  if (!options.falls_back) return FindShortfall(options, search.is_too_long());
  if (search.has_no_solution) return AnswerSqueeze(problem, options);
  if (TryAllFrictionRows(*problem, options, &search)) return;
  if (TakeBestOfLooseAnswers(*problem, options, &search)) return;
  if (squeezed_ && !search.is_too_long() && TryWaysOut(problem, options)) return;
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
  work_.set_reserve(Reserve(problem));
  if constexpr (kCountsWork) {
    lemke().set_work(&work_);
  } else {
    TACTUS_CHECK(deadline.work_budget == 0);
  }
  pivots_ = 0;
  status_ = SolveStatus::kBudget;
  shortfall_ = Shortfall::kNone;
  recalls_ = options.recalls;
  ForgetLastRun();
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

// Where every path from nothing ends in a squeeze that friction holds. An answer slips at one of its contacts, or leaves it
// (theory 11.2): the path has to begin on that side. Two functions, for the path needs much of the stack.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryWaysOut(Problem* problem, const LadderOptions& options) {
  if constexpr (kStartsWarm) {
    if (options.deadline.IsSet()) return false;
    WayOut way;
    for (int left = 2 * options.reseeds; left > 0 && FindWayOut(*problem, &way); --left) {
      if (BeginBeyond(problem, options, way) && TryWarm(*problem, options, Rung::kReseeded, Rung::kReseeded)) return true;
    }
  }
  return false;
}

// The next contact of the certificate, each off first, then each aside in a direction. @returns false: there is none left
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::FindWayOut(const Problem& problem, WayOut* way) const {
  // The share of the largest impulse leaves out rounding alone: of 200 000 random problems the same 414 come out of their
  // squeeze with 0.1 and with 1e-5. Four sides are enough to slip to: with 8 it is the same 414, with 2 one less.
  constexpr Scalar kShare = Scalar(1e-3);
  constexpr int kAside = 4;
  Scalar largest(0);
  for (int i = 0; i < problem.contacts.size(); ++i) largest = Max(largest, certificate_->theta[i]);
  const auto leads_out = [&] {
    const bool slips = way->direction < 0 || problem.contacts[way->contact].mu > Scalar(0);
    return slips && certificate_->theta[way->contact] > kShare * largest;
  };
  do {
    if (++way->contact < problem.contacts.size()) continue;
    way->contact = 0;
    way->direction += way->direction < 0 ? 1 : Max(problem.directions / kAside, 1);
    if (way->direction >= problem.directions) return false;
  } while (!leads_out());
  return true;
}

// That contact is taken far off, or its face is moved far aside. @returns whether the problem is then solved: its basis is
// the one to start from
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::BeginBeyond(Problem* problem, const LadderOptions& options, const WayOut& way) {
  if constexpr (kStartsWarm) {
    if (!StartAttempt(*problem)) return false;
    Scalar far = Sqrt(problem->k.squaredNorm());
    for (const auto& contact : problem->contacts) far = Max(far, Max(Abs(contact.b), Sqrt(contact.tau.squaredNorm())));
    far *= Scalar(10);
    auto& contact = problem->contacts[way.contact];
    const Scalar b = contact.b;
    const typename Problem::Tangential tau = contact.tau;
    if (way.direction < 0) {
      contact.b += far;
    } else {
      contact.tau += far * problem->direction[way.direction];
    }
    const LemkeReport report = lemke().SolveCold(*problem, options.seed + 1, options.cold_pivots);
    pivots_ += report.pivots;
    contact.b = b;
    contact.tau = tau;
    return report.outcome == LemkeOutcome::kSolved;
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
  recalls_ = true;
  work_ = *work;
  FallBack(problem, recall, false);
  *work = work_;
}

}  // namespace tactus
