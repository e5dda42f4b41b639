#pragma once
#include <array>
#include <bit>

#include "tactus/solve/internal/basis_state.h"
#include "tactus/solve/internal/dense_system.h"

namespace tactus::internal {

/// Largest size of the reduced system: 6m + 2 (docs/theory.md, section 4), two spare for bases that are not on a Lemke path;
/// with compliance every contact may add one.
constexpr int MaxUnknowns(const Capacity& c) { return c.dof * c.bodies + 4 + (c.compliant ? c.contacts : 0); }

/// Solves with the basis matrix of the contact LCP (6), of size n(2+d), through a system of at most 6m + 2 unknowns: Lloyd's
/// section 5.1 and appendices A.1-A.3 in one routine (docs/theory.md, section 4).
///
/// For a contact i with λ_i basic, φ_{i x_i} (x_i: the first basic one) and λ_i are eliminated by hand through the rows γ_i
/// = 0 and σ_{i x_i} = 0. What is left are the unknowns a: basic θ_i, the other basic φ_ij, and z0, with K_ab = A_aᵀ P B_b +
/// …. A pivot changes few of them: the others keep their rows and products.
template <class Scalar, Capacity kCapacity>
class BasisSystem : public BasisState<Scalar, kCapacity> {
  using State = BasisState<Scalar, kCapacity>;

 public:
  using typename State::Problem;
  using typename State::Slots;
  using typename State::Values;
  using typename State::Velocity;
  using Row = typename Problem::Row;
  using ContactRow = typename Problem::ContactRow;
  using Tangential = typename Problem::Tangential;
  using State::basis;
  using State::cover;
  using State::excluded;
  using State::level_cover;
  using State::slots;
  using State::z0_basic;
  static constexpr int kMaxUnknowns = MaxUnknowns(kCapacity);

  /// For another problem: z0 is not basic; then set_basis() of every contact.
  void Reset(const Problem& problem);
  void set_basis(int contact, const ContactBasis& basis);
  /// z0 becomes basic and leaves a pair of which nothing is.
  void EnterCover(const Variable& excluded_pair) {
    z0_basic = true;
    excluded = excluded_pair;
  }
  void LeaveCover() {
    z0_basic = false;
    excluded = {};
  }
  /// The driving variable of the last response becomes basic.
  void Enter(const Variable& driving);
  /// What is basic of the pair leaves, and the pair is the excluded one. @returns whether it was z.
  bool Leave(const Variable& pair);
  /// c := factor · c
  void ScaleCover(Scalar factor) { this->ScaleCovers(factor); }

  /// Values of the basic variables for the right-hand side q of the LCP.
  /// @returns min |U_ii| / max |U_ii| of the factors of K; 0: the basis is singular or too large, and there are no values.
  Scalar RespondToConstant(const Problem& problem, Values* values);

  /// Rate of change of the basic variables per unit of a non-basic `driving` variable. @returns as above.
  Scalar RespondToDriving(const Problem& problem, const Variable& driving, Values* rates);

 private:
  // The right-hand side: a velocity and the constants of the rows (theory 4: β, t, η, ω).
  struct Source {
    bool is_constant = false;  // q: β = b, t = τ
    int contact = -1;          // else only this contact has constants
    Scalar beta{0}, t{0}, eta{0}, omega{0};
    Velocity velocity;
  };
  struct Unknown {
    Pair pair;
    int contact;
    int direction;
    int slot;
    const ContactRow* row;  // problem.contacts[contact]
    bool is_symmetric;      // A = B
    Row A, B;
  };
  // What is among the unknowns of one contact.
  struct Listed {
    std::uint32_t phi = 0;
    std::int8_t eliminated = -1;  // x_i; -1: none
    bool theta = false;
    bool is_zero_column = false;

    bool IsSameElimination(const Listed& other) const {
      return eliminated == other.eliminated && is_zero_column == other.is_zero_column;
    }
  };
  using Solution = typename DenseSystem<Scalar, kMaxUnknowns>::Vector;

  Listed& ListedOf(int i) { return listed_[static_cast<std::size_t>(i)]; }
  const Listed& ListedOf(int i) const { return listed_[static_cast<std::size_t>(i)]; }
  bool IsEliminated(int i) const { return ListedOf(i).eliminated >= 0; }
  int Eliminated(int i) const { return ListedOf(i).eliminated; }
  const Unknown& UnknownAt(int a) const { return unknown_[static_cast<std::size_t>(a)]; }
  Scalar* GramRow(int a) { return &gram_[static_cast<std::size_t>(a) * kMaxUnknowns]; }
  using State::Cover;

  void Touch(int contact);
  bool WantedOf(int contact, Listed* wanted) const;
  bool UpdateUnknowns(const Problem& problem);
  bool UpdateContact(const Problem& problem, int contact);
  bool AddUnknown(const Problem& problem, Pair pair, int contact, int direction);
  void RemoveUnknowns(int contact, const Listed& wanted);
  void RemoveUnknown(int a);
  Row SlipRow(const Problem& problem, int i, int j) const;
  Scalar SlipCover(int i, int j) const;
  Scalar Product(const Problem& problem, const ContactRow& contact, const Row& A, const Unknown& other) const;

  void FillCoverVelocity(const Problem& problem);
  void FillCoverColumn();
  void FillCoverRow(const Problem& problem);
  static Scalar ConeCoefficient(int contact, const Unknown& unknown);
  // Which contact's γ row closes the system, or -1: a ν or σ row does.
  int ClosingCone() const { return zero_column_ >= 0 ? zero_column_ : excluded.pair == Pair::kCone ? excluded.contact : -1; }

  Scalar Respond(const Problem& problem, Source* source, Values* values);
  Scalar SolveUnknowns(const Problem& problem, const Source& source, Solution* x);
  Scalar RightHandSide(const Problem& problem, const Source& source, const Unknown& unknown) const;
  Scalar ClosingRightHandSide(const Problem& problem, const Source& source) const;
  Scalar SlipConstant(const Problem& problem, const Source& source, int i, int j) const;
  void StartCones(const Source& source, Scalar z0, Values* values) const;
  void AddUnknowns(const Solution& x, Velocity* v, Values* values) const;
  void ScanNormals(const Problem& problem, const Source& source, Values* values) const;
  void ScanFriction(const Problem& problem, const Source& source, int i, Values* values) const;
  void SetSlips(const Problem& problem, const Tangential& along, Scalar base, Scalar* slip) const;

  std::array<Listed, kCapacity.contacts> listed_{};
  std::array<std::int16_t, kCapacity.contacts> touched_;  // contacts whose unknowns may not be those of their basis
  std::array<bool, kCapacity.contacts> is_touched_{};
  int touched_count_ = 0;
  std::array<Unknown, kMaxUnknowns> unknown_;                                                      // without z0
  std::array<Scalar, static_cast<std::size_t>(kMaxUnknowns) * kMaxUnknowns> gram_;                 // K without z0
  std::array<typename Problem::JointVector, Problem::kHasJoints ? kMaxUnknowns : 1> joint_share_;  // Qᵀ B_b
  DenseSystem<Scalar, kMaxUnknowns> K_;
  Velocity cover_velocity_;  // B of z0
  int unknowns_ = 0;         // without z0
  int zero_column_ = -1;     // the contact whose λ is basic without a basic φ (theory 4, zero-column case)
};

}  // namespace tactus::internal

#include "tactus/solve/internal/basis_system_impl.h"
