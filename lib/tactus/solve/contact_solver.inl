namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Solve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options,
                                                    Solution* solution) noexcept {
  solution->Clear();
  solution->fault = Validate(problem);
  if (solution->fault) return;
  RecallContacts(problem);
  ChooseTangents(problem, solution);
  keeper_.fill(-1);
  const bool merges = options.merge && options.work_budget == 0;
  if (merges) FindDuplicates(problem, MergeOptions<Scalar>{}, &keeper_);
  constexpr int kRounds = 4;  // after each round the violated merged contacts take part again, after the last but one all
  for (int round = 1; round <= kRounds; ++round) {
    solution->fault = SolveOnce(problem, options, solution);
    if (solution->fault) {
      solution->status = SolveStatus::kInvalid;
      return;
    }
    if (!merges || !RestoreViolated(problem, round + 1 == kRounds, solution)) break;
  }
  Remember(problem, *solution);
}

// Finds the contacts of the last answer by id. Contacts usually keep their order, so each search begins after the last hit.
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
void ContactSolver<Scalar, kCapacity, Lemke>::RecallImpulses(WhitenedImpulses<Scalar, kCapacity>* impulses) const {
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
LadderOptions ContactSolver<Scalar, kCapacity, Lemke>::MakeLadderOptions(const PhysicalProblem& problem,
                                                                         const SolverOptions<Scalar>& options) const {
  constexpr int kWarmPivots = 60;      // theory 7: of 36 000 ticks none needed more than 25
  constexpr int kCompliantFactor = 4;  // compliant contacts may all carry at once; most pivots seen in 1 000 problems: 340
  LadderOptions ladder;
  // An inexact answer leaves no basis to start from. The next tick then spends its whole budget on a cold start, with
  // another covering vector after each failure.
  ladder.warm = options.warm && failures_ == 0 && !remembered_.empty();
  ladder.warm_pivots = options.max_pivots > 0 ? options.max_pivots : kWarmPivots;
  ladder.cold_pivots = options.max_pivots > 0 ? options.max_pivots : Lemke::PivotLimit(whitened_);
  for (const auto& contact : problem.contacts) {
    if (options.max_pivots > 0 || contact.compliance_mps_per_Ns == Scalar(0)) continue;
    ladder.cold_pivots *= kCompliantFactor;
    break;
  }
  ladder.reseeds = options.reseeds;
  if (options.work_budget > 0) {
    const std::int64_t left = options.work_budget - WorkAround(problem);
    ladder.deadline.work_budget = left > 0 ? static_cast<int>(left) : 1;
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
  ladder_.Run(
      &whitened_, MakeLadderOptions(problem, options),
      [&](WhitenedImpulses<Scalar, kCapacity>* impulses) { RecallImpulses(impulses); }, &solution->impulse.storage(),
      &solution->certificate.storage());
  solution->status = ladder_.status();
  solution->rung = ladder_.rung();
  solution->pivots += ladder_.pivots();
  solution->work += WorkAround(problem) + ladder_.work();
  solution->ran_out_of_work = ladder_.ran_out_of_work() && ladder_.status() != SolveStatus::kSolved;
  solution->residual = ladder_.residual();
  return {};
}

// Whether the answer or its certificate loads a contact whose gap was shortened. A fallback is safe either way.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::LoadsFarContact(const Solution& solution) const {
  if (solution.status == SolveStatus::kBudget) return false;
  if (whitened_.LoadsFarContact(solution.impulse.storage())) return true;
  return solution.status == SolveStatus::kJammed && whitened_.LoadsFarContact(solution.certificate.storage());
}

// With a deadline we never re-solve, so gaps are not clamped; callers should omit distant contacts.
template <class Scalar, Capacity kCapacity, class Lemke>
ProblemFault ContactSolver<Scalar, kCapacity, Lemke>::SolveOnce(const PhysicalProblem& problem,
                                                                const SolverOptions<Scalar>& options, Solution* solution) {
  const bool may_solve_twice = !options.deadline().IsSet();
  if (const ProblemFault fault = RunLadder(problem, options, may_solve_twice, solution)) return fault;
  if (LoadsFarContact(*solution)) {
    if (const ProblemFault fault = RunLadder(problem, options, false, solution)) return fault;
  }
  if (ladder_.status() == SolveStatus::kJammed) {
    TakeToPhysicalUnits(whitened_, problem.contacts.size(), &solution->certificate);
  }
  if (whitened_.contradicted_contact >= 0) {  // one contact alone contradicts the joints
    solution->residual = Max(solution->residual, whitened_.contradiction);
    if (whitened_.contradiction_is_proof) {
      solution->status = SolveStatus::kJammed;
      solution->certificate.resize(problem.contacts.size(), problem.directions);
      TakeContradiction(whitened_, &solution->certificate.storage());
    } else if (solution->status == SolveStatus::kSolved) {
      solution->status = SolveStatus::kBudget;
    }
  }
  Unwhiten(whitened_, ladder_.velocity(), problem.contacts.size(), problem.joints.size(), solution);
  return {};
}

// -ν/s_n of a contact that was left out, from the velocities alone. > 0: it penetrates.
template <class Scalar, Capacity kCapacity, class Lemke>
Scalar ContactSolver<Scalar, kCapacity, Lemke>::Violation(const PhysicalProblem& problem, int i,
                                                          const Solution& solution) const {
  const auto& contact = problem.contacts[i];
  Scalar nu = contact.gap_m / problem.step_s - contact.surface_normal_velocity_mps;
  for (const int body : {contact.a, contact.b}) {
    if (body == kFixed) continue;
    const Point r = contact.point_m - problem.bodies[body].position_m;
    const Vec<Scalar, kDof> column = ColumnOf(r, contact.normal);
    nu += (body == contact.a ? Scalar(1) : Scalar(-1)) * column.dot(solution.velocity[body]);
  }
  for (const auto& row : whitened_.contacts) {
    if (row.source == keeper_[i]) return -nu / row.normal_scale;
  }
  return Scalar(0);  // the joints hold the keeper fast, and this contact with it
}

// A merged contact was left out because its keeper should hold it off too. If it is violated all the same, it takes part
// again.
// @returns whether the problem must be solved once more.
template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::RestoreViolated(const PhysicalProblem& problem, bool all, Solution* solution) {
  if (solution->status != SolveStatus::kSolved) return false;
  Scalar scale = Sqrt(whitened_.k.squaredNorm()), worst(0);
  for (const auto& contact : whitened_.contacts)
    scale = Max(scale, solution->impulse.normal_Ns(contact.source) * contact.normal_scale);
  bool violated = false;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (keeper_[i] < 0) continue;
    const Scalar violation = Violation(problem, i, *solution);
    worst = Max(worst, violation);
    if (violation <= Tolerances<Scalar>::kAccept * scale) continue;
    keeper_[i] = -1;
    violated = true;
  }
  if (violated && all) keeper_.fill(-1);
  if (!violated && scale > Scalar(0)) solution->residual = Max(solution->residual, worst / scale);
  return violated;
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
  if (!exact) return;
  for (int i = 0; i < whitened_.contacts.size(); ++i) {
    if (ladder_.basis(i).theta) remembered_[whitened_.contacts[i].source].basis = ladder_.basis(i);
  }
}

}  // namespace tactus
