namespace tactus::internal {

template <class Problem, class Columns>
template <class Rows>
bool DualActiveSet<Problem, Columns>::Continue(const Rows& rows, int max_iterations, Velocity* u) {
  // What rounding leaves is presumed from the multipliers, and that may be more than an answer is worth. In double it is
  // then measured at the end: of 20 000 cold pegs with a tick's work 144 have no exact answer, and 324 if such a step is
  // given up. In float it is given up: one whose rounding was measured was called solved, and was wrong
  // (ConvexLongRun.IsNeverWronglyCalledSolvedInFloat). Rows of a fallback measure it in float too.
  constexpr bool kMeasures = Rows::kMeasures || sizeof(Scalar) == sizeof(double);
  constexpr Scalar kBlind = Scalar(kMeasures ? 0.1 : 10) * Tolerances<Scalar>::kAcceptMotion;
  iterations_ = 0;
  contradicting_ = {};
  int refinements = 0;
  bool is_polished = false;
  Scalar motion = rows.Scale(), noise(0);
  while (iterations_ < max_iterations && Take(Rows::PassWork(rows.problem.contacts.size()))) {
    const Scalar scale = Scale(rows), presumed = kRounding * scale;
    const Scalar tolerance = Max(kMeasures ? Min(presumed, kBlind * motion) : presumed, noise);
    const Violation<Scalar> violation = rows.MostViolated(*u, tolerance);
    if (iterations_ == 0) motion = Max(motion, -violation.slack);
    if (!((kMeasures ? noise : tolerance) <= kBlind * motion)) return false;
    if (Rows::kMeasures && !(scale * std::numeric_limits<Scalar>::epsilon() <= motion)) return false;
    if (violation.row.contact >= 0) {
      const Scalar most_noise = is_polished ? kBlind * motion / Scalar(2) : kNoise * scale;
      const Added added = Add(rows, violation, most_noise, max_iterations, u);
      if (added == Added::kFailed) return false;
      const Scalar left = Scalar(-2) * violation.slack;
      // Beside large multipliers it may be noise or real: polished, and real if it is still there.
      is_polished = Rows::kMeasures && added == Added::kIsNoise && left > kBlind * motion;
      if (is_polished) {
        if (!Take(Rows::PassWork(rows.problem.contacts.size()))) return false;
        (void)Polish(rows, tolerance, u);
      } else if (added == Added::kIsNoise) {
        noise = left;
      }
      refinements = 0;
    } else {
      const bool is_hidden = Rows::kMeasures && (presumed > tolerance || refinements > 0);
      const Scalar error = is_hidden ? Polish(rows, tolerance, u) : Refine(rows, tolerance, u);
      if (error <= tolerance) return true;
      if (refinements++ == kMaxRefinements) return error <= kAccept * scale;
    }
  }
  return false;
}

// The size of what was summed to u: multipliers can be far larger than |k|.
template <class Problem, class Columns>
template <class Rows>
auto DualActiveSet<Problem, Columns>::Scale(const Rows& rows) const -> Scalar {
  Scalar scale = rows.Scale();
  for (int a = 0; a < size(); ++a) scale = Max(scale, multiplier_[a]);
  return scale;
}

// A row in the range of A that is violated by less than `noise` is violated by rounding only.
template <class Problem, class Columns>
template <class Rows>
auto DualActiveSet<Problem, Columns>::Add(const Rows& rows, const Violation<Scalar>& violation, Scalar noise,
                                          int max_iterations, Velocity* u) -> Added {
  const Problem& problem = rows.problem;
  Entering a(problem, violation.row, rows.Column(violation.row));
  columns_.Resolve(problem, active_, &a);
  Scalar multiplier(0), slack = violation.slack;
  while (iterations_++ < max_iterations) {
    const bool independent = a.z_squared > Columns::kDependent * a.squared && size() < kMaxActive;
    if (!independent && -slack <= noise && multiplier == Scalar(0)) return Added::kIsNoise;
    const Block block = FirstBlock(a.r, independent ? -slack / a.z_squared : std::numeric_limits<Scalar>::max());
    if (!independent && block.position < 0) {  // no feasible u, or rounding
      for (int q = 0; q < size(); ++q) multiplier_[q] = -a.r[q];
      contradicting_ = violation.row;
      return Added::kFailed;
    }
    if (independent) AddScaled(problem, block.step, a.z, u);
    AddMultiple<kMaxActive>(-block.step, a.r.data(), size(), multiplier_.data());
    multiplier += block.step;
    if (block.position < 0) {
      Append(problem, violation.row, a, multiplier);
      return Added::kYes;
    }
    if (!Take(work::NearestDrop())) return Added::kFailed;
    RemoveRow(block.position);
    columns_.Remove(problem, active_, block.position, &a);
    slack = DotByPairs<Problem>(a.contact, a.sparse, *u) + rows.Offset(violation.row);
  }
  return Added::kFailed;
}

template <class Problem, class Columns>
auto DualActiveSet<Problem, Columns>::FirstBlock(const Active& r, Scalar step) const -> Block {
  Block first{step, -1};
  for (int a = 0; a < size(); ++a) {
    if (multiplier_[a] < first.step * r[a] && r[a] > Scalar(0)) first = {multiplier_[a] / r[a], a};
  }
  return first;
}

template <class Problem, class Columns>
void DualActiveSet<Problem, Columns>::Append(const Problem& problem, const ConeRow& row, const Entering& a,
                                             Scalar multiplier) {
  multiplier_[size()] = multiplier;
  columns_.Append(problem, a);
  active_.Append(row, a.sparse);
}

template <class Problem, class Columns>
void DualActiveSet<Problem, Columns>::RemoveRow(int position) {
  active_.Remove(position);
  for (int a = position; a < size(); ++a) {
    multiplier_[a] = multiplier_[a + 1];
  }
}

// residual = c - Aᵀu. @returns its largest element.
template <class Problem, class Columns>
template <class Rows>
auto DualActiveSet<Problem, Columns>::Residual(const Rows& rows, const Velocity& u, Active* residual) const -> Scalar {
  (void)active_.Products(rows.problem, u, residual);
  Scalar worst(0);
  for (int a = 0; a < size(); ++a) {
    (*residual)[a] = -((*residual)[a] + rows.Offset(active_.row(a)));
    worst = Max(worst, Abs((*residual)[a]));
  }
  return worst;
}

// u := k + A β, and where then Aᵀu ≠ c, one step of refinement: AᵀA δβ = c - Aᵀu. @returns how far u was from what it is
// now, or Aᵀu from c.
template <class Problem, class Columns>
template <class Rows>
auto DualActiveSet<Problem, Columns>::Refine(const Rows& rows, Scalar tolerance, Velocity* u) -> Scalar {
  const Problem& problem = rows.problem;
  Velocity exact = rows.Start();
  active_.Combine(problem, multiplier_, Scalar(1), &exact);
  Active y, change;
  Scalar error = Max(LargestDifference(problem, exact, *u), Residual(rows, exact, &y));
  for (int a = 0; a < size(); ++a) error = Max(error, -multiplier_[a]);
  Copy(problem, exact, u);
  if (error <= tolerance) return error;
  columns_.Forward(&y);
  columns_.Backward(y, &change);
  for (int a = 0; a < size(); ++a) multiplier_[a] += change[a];
  columns_.Move(problem, active_, y, change, u);
  return error;
}

// Where multipliers, or columns before projection, are so large that k + A β has more rounding than the u that was carried:
// steps of refinement from that. @returns how far Aᵀu was from c
template <class Problem, class Columns>
template <class Rows>
auto DualActiveSet<Problem, Columns>::Polish(const Rows& rows, Scalar tolerance, Velocity* u) -> Scalar {
  Active y, change;
  const Scalar error = Residual(rows, *u, &y);
  Scalar left = error;
  for (int step = 0; left > tolerance && step < kMaxRefinements; ++step) {
    if (step > 0 && !Take(Rows::PassWork(rows.problem.contacts.size()))) break;
    columns_.Forward(&y);
    columns_.Backward(y, &change);
    for (int a = 0; a < size(); ++a) multiplier_[a] += change[a];
    columns_.Move(rows.problem, active_, y, change, u);
    left = Residual(rows, *u, &y);
  }
  return error;
}

// Enters the old rows with their new columns. Rows that are gone or have become dependent are left out.
template <class Problem, class Columns>
template <class Rows>
void DualActiveSet<Problem, Columns>::Rebuild(const Rows& rows) {
  const int old = size();
  active_.Clear();
  columns_.Clear();
  for (int q = 0; q < old; ++q) {
    const ConeRow row = active_.row(q);
    if (row.contact >= rows.problem.contacts.size()) continue;
    Entering a(rows.problem, row, rows.Column(row));
    columns_.Resolve(rows.problem, active_, &a);
    if (a.z_squared > Columns::kDependent * a.squared) Append(rows.problem, row, a, Scalar(0));
  }
}

// The optimum with the old rows active: AᵀA β = c - Aᵀk; rows with β < 0 are dropped, most negative first, until none is
// left.
template <class Problem, class Columns>
template <class Rows>
void DualActiveSet<Problem, Columns>::StartFromActive(const Rows& rows, Velocity* u) {
  Active y;
  (void)Residual(rows, *u, &y);
  columns_.Forward(&y);
  while (size() > 0) {
    columns_.Backward(y, &multiplier_);
    int worst = 0;
    for (int a = 1; a < size(); ++a) {
      if (multiplier_[a] < multiplier_[worst]) worst = a;
    }
    if (!(multiplier_[worst] < Scalar(0))) break;
    RemoveRow(worst);
    columns_.Remove(rows.problem, worst, &y);
  }
  columns_.Move(rows.problem, active_, y, multiplier_, u);
}

}  // namespace tactus::internal
