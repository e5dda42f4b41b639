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

// Row of D* (28), d* (45)
template <class Scalar, Capacity kCapacity>
auto BasisSystem<Scalar, kCapacity>::SlipRow(const Problem& problem, int i, int j) const -> Row {
  const ContactRow& contact = problem.contacts[i];
  if (!IsEliminated(i)) return problem.Direction(contact, j);
  const typename Problem::Tangential difference =
      problem.direction[static_cast<std::size_t>(j)] - problem.direction[static_cast<std::size_t>(Eliminated(i))];
  return Problem::TangentColumn(contact, difference);
}

// c'_κ (42), c'_r (45)
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::SlipCover(int i, int j) const {
  const int slip = slots.Slip(i);
  return Cover(slip + j) - (IsEliminated(i) ? Cover(slip + Eliminated(i)) : Scalar(0));
}

// The partition (25) of E_αα into κ and x. A column of zeros, which [Lloyd04] appendix C excludes for cold starts, is the
// zero-column case.
template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::ChooseEliminated(const Problem& problem) {
  zero_column_ = -1;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    std::int8_t& x = eliminated_[static_cast<std::size_t>(i)];
    x = -1;
    if (!Basis(i).lambda) continue;
    if (Basis(i).phi != 0) {
      x = static_cast<std::int8_t>(std::countr_zero(Basis(i).phi));
    } else if (z0_basic && excluded.pair == Pair::kSlip && excluded.contact == i) {
      x = static_cast<std::int8_t>(excluded.direction);
      zero_column_ = i;
    } else {
      return false;
    }
  }
  return true;
}

template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::AddUnknown(const Unknown& unknown) {
  if (unknowns_ == kMaxUnknowns) return false;
  unknown_[static_cast<std::size_t>(unknowns_++)] = unknown;
  return true;
}

// Columns of N* and D* (28)
template <class Scalar, Capacity kCapacity>
bool BasisSystem<Scalar, kCapacity>::ListUnknowns(const Problem& problem) {
  unknowns_ = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const ContactRow& contact = problem.contacts[i];
    if (Basis(i).theta) {
      Row B = contact.N;
      if (IsEliminated(i) && i != zero_column_) B += contact.mu * problem.Direction(contact, Eliminated(i));
      if (!AddUnknown({Pair::kNormal, i, -1, Slots::Normal(i), contact.N, B})) return false;
    }
    std::uint32_t kappa = Basis(i).phi;
    if (IsEliminated(i)) kappa &= ~(1u << Eliminated(i));
    for (; kappa != 0; kappa &= kappa - 1) {
      const int j = std::countr_zero(kappa);
      const Row A = SlipRow(problem, i, j);
      if (!AddUnknown({Pair::kSlip, i, j, slots.Slip(i) + j, A, A})) return false;
    }
  }
  return !z0_basic || AddUnknown({Pair::kCover, -1, -1, Slots::kCover, Row::Zero(), Row::Zero()});
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::Product(const Problem& problem, const ContactRow& contact, const Row& A,
                                               int b) const {
  const Unknown& other = unknown_[static_cast<std::size_t>(b)];
  Scalar product = Problem::Dot(contact, A, problem.contacts[other.contact], other.B);
  if constexpr (Problem::kHasJoints) {  // A P B = A B - (QᵀA)(QᵀB)
    for (int c = 0; c < problem.joint_rank; ++c) {
      const std::size_t C = static_cast<std::size_t>(c);
      product -= Problem::Dot(contact, A, problem.Q[C]) * joint_share_[static_cast<std::size_t>(b)][C];
    }
  }
  return product;
}

// The matrix of (31)
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::FillRows(const Problem& problem) {
  const int rows = unknowns_ - (z0_basic ? 1 : 0);
  if constexpr (Problem::kHasJoints) {
    for (int b = 0; b < rows; ++b) {
      const Unknown& unknown = unknown_[static_cast<std::size_t>(b)];
      for (int c = 0; c < problem.joint_rank; ++c) {
        joint_share_[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)] =
            Problem::Dot(problem.contacts[unknown.contact], unknown.B, problem.Q[static_cast<std::size_t>(c)]);
      }
    }
  }
  for (int a = 0; a < rows; ++a) {
    const Unknown& unknown = unknown_[static_cast<std::size_t>(a)];
    const ContactRow& contact = problem.contacts[unknown.contact];
    Scalar* K = K_.row(a);
    for (int b = 0; b < rows; ++b) K[b] = Product(problem, contact, unknown.A, b);
    if (unknown.pair == Pair::kNormal) K[a] += contact.epsilon;
  }
}

// c* (39) and the last column of (42)
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::FillCoverColumn(const Problem& problem) {
  cover_velocity_.setZero();
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (!IsEliminated(i) || i == zero_column_) continue;
    const ContactRow& contact = problem.contacts[i];
    Problem::AddTo(contact, problem.Direction(contact, Eliminated(i)), Cover(slots.Cone(i)), &cover_velocity_);
  }
  problem.Project(&cover_velocity_);
  const int z0 = unknowns_ - 1;
  for (int a = 0; a < z0; ++a) {
    const Unknown& unknown = unknown_[static_cast<std::size_t>(a)];
    const Scalar e = unknown.pair == Pair::kNormal ? Cover(Slots::Normal(unknown.contact))
                                                   : SlipCover(unknown.contact, unknown.direction);
    K_.row(a)[z0] = Problem::Dot(problem.contacts[unknown.contact], unknown.A, cover_velocity_) + e;
  }
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::ConeCoefficient(int contact, const Unknown& unknown, const Problem& problem) const {
  if (unknown.contact != contact) return Scalar(0);
  return unknown.pair == Pair::kNormal ? problem.contacts[contact].mu : Scalar(-1);
}

// Row r of Table 1: the last row of (42) for ν, of (44) for σ, of (47) for γ
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::FillCoverRow(const Problem& problem) {
  const int z0 = unknowns_ - 1;
  Scalar* K = K_.row(z0);
  if (const int i = ClosingCone(); i >= 0) {
    for (int b = 0; b < z0; ++b) K[b] = ConeCoefficient(i, unknown_[static_cast<std::size_t>(b)], problem);
    K[z0] = Cover(slots.Cone(i));
    return;
  }
  const int i = excluded.contact;
  const ContactRow& contact = problem.contacts[i];
  const bool normal = excluded.pair == Pair::kNormal;
  const Row A = normal ? contact.N : SlipRow(problem, i, excluded.direction);
  for (int b = 0; b < z0; ++b) K[b] = Product(problem, contact, A, b);
  K[z0] = Problem::Dot(contact, A, cover_velocity_) + (normal ? Cover(Slots::Normal(i)) : SlipCover(i, excluded.direction));
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::Factor(const Problem& problem) {
  if (!ChooseEliminated(problem) || !ListUnknowns(problem)) return Scalar(0);
  FillRows(problem);
  if (z0_basic) {
    FillCoverColumn(problem);
    FillCoverRow(problem);
  }
  return K_.Factor(unknowns_);
}

// q' (19)
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::RespondToConstant(const Problem& problem, Values* values) const {
  Source q;
  q.constant = &problem;
  Respond(problem, q, problem.k, values);
}

// m' (20) for a z, (21) for a w
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::RespondToDriving(const Problem& problem, const Variable& driving, Values* rates) const {
  Source source;
  Velocity v = Velocity::Zero();
  if (!driving.is_z) {
    source.omega = Scalar(1);
  } else {
    const ContactRow& contact = problem.contacts[driving.contact];
    source.contact = driving.contact;
    switch (driving.pair) {
      case Pair::kNormal:
        source.beta = contact.epsilon;
        source.eta = Basis(driving.contact).expanded ? contact.mu : Scalar(0);
        Problem::AddTo(contact, contact.N, Scalar(1), &v);
        break;
      case Pair::kSlip:
        source.eta = Scalar(-1);
        Problem::AddTo(contact, problem.Direction(contact, driving.direction), Scalar(1), &v);
        break;
      default: source.t = Scalar(1); break;
    }
  }
  Respond(problem, source, v, rates);
}

// t_ij, less that of the eliminated direction where there is one.
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::SlipConstant(const Problem& problem, const Source& source, int i, int j) const {
  const typename Problem::Tangential slip = source.SlipVelocity(i);
  const Scalar t_j = slip.dot(problem.direction[static_cast<std::size_t>(j)]);
  if (!IsEliminated(i)) return t_j + source.T(i);
  return t_j - slip.dot(problem.direction[static_cast<std::size_t>(Eliminated(i))]);  // source.T(i) is in both
}

// Right-hand side of (31), (42): b_ν, b'_κ and what b* makes of them
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::RightHandSide(const Problem& problem, const Source& source, const Velocity& v,
                                                     int a) const {
  const Unknown& unknown = unknown_[static_cast<std::size_t>(a)];
  const int i = unknown.contact;
  const Scalar along = Problem::Dot(problem.contacts[i], unknown.A, v);
  if (unknown.pair == Pair::kNormal) return -(source.Beta(i) + along);
  return -(SlipConstant(problem, source, i, unknown.direction) + along);
}

template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::ClosingRightHandSide(const Problem& problem, const Source& source,
                                                            const Velocity& v) const {
  if (zero_column_ >= 0) return -source.Eta(zero_column_);
  const int i = excluded.contact;
  const ContactRow& contact = problem.contacts[i];
  switch (excluded.pair) {
    case Pair::kNormal: return source.omega - source.Beta(i) - Problem::Dot(contact, contact.N, v);
    case Pair::kSlip:
      return source.omega - SlipConstant(problem, source, i, excluded.direction) -
             Problem::Dot(contact, SlipRow(problem, i, excluded.direction), v);
    default: return source.omega - source.Eta(i);
  }
}

// b* (28), solution of (31), v_c (29), (40); then w and the eliminated ones, (33), (36)
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::Respond(const Problem& problem, const Source& source, Velocity v,
                                             Values* values) const {
  if (source.contact >= 0 && IsEliminated(source.contact) && source.contact != zero_column_) {
    const ContactRow& contact = problem.contacts[source.contact];
    Problem::AddTo(contact, problem.Direction(contact, Eliminated(source.contact)), source.eta, &v);
  }
  problem.Project(&v);
  typename DenseLu<Scalar, kMaxUnknowns>::Vector x;
  const int rows = unknowns_ - (z0_basic ? 1 : 0);
  for (int a = 0; a < rows; ++a) x[static_cast<std::size_t>(a)] = RightHandSide(problem, source, v, a);
  if (z0_basic) x[static_cast<std::size_t>(rows)] = ClosingRightHandSide(problem, source, v);
  K_.Solve(&x);
  for (int a = 0; a < rows; ++a) {
    const Unknown& unknown = unknown_[static_cast<std::size_t>(a)];
    const Scalar value = x[static_cast<std::size_t>(a)];
    Problem::AddTo(problem.contacts[unknown.contact], unknown.B, value, &v);
    values->at[static_cast<std::size_t>(unknown.slot)] = value;
  }
  const Scalar z0 = z0_basic ? x[static_cast<std::size_t>(rows)] : Scalar(0);
  values->at[Slots::kCover] = z0;
  if (z0_basic) v += z0 * cover_velocity_;
  problem.Project(&v);
  values->velocity = v;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (!Basis(i).theta) values->at[static_cast<std::size_t>(Slots::Normal(i))] = Nu(problem, source, i, *values);
    if (Basis(i).expanded) ScanFriction(problem, source, i, values);
  }
  if (z0_basic) values->at[static_cast<std::size_t>(slots.Of(excluded))] = Scalar(0);
}

// ν_i = N_iᵀv + β_i + c_νi z0
template <class Scalar, Capacity kCapacity>
Scalar BasisSystem<Scalar, kCapacity>::Nu(const Problem& problem, const Source& source, int i, const Values& values) const {
  const ContactRow& contact = problem.contacts[i];
  return Problem::Dot(contact, contact.N, values.velocity) + source.Beta(i) +
         Cover(Slots::Normal(i)) * values.at[Slots::kCover];
}

// φ_ix (27), (38), σ_ij, and γ_i or λ_i (30), (41) of an expanded contact; the other basic φ_ij stand there already.
template <class Scalar, Capacity kCapacity>
void BasisSystem<Scalar, kCapacity>::ScanFriction(const Problem& problem, const Source& source, int i,
                                                  Values* values) const {
  const ContactRow& contact = problem.contacts[i];
  const ContactBasis& basis_i = Basis(i);
  const int x = Eliminated(i);
  const Scalar z0 = values->at[Slots::kCover];
  Scalar* slip = &values->at[static_cast<std::size_t>(slots.Slip(i))];
  Scalar& cone = slip[problem.directions];
  const Scalar* cover_slip = &cover[static_cast<std::size_t>(slots.Slip(i))];

  Scalar phi_kappa(0);
  for (std::uint32_t kappa = basis_i.phi; kappa != 0; kappa &= kappa - 1) {
    const int j = std::countr_zero(kappa);
    if (j != x) phi_kappa += slip[j];
  }
  const Scalar theta = basis_i.theta ? values->at[static_cast<std::size_t>(Slots::Normal(i))] : Scalar(0);
  cone = contact.mu * theta - phi_kappa + cover_slip[problem.directions] * z0 + source.Eta(i);  // γ_i, or φ_ix

  const typename Problem::Tangential along = Problem::TangentDot(contact, values->velocity) + source.SlipVelocity(i);
  const Scalar t = source.T(i);
  const auto sigma = [&](int j) {  // without λ
    return along.dot(problem.direction[static_cast<std::size_t>(j)]) + cover_slip[j] * z0 + t;
  };
  Scalar lambda(0);
  if (basis_i.lambda) {
    lambda = -sigma(x);
    if (i == zero_column_) {
      lambda += source.omega;
    } else {
      slip[x] = cone;
    }
    cone = lambda;
  }
  for (int j = 0; j < problem.directions; ++j) {
    if ((basis_i.phi >> j & 1u) == 0) slip[j] = sigma(j) + lambda;
  }
}

}  // namespace tactus::internal
