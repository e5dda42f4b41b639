#pragma once
// The reduced system of docs/theory.md, section 4. For a contact i ∈ L (λ_i basic, x = x_i eliminated) the rows
//
//     γ_i  = μ_i θ_i - Σ_j φ_ij + c_γi z0 + η_i = 0             ⇒  φ_ix = μ_i θ_i - Σ_κ φ_ij + c_γi z0 + η_i
//     σ_ix = D_ixᵀv + λ_i + c_σix z0 + t_ix = 0                 ⇒  λ_i  = -(D_ixᵀv + c_σix z0 + t_ix)
//
// are put into the others. The velocity then is v = v* + Σ_a B_a x_a with v* = v_s + Σ_L η_i D_ix, a basic θ_i moves along
// B = N_i + μ_i D_ix, a basic φ_ij along B = D_ij - D_ix, z0 along Σ_L c_γi D_ix, and each unknown's own row A_aᵀv + e_a z0
// + const_a = 0 gives
//
//     K x = -(const + Aᵀv*),   K_ab = A_aᵀ P B_b + [b = z0] e_a + [a = b = θ_i] ε_i
//
// Equation numbers at the functions are those of [Lloyd04], section 5.1 and appendix A; errata in docs/theory.md,
// section 13.
#include "tactus/solve/internal/basis_system.h"

namespace tactus::internal {

template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::Reset(const Problem& problem) {
  slots.Reset(problem.contacts.size(), problem.directions);
  z0_basic = false;
  excluded = {};
  unknowns_ = 0;
  zero_column_ = -1;
  for (int t = 0; t < touched_count_; ++t)
    is_touched_[static_cast<std::size_t>(touched_[static_cast<std::size_t>(t)])] = false;
  touched_count_ = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) ListedOf(i) = {};
}

template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::Touch(int contact) {
  bool& is_touched = is_touched_[static_cast<std::size_t>(contact)];
  if (is_touched) return;
  is_touched = true;
  touched_[static_cast<std::size_t>(touched_count_++)] = static_cast<std::int16_t>(contact);
}

template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::set_basis(int contact, const ContactBasis& start) {
  this->basis_[static_cast<std::size_t>(contact)] = start;
  if (start.expanded) slots.Expand(contact);
  if (start.theta || start.phi != 0 || start.lambda) Touch(contact);
}

template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::Enter(const Variable& driving) {
  SetBasic(&this->BasisOf(driving), driving.pair, driving.direction, driving.is_z);
  Touch(driving.contact);
}

template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::Leave(const Variable& pair) {
  const bool z_leaves = IsBasic(basis(pair.contact), pair.pair, pair.direction);
  SetBasic(&this->BasisOf(pair), pair.pair, pair.direction, false);
  Touch(pair.contact);
  EnterCover(pair);
  return z_leaves;
}

// The partition (25) of E_αα into κ and x. A column of zeros, which [Lloyd04] appendix C excludes for cold starts, is the
// zero-column case. @returns false when the basis is singular.
template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::WantedOf(int i, Listed* wanted) const {
  const ContactBasis& basis_i = basis(i);
  wanted->theta = basis_i.theta;
  wanted->phi = basis_i.phi;
  if (!basis_i.lambda) return true;
  if (basis_i.phi != 0) {
    wanted->eliminated = static_cast<std::int8_t>(std::countr_zero(basis_i.phi));
    wanted->phi &= wanted->phi - 1;
    return true;
  }
  if (!z0_basic || excluded.pair != Pair::kSlip || excluded.contact != i) return false;
  wanted->eliminated = static_cast<std::int8_t>(excluded.direction);
  wanted->is_zero_column = true;
  return true;
}

template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::UpdateUnknowns(const Problem& problem) {
  while (touched_count_ > 0) {
    const int i = touched_[static_cast<std::size_t>(touched_count_ - 1)];
    if (!UpdateContact(problem, i)) return false;
    is_touched_[static_cast<std::size_t>(i)] = false;
    --touched_count_;
  }
  return true;
}

// Columns of N* and D* (28) of one contact: those that stay the same keep their rows of K.
template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::UpdateContact(const Problem& problem, int i) {
  Listed wanted;
  if (!WantedOf(i, &wanted)) return false;
  Listed& listed = ListedOf(i);
  RemoveUnknowns(i, wanted);
  if (!listed.IsSameElimination(wanted)) listed = {};
  if (zero_column_ == i) zero_column_ = -1;
  listed.eliminated = wanted.eliminated;
  listed.is_zero_column = wanted.is_zero_column;
  if (wanted.is_zero_column) zero_column_ = i;
  if (wanted.theta && !listed.theta && !AddUnknown(problem, Pair::kNormal, i, -1)) return false;
  listed.theta = wanted.theta;
  for (std::uint32_t added = wanted.phi & ~listed.phi; added != 0; added &= added - 1) {
    if (!AddUnknown(problem, Pair::kSlip, i, std::countr_zero(added))) return false;
  }
  listed.phi = wanted.phi;
  return true;
}

template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::RemoveUnknowns(int contact, const Listed& wanted) {
  const Listed& listed = ListedOf(contact);
  if (!listed.theta && listed.phi == 0) return;
  const bool all = !listed.IsSameElimination(wanted);
  for (int a = unknowns_ - 1; a >= 0; --a) {
    const Unknown& unknown = UnknownAt(a);
    if (unknown.contact != contact) continue;
    const bool stays = unknown.pair == Pair::kNormal ? wanted.theta : (wanted.phi >> unknown.direction & 1u) != 0;
    if (all || !stays) RemoveUnknown(a);
  }
}

// The last one takes its place.
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::RemoveUnknown(int a) {
  const int last = --unknowns_;
  if (a == last) return;
  unknown_[static_cast<std::size_t>(a)] = unknown_[static_cast<std::size_t>(last)];
  if constexpr (Problem::kHasJoints) {
    joint_share_[static_cast<std::size_t>(a)] = joint_share_[static_cast<std::size_t>(last)];
  }
  for (int b = 0; b <= last; ++b) GramRow(a)[b] = GramRow(last)[b];
  for (int b = 0; b < last; ++b) GramRow(b)[a] = GramRow(b)[last];
}

// A row and a column of the matrix of (31)
template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::AddUnknown(const Problem& problem, Pair pair, int i, int j) {
  if (unknowns_ + 1 >= kMaxUnknowns) return false;
  const ContactRow& contact = problem.contacts[i];
  const int a = unknowns_++;
  Unknown& unknown = unknown_[static_cast<std::size_t>(a)];
  unknown.pair = pair;
  unknown.contact = i;
  unknown.direction = j;
  unknown.row = &contact;
  unknown.is_symmetric = true;
  if (pair == Pair::kNormal) {
    unknown.slot = Slots::Normal(i);
    unknown.A = contact.N;
    unknown.B = contact.N;
    if (IsEliminated(i) && i != zero_column_) {
      unknown.B += contact.mu * problem.Direction(contact, Eliminated(i));
      unknown.is_symmetric = false;
    }
  } else {
    unknown.slot = slots.Slip(i) + j;
    unknown.A = SlipRow(problem, i, j);
    unknown.B = unknown.A;
  }
  if constexpr (Problem::kHasJoints) {
    for (int c = 0; c < problem.joint_rank; ++c) {
      const std::size_t C = static_cast<std::size_t>(c);
      joint_share_[static_cast<std::size_t>(a)][C] = Problem::Dot(contact, unknown.B, problem.Q[C]);
    }
  }
  for (int b = 0; b <= a; ++b) {
    const Unknown& other = UnknownAt(b);
    GramRow(a)[b] = Product(problem, contact, unknown.A, other);
    GramRow(b)[a] =
        unknown.is_symmetric && other.is_symmetric ? GramRow(a)[b] : Product(problem, *other.row, other.A, unknown);
  }
  if (pair == Pair::kNormal) GramRow(a)[a] += contact.epsilon;
  return true;
}

// Row of D* (28), d* (45): the slip row of (i, j), less the eliminated one's where there is one.
template <class Scalar, Capacity kCapacity>
auto BasisSystem<Scalar, kCapacity>::SlipRow(const Problem& problem, int i, int j) const -> Row {
  const ContactRow& contact = problem.contacts[i];
  if (!IsEliminated(i)) return problem.Direction(contact, j);
  const Tangential difference =
      problem.direction[static_cast<std::size_t>(j)] - problem.direction[static_cast<std::size_t>(Eliminated(i))];
  return Problem::TangentColumn(contact, difference);
}

// c'_κ (42), c'_r (45)
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::SlipCover(int i, int j) const {
  const int slip = slots.Slip(i);
  return Cover(slip + j) - (IsEliminated(i) ? Cover(slip + Eliminated(i)) : Scalar(0));
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::Product(const Problem& problem, const ContactRow& contact, const Row& A,
                                               const Unknown& other) const {
  Scalar product = Problem::Dot(contact, A, *other.row, other.B);
  if constexpr (Problem::kHasJoints) {  // A P B = A B - (QᵀA)(QᵀB)
    const std::size_t b = static_cast<std::size_t>(&other - unknown_.data());
    for (int c = 0; c < problem.joint_rank; ++c) {
      const std::size_t C = static_cast<std::size_t>(c);
      product -= Problem::Dot(contact, A, problem.Q[C]) * joint_share_[b][C];
    }
  }
  return product;
}

template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::FillCoverVelocity(const Problem& problem) {
  cover_velocity_.setZero();
  for (int e = 0; e < slots.expanded(); ++e) {
    const int i = slots.ExpandedContact(e);
    if (!IsEliminated(i) || i == zero_column_) continue;
    const ContactRow& contact = problem.contacts[i];
    const Tangential push = Cover(slots.Cone(i)) * problem.direction[static_cast<std::size_t>(Eliminated(i))];
    Problem::AddTo(contact, Problem::TangentColumn(contact, push), Scalar(1), &cover_velocity_);
  }
  problem.Project(&cover_velocity_);
}

// c* (39) and the last column of (42)
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::FillCoverColumn() {
  const int z0 = unknowns_;
  for (int a = 0; a < z0; ++a) {
    const Unknown& unknown = UnknownAt(a);
    const Scalar e = unknown.pair == Pair::kNormal ? Cover(unknown.slot) : SlipCover(unknown.contact, unknown.direction);
    K_.row(a)[z0] = Problem::Dot(*unknown.row, unknown.A, cover_velocity_) + e;
  }
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::ConeCoefficient(int contact, const Unknown& unknown) {
  if (unknown.contact != contact) return Scalar(0);
  return unknown.pair == Pair::kNormal ? unknown.row->mu : Scalar(-1);
}

// Row r of Table 1: the last row of (42) for ν, of (44) for σ, of (47) for γ
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::FillCoverRow(const Problem& problem) {
  const int z0 = unknowns_;
  Scalar* K = K_.row(z0);
  if (const int i = ClosingCone(); i >= 0) {
    for (int b = 0; b < z0; ++b) K[b] = ConeCoefficient(i, UnknownAt(b));
    K[z0] = Cover(slots.Cone(i));
    return;
  }
  const int i = excluded.contact;
  const ContactRow& contact = problem.contacts[i];
  const bool normal = excluded.pair == Pair::kNormal;
  const Row A = normal ? contact.N : SlipRow(problem, i, excluded.direction);
  for (int b = 0; b < z0; ++b) K[b] = Product(problem, contact, A, UnknownAt(b));
  K[z0] = Problem::Dot(contact, A, cover_velocity_) + (normal ? Cover(Slots::Normal(i)) : SlipCover(i, excluded.direction));
}

// q' (19)
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::RespondToConstant(const Problem& problem, Values* values) {
  Source q;
  q.is_constant = true;
  q.velocity = problem.k;
  return Respond(problem, &q, values);
}

// m' (20) for a z, (21) for a w
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::RespondToDriving(const Problem& problem, const Variable& driving, Values* rates) {
  Source source;
  source.velocity.setZero();
  if (!driving.is_z) {
    source.omega = Scalar(1);
    return Respond(problem, &source, rates);
  }
  const ContactRow& contact = problem.contacts[driving.contact];
  source.contact = driving.contact;
  switch (driving.pair) {
    case Pair::kNormal:
      source.beta = contact.epsilon;
      source.eta = basis(driving.contact).expanded ? contact.mu : Scalar(0);
      Problem::AddTo(contact, contact.N, Scalar(1), &source.velocity);
      break;
    case Pair::kSlip:
      source.eta = Scalar(-1);
      Problem::AddTo(contact, problem.Direction(contact, driving.direction), Scalar(1), &source.velocity);
      break;
    default: source.t = Scalar(1); break;
  }
  return Respond(problem, &source, rates);
}

// t_ij, less that of the eliminated direction where there is one.
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::SlipConstant(const Problem& problem, const Source& source, int i, int j) const {
  const Scalar t = i == source.contact && !IsEliminated(i) ? source.t : Scalar(0);  // it is the same for every direction
  if (!source.is_constant) return t;
  const Tangential& tau = problem.contacts[i].tau;
  const Scalar tau_j = tau.dot(problem.direction[static_cast<std::size_t>(j)]);
  return IsEliminated(i) ? tau_j - tau.dot(problem.direction[static_cast<std::size_t>(Eliminated(i))]) : tau_j;
}

// Right-hand side of (31), (42): b_ν, b'_κ and what b* makes of them
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::RightHandSide(const Problem& problem, const Source& source,
                                                     const Unknown& unknown) const {
  const int i = unknown.contact;
  const Scalar along = Problem::Dot(*unknown.row, unknown.A, source.velocity);
  if (unknown.pair == Pair::kSlip) return -(SlipConstant(problem, source, i, unknown.direction) + along);
  return source.is_constant ? -(unknown.row->b + along) : -along;  // β of a driving θ_i is not here: then θ_i is not basic
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::ClosingRightHandSide(const Problem& problem, const Source& source) const {
  if (const int i = ClosingCone(); i >= 0) {
    const Scalar eta = i == source.contact ? source.eta : Scalar(0);
    return (zero_column_ >= 0 ? Scalar(0) : source.omega) - eta;
  }
  const int i = excluded.contact;
  const ContactRow& contact = problem.contacts[i];
  if (excluded.pair == Pair::kNormal) {
    const Scalar beta = source.is_constant ? contact.b : i == source.contact ? source.beta : Scalar(0);
    return source.omega - beta - Problem::Dot(contact, contact.N, source.velocity);
  }
  return source.omega - SlipConstant(problem, source, i, excluded.direction) -
         Problem::Dot(contact, SlipRow(problem, i, excluded.direction), source.velocity);
}

// The solution of (31), with z0 of (42), (44) or (47)
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::SolveUnknowns(const Problem& problem, const Source& source, Solution* x) {
  const bool is_moving = source.is_constant || source.contact >= 0;  // else v_s = 0 and the constants are 0
  const int size = unknowns_ + (z0_basic ? 1 : 0);
  for (int a = 0; a < unknowns_; ++a) {
    Scalar* K = K_.row(a);
    const Scalar* gram = GramRow(a);
    for (int b = 0; b < unknowns_; ++b) K[b] = gram[b];
    K[size] = is_moving ? RightHandSide(problem, source, UnknownAt(a)) : Scalar(0);
  }
  if (z0_basic) {
    FillCoverVelocity(problem);
    FillCoverColumn();
    FillCoverRow(problem);
    K_.row(unknowns_)[size] = ClosingRightHandSide(problem, source);
  }
  return K_.Solve(size, x);
}

// b* (28), solution of (31), v_c (29), (40); then w and the eliminated ones, (33), (36)
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::Respond(const Problem& problem, Source* source, Values* values) {
  if (!UpdateUnknowns(problem)) return Scalar(0);
  if (const int i = source->contact; i >= 0 && IsEliminated(i) && i != zero_column_) {
    const ContactRow& contact = problem.contacts[i];
    Problem::AddTo(contact, problem.Direction(contact, Eliminated(i)), source->eta, &source->velocity);
  }
  problem.Project(&source->velocity);
  Solution x;
  const Scalar pivot_ratio = SolveUnknowns(problem, *source, &x);
  if (!(pivot_ratio > Scalar(0))) return Scalar(0);

  const Scalar z0 = z0_basic ? x[static_cast<std::size_t>(unknowns_)] : Scalar(0);
  values->at[Slots::kCover] = z0;
  StartCones(*source, z0, values);
  Velocity v = source->velocity;
  if (z0_basic) v += z0 * cover_velocity_;
  AddUnknowns(x, &v, values);
  problem.Project(&v);
  values->velocity = v;
  ScanNormals(problem, *source, values);
  for (int e = 0; e < slots.expanded(); ++e) ScanFriction(problem, *source, slots.ExpandedContact(e), values);
  for (int a = 0; a < unknowns_; ++a) {
    values->at[static_cast<std::size_t>(UnknownAt(a).slot)] = x[static_cast<std::size_t>(a)];
  }
  if (z0_basic) values->at[static_cast<std::size_t>(slots.Of(excluded))] = Scalar(0);
  return pivot_ratio;
}

// c_γi z0 + η_i: γ_i or φ_ix so far
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::StartCones(const Source& source, Scalar z0, Values* values) const {
  for (int e = 0; e < slots.expanded(); ++e) {
    const int cone = slots.Cone(slots.ExpandedContact(e));
    values->at[static_cast<std::size_t>(cone)] = Cover(cone) * z0;
  }
  const int i = source.contact;
  if (i >= 0 && basis(i).expanded) values->at[static_cast<std::size_t>(slots.Cone(i))] += source.eta;
}

// v += B x, γ_i or φ_ix += μ_i θ_i - Σ_κ φ_ij
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::AddUnknowns(const Solution& x, Velocity* v, Values* values) const {
  for (int a = 0; a < unknowns_; ++a) {
    const Unknown& unknown = UnknownAt(a);
    const Scalar value = x[static_cast<std::size_t>(a)];
    Problem::AddTo(*unknown.row, unknown.B, value, v);
    if (!basis(unknown.contact).expanded) continue;
    Scalar& cone = values->at[static_cast<std::size_t>(slots.Cone(unknown.contact))];
    cone += unknown.pair == Pair::kNormal ? unknown.row->mu * value : -value;
  }
}

// ν_i = N_iᵀv + β_i + c_νi z0; a driving variable's β belongs to a pair of which nothing is basic.
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::ScanNormals(const Problem& problem, const Source& source, Values* values) const {
  const Velocity v = values->velocity;
  const Scalar z0 = values->at[Slots::kCover];
  const int n = problem.contacts.size();
  Scalar* nu = &values->at[Slots::Normal(0)];
  const Scalar* c = &cover[Slots::Normal(0)];
  const ContactRow* contact = problem.contacts.begin();
  for (int i = 0; i < n; ++i) nu[i] = Problem::Dot(contact[i], contact[i].N, v) + c[i] * z0;
  if (!source.is_constant) return;
  for (int i = 0; i < n; ++i) nu[i] += contact[i].b;
}

// φ_ix (27), (38), σ_ij, and γ_i or λ_i (30), (41) of an expanded contact whose cone slot holds γ_i or φ_ix
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::ScanFriction(const Problem& problem, const Source& source, int i,
                                                  Values* values) const {
  const ContactRow& contact = problem.contacts[i];
  const Scalar z0 = values->at[Slots::kCover];
  const int first = slots.Slip(i), x = Eliminated(i);
  Scalar* slip = &values->at[static_cast<std::size_t>(first)];
  const Scalar* cover_slip = &cover[static_cast<std::size_t>(first)];
  Tangential along = Problem::TangentDot(contact, values->velocity);
  if (source.is_constant) along += contact.tau;

  Scalar lambda(0);
  if (x >= 0) {
    lambda = -(along.dot(problem.direction[static_cast<std::size_t>(x)]) + cover_slip[x] * z0);
    if (i == zero_column_) lambda += source.omega;
  } else if (i == source.contact) {
    lambda = source.t;  // λ_i itself drives
  }
  SetSlips(problem, along, level_cover ? cover_slip[0] * z0 + lambda : lambda, slip);
  if (!level_cover) {
    for (int j = 0; j < problem.directions; ++j) slip[j] += cover_slip[j] * z0;
  }
  if (x < 0) return;
  Scalar& cone = slip[problem.directions];
  if (i != zero_column_) slip[x] = cone;
  cone = lambda;
}

// D_ijᵀv + base; direction j + d/2 is the opposite of direction j.
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::SetSlips(const Problem& problem, const Tangential& along, Scalar base,
                                              Scalar* slip) const {
  const Tangential* direction = problem.direction.data();
  const auto set_opposed = [&](int j, int half) {
    const Scalar slip_j = along.dot(direction[j]);
    slip[j] = base + slip_j;
    slip[j + half] = base - slip_j;
  };
  constexpr int kMost = kCapacity.directions, kHalf = kMost / 2;
  if (kMost % 2 == 0 && problem.directions == kMost) {  // the usual case, a loop of known length
#pragma GCC unroll 16
    for (int j = 0; j < kHalf; ++j) set_opposed(j, kHalf);
    return;
  }
  const int half = problem.directions % 2 == 0 ? problem.directions / 2 : 0;
  for (int j = 0; j < half; ++j) set_opposed(j, half);
  for (int j = 2 * half; j < problem.directions; ++j) slip[j] = base + along.dot(direction[j]);
}

}  // namespace tactus::internal
