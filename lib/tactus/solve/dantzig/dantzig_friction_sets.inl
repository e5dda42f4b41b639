namespace tactus {

// How contacts change between the index sets C, NC, C_F and NC_F ([Baraff94] 5.3 to 5.6).

// Moves between the sets what limited the step. @returns whether the drive has reached its end.
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::Advance(const Drive& drive, const Limit& limit) {
  State& state = state_[limit.contact];
  switch (limit.event) {
    case Event::kDriven:
      if (drive.normal()) {
        state.normal = Normal::kC;
      } else if (drive.to_no_force) {
        SetTangent(limit.contact, Tangential::Zero(), &f_);
      } else if (kTangent == 2 && !state.half_held) {
        state.half_held = true;
      } else if (InsideCone(limit.contact)) {
        EnterCF(limit.contact);
      } else {
        ++report_.given_up;
      }
      return true;
    case Event::kDrivenAtCone: EnterNCF(limit.contact); return true;
    case Event::kLeavesC: LeaveC(limit.contact); return false;
    case Event::kEntersC: EnterC(limit.contact, drive); return false;
    case Event::kLeavesCF:
      if (!GiveUp(&state.friction_moved_at))
        EnterNCF(limit.contact);
      else
        state.friction = Friction::kOpen;
      return false;
    case Event::kEntersCF: {
      const Tangential a_F = Tangent(a_, limit.contact);
      const bool vanishes = a_F.squaredNorm() <= Tolerance() * Tolerance();
      if (!vanishes) ++report_.given_up;
      if (vanishes && !GiveUp(&state.friction_moved_at))
        EnterCF(limit.contact);
      else
        state.friction = Friction::kOpen;
      return false;
    }
    case Event::kNone: break;
  }
  return true;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::EnterC(int i, const Drive& drive) {
  State& state = state_[i];
  if (GiveUp(&state.normal_moved_at)) {
    state.normal = Normal::kOpen;
    return;
  }
  state.normal = Normal::kC;
  const bool is_driven = i == drive.contact && !drive.normal();
  if (state.friction == Friction::kSliding || is_driven || Tangent(f_, i) != Tangential::Zero()) return;
  const Tangential a_F = Tangent(a_, i);
  const Scalar speed = Sqrt(a_F.squaredNorm());
  if (speed <= Tolerance()) {
    EnterCF(i);
    return;
  }
  state.friction = Friction::kNCF;
  state.direction = -a_F / speed;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::LeaveC(int i) {
  State& state = state_[i];
  f_[kComponents * i] = Scalar(0);
  state.normal = GiveUp(&state.normal_moved_at) ? Normal::kOpen : Normal::kNC;
  if (state.friction == Friction::kSliding || state.friction == Friction::kOpen) return;
  state.friction = Friction::kOpen;
  state.half_held = false;
  SetTangent(i, Tangential::Zero(), &f_);
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::EnterNCF(int i) {
  State& state = state_[i];
  const Tangential f_F = Tangent(f_, i), df_F = Tangent(df_, i);
  const Scalar size = Sqrt(f_F.squaredNorm());
  state.direction = size > Tolerance() ? Tangential(f_F / size) : Tangential(df_F / Sqrt(df_F.squaredNorm()));
  state.friction = Friction::kNCF;
  state.half_held = false;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::EnterCF(int i) {
  state_[i].friction = Friction::kCF;
  state_[i].half_held = false;
}

// (22), for a contact that has not left C meanwhile
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::InsideCone(int i) const {
  const Scalar f_F = Sqrt(Tangent(f_, i).squaredNorm());
  return state_[i].normal == Normal::kC && f_F <= state_[i].mu * NormalOf(f_, i) + Tolerance();
}

template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::HasFriction(int i) const {
  return state_[i].friction == Friction::kCF || state_[i].friction == Friction::kNCF || state_[i].half_held;
}

// A_11 is singular where contacts are redundant, and with the columns of those that slide not symmetric: its rows may
// contradict each other (not in the paper). Then the friction of the contact that contradicts most, or else of one that
// slides, is given up, to be established anew. @returns the contact; -1: there is none
template <class Scalar, Capacity kCapacity>
int DantzigFriction<Scalar, kCapacity>::GiveUpContradiction() {
  int i = solver_.inconsistent_row() < 0 ? -1 : unknowns_[solver_.inconsistent_row()].contact;
  if (i < 0 || !HasFriction(i)) {
    i = contacts_ - 1;
    while (i >= 0 && (state_[i].friction != Friction::kNCF || state_[i].normal != Normal::kC)) --i;
  }
  if (i < 0) return -1;
  ++report_.given_up;
  state_[i].friction = Friction::kOpen;
  state_[i].half_held = false;
  return i;
}

// 5.4: "if j attempts to move into a set it just came from, and the previous step size was zero".
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::GiveUp(int* moved_at) {
  const bool alternates = *moved_at == progress_;
  *moved_at = alternates ? -1 : progress_;
  report_.given_up += alternates;
  return alternates;
}

}  // namespace tactus
