namespace tactus {

// One step of a drive, in the partition (7) of A into C (11), NC (22) and d:
//
//     Δf = (-x, 0, 1),   A_11 x = v_1                                                                        (9)
//     Δa = A Δf = (0, v_2 - A_12ᵀx, α - v_1ᵀx)                                                               (8)
//
// With L Lᵀ = A_11, y = L⁻¹v_1 and R = L⁻¹(A_11 A_12 v_1) this is x = L⁻ᵀy and Δa = row d of A - Rᵀy; Δa_d = α - yᵀy is the
// Schur complement, ≥ 0 by theorem 2. Row d of A, so reduced and divided by √Δa_d, is the row of R that d brings into C.
// The step ends where f_i of C (10), a_i of NC (11) or a_d (12) reaches zero.

template <class Scalar, int kSize>
DantzigReport<Scalar> Dantzig<Scalar, kSize>::Solve(const System& system, int max_steps, DantzigStart start) {
  report_ = {};
  for (int i = 0; i < system.size; ++i) A_ii_[i] = system.A[i][i];
  if constexpr (kManyContacts) {
    if (start == DantzigStart::kTogether && IsSparse(system)) {
      Run(system, max_steps, DantzigStart::kTogether);
      if (report_.outcome != DantzigOutcome::kInaccurate) return report_;
    }
  }
  if (start != DantzigStart::kCautious) {
    Run(system, max_steps, DantzigStart::kFromZero);
    if (report_.outcome != DantzigOutcome::kInaccurate) return report_;
  }
  Run(system, max_steps, DantzigStart::kCautious);
  return report_;
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Run(const System& system, int max_steps, DantzigStart start) {
  dependence_.least = start == DantzigStart::kCautious ? Dependence::kCautious : Dependence::kUsual;
  report_.outcome = DantzigOutcome::kSolved;
  negligible_ = kRounding;
  next_doubt_ = report_.drives + system.size + 1;
  Clear(system);
  if (!ClampBilateral(system)) report_.outcome = DantzigOutcome::kContradiction;
  if constexpr (kManyContacts) {
    if (start == DantzigStart::kTogether && report_.outcome == DantzigOutcome::kSolved) StartTogether(system, max_steps);
  }
  DriveAll(system, max_steps);
  if (report_.outcome != DantzigOutcome::kSolved) {
    report_.residual = Residual(system);
  } else if (!(report_.residual <= Tolerances<Scalar>::kAccept)) {
    report_.outcome = DantzigOutcome::kInaccurate;
  }
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Clear(const System& system) {
  factor_.Clear(system.size);
  any_in_NC_ = false;
  b_scale_ = Scalar(0);
  for (int i = 0; i < system.size; ++i) {
    f_[i] = Scalar(0);
    a_[i] = system.b[i];
    b_scale_ = Max(b_scale_, Abs(a_[i]));
    place_[i] = Place::kIgnored;
  }
  scale_ = b_scale_;
}

// [Baraff94] 4.5: the bilateral rows enter C before all others and stay there.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::ClampBilateral(const System& system) {
  if (system.bilateral == 0) return true;
  for (int i = 0; i < system.bilateral; ++i) Enter(system, i, system.size);
  Refine(system);
  MeasureScale(system);
  for (int i = 0; i < system.bilateral; ++i) {
    if (!(Abs(a_[i]) <= kDeclaredZero * scale_)) return false;
  }
  return true;
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::DriveAll(const System& system, int max_steps) {
  constexpr int kRefinements = 3;  // each starts from a solution up to rounding; measured: the second finds nothing to do
  for (int round = 0; round < kRefinements && report_.outcome == DantzigOutcome::kSolved; ++round) {
    int d = MostNegative(system);
    if (round > 0 && d < 0) break;
    for (; d >= 0; d = MostNegative(system)) {
      if (!DriveToZero(system, d, max_steps)) return;
    }
    Refine(system);
  }
}

template <class Scalar, int kSize>
int Dantzig<Scalar, kSize>::MostNegative(const System& system) const {
  int d = -1;
  Scalar least = -negligible_ * scale_;
  for (int i = system.bilateral; i < system.size; ++i) {
    if (!(a_[i] < least) || place_[i] == Place::kC || place_[i] == Place::kRedundant) continue;
    least = a_[i];
    d = i;
  }
  return d;
}

// @returns whether to go on with the next contact; if not, report_.outcome says why.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::DriveToZero(const System& system, int d, int max_steps) {
  // n drives are enough in exact arithmetic: beyond them rounding undoes what was established, so it is larger than thought.
  if (++report_.drives == next_doubt_) {
    negligible_ *= Scalar(10);
    next_doubt_ += system.size + 1;
  }
  place_[d] = Place::kIgnored;
  while (report_.steps++ < max_steps) {
    const Scalar schur = Direction(system, d);
    const bool is_zero = !(a_[d] < -negligible_ * scale_);  // with a contact that has entered C, on which d depends
    const Limit limit = MaxStep(system, d, schur);
    if (limit.index < 0 || (is_zero && !(schur > Scalar(0)))) return EndUnbounded(system, d);
    Advance(system, d, limit.step, schur);
    if (limit.index == d) {
      Clamp(d, system.size);
      return true;
    }
    if (limit.position >= 0) {
      Unclamp(system, limit.position);
    } else {
      Enter(system, limit.index, system.size);
    }
  }
  report_.outcome = DantzigOutcome::kStepLimit;
  return false;
}

// fdirection: (9), then (8). @returns Δa_d; 0 when d depends on C, and then Δa = 0 altogether.
template <class Scalar, int kSize>
Scalar Dantzig<Scalar, kSize>::Direction(const System& system, int d) {
  factor_.Reduce(d, system.A[d], system.size, &y_, &da_);
  SubstituteBack();
  return IsIndependent(d) ? da_[d] : Scalar(0);
}

// maxstep: (10), (11), (12).
template <class Scalar, int kSize>
typename Dantzig<Scalar, kSize>::Limit Dantzig<Scalar, kSize>::MaxStep(const System& system, int d, Scalar schur) const {
  Limit limit{std::numeric_limits<Scalar>::max(), -1, -1};
  Scalar largest(1);
  for (int c = 0; c < factor_.size(); ++c) largest = Max(largest, Abs(x_[c]));
  const Scalar least = kRounding * largest;
  if (schur > Scalar(0)) limit = {-a_[d] / schur, -1, d};
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    if (x_[c] <= least || f_[i] >= limit.step * x_[c] || i < system.bilateral) continue;
    limit = {f_[i] / x_[c], c, i};
  }
  if (!(schur > Scalar(0)) || !any_in_NC_) return limit;
  const Scalar violated = -negligible_ * scale_;
  for (int i = system.bilateral; i < system.size; ++i) {
    if (place_[i] != Place::kNC || da_[i] >= -least * A_ii_[i]) continue;
    if (a_[i] < violated) continue;  // rounding has taken it out of NC since it was established: it is to be driven again
    const Scalar a = Max(a_[i], Scalar(0));
    if (a < -limit.step * da_[i]) limit = {a / -da_[i], -1, i};
  }
  return limit;
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Advance(const System& system, int d, Scalar step, Scalar schur) {
  f_[d] += step;
  scale_ = Max(b_scale_, A_ii_[d] * f_[d]);
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    f_[i] -= step * x_[c];
    scale_ = Max(scale_, A_ii_[i] * Abs(f_[i]));
  }
  if (schur > Scalar(0)) internal::AddMultiple<kSize>(step, da_.data(), system.size, a_.data());
}

// Whether Δf ≥ 0 with A Δf = 0 and bᵀΔf < 0: then there is no solution. A = NᵀN, and a velocity v does the work (NΔf)·v. The
// ray must outweigh what rounding leaves of |NΔf|, for every v up to kMotions times the motion in b.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::IsCertificate(const System& system) const {
  constexpr Scalar kMotions(4);  // where there is a solution 0.1 to 1 (40 000 problems), else 4e4 and more, in float 6
  constexpr Scalar kEpsilon = std::numeric_limits<Scalar>::epsilon();
  Scalar A_max(0), work(0), squared_length(0);
  for (int i = 0; i < system.size; ++i) A_max = Max(A_max, A_ii_[i]);
  for (int i = 0; i < system.size; ++i) {
    Scalar A_df(0);
    for (int j = 0; j < system.size; ++j) A_df += system.A[i][j] * df_[j];
    work += system.b[i] * df_[i];
    squared_length += df_[i] * A_df + kEpsilon * A_max * df_[i] * df_[i];
  }
  return work * Sqrt(A_max) < -kMotions * Sqrt(Abs(squared_length)) * b_scale_;
}

// d depends on C and nothing limits its force. If a_d is nearly zero it is rounding; else Δf proves that no solution exists.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::EndUnbounded(const System& system, int d) {
  if (a_[d] < -kDeclaredZero * scale_) {
    for (int i = 0; i < system.size; ++i) df_[i] = Scalar(0);
    for (int c = 0; c < factor_.size(); ++c) {
      const int i = factor_.index(c);
      df_[i] = i < system.bilateral ? -x_[c] : Max(-x_[c], Scalar(0));  // less is rounding: nothing limited the step
    }
    df_[d] = Scalar(1);
    report_.outcome = IsCertificate(system) ? DantzigOutcome::kRay : DantzigOutcome::kInaccurate;
    return false;
  }
  // Back along the neutral direction until f_d is zero, or until a force of C is, whose place d then takes.
  Scalar step = f_[d];
  int leaving = -1;
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    if (i < system.bilateral || x_[c] >= Scalar(0) || f_[i] >= -step * x_[c]) continue;
    step = f_[i] / -x_[c];
    leaving = c;
  }
  for (int c = 0; c < factor_.size(); ++c) f_[factor_.index(c)] += step * x_[c];
  f_[d] -= step;
  MeasureScale(system);
  place_[d] = Place::kRedundant;
  if (leaving < 0) return true;
  Unclamp(system, leaving);
  Enter(system, d, system.size);
  return true;
}

// j moves to C unless it depends on it. Row j of A is zero from `end` on, and so are the rows of C from where it is.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Enter(const System& system, int j, int end) {
  factor_.Reduce(j, system.A[j], end, &y_, &da_);
  if (IsIndependent(j)) {
    Clamp(j, end);
  } else {
    place_[j] = Place::kRedundant;
  }
}

// j joins C, with y_ and da_ as its row was reduced.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Clamp(int j, int end) {
  report_.least_pivot = Min(report_.least_pivot, da_[j] / A_ii_[j]);
  factor_.Append(j, y_, da_, end);
  place_[j] = Place::kC;
  a_[j] = Scalar(0);
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Unclamp(const System& system, int position) {
  const int i = factor_.index(position);
  f_[i] = a_[i] = Scalar(0);
  place_[i] = Place::kNC;
  any_in_NC_ = true;
  factor_.Remove(position);
  for (int j = system.bilateral; j < system.size; ++j) {
    if (place_[j] == Place::kRedundant) place_[j] = Place::kNC;  // what depended on C may no longer
  }
}

// Whether the row that is reduced in da_ is independent of C.
template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::IsIndependent(int j) {
  Scalar sum = A_ii_[j];
  if (!dependence_.IsClear(da_[j], sum)) {
    SubstituteBack();
    for (int c = 0; c < factor_.size(); ++c) sum += x_[c] * x_[c] * A_ii_[factor_.index(c)];
  }
  return dependence_.IsIndependent(da_[j], sum);
}

// (9)
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::SubstituteBack() {
  for (int c = 0; c < factor_.size(); ++c) x_[c] = y_[c];
  factor_.Backward(&x_);
}

// (1)
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Accelerations(const System& system) {
  int count = 0;
  for (int j = 0; j < system.size; ++j) {
    y_[count] = -f_[j];
    row_[count] = j * kSize;
    count += f_[j] != Scalar(0);
  }
  internal::SubtractMultiples<kSize>(y_.data(), system.A[0].data(), row_.data(), count, system.b.data(), system.size,
                                     a_.data());
}

// Removes the rounding that the steps left in a and f: a anew from (1), and if it is not zero in C, f_C by one step of
// iterative refinement.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Refine(const System& system) {
  Accelerations(system);
  report_.residual = Residual(system);
  if (report_.residual <= kExact) return;
  for (int c = 0; c < factor_.size(); ++c) x_[c] = a_[factor_.index(c)];
  factor_.Solve(&x_);
  for (int c = 0; c < factor_.size(); ++c) {
    const int i = factor_.index(c);
    f_[i] -= x_[c];
    if (i >= system.bilateral) f_[i] = Max(f_[i], Scalar(0));
  }
  Accelerations(system);
  report_.residual = Residual(system);
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::MeasureScale(const System& system) {
  scale_ = b_scale_;
  for (int i = 0; i < system.size; ++i) scale_ = Max(scale_, A_ii_[i] * Abs(f_[i]));
}

template <class Scalar, int kSize>
Scalar Dantzig<Scalar, kSize>::Residual(const System& system) const {
  Scalar worst(0), scale(0);
  for (int i = 0; i < system.size; ++i) {
    const Scalar force = A_ii_[i] * f_[i];
    internal::Worsen(i < system.bilateral ? a_[i] : Min(a_[i], force), &worst);
    scale = Max(scale, Max(Abs(system.b[i]), Abs(force)));
  }
  return scale > Scalar(0) ? worst / scale : worst;
}

}  // namespace tactus
