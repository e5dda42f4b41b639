// Let y_e enter and y_l leave: z_e as a column of K, w_e by giving up its row. x are the rates of the unknowns per unit of
// y_e, m'_l is the rate of y_l, and s_p is the influence of the constant of equation p on y_l. After the exchange y_e takes
// up what would have changed y_l:
//
//     V'_p = V_p - (s_p / m'_l) x,      s_p = V_pl if z_l leaves,  V_p K_l if w_l leaves
//
// for every equation p that stays, with 1 as the rate of an entering z_e itself. The row of a leaving w_l becomes an
// equation: V'_l = x / m'_l. These four cases (z or w enters, z or w leaves) are the updates of [Lloyd04] 5.2.
//
// V is a part of the inverse of the whole basis matrix. Reducing a contact leaves out rows and columns of it; they follow
// from (27), (30), (38), (41) when they are needed.

namespace tactus::internal {

template <class Problem>
bool BasisSystem<Problem>::Exchange(const Problem& problem, const Variable& driving, const Variable& leaving,
                                    const Values& rates) {
  const bool z_leaves = IsBasic(basis(leaving.contact), leaving.pair, leaving.direction);
  is_current_ = is_current_ && UpdateInverse(problem, driving, leaving, rates);
  if (driving.pair != Pair::kCover) this->SetBasicOf(driving, driving.is_z);
  this->SetBasicOf(leaving, false);
  z0_basic = true;
  excluded = leaving;
  if (is_current_ && driving.pair != Pair::kCover) Eliminate(problem, driving.contact);
  return z_leaves;
}

// c := factor · c, z0 := z0 / factor
template <class Problem>
void BasisSystem<Problem>::ScaleCover(Scalar factor) {
  this->ScaleCovers(factor);
  if (!is_current_) return;  // the reduced system and V are built when they are needed
  members_.ScaleCover(factor);
  if (!z0_basic) return;
  const int z0 = members_.PlaceOfUnknown(Slots::kCover);
  for (int p = 0; p < members_.equations.size(); ++p) VRow(p)[z0] /= factor;
}

// One pivot:
//
//     enters  leaves    unknowns              equations            size
//     z_e     z_l       z_e in z_l's place    as they were          same
//     z_e     w_l       z_e at the end        w_l at the end        + 1
//     w_e     z_l       z_l goes              w_e goes              - 1
//     w_e     w_l       as they were          w_l in w_e's place    same
//
// w_e's equation is that of the excluded pair, of which neither variable is basic.
// @returns false if V must be computed anew.
template <class Problem>
bool BasisSystem<Problem>::UpdateInverse(const Problem& problem, const Variable& driving, const Variable& leaving,
                                         const Values& rates) {
  if (!z0_basic || !PrepareToLeave(problem, leaving, rates) || members_.unknowns.size() + 1 >= kMax) return false;
  const bool z_enters = driving.is_z, z_leaves = IsBasic(basis(leaving.contact), leaving.pair, leaving.direction);
  const int slot_l = slots.Of(leaving), size = members_.unknowns.size();
  const int w_e = members_.PlaceOfEquation(slots.Of(excluded));
  const Scalar inverse_rate = Scalar(1) / rates.at[slot_l];
  if (!IsFinite(inverse_rate)) return false;

  if (z_enters && z_leaves) {
    const int z_l = members_.PlaceOfUnknown(slot_l);
    ReadInfluence(z_l, size);
    MakeRoom(z_l, size);
    TakeUpInfluence(size, size, kNoEquation, inverse_rate);
    members_.MakeUnknown(problem, *this, members_.equations[w_e], &members_.unknowns[z_l]);
  } else if (z_enters) {
    members_.equations.resize(size + 1);
    FindInfluence(problem, leaving, size, &members_.equations[size]);
    MakeRoom(size, size);
    TakeUpInfluence(size, size + 1, kNoEquation, inverse_rate);
    SetVRow(size, size + 1, inverse_rate);
    members_.unknowns.resize(size + 1);
    members_.MakeUnknown(problem, *this, members_.equations[w_e], &members_.unknowns[size]);
  } else if (z_leaves) {
    const int z_l = members_.PlaceOfUnknown(slot_l);
    ReadInfluence(z_l, size);
    TakeUpInfluence(size, size, w_e, inverse_rate);
    RemoveUnknown(z_l);
    RemoveEquation(w_e);
  } else {
    FindInfluence(problem, leaving, size, &members_.equations[w_e]);
    TakeUpInfluence(size, size, w_e, inverse_rate);
    SetVRow(w_e, size, inverse_rate);
  }
  return true;
}

// s_p of a leaving z_l
template <class Problem>
void BasisSystem<Problem>::ReadInfluence(int z_l, int equations) {
  for (int p = 0; p < equations; ++p) influence_[p] = VRow(p)[z_l];
}

// s_p of a leaving w_l, whose row is K_l
// @param[out] row  where w_l's equation comes; it may still hold the equation that goes
template <class Problem>
void BasisSystem<Problem>::FindInfluence(const Problem& problem, const Variable& leaving, int equations,
                                         ReducedEquation* row) {
  members_.MakeEquation(problem, *this, leaving, row);
  Velocity row_velocity;
  members_.GetRowVelocity(problem, *row, &row_velocity);
  Scalar* K_l = scratch_.data();
  for (const ReducedUnknown& unknown : members_.unknowns) *K_l++ = members_.Entry(*this, *row, row_velocity, unknown);
  for (int p = 0; p < equations; ++p) influence_[p] = Combination(scratch_, p);
}

// An unknown that is to enter at a place, with the rate 1: nothing reaches it yet.
template <class Problem>
void BasisSystem<Problem>::MakeRoom(int z_e, int equations) {
  x_[z_e] = Scalar(1);
  for (int p = 0; p < equations; ++p) VRow(p)[z_e] = Scalar(0);
}

// V'_p = V_p - (s_p / m'_l) x
// @param goes  the equation that does not stay, or kNoEquation
template <class Problem>
void BasisSystem<Problem>::TakeUpInfluence(int equations, int width, int goes, Scalar inverse_rate) {
  for (int p = 0; p < equations; ++p) {
    const Scalar influence = influence_[p];
    if (p != goes && influence != Scalar(0)) AddMultiple<kMax>(-influence * inverse_rate, x_.data(), width, VRow(p));
  }
}

// V'_l = x / m'_l
template <class Problem>
void BasisSystem<Problem>::SetVRow(int w_l, int width, Scalar inverse_rate) {
  for (int a = 0; a < width; ++a) VRow(w_l)[a] = inverse_rate * x_[a];
}

// λ_i and φ_ix of a contact in L are not unknowns. Before one of them can leave it must become one.
template <class Problem>
bool BasisSystem<Problem>::PrepareToLeave(const Problem& problem, const Variable& leaving, const Values& rates) {
  const int i = leaving.contact, x = members_.Eliminated(i);
  const bool is_eliminated =
      x >= 0 && (leaving.pair == Pair::kCone || (leaving.pair == Pair::kSlip && leaving.direction == x));
  if (!is_eliminated) return true;
  if (!Take(work::Restoration())) return false;
  const std::uint32_t others = basis(i).phi & ~(1u << x);
  if (leaving.pair == Pair::kSlip && others != 0) {
    Substitute(problem, i, std::countr_zero(others), rates);
    return true;
  }
  if (members_.unknowns.size() + 2 >= kMax) return false;
  Restore(problem, i, rates);
  return true;
}

// Σ_a coefficient_a V_pa
template <class Problem>
typename Problem::Scalar BasisSystem<Problem>::Combination(const Vector& coefficients, int equation) const {
  const int size = members_.unknowns.size();
  if constexpr (Problem::kBlocks > 1) return DotOf<kMax>(coefficients.data(), VRow(equation), size);
  Scalar sum(0);  // one body has too few unknowns for vectors
  for (int a = 0; a < size; ++a) sum += coefficients[a] * VRow(equation)[a];
  return sum;
}

// φ_ix = μ_i θ_i - Σ_κ φ_iκ + c_γi z0
template <class Problem>
void BasisSystem<Problem>::ConeCoefficients(int i, Vector* coefficients) const {
  Scalar* coefficient = coefficients->data();
  for (const ReducedUnknown& unknown : members_.unknowns) {
    *coefficient = Scalar(0);
    if (unknown.of.pair == Pair::kCover) {
      *coefficient = this->Cover(slots.Cone(i));
    } else if (unknown.of.contact == i) {
      *coefficient = unknown.of.pair == Pair::kNormal ? unknown.contact->mu : Scalar(-1);
    }
    ++coefficient;
  }
}

// The row of V for σ_ix, from the contact's other slip rows: their constants are t_ij - t_ix.
template <class Problem>
void BasisSystem<Problem>::SumSlips(int i, int equations, Vector* sum) const {
  const int size = members_.unknowns.size();
  for (int a = 0; a < size; ++a) (*sum)[a] = Scalar(0);
  for (int p = 0; p < equations; ++p) {
    const Variable& of = members_.equations[p].of;
    if (of.contact == i && of.pair == Pair::kSlip) AddMultiple<kMax>(Scalar(-1), VRow(p), size, sum->data());
  }
}

// φ_ix becomes an unknown, and φ_ij, which is basic too, is eliminated in its place.
template <class Problem>
void BasisSystem<Problem>::Substitute(const Problem& problem, int i, int j, const Values& rates) {
  const int x = members_.Eliminated(i), slot_j = slots.Slip(i) + j, slot_x = slots.Slip(i) + x;
  const int size = members_.unknowns.size();
  const int a_j = members_.PlaceOfUnknown(slot_j), p_j = members_.PlaceOfEquation(slot_j);
  ConeCoefficients(i, &scratch_);
  for (int p = 0; p < size; ++p) VRow(p)[a_j] = Combination(scratch_, p);
  SumSlips(i, size, &scratch_);
  for (int a = 0; a < size; ++a) VRow(p_j)[a] = scratch_[a];
  const auto become_x = [&](ReducedEquation* member) {
    member->of = {Pair::kSlip, i, x, member->of.is_z};
    member->slot = static_cast<std::int16_t>(slot_x);
  };
  become_x(&members_.unknowns[a_j]);
  become_x(&members_.equations[p_j]);
  x_[a_j] = rates.at[slot_x];
  members_.SetEliminated(problem, *this, i, j);
}

// φ_ix and λ_i become unknowns, σ_ix and γ_i equations. t_ix has a minus in every other slip row and a plus in λ_i:
// V_σ = e_λ - Σ V_κ. η_i moves v by D_ix: V_γ = -e_φ + Σ_p (A_pᵀ P D_ix) V_p.
template <class Problem>
void BasisSystem<Problem>::Restore(const Problem& problem, int i, const Values& rates) {
  const int size = members_.unknowns.size(), a_phi = size, a_lambda = size + 1, p_sigma = size, p_gamma = size + 1;
  const Variable slip{Pair::kSlip, i, members_.Eliminated(i), true}, cone{Pair::kCone, i, -1, true};
  ConeCoefficients(i, &scratch_);
  for (int p = 0; p < size; ++p) VRow(p)[a_phi] = Combination(scratch_, p);
  members_.SetEliminated(problem, *this, i, -1);
  AppendUnknown(problem, slip);
  AppendEquation(problem, slip);

  Velocity slip_velocity;  // P D_ix
  members_.GetRowVelocity(problem, members_.equations[p_sigma], &slip_velocity);
  for (int a = 0; a <= a_phi; ++a)  // λ_i = -(D_ixᵀv + c_σix z0)
    scratch_[a] = -members_.Entry(*this, members_.equations[p_sigma], slip_velocity, members_.unknowns[a]);
  for (int p = 0; p < size; ++p) VRow(p)[a_lambda] = Combination(scratch_, p);
  AppendUnknown(problem, cone);

  SumSlips(i, size, &scratch_);
  scratch_[a_lambda] += Scalar(1);
  for (int a = 0; a <= a_lambda; ++a) VRow(p_sigma)[a] = scratch_[a];

  for (int a = 0; a <= a_lambda; ++a) VRow(p_gamma)[a] = Scalar(0);
  VRow(p_gamma)[a_phi] = Scalar(-1);
  for (int p = 0; p <= p_sigma; ++p) {
    const ReducedEquation& equation = members_.equations[p];
    if (!equation.is_along) continue;
    const Scalar entry = Dot<Problem>(*equation.contact, equation.along, slip_velocity);
    AddMultiple<kMax>(entry, VRow(p), size + 2, VRow(p_gamma));
  }
  AppendEquation(problem, cone);
  for (const int a : {a_phi, a_lambda}) x_[a] = rates.at[members_.unknowns[a].slot];
}

// Reduces a contact of which λ_i and some φ_ij are basic.
template <class Problem>
void BasisSystem<Problem>::Eliminate(const Problem& problem, int i) {
  const ContactBasis& basis_i = basis(i);
  if (!basis_i.lambda || basis_i.phi == 0 || members_.IsEliminated(i)) return;
  const int x = std::countr_zero(basis_i.phi);
  for (const int slot : {slots.Slip(i) + x, slots.Cone(i)}) {
    RemoveUnknown(members_.PlaceOfUnknown(slot));
    RemoveEquation(members_.PlaceOfEquation(slot));
  }
  members_.SetEliminated(problem, *this, i, x);
}

template <class Problem>
void BasisSystem<Problem>::AppendUnknown(const Problem& problem, const Variable& z) {
  const int place = members_.unknowns.size();
  members_.unknowns.resize(place + 1);
  members_.MakeUnknown(problem, *this, z, &members_.unknowns[place]);
}

template <class Problem>
void BasisSystem<Problem>::AppendEquation(const Problem& problem, const Variable& pair) {
  const int place = members_.equations.size();
  members_.equations.resize(place + 1);
  members_.MakeEquation(problem, *this, pair, &members_.equations[place]);
}

// The last one moves to its place.
template <class Problem>
void BasisSystem<Problem>::RemoveUnknown(int place) {
  const int last = members_.unknowns.size() - 1;
  for (int p = 0; p < members_.equations.size(); ++p) VRow(p)[place] = VRow(p)[last];
  members_.unknowns[place] = members_.unknowns[last];
  members_.unknowns.resize(last);
}

template <class Problem>
void BasisSystem<Problem>::RemoveEquation(int place) {
  const int last = members_.equations.size() - 1;
  for (int a = 0; a < members_.unknowns.size(); ++a) VRow(place)[a] = VRow(last)[a];
  members_.equations[place] = members_.equations[last];
  members_.equations.resize(last);
}

}  // namespace tactus::internal
