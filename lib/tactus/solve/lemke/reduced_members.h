#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "tactus/core/fixed_vector.h"
#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/lemke/basis_state.h"

namespace tactus::internal {

/// Largest size of the reduced system (docs/theory, section 4): 6m + 2 (planar 3m + 2), one for a zero column, two while
/// a contact is not reduced, one spare. With compliance every contact may add one.
constexpr int MaxUnknowns(const Capacity& c) { return c.dof * c.bodies + 6 + (c.compliant ? c.contacts : 0); }

/// Whether any z of the contact is basic.
constexpr bool HasBasicZ(const ContactBasis& basis) {
  return (basis.phi | unsigned{basis.theta} | unsigned{basis.lambda}) != 0;  // without a branch
}

/// Unknowns and equations of the reduced system (31) and its matrix K.
///
/// An unknown is a basic z ([Lloyd04]: α without x and λ), an equation a row of the LCP whose w is not basic (α̃): of the
/// pairs of the basic z, and the excluded one, r. Of a contact i in L (λ_i and some φ_ij are basic) the pairs φ_ix, x =
/// Eliminated(i), and λ_i are not among them; the rows γ_i and σ_ix, put into the others, say
///
///     φ_ix = μ_i θ_i - Σ_κ φ_iκ + c_γi z0 + η_i                                                         (27), (38)
///     λ_i  = -(D_ixᵀv + c_σix z0 + t_ix)                                                                (30), (41)
///
/// and the columns B and rows A become those of N* and D* (28): B = N_i + μ_i D_ix for θ_i, A = B = D_ij - D_ix for φ_ij; z0
/// moves along Σ_L c_γi D_ix.
template <class Problem_>
class ReducedMembers {
 public:
  using Problem = Problem_;
  using Scalar = typename Problem::Scalar;
  static constexpr Capacity kCapacity = Problem::kCapacity;
  using State = BasisState<Problem>;
  using Velocity = typename Problem::Velocity;
  using Column = typename Problem::Column;
  using ContactColumns = typename Problem::ContactColumns;
  static constexpr int kMax = MaxUnknowns(kCapacity);

  /// A row of the LCP whose w is not basic.
  struct ReducedEquation {
    Variable of;
    std::int16_t slot;
    std::int16_t cone;                                           // slot of the contact's γ or λ; -1: no friction rows
    bool is_along;                                               // of a pair (ν, θ) or (σ_j, φ_j)
    bool is_symmetric;                                           // A = B
    const ContactColumns* contact;                               // nullptr for z0
    Column along;                                                // A, of an unknown B
    [[no_unique_address]] typename Problem::Compliance epsilon;  // ε_i of a pair (ν, θ), else 0
  };
  /// A basic z.
  struct ReducedUnknown : ReducedEquation {};

  FixedVector<ReducedUnknown, kMax> unknowns;
  FixedVector<ReducedEquation, kMax> equations;

  /// No member, nothing eliminated.
  void Clear(int contacts);
  /// All of the basis as it stands. @returns false if they do not fit.
  bool Collect(const Problem& problem, const State& state);

  bool IsEliminated(int i) const { return Eliminated(i) >= 0; }
  int Eliminated(int i) const { return eliminated_[i]; }  ///< x_i; -1: i is not in L
  /// Makes φ_ij the eliminated one, -1: none; the columns and rows of the contact change with it.
  void SetEliminated(const Problem& problem, const State& state, int i, int j);

  void MakeUnknown(const Problem& problem, const State& state, const Variable& z, ReducedUnknown* unknown) const;
  /// The same from the equation of its pair.
  void MakeUnknown(const Problem& problem, const State& state, const ReducedEquation& equation,
                   ReducedUnknown* unknown) const;
  void MakeEquation(const Problem& problem, const State& state, const Variable& pair, ReducedEquation* equation) const;
  int PlaceOfUnknown(int slot) const { return Place(unknowns, slot); }
  int PlaceOfEquation(int slot) const { return Place(equations, slot); }

  /// P A_p; 0 for a row γ
  void GetRowVelocity(const Problem& problem, const ReducedEquation& equation, Velocity* row_velocity) const;
  /// K_pa = A_pᵀ P B_a + [a = z0] e_p + [a = p = θ_i] ε_i + [a = λ_i, p = σ_ij]; rows γ: μ_i, -1, c_γi
  Scalar Entry(const State& state, const ReducedEquation& equation, const Velocity& row_velocity,
               const ReducedUnknown& unknown) const {
    if (!equation.is_along || !unknown.is_along) return SparseEntry(state, equation, unknown);
    const Scalar product = Dot<Problem>(*unknown.contact, unknown.along, row_velocity);
    if constexpr (!kCapacity.compliant) return product;
    return equation.slot == unknown.slot ? product + equation.epsilon : product;
  }
  /// The column of z0, the last of (42), (44), (47)
  Scalar CoverEntry(const State& state, const ReducedEquation& equation) const;
  const Velocity& cover_velocity() const { return cover_velocity_; }
  void ScaleCover(Scalar factor) { cover_velocity_ *= factor; }

 private:
  template <class Members>
  static int Place(const Members& members, int slot);
  Scalar SparseEntry(const State& state, const ReducedEquation& equation, const ReducedUnknown& unknown) const;
  bool CollectContact(const Problem& problem, const State& state, int i);
  bool AddPair(const Problem& problem, const State& state, const Variable& z);
  static int ConeOf(const State& state, const Variable& of);
  void Describe(const Problem& problem, const State& state, const Variable& of, ReducedEquation* member) const;
  void SetAlong(const Problem& problem, ReducedEquation* member) const;
  void MakeColumn(const Problem& problem, ReducedUnknown* unknown) const;
  void FillCoverVelocity(const Problem& problem, const State& state);

  std::array<std::int8_t, kCapacity.contacts> eliminated_;
  Velocity cover_velocity_;  // of z0
};

}  // namespace tactus::internal

#include "tactus/solve/lemke/reduced_members.inl"
