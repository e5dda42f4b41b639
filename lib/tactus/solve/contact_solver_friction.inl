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
    const Remembered* last = Recalled(i);
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
  for (const auto& last : remembered_) carried += last.normal_Ns > Scalar(0) ? 1 : 0;
  if (!work.Take(work::Viscous(problem.contacts.size(), carried))) return;
  solution->work += work.done();
  Viscous viscous;
  std::array<Scalar, kCapacity.contacts> used;
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
    viscous_error_ = Max(viscous_error_, viscous.Correct(used, viscous_step_, &whitened_));
  }
  for (const auto& contact : whitened_.contacts) {
    if (contact.is_held) continue;
    solution->friction_coefficient[contact.source] = contact.mu * (contact.normal_scale / contact.tangent_scale);
  }
}

// Until the viscous friction is that of the answer's own slips and loads. Under a deadline last tick's have to do.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::SettleViscousFriction(const PhysicalProblem& problem,
                                                                    const SolverOptions<Scalar>& options,
                                                                    Solution* solution) {
  if (!is_viscous_ || options.deadline().IsSet()) return;
  constexpr int kMostPasses = 16;
  constexpr Scalar kTolerance = Scalar(4096) * std::numeric_limits<Scalar>::epsilon();
  SolverOptions<Scalar> again = options;
  again.warm = true;
  if (solution->cone == Cone::kPolygon) again.cone = Cone::kPolygon;
  Scalar last_error = std::numeric_limits<Scalar>::max();
  viscous_step_ = Scalar(1);
  for (viscous_pass_ = 1; viscous_pass_ <= kMostPasses && solution->status == SolveStatus::kSolved; ++viscous_pass_) {
    RecallContacts(problem);
    viscous_error_ = Scalar(0);
    if (const ProblemFault fault = SolveIslands(problem, again, solution)) return;  // it was none of the same problem before
    Remember(problem, *solution);
    if (IsMixed(*solution)) {
      again.cone = Cone::kPolygon;
      continue;
    }
    if (viscous_error_ <= kTolerance) return;
    if (viscous_error_ > last_error / Scalar(2)) viscous_step_ /= Scalar(2);  // loads that go to and fro: a body that tips
    last_error = viscous_error_;
  }
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

}  // namespace tactus
