namespace tactus {

// Every other tick, while there is no exact answer in time: the search from nothing has the ticks between. A tool alone has
// no need of it: there 8 of 8 000 ticks have no exact answer. Nor where joints are: each sweep would go through them 2 n
// times, at 3.5 instructions a unit of what is counted.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::MaySweep(const SolverOptions<Scalar>& options) const {
  const bool is_turn = failures_ > 0 && failures_ % 2 == 0;
  return kHasIslands && options.cone == Cone::kRound && options.warm && options.work_budget > 0 && is_turn &&
         options.time_left() && whitened_.joint_rank == 0 && HasLastImpulses();
}

// Last tick's impulses, swept: from tick to tick they come nearer to the law, friction included, where no tick has the work
// for a search. Newton goes on from there; if it does not converge they are the safe answer, as F1's.
// @returns whether there is an answer
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::TrySweeps(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                        Solution* solution) {
  if constexpr (kRoundIsMore) {
    if (!MaySweep(options)) return false;
    Impulses& impulses = WorkImpulses(solution);
    const int n = whitened_.contacts.size();
    Work work = WorkLeft(problem, options, *solution);
    work.set_reserve(work::Fallback(n) + work::Nearest(n));  // the sweeps stand in for the convex step
    Sweep(&work, &impulses);
    const bool is_exact = round_.FromPolygon(whitened_, impulses, &work);
    solution->round_steps += round_.steps();
    if (is_exact) {
      part_ = {.status = SolveStatus::kSolved, .rung = Rung::kWarmRepaired};
      TakeRound(solution);
    } else {
      ladder_.ForgoConvexStep();
      ladder_.MakeSafe(
          whitened_, [](Impulses*) {}, &work, &impulses);  // they are there
      part_ = {.status = SolveStatus::kBudget,
               .rung = ladder_.rung(),
               .shortfall = Shortfall::kWork,
               .residual = ladder_.residual()};
    }
    solution->work += work.done();
    return true;
  }
  return false;
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Sweep(Work* work, Impulses* impulses) {
  constexpr int kPairs = 4;  // of sweeps, there and back. The stack of three blocks keeps its place with 4; with 1 it creeps
  RecallImpulses(impulses);
  typename Problem::Velocity u = whitened_.VelocityFor(*impulses);
  int bodies = 0;  // at the contacts: work::Sweep is of one body each
  for (const auto& contact : whitened_.contacts) bodies += contact.offset.back() < 0 ? 1 : 2;
  for (int pair = 0; pair < kPairs && work->Take(2 * work::Sweep(bodies)); ++pair) {
    CarriedSweeps<Problem>::Run(whitened_, 2, impulses, &u);
  }
}

}  // namespace tactus
