// [Lloyd04] section 4. Step 0: pivot z0 with w_r, r = argmin q_p/c_p; z_r drives. Then
//
//     step 1:  m' = column of the driving variable;  s = argmin { -q'_p/m'_p : m'_p < 0 }      (18); none: a ray
//     step 2:  pivot y_s with the driving variable; if y_s = z0 stop, else its complement drives
//
// A pivot solves row s, y_s = q_s + Σ_c M_sc y_c, for the driving variable y_r and puts that into the other rows:
//
//     y_r = (y_s - q_s - Σ_{c≠r} M_sc y_c) / M_sr,    y_p = q_p + M_pr y_r + Σ_{c≠r} M_pc y_c                    (11), (12)

namespace tactus {

template <class Scalar, Capacity kCapacity>
LemkeReport LemkeDense<Scalar, kCapacity>::SolveCold(const Problem& problem, unsigned seed, int max_pivots,
                                                     const RatioTolerances<Scalar>& tolerances) {
  tolerances_ = tolerances;
  Form(problem, seed);
  Scalar least_nu(0);
  for (int i = 0; i < problem.contacts.size(); ++i) least_nu = Min(least_nu, q_[Slots::Normal(i)]);
  // q ≥ 0 is more than is needed: with θ = φ = 0 any λ_i ≥ -σ_ij completes ν ≥ 0.
  if (least_nu >= -Tolerances<Scalar>::kFeasible * problem_scale_) return {LemkeOutcome::kSolved, 0};
  Exchange(WorstRow());
  for (int pivots = 1; pivots <= max_pivots; ++pivots) {
    for (int p = 0; p < size(); ++p) m_[p] = Row(p)[excluded_];
    const int leaving = LeavingRow();
    if (leaving < 0) {  // if z0 is below the tolerance, a ray is a solution
      const bool is_covered = q_[Slots::kCover] <= Tolerances<Scalar>::kFeasible * Scale();
      return {is_covered ? LemkeOutcome::kSolved : LemkeOutcome::kRay, pivots};
    }
    Scalar& value = q_[leaving];
    value = Max(value, Scalar(0));  // less than zero is rounding
    Exchange(leaving);
    if (leaving == Slots::kCover) return {LemkeOutcome::kSolved, pivots};
  }
  return {LemkeOutcome::kBudget, max_pivots};
}

// The tableau (17) of the LCP (8): column z0 is c, column z_p that of M.
template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::Form(const Problem& problem, unsigned seed) {
  const internal::GenericCover<Scalar> generic(seed);
  slots_.Reset(problem.contacts.size(), problem.directions);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].mu > Scalar(0)) slots_.Expand(i);
  }
  excluded_ = Slots::kCover;
  z_basic_.fill(false);
  for (int p = 0; p < size(); ++p) std::fill_n(Row(p), size(), Scalar(0));
  problem_scale_ = Sqrt(problem.k.squaredNorm());
  SetProducts(problem, problem.k, &q_);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    FormNormal(problem, i);
    Row(Slots::Normal(i))[Slots::kCover] = generic.Normal(i);
    q_[Slots::Normal(i)] += contact.b;
    problem_scale_ = Max(problem_scale_, Abs(contact.b));
    if (!(contact.mu > Scalar(0))) continue;
    Row(slots_.Cone(i))[Slots::kCover] = generic.Cone(i);
    for (int j = 0; j < problem.directions; ++j) {
      FormFriction(problem, i, j);
      Row(slots_.Slip(i) + j)[Slots::kCover] = generic.Slip(i);
      q_[slots_.Slip(i) + j] += problem.DirectionTau(contact, j);
    }
  }
}

// The column of θ_i: NᵀN + ε, DᵀN, μ.
template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::FormNormal(const Problem& problem, int i) {
  const auto& contact = problem.contacts[i];
  Velocity v = Velocity::Zero();
  Problem::AddTo(contact, contact.N, Scalar(1), &v);
  SetProducts(problem, v, &m_);
  m_[Slots::Normal(i)] += contact.epsilon;
  if (contact.mu > Scalar(0)) m_[slots_.Cone(i)] = contact.mu;
  for (int p = 1; p < size(); ++p) Row(p)[Slots::Normal(i)] = m_[p];
}

// The column of φ_ij: NᵀD, DᵀD, -Eᵀ; and the E of row σ_ij, in the column of λ_i.
template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::FormFriction(const Problem& problem, int i, int j) {
  const auto& contact = problem.contacts[i];
  const int slip = slots_.Slip(i) + j, cone = slots_.Cone(i);
  Velocity v = Velocity::Zero();
  Problem::AddTo(contact, problem.Direction(contact, j), Scalar(1), &v);
  SetProducts(problem, v, &m_);
  m_[cone] = Scalar(-1);
  for (int p = 1; p < size(); ++p) Row(p)[slip] = m_[p];
  Row(slip)[cone] = Scalar(1);
}

// Nᵀ P v and Dᵀ P v of every row, 0 for the γ rows.
template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::SetProducts(const Problem& problem, Velocity v, Column* column) const {
  problem.Project(&v);
  column->fill(Scalar(0));
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    (*column)[Slots::Normal(i)] = Problem::Dot(contact, contact.N, v);
    if (!(contact.mu > Scalar(0))) continue;
    const typename Problem::Tangential along = Problem::TangentDot(contact, v);
    for (int j = 0; j < problem.directions; ++j) {
      (*column)[slots_.Slip(i) + j] = along.dot(problem.direction[j]);
    }
  }
}

// Step 0: r = argmin q_p/c_p. Of equal ones the last is the lexicographically first.
template <class Scalar, Capacity kCapacity>
int LemkeDense<Scalar, kCapacity>::WorstRow() const {
  Scalar z0(0);
  int r = -1;
  for (int p = 1; p < size(); ++p) {
    const Scalar needed = -q_[p] / Row(p)[Slots::kCover];
    if (needed < z0 || (needed == z0 && (r < 0 || tie_rule_ == TieRule::kHarris))) continue;
    z0 = needed;
    r = p;
  }
  return r;
}

// S of theory 6
template <class Scalar, Capacity kCapacity>
Scalar LemkeDense<Scalar, kCapacity>::Scale() const {
  return Max(problem_scale_, internal::LargestAbs(q_.data(), size()));
}

template <class Scalar, Capacity kCapacity>
int LemkeDense<Scalar, kCapacity>::LeavingRow() const {
  if (tie_rule_ == TieRule::kLexicographic) return LexicographicRow();
  Scalar step;
  return internal::FindLeavingVariable(q_, m_, size(), Scale(), tolerances_, &step);
}

// (18) by the smallest ratio; rows within τ_f S of it tie.
template <class Scalar, Capacity kCapacity>
int LemkeDense<Scalar, kCapacity>::LexicographicRow() const {
  const Scalar least_rate = tolerances_.pivot * internal::LargestAbs(m_.data(), size());
  const Scalar slack = tolerances_.feasible * Scale();
  Scalar shortest = std::numeric_limits<Scalar>::max();
  const auto value = [&](int p) { return Max(q_[p], Scalar(0)); };
  const auto blocks = [&](int p) { return m_[p] < -least_rate; };
  for (int p = 0; p < size(); ++p) {
    if (blocks(p)) shortest = Min(shortest, value(p) / -m_[p]);
  }
  int first = -1;
  for (int p = 0; p < size(); ++p) {
    if (!blocks(p) || value(p) > slack - m_[p] * shortest) continue;
    if (p == Slots::kCover) return p;
    if (first < 0 || IsBefore(p, first)) first = p;
  }
  return first;
}

// Whether row i reaches zero before row j when every q_p is raised by δᵖ, δ ≫ δ² ≫ … > 0.
template <class Scalar, Capacity kCapacity>
bool LemkeDense<Scalar, kCapacity>::IsBefore(int i, int j) const {
  const Scalar m_i = m_[i], m_j = m_[j];
  for (int p = 1; p < size(); ++p) {
    const Scalar at_i = InverseBasis(i, p) / -m_i, at_j = InverseBasis(j, p) / -m_j;
    if (Abs(at_i - at_j) > tolerances_.pivot * Max(Abs(at_i), Abs(at_j))) return at_i < at_j;
  }
  return false;
}

// ∂y_row/∂q_p, an element of B⁻¹ (14): a negated one of M' where w_p is not basic, else one of I.
template <class Scalar, Capacity kCapacity>
Scalar LemkeDense<Scalar, kCapacity>::InverseBasis(int row, int p) const {
  if (p == excluded_) return -Row(row)[IsZBasic(p) ? p : static_cast<int>(Slots::kCover)];
  if (IsZBasic(p)) return -Row(row)[p];
  return row == p ? Scalar(1) : Scalar(0);
}

// Pivots the leaving variable with the driving one.
template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::Exchange(int leaving) {
  const int r = excluded_;
  Scalar* solved = Row(leaving);
  const Scalar inverse = Scalar(1) / solved[r];
  for (int c = 0; c < size(); ++c) solved[c] *= -inverse;
  solved[r] = inverse;
  q_[leaving] *= -inverse;
  for (int p = 0; p < size(); ++p) {
    Scalar* row = Row(p);
    const Scalar rate = row[r];
    if (p == leaving || rate == Scalar(0)) continue;
    row[r] = Scalar(0);
    for (int c = 0; c < size(); ++c) row[c] += rate * solved[c];
    q_[p] += rate * q_[leaving];
  }
  MoveExcluded(leaving);
  z_basic_[r] = !z_basic_[r];
}

// The driving variable's row goes to its own place; of its pair's two columns the one at 0 becomes that of the variable that
// just left.
template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::MoveExcluded(int leaving) {
  const int r = excluded_;
  for (int c = 0; c < size(); ++c) {
    Row(r)[c] = Row(leaving)[c];
    Row(leaving)[c] = Scalar(0);
  }
  q_[r] = q_[leaving];
  q_[leaving] = Scalar(0);
  for (int p = 0; p < size(); ++p) {
    const Scalar left = Row(p)[r];
    Row(p)[r] = Row(p)[Slots::kCover];
    Row(p)[Slots::kCover] = left;
  }
  excluded_ = leaving;
}

template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::Extract(const Problem& problem, const Column& values, Impulses* impulses) const {
  const auto value = [&](int p) { return IsZBasic(p) && p != excluded_ ? Max(values[p], Scalar(0)) : Scalar(0); };
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const bool has_friction = problem.contacts[i].mu > Scalar(0);
    impulses->theta[i] = value(Slots::Normal(i));
    for (int j = 0; j < problem.directions; ++j) {
      impulses->phi[i][j] = has_friction ? value(slots_.Slip(i) + j) : Scalar(0);
    }
  }
}

template <class Scalar, Capacity kCapacity>
void LemkeDense<Scalar, kCapacity>::GetRay(const Problem& problem, Impulses* ray) const {
  Extract(problem, m_, ray);
  if (IsZBasic(excluded_)) return;  // w drives
  const Variable driving = slots_.At(excluded_);
  if (driving.pair == Pair::kNormal) ray->theta[driving.contact] = Scalar(1);
  if (driving.pair == Pair::kSlip) ray->phi[driving.contact][driving.direction] = Scalar(1);
}

}  // namespace tactus
