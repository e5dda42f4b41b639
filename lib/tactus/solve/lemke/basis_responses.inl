// A response of the basis matrix to constants of the rows (docs/theory, section 4): v* = v_s + Σ_L η_i D_ix, the unknowns
// from K x = -(const + Aᵀv*), v = v* + Σ_a B_a x_a, then w and the eliminated ones from v. Equation numbers are those of
// [Lloyd04], section 5.1 and appendix A; errata in docs/theory, section 13.

namespace tactus::internal {

template <class Problem>
void BasisSystem<Problem>::Reset(const Problem& problem) {
  slots.Reset(problem.contacts.size(), problem.directions);
  z0_basic = false;
  excluded = {};
  members_.unknowns.clear();
  is_current_ = false;
}

template <class Problem>
void BasisSystem<Problem>::Enter(int contact, const ContactBasis& start) {
  this->keep_basis(contact, start);
  if (start.expanded) slots.Expand(contact);
  is_current_ = false;
}

template <class Problem>
void BasisSystem<Problem>::EnterCover(const Variable& excluded_pair) {
  z0_basic = true;
  excluded = excluded_pair;
  is_current_ = false;
}

template <class Problem>
void BasisSystem<Problem>::ReplaceCover(const Variable& driving) {
  this->SetBasicOf(driving, driving.is_z);
  z0_basic = false;
  excluded = {};
  is_current_ = false;
}

// q' (19)
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::RespondToConstant(const Problem& problem, Values* values) {
  is_current_ = false;
  if (!members_.Collect(problem, *this)) return Scalar(0);
  if (!Take(work::Constants(slots.size(), members_.unknowns.size()))) return kNoWorkLeft;
  Source q;
  q.is_q = true;
  q.velocity = problem.k;
  FillMatrix(problem, false);
  const int size = members_.unknowns.size();
  for (int p = 0; p < size; ++p) matrix_.row(p)[size] = -Constant(problem, q, members_.equations[p]);
  const Scalar pivot_ratio = matrix_.Solve(size, &x_);
  if (!(pivot_ratio > Scalar(0))) return Scalar(0);
  SetValues(problem, q, values);
  Settle(values);
  return pivot_ratio;
}

template <class Problem>
bool BasisSystem<Problem>::Sharpen(const Problem& problem, Values* values) {
  if (z0_basic || !members_.Collect(problem, *this)) return false;
  const int size = members_.unknowns.size();
  if (!Take(work::Constants(slots.size(), size))) return false;
  Source q;
  q.is_q = true;
  q.velocity = values->velocity;  // its constants are the errors
  FillMatrix(problem, false);
  for (int p = 0; p < size; ++p) {
    scratch_[p] = values->at[members_.unknowns[p].slot];
    matrix_.row(p)[size] = -Constant(problem, q, members_.equations[p]);
  }
  if constexpr (kCapacity.compliant) {
    for (int p = 0; p < size; ++p) {
      const int a = members_.PlaceOfUnknown(members_.equations[p].slot);
      if (a < size) matrix_.row(p)[size] -= members_.equations[p].epsilon * scratch_[a];
    }
  }
  if (!(matrix_.Solve(size, &x_) > Scalar(0))) return false;
  Velocity v = values->velocity, from_nothing = Velocity::Zero();
  (void)AddUnknowns(&v, values);
  problem.Project(&v);
  for (int a = 0; a < size; ++a) x_[a] += scratch_[a];
  (void)StartCones(q, values);
  const Scalar lambda = AddUnknowns(&from_nothing, values);
  SetRows(problem, q, v, lambda, values);
  Settle(values);
  return IsFinite(v.squaredNorm());
}

// m' (20) for a z, (21) for a w
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::RespondToDriving(const Problem& problem, const Variable& driving,
                                                                Values* rates) {
  Scalar pivot_ratio(1);
  for (int attempt = is_current_ ? 0 : 1; attempt < 2; ++attempt) {
    if (attempt == 1) pivot_ratio = Invert(problem);
    if (!(pivot_ratio > Scalar(0))) return pivot_ratio;
    const Source source = SourceOf(problem, driving);
    SolveByInverse(problem, source);
    SetValues(problem, source, rates);
    FindErrors(source, *rates);
    if (AreErrorsSmall()) break;
    if (!Take(work::Refinement(slots.size(), members_.unknowns.size()))) return kNoWorkLeft;
    Refine();
    SetValues(problem, source, rates);
    FindErrors(source, *rates);
    if (AreErrorsSmall()) break;
  }
  Settle(rates);
  return IsFinite(rates->velocity.squaredNorm()) ? pivot_ratio : Scalar(0);
}

// b* (28) included
template <class Problem>
auto BasisSystem<Problem>::SourceOf(const Problem& problem, const Variable& driving) const -> Source {
  Source source;
  if (!driving.is_z) {
    source.omega = Scalar(1);
    source.velocity.setZero();
    return source;
  }
  const int i = driving.contact;
  const ContactColumns& contact = problem.contacts[i];
  source.contact = i;
  Column along;
  switch (driving.pair) {
    case Pair::kNormal:
      source.beta = contact.epsilon;
      source.eta = basis(i).expanded ? contact.mu : Scalar(0);
      along = contact.N;
      break;
    case Pair::kSlip:
      source.eta = Scalar(-1);
      along = problem.Direction(contact, driving.direction);
      break;
    default:
      source.t = Scalar(1);
      source.velocity.setZero();
      return source;
  }
  if (members_.IsEliminated(i)) along += source.eta * problem.Direction(contact, members_.Eliminated(i));
  Set<Problem>(contact, along, &source.velocity);
  problem.Project(&source.velocity);
  return source;
}

// Right-hand side of (31), (42): β_ν, t'_κ and what b* makes of them; not ω
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::Constant(const Problem& problem, const Source& source,
                                                        const ReducedEquation& equation) const {
  const int i = equation.of.contact;
  if (equation.of.pair == Pair::kCone) return i == source.contact ? source.eta : Scalar(0);
  const ContactColumns& contact = *equation.contact;
  const Scalar along = Dot<Problem>(contact, equation.along, source.velocity);
  if (equation.of.pair == Pair::kNormal) {
    return along + (source.is_q ? contact.b : i == source.contact ? source.beta : Scalar(0));
  }
  const int x = members_.Eliminated(i);
  if (!source.is_q) return i == source.contact && x < 0 ? along + source.t : along;  // t is that of every direction
  const Scalar tau_j = problem.DirectionTau(contact, equation.of.direction);
  return along + (x < 0 ? tau_j : tau_j - problem.DirectionTau(contact, x));
}

// K by its rows, or by its columns; where columns and rows are the same one half is enough.
template <class Problem>
void BasisSystem<Problem>::FillMatrix(const Problem& problem, bool transposed) {
  const int size = members_.unknowns.size();
  const ReducedUnknown* unknown = members_.unknowns.begin();
  const ReducedEquation* equation = members_.equations.begin();
  const int step_p = transposed ? 1 : matrix_.kWidth, step_a = transposed ? matrix_.kWidth : 1;
  Scalar* K = matrix_.row(0);
  Velocity row_velocity;
  for (int p = 0; p < size; ++p) {
    members_.GetRowVelocity(problem, equation[p], &row_velocity);
    const bool row_is_symmetric = unknown[p].is_symmetric;
    for (int a = 0; a < size; ++a) {
      const bool is_symmetric = row_is_symmetric && unknown[a].is_symmetric;
      if (is_symmetric && a < p) continue;
      const Scalar entry = members_.Entry(*this, equation[p], row_velocity, unknown[a]);
      K[p * step_p + a * step_a] = entry;
      if (is_symmetric) K[p * step_a + a * step_p] = entry;
    }
  }
}

template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::Invert(const Problem& problem) {
  is_current_ = false;
  if (!members_.Collect(problem, *this)) return Scalar(0);
  if (!Take(work::Inversion(members_.unknowns.size()))) return kNoWorkLeft;
  FillMatrix(problem, true);
  const Scalar pivot_ratio = matrix_.Invert(members_.unknowns.size());
  is_current_ = pivot_ratio > Scalar(0);
  return pivot_ratio;
}

// x = -V constants
template <class Problem>
void BasisSystem<Problem>::SolveByInverse(const Problem& problem, const Source& source) {
  const int size = members_.unknowns.size();
  const bool w_drives = source.contact < 0;
  const int first = w_drives ? members_.PlaceOfEquation(slots.Of(excluded)) : 0;
  const Scalar factor = w_drives ? source.omega : -Constant(problem, source, members_.equations[0]);
  const Scalar* V_first = VRow(first);
  for (int a = 0; a < size; ++a) x_[a] = factor * V_first[a];
  for (int p = 1; !w_drives && p < size; ++p) {
    const Scalar constant = Constant(problem, source, members_.equations[p]);
    if (constant != Scalar(0)) AddMultiple<kMax>(-constant, VRow(p), size, x_.data());
  }
}

// v_c (29), (40); then w and the eliminated ones, (33), (36). The rows that are equations come out as 0 but for rounding.
template <class Problem>
void BasisSystem<Problem>::SetValues(const Problem& problem, const Source& source, Values* values) {
  const Scalar z0 = StartCones(source, values);
  Velocity v = source.velocity;
  if (z0_basic) v += z0 * members_.cover_velocity();
  const Scalar lambda = AddUnknowns(&v, values);
  problem.Project(&v);
  SetRows(problem, source, v, lambda, values);
}

// What follows from the velocity: (33), (36).
template <class Problem>
void BasisSystem<Problem>::SetRows(const Problem& problem, const Source& source, const Velocity& v, Scalar lambda,
                                   Values* values) const {
  values->velocity = v;
  ScanNormals(problem, source, v, values);
  for (int e = 0; e < slots.expanded(); ++e) ScanFriction(problem, source, slots.ExpandedContact(e), v, lambda, values);
}

// c_γi z0 + η_i: γ_i or φ_ix so far. @returns z0.
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::StartCones(const Source& source, Values* values) const {
  const Scalar z0 = z0_basic ? x_[members_.PlaceOfUnknown(Slots::kCover)] : Scalar(0);
  values->at[Slots::kCover] = z0;
  for (int e = 0; e < slots.expanded(); ++e) {
    const int cone = slots.Cone(slots.ExpandedContact(e));
    values->at[cone] = this->Cover(cone) * z0;
  }
  const int i = source.contact;
  if (i >= 0 && basis(i).expanded) values->at[slots.Cone(i)] += source.eta;
  return z0;
}

// v += B x, γ_i or φ_ix += μ_i θ_i - Σ_κ φ_ij. @returns λ of the contact with the zero column; there is at most one.
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::AddUnknowns(Velocity* v, Values* values) const {
  Scalar lambda(0);
  const Scalar* x = x_.data();
  Velocity sum = *v;
  for (const ReducedUnknown& unknown : members_.unknowns) {
    const Scalar value = *x++;
    if (unknown.of.pair == Pair::kCone) lambda = value;
    if (!unknown.is_along) continue;
    Add<Problem>(*unknown.contact, unknown.along, value, &sum);
    if (unknown.cone < 0) continue;
    Scalar& cone = values->at[unknown.cone];
    cone += unknown.of.pair == Pair::kNormal ? unknown.contact->mu * value : -value;
  }
  *v = sum;
  return lambda;
}

// ν_i = N_iᵀv + β_i + c_νi z0, where θ_i is not basic: for q, β = b and z0 = 0; a driving variable's β belongs to a pair of
// which nothing is basic.
template <class Problem>
void BasisSystem<Problem>::ScanNormals(const Problem& problem, const Source& source, const Velocity& v,
                                       Values* values) const {
  const Scalar z0 = values->at[Slots::kCover];
  const int n = problem.contacts.size();
  Scalar* nu = &values->at[Slots::Normal(0)];
  const Scalar* c = &cover[Slots::Normal(0)];
  const ContactColumns* contact = problem.contacts.begin();
  if (source.is_q) {
    for (int i = 0; i < n; ++i) nu[i] = Dot<Problem>(contact[i], contact[i].N, v) + contact[i].b;
  } else {
    for (int i = 0; i < n; ++i) nu[i] = Dot<Problem>(contact[i], contact[i].N, v) + c[i] * z0;
  }
}

// φ_ix (27), (38), σ_ij, and γ_i or λ_i (30), (41) of an expanded contact whose cone slot holds γ_i or φ_ix.
// @param lambda  that of the zero column
template <class Problem>
void BasisSystem<Problem>::ScanFriction(const Problem& problem, const Source& source, int i, const Velocity& v,
                                        Scalar lambda, Values* values) const {
  const ContactColumns& contact = problem.contacts.begin()[i];
  const Scalar z0 = values->at[Slots::kCover];
  const int first = slots.Slip(i), x = members_.Eliminated(i);
  Scalar* slip = &values->at[first];
  const Scalar* cover_slip = &cover[first];
  Tangential along = TangentDot<Problem>(contact, v);
  if (source.is_q) along += contact.tau;

  if (x >= 0) {
    lambda = -(along.dot(problem.direction[x]) + cover_slip[x] * z0);
  } else if (!basis(i).lambda) {
    lambda = i == source.contact ? source.t : Scalar(0);  // λ_i itself drives, or is 0
  }
  SetSlips(problem, along, level_cover ? cover_slip[0] * z0 + lambda : lambda, slip);
  if (!level_cover) {
    for (int j = 0; j < problem.directions; ++j) slip[j] += cover_slip[j] * z0;
  }
  if (x < 0) return;
  Scalar& cone = slip[problem.directions];
  slip[x] = cone;
  cone = lambda;
}

// D_ijᵀv + base; direction j + d/2 is the opposite of direction j.
template <class Problem>
void BasisSystem<Problem>::SetSlips(const Problem& problem, const Tangential& along, Scalar base, Scalar* slip) const {
  const Tangential* direction = problem.direction.data();
  const auto set_opposed = [&](int j, int half) {
    const Scalar slip_j = along.dot(direction[j]);
    slip[j] = base + slip_j;
    slip[j + half] = base - slip_j;
  };
  constexpr int kMost = kCapacity.directions, kHalf = kMost / 2, kStep = kLanes<Scalar>;
  if (kMost % 2 == 0 && problem.directions == kMost) {  // the usual case, a loop of known length
    if constexpr (TACTUS_HAS_VECTORS && Problem::kTangent == 2 && kHalf % kStep == 0) {
#pragma GCC unroll 4
      for (int j = 0; j < kHalf; j += kStep) {
        const Lanes<Scalar> slips = DotOfPairs(along.data(), direction[j].data());
        StoreLanes(base + slips, slip + j);
        StoreLanes(base - slips, slip + j + kHalf);
      }
    } else {
#pragma GCC unroll 16
      for (int j = 0; j < kHalf; ++j) set_opposed(j, kHalf);
    }
    return;
  }
  const int half = problem.directions % 2 == 0 ? problem.directions / 2 : 0;
  for (int j = 0; j < half; ++j) set_opposed(j, half);
  for (int j = 2 * half; j < problem.directions; ++j) slip[j] = base + along.dot(direction[j]);
}

// scratch_ = K x + constants: what the scan finds in the rows of the equations
template <class Problem>
void BasisSystem<Problem>::FindErrors(const Source& source, const Values& values) {
  Scalar* error = scratch_.data();
  for (const ReducedEquation& equation : members_.equations) *error++ = values.at[equation.slot];
  if (source.contact < 0) scratch_[members_.PlaceOfEquation(slots.Of(excluded))] -= source.omega;
  if constexpr (kCapacity.compliant) AddCompliance(source);
}

// One body has too few unknowns for vectors.
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::Largest(const Vector& x, int size) {
  if constexpr (Problem::kBlocks > 1) return LargestAbs(x.data(), size);
  Scalar largest(0);
  for (int p = 0; p < size; ++p) largest = MaxNonNegative(largest, Abs(x[p]));
  return largest;
}

// Beside max(1, |x|)
template <class Problem>
bool BasisSystem<Problem>::AreErrorsSmall() const {
  const int size = members_.equations.size();
  const Scalar worst = Largest(scratch_, size);
  // A part of what the ratio test forgives. In float, of 8 000 random scenes of one body 23 fail with all of it, 5 with a
  // thirtieth; of 3 000 stacks of 4 blocks with 32 contacts 4 fail with all of it, none with a quarter.
  const Scalar small = Tolerances<Scalar>::kFeasible / Scalar(size <= 8 ? 30 : 4);
  return worst <= small || worst <= small * Largest(x_, size);
}

// Adds ε_i θ_i, which belongs to ν_i.
template <class Problem>
void BasisSystem<Problem>::AddCompliance(const Source& source) {
  Scalar* error = scratch_.data();
  for (const ReducedEquation& equation : members_.equations) {
    const int a = members_.PlaceOfUnknown(equation.slot);
    const bool is_basic = a < members_.unknowns.size();
    *error++ += is_basic ? equation.epsilon * x_[a] : equation.epsilon != Scalar(0) ? source.beta : Scalar(0);
  }
}

template <class Problem>
void BasisSystem<Problem>::Refine() {
  const int size = members_.unknowns.size();
  for (int p = 0; p < size; ++p) {
    const Scalar error = scratch_[p];
    if (error != Scalar(0)) AddMultiple<kMax>(-error, VRow(p), size, x_.data());
  }
}

template <class Problem>
void BasisSystem<Problem>::Settle(Values* values) const {
  const Scalar* x = x_.data();
  for (const ReducedUnknown& unknown : members_.unknowns) values->at[unknown.slot] = *x++;
  if (z0_basic) values->at[slots.Of(excluded)] = Scalar(0);
}

}  // namespace tactus::internal
