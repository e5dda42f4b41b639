namespace tactus {

// Before a cold start: of flat patches the corners stay. Not where joints hold a body: then a contact that is lost to
// rounding (Whiten) may be one that another's gap leans on.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::ReducePatches(const PhysicalProblem& problem, Problem* whitened, Work* work) {
  using Hull = PatchHull<Problem>;
  const int n = whitened->contacts.size();
  if (!may_reduce_ || whitened->joint_rank > 0 || whitened->contradicted_contact >= 0) return;
  if (whiten_options_.friction != nullptr) return;  // contacts that are alike may slip and rest by turns
  work->set_reserve(work::Fallbacks(n, Nearest::MoreWork(*whitened)));
  if (!work->Allows(work::Patches(Hull::MostCompared(n), Hull::MostLookedAt(n)))) return;
  (void)patches_.Reduce(problem, whitened);
  work->Spend(work::Patches(patches_.compared(), patches_.looked_at()));
}

// For each a fallback, so that the budget suffices whatever this one takes.
template <class Scalar, Capacity kCapacity, class Lemke>
std::int64_t ContactSolver<Scalar, kCapacity, Lemke>::ReserveOfLaterIslands(const PhysicalProblem& problem) const {
  std::int64_t reserve = 0;
  if constexpr (kHasIslands) {
    if (island_ + 1 >= islands_.count()) return 0;
    int contacts = 0;
    for (const auto& contact : problem.contacts) contacts += islands_.Of(contact.a, contact.b) > island_ ? 1 : 0;
    reserve = work::Reserve(contacts) + (islands_.count() - island_ - 2) * work::Reserve(0);
    for (int island = island_ + 1; island < islands_.count(); ++island) reserve += MoreWork(problem, island);
  }
  return reserve;
}

// NearestVelocity::MoreWork of an island that is not yet whitened. Whether its joints press on a contact is not yet known.
template <class Scalar, Capacity kCapacity, class Lemke>
std::int64_t ContactSolver<Scalar, kCapacity, Lemke>::MoreWork(const PhysicalProblem& problem, int island) const {
  if constexpr (kHasIslands) {
    int contacts = 0, bodies = 0;
    bool is_driven = false;
    for (const auto& contact : problem.contacts) {
      if (islands_.Of(contact.a, contact.b) != island) continue;
      ++contacts;
      is_driven = is_driven || contact.surface_normal_velocity_mps > Scalar(0);
    }
    if (!is_driven) return 0;
    for (int k = 0; k < problem.bodies.size(); ++k) bodies += islands_.OfBody(k) == island ? 1 : 0;
    return work::MorePasses(contacts, bodies * kCapacity.dof);
  }
  return 0;
}

template <class Scalar, Capacity kCapacity, class Lemke>
LadderOptions ContactSolver<Scalar, kCapacity, Lemke>::MakeLadderOptions(const PhysicalProblem& problem,
                                                                         const SolverOptions<Scalar>& options,
                                                                         const Solution& solution) const {
  constexpr int kWarmPivots = 60;      // theory 7: of 36 000 ticks none needed more than 25
  constexpr int kCompliantFactor = 4;  // compliant contacts may all carry at once; most pivots seen in 1 000 problems: 340
  LadderOptions ladder;
  // After an answer that was not exact there is no basis to go on from: the next tick has its whole budget for a cold start,
  // and another covering vector each time it fails again.
  ladder.warm = basis_is_of_set_ || (options.warm && !remembered_.empty() && (failures_ == 0 || (!IsWhole() && HasBasis())));
  ladder.warm_pivots = options.max_pivots > 0 ? options.max_pivots : kWarmPivots;
  ladder.cold_pivots = options.max_pivots > 0 ? options.max_pivots : Lemke::PivotLimit(whitened_);
  if (options.max_pivots == 0 && HasCompliance(problem)) ladder.cold_pivots *= kCompliantFactor;
  ladder.reseeds = options.reseeds;
  ladder.recalls = HasLastImpulses();
  if (options.work_budget > 0) {
    const std::int64_t left = BudgetLeft(problem, options, solution);
    ladder.deadline.work_budget = static_cast<int>(left);
  }
  ladder.seed = options.seed + static_cast<unsigned>(failures_);
  ladder.deadline.time_left = options.time_left;
  return ladder;
}

// All contacts but those that are merged, or that whiten_options_ leaves out.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::WhitenAll(const PhysicalProblem& problem,
                                                                const SolverOptions<Scalar>& options, bool shorten_far_gaps,
                                                                Solution* solution) {
  whiten_options_.shorten_far_gaps = shorten_far_gaps;
  whiten_options_.max_push_out_mps = options.max_push_out_mps;
  for (std::size_t i = 0; merges_ && i < keeper_.size(); ++i) whiten_options_.left_out[i] = keeper_[i] >= 0;
  if (const ProblemFault fault = Whiten(problem, solution->tangent, whiten_options_, &whitened_)) return fault;
  if (is_viscous_) AddViscousFriction(problem, options, solution);
  ladder_.ForgetLastRun();
  PrepareWarmStart();
  return {};
}

template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::RunLadder(const PhysicalProblem& problem,
                                                                const SolverOptions<Scalar>& options, bool shorten_far_gaps,
                                                                Solution* solution) {
  if (const ProblemFault fault = WhitenAll(problem, options, shorten_far_gaps, solution)) return fault;
  if (IsWhole() || solution->work == 0) solution->work += WorkAround(problem);
  SolveWhitened(problem, options, true, solution);
  if (IsFlung(options, solution)) {
    whitened_.ClampGaps();
    ladder_.ForgetLastRun();
    TakeSafe(problem, options, Shortfall::kOpposed, solution);
  }
  return {};
}

// In place of an answer that is none. Where overlaps oppose each other last tick's impulses are not used: beside a load of
// 100 kg they threw a tool of 1 g at 6 m/s. The residual is then that of the problem in which no overlap is undone.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeSafe(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                       Shortfall why, Solution* solution) {
  Work work = WorkLeft(problem, options, *solution);
  const auto recall = [&](Impulses* impulses) {
    if (why == Shortfall::kOpposed) {
      *impulses = {};
    } else {
      RecallImpulses(impulses);
    }
  };
  ladder_.MakeSafe(whitened_, recall, &work, &WorkImpulses(solution));
  solution->work += work.done();
  part_ = {.status = SolveStatus::kBudget, .rung = ladder_.rung(), .shortfall = why, .residual = ladder_.residual()};
}

// @param falls_back  false: where there is no answer there is none
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::SolveWhitened(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options, bool falls_back,
                                                            Solution* solution) {
  if (TryLastRound(problem, options, solution)) return;
  if (is_short_of_work_ && last_round_fails_) return SettleForSafe(problem, options, solution);
  if (falls_back && TrySweeps(problem, options, solution)) return;
  LadderOptions ladder = MakeLadderOptions(problem, options, *solution);
  ladder.falls_back = falls_back;
  ladder_.Run(&whitened_, ladder, Memory{this, problem}, &WorkImpulses(solution), &WorkCertificate(solution));
  part_ = {
      .status = ladder_.status(), .rung = ladder_.rung(), .shortfall = ladder_.shortfall(), .residual = ladder_.residual()};
  solution->pivots += ladder_.pivots();
  solution->work += ladder_.work();
  PolishPolygon(problem, options, solution);
}

template <class Scalar, Capacity kCapacity, class Lemke>
std::int64_t ContactSolver<Scalar, kCapacity, Lemke>::BudgetLeft(const PhysicalProblem& problem,
                                                                 const SolverOptions<Scalar>& options,
                                                                 const Solution& solution) const {
  return Max(options.work_budget - solution.work - ReserveOfLaterIslands(problem) - kept_work_, std::int64_t{1});
}

template <class Scalar, Capacity kCapacity, class Lemke>
Work ContactSolver<Scalar, kCapacity, Lemke>::WorkLeft(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                       const Solution& solution) const {
  if (options.work_budget == 0) return {};
  Work work(BudgetLeft(problem, options, solution));
  if (kept_work_ == 0) {  // else it is kept already
    work.set_reserve(work::Fallbacks(whitened_.contacts.size(), Nearest::MoreWork(whitened_)));
  }
  return work;
}

template <class Scalar, Capacity kCapacity, class Lemke>
const typename ContactSolver<Scalar, kCapacity, Lemke>::Problem::Velocity&
ContactSolver<Scalar, kCapacity, Lemke>::Velocity() const {
  if constexpr (kRoundIsMore) {
    if (part_.cone == Cone::kRound) return round_.velocity();
  }
  return ladder_.velocity();
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::MayTryLastRound(const SolverOptions<Scalar>& options) const {
  const bool has_last = failures_ == 0 && !remembered_.empty();
  return options.cone == Cone::kRound && options.warm && !last_round_fails_ && (has_last || is_short_of_work_) &&
         options.time_left();
}

// A budget too small for a path beside Newton: all of it is Newton's, for all contacts, and the safe answer's. What does not
// converge goes on in the next tick. Of the demonstration's ticks with contacts, with the M7's work, so many have an exact
// answer, and so many where the ladder follows Newton: at 2 kHz, 13 contacts, 98 and 92 %; at 4 kHz, 5, 97 and 75; at
// 10 kHz, 2, 99.7 and none. With the work of 1 kHz it is the other way: 95 and 99.6 %.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::IsShortOfWork(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options) const {
  if (kHasIslands || !kRoundIsMore || options.cone != Cone::kRound || options.work_budget == 0) return false;
  const int n = problem.contacts.size();
  const std::int64_t around = WorkAround(problem) + work::WorkingSet(n) + work::FullFallback(n);
  return options.work_budget < around + work::RoundMeasure(n, n) + 2 * work::FewRoundSteps(n);
}

// Where Newton has not converged: from where it has come to if that is nearer to the law, else from last tick's impulses.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::SettleForSafe(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options, Solution* solution) {
  if constexpr (kRoundIsMore) {
    Impulses* const impulses = &WorkImpulses(solution);
    if (round_.is_nearer()) {
      KeepSwept();
      round_.Give(whitened_, impulses);
    } else {
      RecallImpulses(impulses);
    }
    Work work = WorkLeft(problem, options, *solution);
    SettleForSwept(&work, solution);
  }
}

// Newton from last tick's round impulses. @returns whether that is the answer: then there is no polygon to solve.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::TryLastRound(const PhysicalProblem& problem,
                                                           const SolverOptions<Scalar>& options, Solution* solution) {
  if (!MayTryLastRound(options)) return false;
  if constexpr (kRoundIsMore) {
    RecallRound(problem, *solution);
    Work work = WorkLeft(problem, options, *solution);
    if (is_short_of_work_) {
      // Rest, for want of passes, is safe where nothing comes nearer by itself.
      const int n = whitened_.contacts.size();
      work.set_reserve(whitened_.IsDriven() ? work::FullFallback(n) : work::ShortFallback(n));
    } else if (options.work_budget > 0) {
      // The rest is the polygon's if Newton does not converge; where there is no work for the polygon Newton has it all. A
      // sixth, and three steps at least. Of 9 024 recorded ticks of a peg that binds, with 350 000, 136 have no exact answer
      // and 96 are left on the polygon, and with 200 000, 1 010 and 424. With a quarter, no least and the counts of before
      // it was 128 and 231, and 1 593 and 2 344.
      constexpr int kPart = 6;
      const std::int64_t left = BudgetLeft(problem, options, *solution);
      const std::int64_t few_steps = work::FewRoundSteps(whitened_.contacts.size());
      const bool shares = !kHasIslands || HasWorkOfSearch(problem, options, *solution);
      if (shares) work.set_reserve(Max(work.reserve(), left - Max(left / kPart, few_steps)));
    }
    const bool answered =
        is_short_of_work_ ? round_.FromLastTickAlone(whitened_, failures_, &work) : round_.FromLastTick(whitened_, &work);
    solution->work += work.done();
    solution->round_steps += round_.steps();
    last_round_fails_ = !answered;
    if (!answered) return false;
    part_ = {.status = SolveStatus::kSolved, .rung = Rung::kWarmVerified};
    TakeRound(solution);
    return true;
  }
  return false;
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeRound(Solution* solution) {
  if constexpr (kRoundIsMore) {
    round_.Give(whitened_, &WorkImpulses(solution));
    part_.cone = Cone::kRound;
    part_.residual = part_.round_residual = round_.residual();
  }
}

// From the polygon's verified answer, which stands where Newton does not converge. In the plane it is on the cone.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::PolishPolygon(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options, Solution* solution) {
  if (options.cone != Cone::kRound || part_.status != SolveStatus::kSolved) return;
  if constexpr (kRoundIsMore) {
    if (!options.time_left()) return;
    Work work = WorkLeft(problem, options, *solution);
    const bool answered = round_.FromPolygon(whitened_, WorkImpulses(solution), &work);
    solution->work += work.done();
    solution->round_steps += round_.steps();
    part_.round_residual = round_.start_residual();
    if (answered) TakeRound(solution);
  } else {
    part_.cone = Cone::kRound;
    part_.round_residual = part_.residual;
  }
}

}  // namespace tactus
