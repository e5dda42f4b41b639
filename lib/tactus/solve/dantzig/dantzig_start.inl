namespace tactus {

// Where A is sparse, eliminating a whole set of contacts costs little more than driving one of them when C is large. So all
// with a_i < 0 join C at once. Then, again and again, those of C with f_i < 0 leave it and those outside with a_i < 0 join;
// mostly fewer are wrong each time, and in the end none. Where it is not so, those with f_i < 0 leave until there are none.
// Either way f_C ≥ 0 and a_C = 0, which is all that the drives need to go on from.

// It ends: a round after which not fewer are wrong than ever before uses up a try, the others are n at most; once nothing
// joins any more, C shrinks each time.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::StartTogether(const System& system, int max_steps) {
  constexpr int kTries = 10;  // stacks of 48 to 152 contacts need up to 8
  block_.Clear();
  int fewest = system.size + 1, tries = kTries;
  for (bool join = true;;) {
    if (report_.steps++ == max_steps) return Restart(system);
    Regroup(system, join);
    ForcesTogether(system);
    const Wrong wrong = CountWrong(system);
    const int count = wrong.forces + wrong.accelerations;
    if (count >= fewest) --tries;
    fewest = Min(fewest, count);
    join = join && tries > 0;
    if (count == 0 || (!join && wrong.forces == 0)) break;
  }
  TakeOver(system);
}

template <class Scalar, int kSize>
bool Dantzig<Scalar, kSize>::IsSparse(const System& system) {
  constexpr int kReach = 9;  // mean: stacks with 4 contacts a layer (6.5) gain; those with 8 (12), piles of disks (16) lose
  if (system.size < kFewContacts) return false;
  row_ends_.Measure(system.A, system.size);
  return row_ends_.area() < kReach * system.size;
}

// S := C without those with f_i < 0, and when others may join, those with a_i < 0 and those that depended on C.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Regroup(const System& system, bool join) {
  const Scalar least = -negligible_ * scale_;
  block_.Begin();
  for (int i = 0; i < system.size; ++i) {
    const bool in_C = place_[i] == Place::kC;
    const bool chosen = i < system.bilateral ? in_C
                        : in_C               ? f_[i] * A_ii_[i] >= least
                                             : join && (a_[i] < least || place_[i] == Place::kRedundant);
    if (chosen) block_.Add(i);
    if (i >= system.bilateral) place_[i] = chosen ? Place::kRedundant : Place::kIgnored;
    f_[i] = Scalar(0);
  }
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::ForcesTogether(const System& system) {
  block_.Factor(system, row_ends_);
  block_.Solve(&f_);
  for (int c = 0; c < block_.rank(); ++c) place_[block_.index(c)] = Place::kC;
  MeasureScale(system);
  Accelerations(system);
}

template <class Scalar, int kSize>
typename Dantzig<Scalar, kSize>::Wrong Dantzig<Scalar, kSize>::CountWrong(const System& system) const {
  const Scalar least = -negligible_ * scale_;
  Wrong wrong;
  for (int i = system.bilateral; i < system.size; ++i) {
    if (place_[i] == Place::kC) {
      wrong.forces += f_[i] * A_ii_[i] < least;
    } else {
      wrong.accelerations += a_[i] < least;
    }
  }
  return wrong;
}

// The factor for the drives, if anything is left to do for them.
template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::TakeOver(const System& system) {
  bool changed = false;
  for (int i = system.bilateral; i < system.size; ++i) {
    changed = changed || f_[i] < Scalar(0);  // by rounding
    f_[i] = Max(f_[i], Scalar(0));
    if (place_[i] != Place::kC) place_[i] = Place::kIgnored;
  }
  if (changed) Accelerations(system);
  for (int c = 0; c < block_.rank(); ++c) report_.least_pivot = Min(report_.least_pivot, block_.pivot(c));
  if (Residual(system) <= kExact) return;
  factor_.Clear(system.size);
  for (int c = 0; c < block_.rank(); ++c) Enter(system, block_.index(c), row_ends_.end(block_.index(c)));
  if (factor_.size() < block_.rank()) Restart(system);  // rounding: one was independent in one factor only
}

template <class Scalar, int kSize>
void Dantzig<Scalar, kSize>::Restart(const System& system) {
  Clear(system);
  (void)ClampBilateral(system);  // as at first
}

}  // namespace tactus
