namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Solve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                    Solution* solution) noexcept {
  solution->Clear();
  solution->fault = Validate(problem);
  if (!solution->fault) solution->fault = Validate(options);
  if (solution->fault) return;
  RecallContacts(problem);
  ChooseTangents(problem, solution);
  keeper_.fill(-1);
  if (options.merge && options.work_budget == 0) FindDuplicates(problem, MergeOptions<Scalar>{}, &keeper_);
  if (const ProblemFault fault = SolveIslands(problem, options, solution)) {
    solution->Clear();
    solution->fault = fault;
    return;
  }
  if (options.cone == Cone::kRound) ReportFriction(problem, solution);
  Remember(problem, *solution);
}

template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveIslands(const PhysicalProblem& problem,
                                                                   const SolverOptions<Scalar>& options,
                                                                   Solution* solution) {
  solution->status = SolveStatus::kSolved;
  solution->velocity.resize(problem.bodies.size());
  solution->joint_impulse_Ns.resize(problem.joints.size());
  for (Scalar& impulse : solution->joint_impulse_Ns) impulse = Scalar(0);
  island_ = 0;
  all_round_ = true;
  whiten_options_.place = nullptr;
  if constexpr (kHasIslands) {
    islands_.Find(problem);
    beside_.basis.fill({});
    if (!IsWhole()) {
      solution->impulse.resize(problem.contacts.size(), problem.directions);
      solution->impulse.storage() = {};
      whiten_options_.place = &beside_.place;
      for (; island_ + 1 < islands_.count(); ++island_) {
        if (const ProblemFault fault = SolveIsland(problem, options, solution)) return fault;
      }
    }
  }
  return SolveIsland(problem, options, solution);
}

// Merged contacts that end up violated come back; in the last round all do.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveUnmerging(const PhysicalProblem& problem,
                                                                     const SolverOptions<Scalar>& options,
                                                                     Solution* solution) {
  constexpr int kRounds = 4;
  for (int round = 1; round <= kRounds; ++round) {
    if (const ProblemFault fault = SolveOnce(problem, options, solution)) return fault;
    if (!RestoreViolated(problem, round + 1 == kRounds, *solution)) break;
  }
  TakeVerdict(problem, *solution);
  return {};
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::Holds(const SolverOptions<Scalar>& options) const {
  const VerdictLimits<Scalar> limits(options.tolerance, part_.cone);
  return part_.verdict.Holds(limits.share, limits.energy);
}

template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveIsland(const PhysicalProblem& problem,
                                                                  const SolverOptions<Scalar>& options, Solution* solution) {
  if constexpr (kHasIslands) {
    if (!IsWhole()) islands_.Place(island_, &beside_.place);
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
  Combine(solution);
  return {};
}

// Whether what is left of the budget is enough for another solve from whitening on.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::MaySolveAgain(const PhysicalProblem& problem,
                                                            const SolverOptions<Scalar>& options,
                                                            const Solution& solution) const {
  if (options.work_budget == 0) return true;
  return BudgetLeft(problem, options, solution) >= WorkAround(problem) + work::Reserve(whitened_.contacts.size());
}

// An answer that holds beside the largest impulse and not beside each contact's own motion: in float with masses 1e4 apart
// one in four. Sweeps bring most others there; what is left is repaired from its basis, step by step, and swept again.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Improve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                      Solution* solution) {
  constexpr int kFewSweeps = 16, kMostSweeps = 128, kMostRepairs = 12;
  if (part_.cone == Cone::kRound || part_.rung > Rung::kReseeded) return;
  const auto improve_by = [&](const auto& step) {
    Work work = WorkLeft(problem, options, *solution);
    Impulses* const impulses = &WorkImpulses(solution);
    if (IsWhole()) TakeFromPhysicalUnits(whitened_, impulses);
    DropHeldFriction(whitened_, impulses);
    const bool better = step(&work, impulses);
    solution->work += work.done();
    part_.residual = ladder_.residual();
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
  others.cone = Cone::kPolygon;
  others.warm = false;
  others.seed += static_cast<unsigned>(options.reseeds) + 1;
  if (const ProblemFault fault = SolveUnmerging(problem, others, solution)) return fault;
  if (part_.rung == Rung::kCold) part_.rung = Rung::kReseeded;
  if (IsRefused(options)) Improve(problem, options, solution);
  return {};
}

// A fallback whose contacts close all the same: in float with masses 1e5 apart rounding may do that. What joints drive, they
// drive at rest too.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeRestIfClosing(const PhysicalProblem& problem, Scalar limit,
                                                                Solution* solution) {
  if (part_.status == SolveStatus::kSolved || part_.verdict.penetration <= limit) return;
  for (const auto& joint : problem.joints) {
    if (joint.speed != Scalar(0) && IsAtHand(joint)) return;
  }
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
  if (options.merge) {
    keeper_.fill(-1);
    whiten_options_.left_out.fill(false);
    if (const ProblemFault fault = Whiten(problem, solution->tangent, whiten_options_, &whitened_)) return fault;
  }
  Work work = WorkLeft(problem, options, *solution);
  ladder_.MakeSafe(
      whitened_, [&](Impulses* impulses) { RecallImpulses(impulses); }, &work, &WorkImpulses(solution));
  solution->work += work.done();
  part_ = {.status = SolveStatus::kBudget,
           .rung = ladder_.rung(),
           .shortfall = Shortfall::kRounding,
           .residual = ladder_.residual()};
  TakeAnswer(problem, solution);
  TakeVerdict(problem, *solution);
  return {};
}

// The whole is as good as its worst island.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Combine(Solution* solution) {
  if constexpr (kHasIslands) {
    for (int i = 0; i < whitened_.contacts.size() && part_.status == SolveStatus::kSolved; ++i) {
      const ContactBasis basis = ladder_.basis(i);
      if (basis.theta) beside_.basis[whitened_.contacts[i].source] = basis;
    }
  }
  const auto badness = [](SolveStatus status) {
    return status == SolveStatus::kSolved ? 0 : status == SolveStatus::kBudget ? 1 : 2;
  };
  if (badness(part_.status) > badness(solution->status)) solution->status = part_.status;
  if (part_.rung > solution->rung) solution->rung = part_.rung;
  if (solution->shortfall == Shortfall::kNone) solution->shortfall = part_.shortfall;
  solution->residual = Max(solution->residual, part_.residual);
  solution->round_residual = Max(solution->round_residual, part_.round_residual);
  all_round_ = all_round_ && part_.cone == Cone::kRound;
  solution->cone = all_round_ ? Cone::kRound : Cone::kPolygon;
  solution->verdict.Include(part_.verdict);
}

// Which contact was which. They come in the same order as a rule: the search begins where the last one was found.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::RecallContacts(const PhysicalProblem& problem) {
  const int count = remembered_.size();
  compared_ = 0;
  int likely = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    std::int16_t& recalled = recalled_[i];
    recalled = -1;
    for (int tried = 0; tried < count && recalled < 0; ++tried, ++compared_) {
      if (likely >= count) likely = 0;
      if (remembered_[likely].id == problem.contacts[i].id) recalled = static_cast<std::int16_t>(likely);
      ++likely;
    }
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::ChooseTangents(const PhysicalProblem& problem, Solution* solution) const {
  solution->tangent.resize(problem.contacts.size());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    Point& tangent = solution->tangent[i];
    if constexpr (kDof == 3) {
      tangent << -contact.normal(1), contact.normal(0);
    } else if (contact.tangent.squaredNorm() > Scalar(0)) {
      tangent = contact.tangent;
    } else {
      const Remembered* last = Recalled(i);
      tangent = last ? ContinuedTangent(contact.normal, last->tangent) : DefaultTangent(contact.normal);
    }
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::PrepareWarmStart() {
  for (int i = 0; i < whitened_.contacts.size(); ++i) {
    const Remembered* last = Recalled(whitened_.contacts[i].source);
    ladder_.set_basis(i, last ? last->basis : ContactBasis{});
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::RecallImpulses(Impulses* impulses) const {
  *impulses = {};
  for (int i = 0; i < whitened_.contacts.size(); ++i) {
    const auto& contact = whitened_.contacts[i];
    const Remembered* last = Recalled(contact.source);
    if (last == nullptr) continue;
    impulses->theta[i] = last->normal_Ns * contact.normal_scale;
    if (contact.mu > Scalar(0)) whitened_.Split(last->friction_Ns * contact.tangent_scale, &impulses->phi[i]);
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::HasBasis() const {
  for (const auto& contact : whitened_.contacts) {
    const Remembered* last = Recalled(contact.source);
    if (last != nullptr && last->basis.theta) return true;
  }
  return false;
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
  }
  return reserve;
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
  ladder.warm = options.warm && !remembered_.empty() && (failures_ == 0 || (!IsWhole() && HasBasis()));
  ladder.warm_pivots = options.max_pivots > 0 ? options.max_pivots : kWarmPivots;
  ladder.cold_pivots = options.max_pivots > 0 ? options.max_pivots : Lemke::PivotLimit(whitened_);
  for (const auto& contact : problem.contacts) {
    if (options.max_pivots > 0 || contact.compliance_mps_per_Ns == Scalar(0)) continue;
    ladder.cold_pivots *= kCompliantFactor;
    break;
  }
  ladder.reseeds = options.reseeds;
  if (options.work_budget > 0) {
    const std::int64_t left = BudgetLeft(problem, options, solution);
    ladder.deadline.work_budget = static_cast<int>(left);
  }
  ladder.seed = options.seed + static_cast<unsigned>(failures_);
  ladder.deadline.time_left = options.time_left;
  return ladder;
}

template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::RunLadder(const PhysicalProblem& problem,
                                                                const SolverOptions<Scalar>& options, bool shorten_far_gaps,
                                                                Solution* solution) {
  whiten_options_.shorten_far_gaps = shorten_far_gaps;
  whiten_options_.max_push_out_mps = options.max_push_out_mps;
  for (std::size_t i = 0; i < keeper_.size(); ++i) whiten_options_.left_out[i] = keeper_[i] >= 0;
  if (const ProblemFault fault = Whiten(problem, solution->tangent, whiten_options_, &whitened_)) return fault;
  PrepareWarmStart();
  if (IsWhole() || solution->work == 0) solution->work += WorkAround(problem);
  if (TryLastRound(problem, options, solution)) return {};
  ladder_.set_tolerance(options.tolerance);
  ladder_.Run(
      &whitened_, MakeLadderOptions(problem, options, *solution), [&](Impulses* impulses) { RecallImpulses(impulses); },
      &WorkImpulses(solution), &WorkCertificate(solution));
  part_ = {
      .status = ladder_.status(), .rung = ladder_.rung(), .shortfall = ladder_.shortfall(), .residual = ladder_.residual()};
  solution->pivots += ladder_.pivots();
  solution->work += ladder_.work();
  PolishPolygon(problem, options, solution);
  return {};
}

template <class Scalar, Capacity kCapacity, class Lemke>
std::int64_t ContactSolver<Scalar, kCapacity, Lemke>::BudgetLeft(const PhysicalProblem& problem,
                                                                 const SolverOptions<Scalar>& options,
                                                                 const Solution& solution) const {
  return Max(options.work_budget - solution.work - ReserveOfLaterIslands(problem), std::int64_t{1});
}

template <class Scalar, Capacity kCapacity, class Lemke>
Work ContactSolver<Scalar, kCapacity, Lemke>::WorkLeft(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                       const Solution& solution) const {
  if (options.work_budget == 0) return {};
  Work work(BudgetLeft(problem, options, solution));
  work.set_reserve(work::Reserve(whitened_.contacts.size()));
  return work;
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::RecallRound(const PhysicalProblem& problem, const Solution& solution) {
  if constexpr (kRoundIsMore) {
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const int source = whitened_.contacts[i].source;
      const Remembered* last = Recalled(source);
      if (last == nullptr || last->normal_Ns == Scalar(0)) {
        round_.Recall(whitened_, i, Scalar(0), Tangential::Zero());
      } else {
        round_.Recall(
            whitened_, i, last->normal_Ns,
            TurnedFriction(last->friction_Ns, problem.contacts[source].normal, last->tangent, solution.tangent[source]));
      }
    }
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
const typename ContactSolver<Scalar, kCapacity, Lemke>::Problem::Velocity&
ContactSolver<Scalar, kCapacity, Lemke>::Velocity() const {
  if constexpr (kRoundIsMore) {
    if (part_.cone == Cone::kRound) return round_.velocity();
  }
  return ladder_.velocity();
}

// Newton from last tick's round impulses. @returns whether that is the answer: then there is no polygon to solve.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::TryLastRound(const PhysicalProblem& problem,
                                                           const SolverOptions<Scalar>& options, Solution* solution) {
  if (options.cone != Cone::kRound || !options.warm || failures_ > 0 || remembered_.empty() || !options.time_left()) {
    return false;
  }
  if constexpr (kRoundIsMore) {
    RecallRound(problem, *solution);
    Work work = WorkLeft(problem, options, *solution);
    if (options.work_budget > 0) {
      // The rest is the polygon's if Newton does not converge: of 8 000 ticks of a stirred peg 8 have no exact answer, 48 if
      // Newton may take all but the fallback's share.
      const std::int64_t left = BudgetLeft(problem, options, *solution);
      work.set_reserve(Max(work::Reserve(whitened_.contacts.size()), left - left / 4));
    }
    const bool answered = round_.FromLastTick(whitened_, &work);
    solution->work += work.done();
    solution->round_steps += round_.steps();
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

// f_i/s_t, after the impulses have been taken to physical units.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::ReportFriction(const PhysicalProblem& problem, Solution* solution) const {
  solution->friction_Ns.resize(problem.contacts.size());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    Tangential& friction = solution->friction_Ns[i];
    friction.setZero();
    if (!solution->impulse.IsLoaded(i)) continue;
    const ContactImpulse<Scalar, kCapacity> impulse = solution->impulse[i];
    for (int j = 0; j < problem.directions; ++j) {
      friction += impulse.friction_Ns(j) * whitened_.direction[static_cast<std::size_t>(j)];
    }
  }
}

// Whether the answer or its certificate loads a contact whose gap was shortened. A fallback is safe either way.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::LoadsFarContact(const Solution& solution) const {
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
  if (may_solve_twice && LoadsFarContact(*solution)) {
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
      if (IsAtHand(problem.contacts[i])) solution->impulse.storage().SetZero(i);
    }
    ScatterImpulses(whitened_, impulses, &solution->impulse.storage());
  }
}

// The certificate; a single contact against the joints is one by itself.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeJam(const PhysicalProblem& problem, Solution* solution) {
  if (IsWhole()) {
    if (part_.status == SolveStatus::kJammed) {
      TakeToPhysicalUnits(whitened_, problem.contacts.size(), &solution->certificate);
    }
  } else if (solution->certificate.empty()) {
    solution->certificate.resize(problem.contacts.size(), problem.directions);
    solution->certificate.storage() = {};
    if (part_.status == SolveStatus::kJammed) {
      ScatterImpulses(whitened_, WorkCertificate(solution), &solution->certificate.storage());
    }
  }
  if (whitened_.contradicted_contact < 0) return;
  part_.residual = Max(part_.residual, whitened_.contradiction);
  if (whitened_.contradiction_is_proof) {
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
  const bool exact = part_.status == SolveStatus::kSolved;
  bool violated = false;
  internal::Judge<Scalar, kCapacity> judge(problem, solution, HowJudged(), whitened_.direction);
  bool judged = false;
  // The judge's scale is a sum, the residual's the root of squares: it may be less by √2.
  constexpr Scalar kLimit = Tolerances<Scalar>::kAccept / Scalar(2);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    int& keeper = keeper_[i];
    if (keeper < 0 || !IsAtHand(problem.contacts[i])) continue;
    if (!judged) (void)judge.Run();
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

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Remember(const PhysicalProblem& problem, const Solution& solution) {
  const bool exact = solution.status == SolveStatus::kSolved;
  failures_ = exact ? 0 : failures_ < kMaxFailures ? failures_ + 1 : 1;
  remembered_.resize(problem.contacts.size());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    Remembered& remembered = remembered_[i];
    remembered = {problem.contacts[i].id, {}, solution.tangent[i], Scalar(0), Tangential::Zero()};
    if (!solution.impulse.IsLoaded(i)) continue;
    const ContactImpulse<Scalar, kCapacity> impulse = solution.impulse[i];
    remembered.normal_Ns = impulse.normal_Ns;
    for (int j = 0; j < problem.directions; ++j) {
      remembered.friction_Ns += impulse.friction_Ns(j) * whitened_.direction[j];
    }
  }
  if constexpr (kHasIslands) {
    for (int i = 0; i < problem.contacts.size(); ++i) remembered_[i].basis = beside_.basis[i];
  } else if (exact) {
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      if (ladder_.basis(i).theta) remembered_[whitened_.contacts[i].source].basis = ladder_.basis(i);
    }
  }
}

}  // namespace tactus
