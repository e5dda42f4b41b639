namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::MayTakeWorkingSet(const SolverOptions<Scalar>& options) const {
  if (merges_ || is_short_of_work_ || options.cone != Cone::kRound || !options.time_left()) return false;
  return options.work_budget == 0 || MayTryLastRound(options);
}

// Most contacts of a tick carry nothing. Solved is what carried a tick ago and what the free motion closes; an answer that
// closes no other contact is one of the whole problem, and the verdict looks at all. What closes joins the set.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::TryWorkingSet(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options, Solution* solution) {
  if constexpr (kHasWorkingSet) {
    constexpr int kRounds = 4;  // in the demonstration 1 tick in 100 needs a second
    if (!MayTakeWorkingSet(options)) return false;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const Remembered* const last = Recalled(i);
      whiten_options_.carried[i] = last != nullptr && last->normal_Ns != Scalar(0);
    }
    for (int round = 0; round < kRounds; ++round) {
      if (!SolveWorkingSet(problem, options, solution)) return false;
      TakeAnswer(problem, solution);
      TakeVerdict(problem, *solution);
      const bool holds = Holds(options);
      // What was left out may close by what the verdict allows; where there is time for it, by nothing.
      if (!(holds && options.deadline().IsSet()) && JoinClosing(problem, *solution)) {
        basis_is_of_set_ = true;
        continue;
      }
      if (holds) solution->work += WorkAround(problem);
      return holds;
    }
  }
  return false;
}

// @returns whether there is an answer for the contacts in whiten_options_.carried and those that the free motion closes.
// With a budget Newton alone is tried: of two demonstrations with 9 000 ticks in contact 70 and 64 ticks had no exact answer
// in time, and 362 and 389 where Lemke's path was tried for the set first. Kept is what takes last tick's impulses to a safe
// answer, without the convex step: of 9 024 recorded ticks of a peg that binds, with 150 000, 71 % have an exact answer
// instead of 69.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::SolveWorkingSet(const PhysicalProblem& problem,
                                                              const SolverOptions<Scalar>& options, Solution* solution) {
  const int n = problem.contacts.size();
  const std::int64_t cost = work::WorkingSet(n), kept = WorkAround(problem) + work::FullFallback(n);
  if (options.work_budget > 0 && BudgetLeft(problem, options, *solution) < kept + cost) return false;
  solution->work += cost;
  kept_work_ = kept;
  whiten_options_.leaves_out_open = true;
  const ProblemFault fault = WhitenAll(problem, options, true, solution);
  whiten_options_.leaves_out_open = false;
  part_.status = SolveStatus::kBudget;
  if (!fault && options.work_budget == 0) {  // a fault is one of the whole problem too
    SolveWhitened(problem, options, false, solution);
  } else if (!fault) {
    (void)TryLastRound(problem, options, solution);
  }
  kept_work_ = 0;
  if (part_.status != SolveStatus::kSolved || IsFlung(options, solution)) return false;
  for (int i = 0; i < whitened_.contacts.size(); ++i) {  // hulls may have taken some away
    basis_[whitened_.contacts[i].source] = ladder_.basis(i);
  }
  return true;
}

// @returns whether a contact that was left out closes: it joins.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::JoinClosing(const PhysicalProblem& problem, const Solution& solution) {
  constexpr Scalar kLimit = Tolerances<Scalar>::kAccept / Scalar(2);
  internal::Judge<Scalar, kCapacity> judge(problem, solution, HowJudged(), whitened_.direction);
  judge.Look();
  bool joined = false;
  int place = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const bool is_in = place < whitened_.contacts.size() && whitened_.contacts[place].source == i;
    if (is_in) ++place;
    if (is_in || !judge.Penetrates(i, kLimit, true)) continue;
    whiten_options_.carried[i] = joined = true;
  }
  return joined;
}

}  // namespace tactus
