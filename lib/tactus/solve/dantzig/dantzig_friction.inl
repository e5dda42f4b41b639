namespace tactus {

// As in the frictionless algorithm one force is driven at a time while every condition established so far is kept:
//
//     i ∈ C:     Δa_N = 0                i ∈ NC:    Δf_N = 0
//     i ∈ C_F:   Δa_F = 0                i ∈ NC_F:  Δf_F = μ Δf_N e,  e the direction of f_F on entering
//
// (the paper forgets the μ). In the plane e = +1 is his NC⁺, e = -1 his NC⁻. A contact that slides stays in NC_F with
// e = -t. What he leaves open is settled so:
//   - i ∈ NC has f_F = 0. When it enters C, f_F is established at once: C_F if a_F = 0, else NC_F with e = -a_F/|a_F|.
//   - The contact's own frame, in which first x and then y is driven, has x along -a_F.
//   - In space a contact leaves NC_F when e·a_F reaches zero. If a_F does not vanish with it neither set fits, and its
//     friction is given up (docs/theory, section 13, Baraff 8).
template <class Scalar, Capacity kCapacity>
FrictionReport<Scalar> DantzigFriction<Scalar, kCapacity>::Solve(const Problem& problem, const Sliding& sliding,
                                                                 int max_steps) {
  report_ = {};
  for (int order = 0; order < kOrders; ++order) {
    const int left = max_steps - report_.steps, orders_left = kOrders - order;
    SolveInOrder(problem, sliding, order, report_.steps + left / orders_left + (left % orders_left > 0));
    if (report_.outcome == FrictionOutcome::kSolved || report_.outcome == FrictionOutcome::kUnbounded) break;
  }
  return report_;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::SolveInOrder(const Problem& problem, const Sliding& sliding, int order,
                                                      int max_steps) {
  report_.outcome = FrictionOutcome::kStepLimit;
  report_.orders = order + 1;
  order_ = internal::GenericCover<Scalar>(static_cast<unsigned>(order));
  max_steps_ = max_steps;
  Prepare(problem, sliding);
  while (report_.steps < max_steps && EstablishNext()) {
  }
  if (report_.outcome == FrictionOutcome::kSolved) Refine();
  Store(f_, &force_);
  Store(df_, &ray_);
  report_.residual = BaraffResidual(problem, sliding, force_);
  if (report_.outcome != FrictionOutcome::kSolved) return;
  bool slides = false;  // then the sliding directions are given, and nothing bounds the energy
  for (int i = 0; i < contacts_; ++i) slides = slides || sliding[i] != Tangential::Zero();
  const bool explodes = !slides && IsExplosion(problem, force_, report_.residual);
  if (!(report_.residual <= Tolerances<Scalar>::kAccept) || explodes) report_.outcome = FrictionOutcome::kViolated;
}

// Priority of contact i; equal for all in the first order.
template <class Scalar, Capacity kCapacity>
Scalar DantzigFriction<Scalar, kCapacity>::Urgency(int i) const {
  constexpr Scalar kSpread = Scalar(0.95);  // At() is in [1, 1.5): what is left of it differs up to elevenfold
  return report_.orders == 1 ? Scalar(1) : order_.At(i) - kSpread;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::Prepare(const Problem& problem, const Sliding& sliding) {
  FormSystem<kComponents>(problem, &system_);
  contacts_ = problem.contacts.size();
  progress_ = 0;
  for (int v = 0; v < system_.size; ++v) f_[v] = df_[v] = Scalar(0);
  for (int i = 0; i < contacts_; ++i) {
    state_[i] = State{};
    state_[i].mu = problem.contacts[i].mu;
    state_[i].axis = Tangential::Unit(0);
    state_[i].direction = -sliding[i];
    if (sliding[i] != Tangential::Zero() || state_[i].mu == Scalar(0)) state_[i].friction = Friction::kSliding;
  }
}

// The main loop's scan: the most negative a_N first; if there is none, a friction force that is not established. @returns
// whether to go on.
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::EstablishNext() {
  Accelerations();
  const Scalar tolerance = Tolerance();
  int d = -1;
  for (int i = 0; i < contacts_; ++i) {
    State& state = state_[i];
    if (state.normal == Normal::kC) continue;
    state.normal = NormalOf(a_, i) < -tolerance ? Normal::kOpen : Normal::kNC;
    if (state.normal != Normal::kOpen) continue;
    if (d < 0 || Urgency(i) * NormalOf(a_, i) < Urgency(d) * NormalOf(a_, d)) d = i;
  }
  if (d >= 0) return Run({d, Tangential::Zero(), false});
  for (int i = 0; i < contacts_; ++i) {
    const Scalar f_F = Sqrt(Tangent(f_, i).squaredNorm());
    if (state_[i].friction != Friction::kOpen || (state_[i].normal == Normal::kNC && !(f_F > tolerance))) continue;
    if (d < 0 || Urgency(i) > Urgency(d)) d = i;
  }
  if (d >= 0) return EstablishFriction(d);
  report_.outcome = FrictionOutcome::kSolved;
  return false;
}

// [Baraff94] 5.5 and 5.6: a force that was given up goes to zero first; then f_x until a_x = 0, then f_y until a_y = 0.
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::EstablishFriction(int i) {
  State& state = state_[i];
  const Scalar tolerance = Tolerance();
  const Tangential f_F = Tangent(f_, i);
  const Scalar size = Sqrt(f_F.squaredNorm());
  if (size > tolerance && !(state.half_held && InsideCone(i))) {
    state.half_held = false;
    return Run({i, -f_F / size, true});
  }
  const Tangential a_F = Tangent(a_, i);
  const Scalar speed = Sqrt(a_F.squaredNorm());
  if (speed <= tolerance) {
    EnterCF(i);
    return true;
  }
  if (state.half_held) {
    const Tangential across = Across(state.axis);
    return Run({i, a_F.dot(across) > Scalar(0) ? Tangential(-across) : across, false});
  }
  state.axis = -a_F / speed;
  return Run({i, state.axis, false});
}

// drive-to-zero. @returns whether to go on; if not, report_.outcome says why.
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::Run(const Drive& drive) {
  ++report_.drives;
  report_.driven_contact = drive.contact;
  while (report_.steps++ < max_steps_) {
    if (!Direction(drive)) {
      const int i = GiveUpContradiction();
      if (i >= 0 && (i != drive.contact || drive.normal())) continue;
      if (i < 0) report_.outcome = FrictionOutcome::kViolated;
      return i >= 0;
    }
    const Limit limit = MaxStep(drive);
    if (limit.event == Event::kNone) return EndUnbounded(drive);
    Scalar most(0);
    for (int v = 0; v < system_.size; ++v) {
      f_[v] += limit.step * df_[v];
      a_[v] += limit.step * da_[v];
      most = Max(most, Abs(limit.step * df_[v]));
    }
    if (most > Tolerance()) ++progress_;
    if (Advance(drive, limit)) return true;
  }
  return false;
}

// Nothing limits the force and nothing moves a_d. If a_d is nearly zero, the contact is redundant and a_d is rounding.
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::EndUnbounded(const Drive& drive) {
  const Scalar a = drive.normal() ? Abs(NormalOf(a_, drive.contact)) : Abs(drive.along.dot(Tangent(a_, drive.contact)));
  if (a > kDeclaredZero * Scale()) {
    report_.outcome = FrictionOutcome::kUnbounded;
    return false;
  }
  return Advance(drive, {Scalar(0), Event::kDriven, drive.contact});
}

// fdirection. @returns false when the equations contradict each other.
template <class Scalar, Capacity kCapacity>
bool DantzigFriction<Scalar, kCapacity>::Direction(const Drive& drive) {
  const int d = drive.contact;
  const Components driven = drive.normal() ? NormalColumn(d) : TangentColumn(drive.along);
  ListUnknowns();
  FillMatrix();
  Scalar scale(0);
  for (int r = 0; r < unknowns_.size(); ++r) {
    x_[r] = -Entry(unknowns_[r].contact, unknowns_[r].row, d, driven);
    scale = Max(scale, Abs(x_[r]));
  }
  const Scalar left_over = solver_.Solve(unknowns_.size(), kSingular, &x_);
  for (int v = 0; v < system_.size; ++v) df_[v] = da_[v] = Scalar(0);
  for (int v = 0; v < kComponents; ++v) df_[kComponents * d + v] = driven(v);
  AddSolution(&df_);
  for (int j = 0; j < system_.size; ++j) {
    if (df_[j] == Scalar(0)) continue;
    for (int v = 0; v < system_.size; ++v) da_[v] += df_[j] * system_.A[j][v];
  }
  return left_over <= Tolerances<Scalar>::kAccept * Max(scale, Scalar(1));
}

// GCC 12 may address the rows of K and the unknowns by one counter, as null + 8 * counter. It then takes the stores for
// accesses through null, this function for one without effect, and leaves out the call. noipa: it concludes nothing.
template <class Scalar, Capacity kCapacity>
TACTUS_NO_IPA void DantzigFriction<Scalar, kCapacity>::FillMatrix() {
  for (int r = 0; r < unknowns_.size(); ++r) {
    const Unknown& unknown = unknowns_[r];
    Scalar* K = solver_.row(r);
    for (int c = 0; c < unknowns_.size(); ++c) {
      K[c] = Entry(unknown.contact, unknown.row, unknowns_[c].contact, UnknownColumn(unknowns_[c]));
    }
  }
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::AddSolution(Vector* f) const {
  for (int c = 0; c < unknowns_.size(); ++c) {
    const Components column = UnknownColumn(unknowns_[c]);
    for (int v = 0; v < kComponents; ++v) (*f)[kComponents * unknowns_[c].contact + v] += x_[c] * column(v);
  }
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::ListUnknowns() {
  unknowns_.clear();
  const auto add = [this](int i, const Components& row) { TACTUS_CHECK(unknowns_.push_back({i, row}) == Status::kOk); };
  for (int i = 0; i < contacts_; ++i) {
    const State& state = state_[i];
    if (state.normal == Normal::kC) add(i, Components::Unit(0));
    const bool held = state.friction == Friction::kCF;
    if (held || state.half_held) add(i, TangentColumn(state.axis));
    if (held && kTangent == 2) add(i, TangentColumn(Across(state.axis)));
  }
}

template <class Scalar, Capacity kCapacity>
typename DantzigFriction<Scalar, kCapacity>::Limit DantzigFriction<Scalar, kCapacity>::MaxStep(const Drive& drive) const {
  Limit limit;
  LimitDriven(drive, &limit);
  LimitNormals(&limit);
  LimitFriction(&limit);
  return limit;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::LimitDriven(const Drive& drive, Limit* limit) const {
  const int d = drive.contact;
  if (drive.to_no_force) {
    *limit = {Sqrt(Tangent(f_, d).squaredNorm()), Event::kDriven, d};
    return;
  }
  const Scalar a = drive.normal() ? NormalOf(a_, d) : drive.along.dot(Tangent(a_, d));
  const Scalar da = drive.normal() ? NormalOf(da_, d) : drive.along.dot(Tangent(da_, d));
  if (da > kRounding) *limit = {Max(-a / da, Scalar(0)), Event::kDriven, d};
  if (drive.normal()) return;
  const Scalar to_cone = StepToCone(d);
  if (to_cone < limit->step) *limit = {to_cone, Event::kDrivenAtCone, d};
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::LimitNormals(Limit* limit) const {
  for (int i = 0; i < contacts_; ++i) {
    const bool clamped = state_[i].normal == Normal::kC;
    if (!clamped && state_[i].normal != Normal::kNC) continue;
    const Scalar value = Max(NormalOf(clamped ? f_ : a_, i), Scalar(0)), rate = NormalOf(clamped ? df_ : da_, i);
    if (rate < -kRounding && value < -limit->step * rate) {
      *limit = {value / -rate, clamped ? Event::kLeavesC : Event::kEntersC, i};
    }
  }
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::LimitFriction(Limit* limit) const {
  for (int i = 0; i < contacts_; ++i) {
    const State& state = state_[i];
    if (state.friction == Friction::kCF && state.normal == Normal::kC) {
      const Scalar step = StepToCone(i);
      if (step < limit->step) *limit = {step, Event::kLeavesCF, i};
    } else if (state.friction == Friction::kNCF) {
      const Scalar against = Min(state.direction.dot(Tangent(a_, i)), Scalar(0));
      const Scalar rate = state.direction.dot(Tangent(da_, i));
      if (rate > kRounding && -against < limit->step * rate) *limit = {-against / rate, Event::kEntersCF, i};
    }
  }
}

// (23): the s ≥ 0 at which |f_F + s Δf_F| outgrows μ (f_N + s Δf_N); ∞ if it does not.
template <class Scalar, Capacity kCapacity>
Scalar DantzigFriction<Scalar, kCapacity>::StepToCone(int i) const {
  const Scalar mu = state_[i].mu, f = mu * NormalOf(f_, i), df = mu * NormalOf(df_, i);
  const Tangential f_F = Tangent(f_, i), df_F = Tangent(df_, i);
  const Scalar a = df_F.squaredNorm() - df * df, b = f_F.dot(df_F) - f * df, c = Min(f_F.squaredNorm() - f * f, Scalar(0));
  const Scalar discriminant = b * b - a * c;  // a s² + 2 b s + c = 0
  constexpr Scalar kNever = std::numeric_limits<Scalar>::max();
  if (discriminant < Scalar(0)) return kNever;
  const Scalar root = Sqrt(discriminant);
  if (b > Scalar(0)) return -c / (b + root);
  return a > kRounding * kRounding ? (root - b) / a : kNever;
}

// (18)
template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::Accelerations() {
  for (int v = 0; v < system_.size; ++v) a_[v] = system_.b[v];
  for (int j = 0; j < system_.size; ++j) {
    if (f_[j] == Scalar(0)) continue;
    for (int v = 0; v < system_.size; ++v) a_[v] += f_[j] * system_.A[j][v];
  }
}

// The steps leave rounding in the a that are held at zero. One more step, with nothing driven, removes it.
template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::Refine() {
  ListUnknowns();
  FillMatrix();
  for (int r = 0; r < unknowns_.size(); ++r) {
    x_[r] = Scalar(0);
    for (int v = 0; v < kComponents; ++v) x_[r] -= unknowns_[r].row(v) * a_[kComponents * unknowns_[r].contact + v];
  }
  (void)solver_.Solve(unknowns_.size(), kSingular, &x_);  // what it leaves over is in the residual that follows
  AddSolution(&f_);
}

// noipa: as FillMatrix().
template <class Scalar, Capacity kCapacity>
TACTUS_NO_IPA void DantzigFriction<Scalar, kCapacity>::Store(const Vector& f, Impulses* impulses) const {
  *impulses = {};
  for (int i = 0; i < contacts_; ++i) {
    impulses->normal[i] = NormalOf(f, i);
    impulses->friction[i] = Tangent(f, i);
  }
}

template <class Scalar, Capacity kCapacity>
Scalar DantzigFriction<Scalar, kCapacity>::Scale() const {
  Scalar scale(0);
  for (int v = 0; v < system_.size; ++v) scale = Max(scale, Max(Abs(system_.b[v]), Abs(f_[v])));
  return scale;
}

// A unit of f_N of contact i, with the friction that goes along with it.
template <class Scalar, Capacity kCapacity>
typename DantzigFriction<Scalar, kCapacity>::Components DantzigFriction<Scalar, kCapacity>::NormalColumn(int i) const {
  const State& state = state_[i];
  Components column = Components::Unit(0);
  if (state.friction == Friction::kNCF || state.friction == Friction::kSliding) {
    column.template tail<kTangent>() = state.mu * state.direction;
  }
  return column;
}

template <class Scalar, Capacity kCapacity>
typename DantzigFriction<Scalar, kCapacity>::Components DantzigFriction<Scalar, kCapacity>::TangentColumn(
    const Tangential& t) const {
  Components column = Components::Zero();
  column.template tail<kTangent>() = t;
  return column;
}

template <class Scalar, Capacity kCapacity>
typename DantzigFriction<Scalar, kCapacity>::Tangential DantzigFriction<Scalar, kCapacity>::Across(const Tangential& t) {
  if constexpr (kTangent == 2) return Tangential(-t(1), t(0));
  return t;
}

// rowᵀ A_ij column, A_ij: the block of two contacts.
template <class Scalar, Capacity kCapacity>
Scalar DantzigFriction<Scalar, kCapacity>::Entry(int i, const Components& row, int j, const Components& column) const {
  Scalar sum(0);
  for (int v = 0; v < kComponents; ++v) {
    for (int w = 0; w < kComponents; ++w) sum += row(v) * system_.A[kComponents * i + v][kComponents * j + w] * column(w);
  }
  return sum;
}

template <class Scalar, Capacity kCapacity>
typename DantzigFriction<Scalar, kCapacity>::Tangential DantzigFriction<Scalar, kCapacity>::Tangent(const Vector& v,
                                                                                                    int i) const {
  Tangential t;
  for (int c = 0; c < kTangent; ++c) t(c) = v[kComponents * i + 1 + c];
  return t;
}

template <class Scalar, Capacity kCapacity>
void DantzigFriction<Scalar, kCapacity>::SetTangent(int i, const Tangential& t, Vector* v) const {
  for (int c = 0; c < kTangent; ++c) (*v)[kComponents * i + 1 + c] = t(c);
}

}  // namespace tactus
