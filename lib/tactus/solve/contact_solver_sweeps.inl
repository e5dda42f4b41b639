namespace tactus {

// Only where a tick has too little work for a search from nothing. A tool alone does not need it: there 8 of 8 000 ticks
// have no exact answer.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::MaySweep(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                       const Solution& solution) const {
  return kHasIslands && options.cone == Cone::kRound && options.warm && options.work_budget > 0 && options.time_left() &&
         whitened_.contradicted_contact < 0 && !HasWorkOfSearch(problem, options, solution);
}

// Whether the budget is enough for a search from nothing, beside the safe answer. Of contacts that yield, sweeps and Newton
// find more: of the ticks of three soft blocks under a load that changes, with a computer's work, 0 to 19 % had no exact
// answer, and with the search first 0 to 72 %.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::HasWorkOfSearch(const PhysicalProblem& problem,
                                                              const SolverOptions<Scalar>& options,
                                                              const Solution& solution) const {
  for (const auto& contact : whitened_.contacts) {
    if (contact.epsilon > Scalar(0)) return false;
  }
  const int n = whitened_.contacts.size();
  return BudgetLeft(problem, options, solution) >= work::Reserve(n) + Nearest::MoreWork(whitened_) +
                                                       work::ColdSearch(n, whitened_.directions, whitened_.velocity_size());
}

// Last tick's impulses, or nothing, swept, and Newton from there. What does not converge is the safe answer, as F1's: from
// tick to tick it comes nearer to the law, friction included, which a search that is cut off in every tick never does.
// @returns whether there is an answer
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::TrySweeps(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                        Solution* solution) {
  if constexpr (kRoundIsMore) {
    if (!MaySweep(problem, options, *solution)) return false;
    Impulses& impulses = WorkImpulses(solution);
    const int n = whitened_.contacts.size();
    Work work = WorkLeft(problem, options, *solution);
    // The sweeps stand in for the convex step.
    work.set_reserve(work::FullFallback(n) + Nearest::MoreWork(whitened_));
    RecallRound(problem, *solution);
    Sweep(&work);
    KeepSwept();
    round_.Give(whitened_, &impulses);
    const bool is_exact = round_.FromSwept(whitened_, impulses, failures_, &work);
    solution->round_steps += round_.steps();
    if (is_exact) {
      ForgetSwept();
      part_ = {.status = SolveStatus::kSolved, .rung = Rung::kWarmRepaired};
      TakeRound(solution);
      solution->work += work.done();
    } else {
      if (round_.is_nearer()) KeepSwept();
      SettleForSwept(&work, solution);
    }
    return true;
  }
  return false;
}

// From the impulses that stand in the solution.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::SettleForSwept(Work* work, Solution* solution) {
  ladder_.ForgoConvexStep();
  ladder_.MakeSafe(
      whitened_, [](Impulses*) {}, work, &WorkImpulses(solution));
  solution->work += work->done();
  part_ = {
      .status = SolveStatus::kBudget, .rung = ladder_.rung(), .shortfall = Shortfall::kWork, .residual = ladder_.residual()};
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Sweep(Work* work) {
  if constexpr (kRoundIsMore) {
    // Sweeps there and back. They go on in the next tick, so a quarter of the work is enough: the rest is Newton's, without
    // which there is no exact answer.
    constexpr int kMostPairs = 8, kShare = 4;
    const int n = whitened_.contacts.size();
    int bodies = 0;  // at the contacts
    for (const auto& contact : whitened_.contacts) bodies += contact.offset.back() < 0 ? 1 : 2;
    const std::int64_t projections = 2 * n * work::JointProjection(whitened_.joint_rank, whitened_.joint_numbers());
    const std::int64_t cost = 2 * (work::RoundSweep(n, bodies) + projections), most = work->left() / kShare;
    int pairs = 0;
    while (pairs < kMostPairs && (pairs == 0 || (pairs + 1) * cost <= most) && work->Take(cost)) ++pairs;
    round_.Sweep(whitened_, 2 * pairs);
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::ForgetSwept() {
  for (const auto& contact : whitened_.contacts) swept_[static_cast<std::size_t>(contact.source)].is_there = false;
}

// What the next tick goes on from, whatever the safe answer makes of it: what is swept, or where Newton has come to if that
// is nearer.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::KeepSwept() {
  if constexpr (kRoundIsMore) {
    has_swept_ = true;
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      auto& kept = swept_[static_cast<std::size_t>(contact.source)];
      const Scalar theta = Max(round_.impulses().theta[static_cast<std::size_t>(i)], Scalar(0));
      const Tangential f = ProjectToDisk(round_.impulses().f[static_cast<std::size_t>(i)], contact.mu * theta);
      kept.is_there = IsFinite(theta) && IsFinite(f);
      kept.normal_Ns = theta / contact.normal_scale;
      kept.friction_Ns = f / contact.tangent_scale;
    }
  }
}

}  // namespace tactus
