namespace tactus::internal {

template <class Problem>
void ReducedMembers<Problem>::Clear(int contacts) {
  unknowns.clear();
  equations.clear();
  for (int i = 0; i < contacts; ++i) eliminated_[i] = -1;
  cover_velocity_.setZero();
}

template <class Problem>
bool ReducedMembers<Problem>::Collect(const Problem& problem, const State& state) {
  const int n = problem.contacts.size();
  Clear(n);
  for (int i = 0; i < n; ++i) {
    if (HasBasicZ(state.basis(i)) && !CollectContact(problem, state, i)) return false;
  }
  if (!state.z0_basic) return true;
  FillCoverVelocity(problem, state);
  const int place = unknowns.size();
  if (!AddPair(problem, state, {Pair::kCover, -1, -1, true})) return false;
  MakeEquation(problem, state, state.excluded, &equations[place]);
  return true;
}

// The partition (25) of E_αα into κ and x. A λ_i without a basic φ_ij is a column of zeros in E_αα, which [Lloyd04] appendix
// C excludes for cold starts: then λ_i is an unknown and γ_i an equation like others (theory 4, zero-column case).
template <class Problem>
bool ReducedMembers<Problem>::CollectContact(const Problem& problem, const State& state, int i) {
  const ContactBasis& basis = state.basis(i);
  std::uint32_t phi = basis.phi;
  if (basis.lambda && phi != 0) {
    eliminated_[i] = static_cast<std::int8_t>(std::countr_zero(phi));
    phi &= phi - 1;
  } else if (basis.lambda && !AddPair(problem, state, {Pair::kCone, i, -1, true})) {
    return false;
  }
  if (basis.theta && !AddPair(problem, state, {Pair::kNormal, i, -1, true})) return false;
  for (; phi != 0; phi &= phi - 1) {
    if (!AddPair(problem, state, {Pair::kSlip, i, std::countr_zero(phi), true})) return false;
  }
  return true;
}

// A basic z and the row of its w. @returns false if there is no room.
template <class Problem>
bool ReducedMembers<Problem>::AddPair(const Problem& problem, const State& state, const Variable& z) {
  const int place = unknowns.size();
  if (place >= kMax) return false;
  unknowns.resize(place + 1);
  equations.resize(place + 1);
  ReducedUnknown& unknown = unknowns[place];
  ReducedEquation& equation = equations[place];
  MakeEquation(problem, state, z, &equation);
  static_cast<ReducedEquation&>(unknown) = equation;
  MakeColumn(problem, &unknown);
  return true;
}

template <class Problem>
void ReducedMembers<Problem>::MakeUnknown(const Problem& problem, const State& state, const Variable& z,
                                          ReducedUnknown* unknown) const {
  MakeEquation(problem, state, z, unknown);
  MakeColumn(problem, unknown);
}

template <class Problem>
void ReducedMembers<Problem>::MakeUnknown(const Problem& problem, const State& state, const ReducedEquation& equation,
                                          ReducedUnknown* unknown) const {
  static_cast<ReducedEquation&>(*unknown) = equation;
  unknown->cone = static_cast<std::int16_t>(ConeOf(state, equation.of));  // the friction rows may be newer than the equation
  MakeColumn(problem, unknown);
}

template <class Problem>
void ReducedMembers<Problem>::MakeEquation(const Problem& problem, const State& state, const Variable& pair,
                                           ReducedEquation* equation) const {
  Describe(problem, state, pair, equation);
  SetAlong(problem, equation);
}

template <class Problem>
int ReducedMembers<Problem>::ConeOf(const State& state, const Variable& of) {
  return of.pair == Pair::kCover || !state.basis(of.contact).expanded ? -1 : state.slots.Cone(of.contact);
}

template <class Problem>
void ReducedMembers<Problem>::Describe(const Problem& problem, const State& state, const Variable& of,
                                       ReducedEquation* member) const {
  const bool is_cover = of.pair == Pair::kCover;
  member->of = of;
  member->slot = static_cast<std::int16_t>(state.slots.Of(of));
  member->cone = static_cast<std::int16_t>(ConeOf(state, of));
  member->contact = is_cover ? nullptr : &problem.contacts[of.contact];
  member->is_along = of.pair == Pair::kNormal || of.pair == Pair::kSlip;
  if constexpr (kCapacity.compliant) member->epsilon = of.pair == Pair::kNormal ? member->contact->epsilon : Scalar(0);
}

// N, D* (28), d* (45): the row A
template <class Problem>
void ReducedMembers<Problem>::SetAlong(const Problem& problem, ReducedEquation* member) const {
  const ContactColumns* contact = member->contact;
  const int x = contact == nullptr ? -1 : Eliminated(member->of.contact);
  member->is_symmetric = true;
  switch (member->of.pair) {
    case Pair::kNormal:
      member->along = contact->N;
      member->is_symmetric = x < 0;
      break;
    case Pair::kSlip: {
      typename Problem::Tangential direction = problem.direction[member->of.direction];
      if (x >= 0) direction -= problem.direction[x];
      member->along = Problem::TangentColumn(*contact, direction);
      break;
    }
    default: member->is_symmetric = false; return;
  }
}

// From the row A to the column B: N* = N + μ D_x (28); where they are the same nothing changes.
template <class Problem>
void ReducedMembers<Problem>::MakeColumn(const Problem& problem, ReducedUnknown* unknown) const {
  if (!unknown->is_along || unknown->is_symmetric) return;
  const ContactColumns& contact = *unknown->contact;
  const typename Problem::Tangential& d = problem.direction[Eliminated(unknown->of.contact)];
#pragma GCC unroll 12
  for (int k = 0; k < Problem::kColumn; ++k) {
    Scalar D_x = d(0) * contact.T(k, 0);
    if constexpr (Problem::kTangent == 2) D_x += d(1) * contact.T(k, 1);
    unknown->along(k) += contact.mu * D_x;
  }
}

template <class Problem>
void ReducedMembers<Problem>::SetEliminated(const Problem& problem, const State& state, int i, int j) {
  eliminated_[i] = static_cast<std::int8_t>(j);
  for (ReducedUnknown& unknown : unknowns) {
    if (unknown.of.contact != i) continue;
    SetAlong(problem, &unknown);
    MakeColumn(problem, &unknown);
  }
  for (ReducedEquation& equation : equations) {
    if (equation.of.contact == i) SetAlong(problem, &equation);
  }
  FillCoverVelocity(problem, state);
}

template <class Problem>
void ReducedMembers<Problem>::FillCoverVelocity(const Problem& problem, const State& state) {
  cover_velocity_.setZero();
  for (int e = 0; e < state.slots.expanded(); ++e) {
    const int i = state.slots.ExpandedContact(e);
    if (!IsEliminated(i)) continue;
    const Scalar c = state.cover[state.slots.Cone(i)];
    const ContactColumns& contact = problem.contacts[i];
    Add<Problem>(contact, problem.Direction(contact, Eliminated(i)), c, &cover_velocity_);
  }
  problem.Project(&cover_velocity_);
}

template <class Problem>
template <class Members>
int ReducedMembers<Problem>::Place(const Members& members, int slot) {
  int place = 0;
  while (place < members.size() && members[place].slot != slot) ++place;
  return place;
}

template <class Problem>
void ReducedMembers<Problem>::GetRowVelocity(const Problem& problem, const ReducedEquation& equation,
                                             Velocity* row_velocity) const {
  if (!equation.is_along) {
    row_velocity->setZero();
    return;
  }
  Set<Problem>(*equation.contact, equation.along, row_velocity);
  problem.Project(row_velocity);
}

// Of z0's column, a row γ or a column λ
template <class Problem>
typename Problem::Scalar ReducedMembers<Problem>::SparseEntry(const State& state, const ReducedEquation& equation,
                                                              const ReducedUnknown& unknown) const {
  if (unknown.of.pair == Pair::kCover) return CoverEntry(state, equation);
  const bool same_contact = equation.of.contact == unknown.of.contact;
  if (equation.of.pair == Pair::kCone) {
    if (!same_contact || unknown.of.pair == Pair::kCone) return Scalar(0);
    return unknown.of.pair == Pair::kNormal ? equation.contact->mu : Scalar(-1);
  }
  return same_contact && equation.of.pair == Pair::kSlip ? Scalar(1) : Scalar(0);
}

template <class Problem>
typename Problem::Scalar ReducedMembers<Problem>::CoverEntry(const State& state, const ReducedEquation& equation) const {
  const auto cover = [&state](int slot) { return state.cover[slot]; };
  if (equation.of.pair == Pair::kCone) return cover(equation.slot);
  const Scalar along = Dot<Problem>(*equation.contact, equation.along, cover_velocity_);
  const int i = equation.of.contact;
  if (equation.of.pair == Pair::kNormal || !IsEliminated(i)) return along + cover(equation.slot);
  return along + (cover(equation.slot) - cover(state.slots.Slip(i) + Eliminated(i)));
}

}  // namespace tactus::internal
