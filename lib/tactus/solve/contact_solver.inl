namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Solve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                    Solution* solution) noexcept {
  if (!Begin(problem, options, solution)) return;
  const ProblemFault fault = SolveOnOneCone(problem, options, solution);
  if (!fault) {
    Remember(problem, *solution);
    SettleViscousFriction(problem, options, solution);
    if (options.cone == Cone::kRound) ReportFriction(problem, solution);
  }
  whiten_options_.friction = nullptr;  // it points into the caller's solution
  if (!fault) return;
  solution->Clear();
  solution->fault = fault;
}

// What the problem gives before it is whitened. @returns false: the problem or the options are refused
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::Begin(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                    Solution* solution) {
  solution->Clear();
  solution->fault = Validate(problem);
  if (!solution->fault) solution->fault = Validate(options);
  if (solution->fault) return false;
  ladder_.set_tolerance(options.tolerance);
  if constexpr (kRoundIsMore) round_.set_refines(RefinesRound(options));
  recalls_ = options.warm;
  if (!recalls_) failures_ = 0;
  RecallContacts(problem);
  ChooseTangents(problem, solution);
  if (merges_) whiten_options_.left_out.fill(false);
  merges_ = options.merge && options.work_budget == 0;
  if (merges_) {
    keeper_.fill(-1);
    FindDuplicates(problem, MergeOptions<Scalar>{}, &keeper_);
  }
  TakeFrictionLaws(problem, options.same_step, solution);
  return true;
}

// An island that Newton does not bring onto the round cone takes the others to the polygon, so that one law is that of the
// whole answer. Under a deadline nothing is solved twice, and an answer that is not exact on one cone is not worth it: then
// each contact's cone is told.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveOnOneCone(const PhysicalProblem& problem,
                                                                     const SolverOptions<Scalar>& options,
                                                                     Solution* solution) {
  const ProblemFault fault = SolveIslands(problem, options, solution);
  if (fault || !IsMixed(*solution) || options.deadline().IsSet()) return fault;
  SolverOptions<Scalar> polygon = options;
  polygon.cone = Cone::kPolygon;
  const Scalar round_residual = solution->round_residual;
  const ProblemFault none = SolveIslands(problem, polygon, solution);
  if (!none && solution->status != SolveStatus::kSolved) {
    solution->shortfall = Shortfall::kNone;
    return SolveIslands(problem, options, solution);
  }
  solution->round_residual = round_residual;
  return none;
}

template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveIslands(const PhysicalProblem& problem,
                                                                   const SolverOptions<Scalar>& options,
                                                                   Solution* solution) {
  solution->status = SolveStatus::kSolved;
  solution->rung = Rung::kNone;
  solution->residual = solution->round_residual = Scalar(0);
  solution->verdict = {};
  solution->velocity.resize(problem.bodies.size());
  solution->joint_impulse_Ns.resize(problem.joints.size());
  for (Scalar& impulse : solution->joint_impulse_Ns) impulse = Scalar(0);
  island_ = 0;
  round_islands_ = 0;
  whiten_options_.place = nullptr;
  if (has_swept_) {
    for (Swept& swept : swept_) swept.is_there = false;
    has_swept_ = false;
  }
  if constexpr (kHasIslands) {
    islands_.Find(problem);
    beside_.basis.fill({});
    if (!IsWhole()) {
      solution->impulse.resize(problem.contacts.size(), problem.directions);
      solution->impulse.storage() = {};
      solution->contact_cone.resize(problem.contacts.size());
      whiten_options_.place = &beside_.place;
      for (; island_ + 1 < islands_.count(); ++island_) {
        if (const ProblemFault fault = SolveIsland(problem, options, solution)) return fault;
      }
    }
  }
  if (const ProblemFault fault = SolveIsland(problem, options, solution)) return fault;
  if (round_islands_ == 0 || round_islands_ == island_ + 1) solution->contact_cone.clear();  // one for all
  return {};
}

// Merged contacts that end up violated come back; in the last round all do.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveUnmerging(const PhysicalProblem& problem,
                                                                     const SolverOptions<Scalar>& options,
                                                                     Solution* solution) {
  constexpr int kRounds = 4;  // of 15 387 merged problems 3 721 need a second, 24 a third, 3 a fourth
  for (int round = 1; round <= kRounds; ++round) {
    if (const ProblemFault fault = SolveOnce(problem, options, solution)) return fault;
    if (!RestoreViolated(problem, round + 1 == kRounds, *solution)) break;
  }
  TakeVerdict(problem, *solution);
  return {};
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::Holds(const SolverOptions<Scalar>& options) const {
  using Limits = VerdictLimits<Scalar>;
  const bool is_round = kRoundIsMore && part_.cone == Cone::kRound;
  const Limits limits = is_round ? Limits::OfRound(options.tolerance, RefinesRound(options)) : Limits(options.tolerance);
  return part_.verdict.Holds(limits.share, limits.energy) && part_.residual <= limits.residual;
}

template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveIsland(const PhysicalProblem& problem,
                                                                  const SolverOptions<Scalar>& options, Solution* solution) {
  last_round_fails_ = basis_is_of_set_ = false;
  if constexpr (kHasIslands) {
    if (!IsWhole()) islands_.Place(island_, &beside_.place);
  }
  is_short_of_work_ = IsShortOfWork(problem, options);
  took_working_set_ = TryWorkingSet(problem, options, solution);
  if (took_working_set_) {
    Combine(options, solution);
    return {};
  }
  if (const ProblemFault fault = SolveUnmerging(problem, options, solution)) return fault;
  if (part_.cone == Cone::kRound && kRoundIsMore && !Holds(options) && MaySolveAgain(problem, options, *solution)) {
    SolverOptions<Scalar> polygon = options;
    polygon.cone = Cone::kPolygon;
    if (const ProblemFault fault = SolveUnmerging(problem, polygon, solution)) return fault;
  }
  if (IsRefused(options)) Improve(problem, options, solution);
  if (IsRefused(options) && !options.deadline().IsSet()) {
    if (const ProblemFault fault = SolveReseeded(problem, options, solution)) return fault;
  }
  if (IsRefused(options)) {
    if (const ProblemFault fault = Demote(problem, options, solution)) return fault;
  }
  TakeRestIfClosing(problem, VerdictLimits<Scalar>(options.tolerance).share, solution);
  Combine(options, solution);
  return {};
}

// Whether what is left of the budget and the clock is enough for another solve from whitening on.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::MaySolveAgain(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options,
                                                            const Solution& solution) const {
  if (!options.time_left()) return false;
  if (options.work_budget == 0) return true;
  return BudgetLeft(problem, options, solution) >=
         WorkAround(problem) + work::Reserve(whitened_.contacts.size()) + Nearest::MoreWork(whitened_);
}

// An answer that holds beside the largest impulse and not beside each contact's own motion: in float with masses 1e4 apart
// one in four. Sweeps bring most others there; what is left is repaired from its basis, step by step, and swept again.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Improve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                      Solution* solution) {
  // Of 1 226 such answers of 200 000 random problems 392 hold after 4, 8 and 16 sweeps, 204 after a repair, none of them
  // after more than 12, and 29 after 4 to 128 sweeps more. Eight times as many would bring 44 of the 560 that are left.
  constexpr int kFewSweeps = 16, kMostSweeps = 128, kMostRepairs = 12;
  if ((kRoundIsMore && part_.cone == Cone::kRound) || part_.rung > Rung::kReseeded) return;
  const auto improve_by = [&](const auto& step) {
    if (!options.time_left()) return false;
    Work work = WorkLeft(problem, options, *solution);
    Impulses* const impulses = &WorkImpulses(solution);
    if (IsWhole()) TakeFromPhysicalUnits(whitened_, impulses);
    DropHeldFriction(whitened_, impulses);
    const bool better = step(&work, impulses);
    solution->work += work.done();
    part_.residual = ladder_.residual();
    if (part_.cone == Cone::kRound) part_.round_residual = part_.residual;
    TakeAnswer(problem, solution);
    TakeVerdict(problem, *solution);
    return better && IsRefused(options);
  };
  const auto sweep = [&](int sweeps, int most) {
    const auto polish = [&](Work* work, Impulses* impulses) { return ladder_.Polish(whitened_, sweeps, work, impulses); };
    while (sweeps <= most && improve_by(polish)) sweeps *= 2;
  };
  const int pivots = ladder_.pivots();
  const LadderOptions ladder = MakeLadderOptions(problem, options, *solution);
  const auto repair = [&](Work* work, Impulses* impulses) { return ladder_.Repair(whitened_, ladder, work, impulses); };
  sweep(4, kFewSweeps);
  for (int repairs = 0; IsRefused(options) && repairs < kMostRepairs; ++repairs) {
    if (!improve_by(repair)) break;
  }
  if (IsRefused(options)) sweep(4, kMostSweeps);
  solution->pivots += ladder_.pivots() - pivots;
}

// From nothing, with covering vectors that have not been tried: an answer or a certificate.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveReseeded(const PhysicalProblem& problem,
                                                                    const SolverOptions<Scalar>& options,
                                                                    Solution* solution) {
  SolverOptions<Scalar> others = options;
  if (kRoundIsMore) others.cone = Cone::kPolygon;
  others.warm = false;
  others.seed += static_cast<unsigned>(options.reseeds) + 1;
  may_reduce_ = false;
  basis_is_of_set_ = false;
  const ProblemFault fault = SolveUnmerging(problem, others, solution);
  may_reduce_ = true;
  if (fault) return fault;
  if (part_.rung == Rung::kCold) part_.rung = Rung::kReseeded;
  if (IsRefused(options)) Improve(problem, options, solution);
  return {};
}

// A fallback whose contacts close all the same: in float with masses 1e5 apart rounding may do that. What joints and
// surfaces drive, they drive at rest too.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeRestIfClosing(const PhysicalProblem& problem, Scalar limit,
                                                                Solution* solution) {
  if (part_.status == SolveStatus::kSolved || part_.verdict.penetration <= limit) return;
  for (const auto& joint : problem.joints) {
    if (joint.speed != Scalar(0) && IsAtHand(joint)) return;
  }
  if (whitened_.IsDriven()) return;
  ladder_.TakeRest(whitened_, &WorkImpulses(solution));
  part_.cone = Cone::kPolygon;
  part_.rung = ladder_.rung();
  part_.residual = ladder_.residual();
  TakeAnswer(problem, solution);
  TakeVerdict(problem, *solution);
}

// What was called an answer is none: the nearest safe one takes its place, with every contact that was merged.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::Demote(const PhysicalProblem& problem,
                                                             const SolverOptions<Scalar>& options, Solution* solution) {
  if (merges_) {
    keeper_.fill(-1);
    whiten_options_.left_out.fill(false);
    if (const ProblemFault fault = Whiten(problem, solution->tangent, whiten_options_, &whitened_)) return fault;
    ladder_.ForgetLastRun();
  }
  TakeSafe(problem, options, Shortfall::kRounding, solution);
  TakeAnswer(problem, solution);
  TakeVerdict(problem, *solution);
  return {};
}

// The whole is as good as its worst island.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Combine(const SolverOptions<Scalar>& options, Solution* solution) {
  if constexpr (kHasIslands) {
    for (int i = 0; i < whitened_.contacts.size() && part_.status == SolveStatus::kSolved; ++i) {
      const ContactBasis basis = ladder_.basis(i);
      if (basis.theta) beside_.basis[whitened_.contacts[i].source] = basis;
    }
  }
  const auto badness = [](SolveStatus status) {
    return status == SolveStatus::kSolved ? 0 : status == SolveStatus::kBudget ? 1 : 2;
  };
  if (is_viscous_ && !whitened_.contacts.empty() && part_.rung != Rung::kWarmVerified) viscous_moves_ = true;
  if (badness(part_.status) > badness(solution->status)) solution->status = part_.status;
  if (IsWorse(part_.rung, solution->rung)) solution->rung = part_.rung;
  if (solution->shortfall == Shortfall::kNone) solution->shortfall = part_.shortfall;
  solution->residual = Max(solution->residual, part_.residual);
  solution->round_residual = Max(solution->round_residual, part_.round_residual);
  const bool both = part_.status == SolveStatus::kSolved && !HasFriction();  // without friction an answer is on either cone
  if (part_.cone == Cone::kRound || (options.cone == Cone::kRound && both)) ++round_islands_;
  solution->cone = round_islands_ == island_ + 1 ? Cone::kRound : Cone::kPolygon;
  solution->verdict.Include(part_.verdict);
}

// Whether the answer or its certificate loads a contact whose gap was shortened. A fallback is safe either way, unless it
// closes a gap: what drives the bodies may be in the way of the shortened gap alone.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::LeansOnFarContact(const Solution& solution) const {
  if (part_.status != SolveStatus::kSolved && whitened_.HasFarContact() && ladder_.ClosesGap(whitened_)) return true;
  if (part_.status == SolveStatus::kBudget) return false;
  const Impulses* impulses = &solution.impulse.storage();
  const Impulses* certificate = &solution.certificate.storage();
  if constexpr (kHasIslands) {
    if (!IsWhole()) impulses = &beside_.impulses, certificate = &beside_.certificate;
  }
  if (whitened_.LoadsFarContact(*impulses)) return true;
  return part_.status == SolveStatus::kJammed && whitened_.LoadsFarContact(*certificate);
}

// Under a deadline nothing is solved twice: an answer that rests on a shortened gap, whose contact is still open when the
// step ends, is safe and not exact. The verdict sees it.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveOnce(const PhysicalProblem& problem,
                                                                const SolverOptions<Scalar>& options, Solution* solution) {
  const bool may_solve_twice = !options.deadline().IsSet();
  if (const ProblemFault fault = RunLadder(problem, options, true, solution)) return fault;
  if (may_solve_twice && LeansOnFarContact(*solution)) {
    if (const ProblemFault fault = RunLadder(problem, options, false, solution)) return fault;
  }
  TakeAnswer(problem, solution);
  if (part_.status == SolveStatus::kJammed || whitened_.contradicted_contact >= 0) TakeJam(problem, solution);
  return {};
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeAnswer(const PhysicalProblem& problem, Solution* solution) {
  Impulses& impulses = WorkImpulses(solution);
  solution->cone = part_.cone;  // of this island, for its judge
  if (kRoundIsMore && part_.cone == Cone::kRound) {
    AddHeldRoundFriction(whitened_, &impulses);
  } else {
    AddHeldFriction(whitened_, &impulses);
  }
  WriteMotion(whitened_, Velocity(), impulses, solution);
  if (IsWhole()) {
    TakeToPhysicalUnits(whitened_, problem.contacts.size(), &solution->impulse);
  } else {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (!IsAtHand(problem.contacts[i])) continue;
      solution->impulse.storage().SetZero(i);
      solution->contact_cone[i] = part_.cone;
    }
    ScatterImpulses(whitened_, impulses, &solution->impulse.storage());
  }
}

// The certificate; a single contact against the joints is one by itself.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeJam(const PhysicalProblem& problem, Solution* solution) {
  const bool is_contradiction = whitened_.contradicted_contact >= 0 && whitened_.contradiction_is_proof;
  if (is_contradiction || (part_.status == SolveStatus::kJammed && (IsWhole() || solution->certificate.empty()))) {
    WriteCertificateJoints(whitened_, WorkCertificate(solution), problem.joints.size(), &solution->certificate_joint_Ns);
  }
  if (IsWhole()) {
    if (part_.status == SolveStatus::kJammed) {
      TakeToPhysicalUnits(whitened_, problem.contacts.size(), &solution->certificate);
    }
  } else if (part_.status == SolveStatus::kJammed && solution->certificate.empty()) {
    solution->certificate.resize(problem.contacts.size(), problem.directions);
    solution->certificate.storage() = {};
    ScatterImpulses(whitened_, WorkCertificate(solution), &solution->certificate.storage());
  }
  if (whitened_.contradicted_contact < 0) return;
  part_.residual = Max(part_.residual, whitened_.contradiction);
  if (is_contradiction) {
    part_.status = SolveStatus::kJammed;
    solution->certificate.resize(problem.contacts.size(), problem.directions);
    TakeContradiction(whitened_, &solution->certificate.storage());
  } else if (part_.status == SolveStatus::kSolved) {
    part_.status = SolveStatus::kBudget;
    part_.shortfall = Shortfall::kRounding;
  }
}

// A merged contact was left out in the hope that its keeper holds it off too. Where that is not so it takes part again; all
// do where there is no exact answer. @returns whether the island must be solved once more.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::RestoreViolated(const PhysicalProblem& problem, bool all,
                                                              const Solution& solution) {
  if (!merges_) return false;
  const bool exact = part_.status == SolveStatus::kSolved;
  bool violated = false;
  internal::Judge<Scalar, kCapacity> judge(problem, solution, HowJudged(), whitened_.direction);
  bool judged = false;
  // The judge's scale is a sum, the residual's the root of squares: it may be less by √2.
  constexpr Scalar kLimit = Tolerances<Scalar>::kAccept / Scalar(2);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    int& keeper = keeper_[i];
    if (keeper < 0 || !IsAtHand(problem.contacts[i])) continue;
    if (!judged) judge.Look();
    judged = true;
    if (!judge.Penetrates(i, kLimit, exact)) continue;
    keeper = -1;
    violated = true;
  }
  if (!violated || (exact && !all)) return violated;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (IsAtHand(problem.contacts[i])) keeper_[i] = -1;
  }
  return true;
}

}  // namespace tactus
