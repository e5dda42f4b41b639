namespace tactus {

// μ_d of each contact, by how it slips now and has slipped (F2).
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::TakeFrictionLaws(const PhysicalProblem& problem, bool same_step,
                                                               Solution* solution) {
  whiten_options_.friction = nullptr;
  is_viscous_ = false;
  if (!HasFrictionLaws(problem)) return;
  solution->friction_coefficient.resize(problem.contacts.size());
  whiten_options_.friction = &solution->friction_coefficient;
  viscous_pass_ = 0;
  const Scalar longer_s = same_step ? Scalar(0) : problem.step_s;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Remembered* last = Known(i);
    const bool rests = SlipSpeedBefore(problem, i, solution->tangent[i]) <= kRestSpeed_mps<Scalar>;
    const Scalar before = last == nullptr ? Scalar(kRestTime_s) : last->rest_s;
    rest_s_[i] = rests ? Min(before + longer_s, Scalar(kRestTime_s)) : Scalar(0);
    solution->friction_coefficient[i] = DryFriction(contact, rest_s_[i]);
    is_viscous_ = is_viscous_ || contact.viscous_friction_Ns_per_m > Scalar(0);
  }
}

// Σθ of the last answer over the contacts of the same two bodies as contact i.
template <class Scalar, Capacity kCapacity, class Lemke>
Scalar ContactSolver<Scalar, kCapacity, Lemke>::LastLoadOfPair(const PhysicalProblem& problem, int i) const {
  const auto& contact = problem.contacts[i];
  Scalar load(0);
  for (int j = 0; j < problem.contacts.size(); ++j) {
    const auto& other = problem.contacts[j];
    if (Min(other.a, other.b) != Min(contact.a, contact.b) || Max(other.a, other.b) != Max(contact.a, contact.b)) continue;
    if (const Remembered* last = Recalled(j)) load += last->normal_Ns;
  }
  return load;
}

// On the whitened problem, whose μ are those of the last pass. In the first pass from last tick's answer, then from the last
// pass's own.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::AddViscousFriction(const PhysicalProblem& problem,
                                                                 const SolverOptions<Scalar>& options, Solution* solution) {
  using Viscous = ViscousFriction<Problem>;
  Work work = WorkLeft(problem, options, *solution);
  int carried = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const Remembered* last = Recalled(i);
    carried += last != nullptr && last->normal_Ns > Scalar(0) ? 1 : 0;
  }
  if (!work.Take(work::Viscous(problem.contacts.size(), carried))) return;
  solution->work += work.done();
  Viscous viscous;
  Numbers used;
  for (int i = 0; i < whitened_.contacts.size(); ++i) {
    auto& contact = whitened_.contacts[i];
    const auto& source = problem.contacts[contact.source];
    const Scalar scale = contact.tangent_scale;
    used[i] = contact.mu;
    if (!contact.is_held) contact.mu = DryFriction(source, rest_s_[contact.source]) * (scale / contact.normal_scale);
    const Remembered* last = Recalled(contact.source);
    Tangential f = Tangential::Zero();
    if (last != nullptr) f = TurnedFriction(*last, source.normal, solution->tangent[contact.source]) * scale;
    viscous.Set(i, last == nullptr ? Scalar(0) : last->normal_Ns * contact.normal_scale, f,
                problem.step_s * source.viscous_friction_Ns_per_m * scale * scale,
                LastLoadOfPair(problem, contact.source) * contact.normal_scale);
  }
  if (viscous_pass_ == 0) {
    viscous.Predict(&whitened_);
  } else {
    CorrectViscousFriction(problem, used, &viscous);
  }
  for (const auto& contact : whitened_.contacts) {
    if (contact.is_held) continue;
    solution->friction_coefficient[contact.source] = contact.mu * (contact.normal_scale / contact.tangent_scale);
  }
}

// From what an island's answer says of its μ, and the answers before, to the μ that its next answer is for. What is right
// stays, so that the answer that is given is one that was measured. Where an island is solved for more and more of its
// contacts, each takes one step a pass.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::CorrectViscousFriction(const PhysicalProblem& problem, const Numbers& used,
                                                                     ViscousFriction<Problem>* viscous) {
  std::array<std::int16_t, kCapacity.contacts> members;
  Numbers x, g;
  std::size_t size = 0;
  const Scalar error = viscous->Correct(used, Tolerances<Scalar>::kFeasible / kViscousAccepted, &whitened_);
  bool is_first = true;
  for (int i = 0; i < whitened_.contacts.size(); ++i) {
    auto& contact = whitened_.contacts[i];
    const Scalar scale = contact.normal_scale / contact.tangent_scale;
    if (!viscous->Brakes(whitened_, i)) continue;  // it takes what its slip gives
    x[contact.source] = used[i] * scale;
    g[contact.source] = contact.mu * scale;
    contact.mu = used[i];
    is_first = is_first && !mixing_.HasTaken(viscous_pass_, contact.source);
    members[size++] = contact.source;
  }
  if (size == 0 || !is_first) return;
  viscous_error_ = Max(viscous_error_, error);
  if (IsSettled(error) || viscous_pass_ == kViscousPasses) return;
  mixing_.Step(viscous_pass_, members, size, g, &x);
  std::size_t next = 0;
  for (auto& contact : whitened_.contacts) {
    if (next == size || contact.source != members[next]) continue;
    const auto& source = problem.contacts[members[next++]];
    const Scalar dry = DryFriction(source, rest_s_[contact.source]);
    const Scalar mu = Clamp(x[contact.source], dry, dry + Scalar(kMostViscous));
    contact.mu = mu * (contact.tangent_scale / contact.normal_scale);
  }
}

// Until the viscous friction is that of the answer's own slips and loads. Under a deadline last tick's have to do.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::SettleViscousFriction(const PhysicalProblem& problem,
                                                                    const SolverOptions<Scalar>& options,
                                                                    Solution* solution) {
  if (!is_viscous_ || options.deadline().IsSet()) return;
  SolverOptions<Scalar> again = options;
  again.warm = recalls_ = true;  // the passes follow each other
  last_viscous_error_ = std::numeric_limits<Scalar>::max();
  mixing_.Reset();
  for (viscous_pass_ = 1; viscous_pass_ <= kViscousPasses && solution->status == SolveStatus::kSolved; ++viscous_pass_) {
    if (again.cone == Cone::kRound && (solution->cone == Cone::kPolygon || IsMixed(*solution))) {
      again.cone = Cone::kPolygon;  // it stays there: another law, whose steps tell nothing of the last one's
      mixing_.Reset();
    }
    RecallContacts(problem);
    viscous_error_ = Scalar(0);
    viscous_moves_ = false;
    if (const ProblemFault fault = SolveIslands(problem, again, solution)) return;  // it was none of the same problem before
    Remember(problem, *solution);
    // With the same μ from the same basis it is the answer that was measured. One on another branch is measured in turn.
    if (IsSettled(viscous_error_) && !IsMixed(*solution) && !viscous_moves_) return;
    if (viscous_error_ > last_viscous_error_) mixing_.Reset();
    last_viscous_error_ = viscous_error_;
  }
  if (solution->status != SolveStatus::kSolved) return;
  if (viscous_error_ <= kViscousAccepted && !IsMixed(*solution)) return;
  solution->status = SolveStatus::kBudget;
  solution->shortfall = Shortfall::kRounding;
}

// Of the last tick, along the tangents of now.
template <class Scalar, Capacity kCapacity, class Lemke>
typename ContactSolver<Scalar, kCapacity, Lemke>::Tangential ContactSolver<Scalar, kCapacity, Lemke>::TurnedFriction(
    const Remembered& last, const Point& normal, const Point& tangent) {
  if constexpr (kRoundIsMore) {
    return tactus::TurnedFriction(last.friction_Ns, normal, last.tangent, tangent);
  } else {
    return last.friction_Ns;
  }
}

// f_i/s_t, after Remember(), which has it of all but the contacts that were swept.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::ReportFriction(const PhysicalProblem& problem, Solution* solution) const {
  solution->friction_Ns.resize(problem.contacts.size());
  const Remembered* remembered = remembered_.begin();
  for (Tangential& friction_Ns : solution->friction_Ns) friction_Ns = (remembered++)->friction_Ns;
  for (int i = 0; has_swept_ && i < problem.contacts.size(); ++i) {
    if (!swept_[static_cast<std::size_t>(i)].is_there) continue;
    solution->friction_Ns[i] = solution->impulse.FrictionAlong(whitened_.direction, i);
  }
}

}  // namespace tactus
