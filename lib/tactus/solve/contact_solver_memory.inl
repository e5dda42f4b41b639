namespace tactus {

// Which contact was which. They come in the same order as a rule: the search begins where the last one was found.
template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::RecallContacts(const PhysicalProblem& problem) {
  const int count = remembered_.size();
  const Remembered* const remembered = remembered_.begin();
  int likely = 0, i = 0, compared = 0;
  for (const auto& contact : problem.contacts) {
    int place = -1;
    for (int tried = 0; tried < count && place < 0; ++tried, ++compared) {
      if (likely >= count) likely = 0;
      if (remembered[likely].id == contact.id) place = likely;
      ++likely;
    }
    recalled_[i] = static_cast<std::int16_t>(place);
    basis_[i] = place < 0 || !recalls_ ? ContactBasis{} : remembered[place].basis;
    ++i;
  }
  compared_ = compared;
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
  for (int i = 0; i < whitened_.contacts.size(); ++i) ladder_.set_basis(i, basis_[whitened_.contacts[i].source]);
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::RecallImpulses(Impulses* impulses) const {
  constexpr Scalar kOnCone = Scalar(1) + Scalar(64) * std::numeric_limits<Scalar>::epsilon();  // rounding aside
  *impulses = {};
  for (int i = 0; i < whitened_.contacts.size(); ++i) {
    const auto& contact = whitened_.contacts[i];
    const Remembered* last = Recalled(contact.source);
    if (last == nullptr) continue;
    impulses->theta[i] = last->normal_Ns * contact.normal_scale;
    if (!(contact.mu > Scalar(0))) continue;
    Tangential f = last->friction_Ns * contact.tangent_scale;
    const Scalar limit = Max(contact.mu * impulses->theta[i], Scalar(0)), squared = f.squaredNorm();
    if (squared > limit * limit * kOnCone) f *= limit / Sqrt(squared);  // μ may be less than it was
    whitened_.Split(f, &impulses->phi[i]);
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

template <class Scalar, Capacity kCapacity, class Lemke>
bool ContactSolver<Scalar, kCapacity, Lemke>::HasLastImpulses() const {
  for (const auto& contact : whitened_.contacts) {
    const Remembered* last = Recalled(contact.source);
    if (last != nullptr && last->normal_Ns > Scalar(0)) return true;
  }
  return false;
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
        round_.Recall(whitened_, i, last->normal_Ns,
                      TurnedFriction(*last, problem.contacts[source].normal, solution.tangent[source]));
      }
    }
  }
}

template <class Scalar, Capacity kCapacity, class Lemke>
void ContactSolver<Scalar, kCapacity, Lemke>::Remember(const PhysicalProblem& problem, const Solution& solution) {
  const bool exact = solution.status == SolveStatus::kSolved;
  failures_ = exact ? 0 : failures_ < kMaxFailures ? failures_ + 1 : 1;
  remembered_.resize(problem.contacts.size());
  const bool keeps_basis = !kHasIslands && exact && took_working_set_;  // what was left out keeps the one that it had
  for (int i = 0; i < problem.contacts.size(); ++i) {
    Remembered& remembered = remembered_[i];
    remembered.id = problem.contacts[i].id;
    remembered.basis = keeps_basis ? basis_[i] : ContactBasis{};
    remembered.tangent = solution.tangent[i];
    remembered.rest_s = Scalar(kRestTime_s);
    const bool is_loaded = solution.impulse.IsLoaded(i);
    remembered.normal_Ns = is_loaded ? solution.impulse.normal_Ns(i) : Scalar(0);
    remembered.friction_Ns.setZero();
    if (is_loaded) remembered.friction_Ns = solution.impulse.FrictionAlong(whitened_.direction, i);
  }
  for (int i = 0; has_swept_ && i < problem.contacts.size(); ++i) {
    const Swept& swept = swept_[static_cast<std::size_t>(i)];
    if (!swept.is_there) continue;
    remembered_[i].normal_Ns = swept.normal_Ns;
    remembered_[i].friction_Ns = swept.friction_Ns;
  }
  if (whiten_options_.friction != nullptr) {
    for (int i = 0; i < problem.contacts.size(); ++i) remembered_[i].rest_s = rest_s_[i];
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
