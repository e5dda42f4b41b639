#pragma once
#include <array>
#include <bit>

#include "tactus/contact/whitened_problem.h"
#include "tactus/solve/basis.h"
#include "tactus/solve/internal/basis_slots.h"
#include "tactus/solve/internal/dense_lu.h"

namespace tactus::internal {

/// Largest size of the reduced system: 6m + 2 (docs/theory.md, section 4), two spare for bases that are not on a Lemke path;
/// with compliance every contact may add one.
constexpr int MaxUnknowns(const Capacity& c) { return c.dof * c.bodies + 4 + (c.compliant ? c.contacts : 0); }

/// Solves with the basis matrix of the contact LCP (6), of size n(2+d), through a system of at most 6m + 2 unknowns: Lloyd's
/// section 5.1 and appendices A.1-A.3 in one routine (docs/theory.md, section 4).
///
/// For a contact i with λ_i basic, φ_{i x_i} (x_i: the first basic one) and λ_i are eliminated by hand through the rows γ_i
/// = 0 and σ_{i x_i} = 0. What is left are the unknowns a: basic θ_i, the other basic φ_ij, and z0, with K_ab = A_aᵀ P B_b +
/// ….
template <class Scalar, Capacity kCapacity>
class BasisSystem {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Row = typename Problem::Row;
  using Velocity = typename Problem::Velocity;
  using ContactRow = typename Problem::ContactRow;
  using Slots = BasisSlots<kCapacity>;
  static constexpr int kMaxUnknowns = MaxUnknowns(kCapacity);

  /// Values of the basic variables, or their rates of change, with the velocity that goes with them. 0 for a pair of which
  /// neither variable is basic, and for z0 when it is not.
  struct Values {
    SlotVector<Scalar, kCapacity> at;
    Velocity velocity;
  };

  std::array<ContactBasis, kCapacity.contacts> basis{};
  Slots slots;
  SlotVector<Scalar, kCapacity> cover{};  ///< the covering vector c, by row of the LCP; slot of z0: unused
  bool z0_basic = false;
  Variable excluded;  ///< the pair of which nothing is basic while z0 is

  /// Sets up and factors K for the basis as it stands.
  /// @returns min |U_ii| / max |U_ii|; 0: the basis is singular or too large.
  Scalar Factor(const Problem& problem);

  /// Multiplies the covering vector, in the factors too; z0 is basic.
  void ScaleCover(Scalar factor) {
    for (int slot = 1; slot < slots.size(); ++slot) cover[static_cast<std::size_t>(slot)] *= factor;
    cover_velocity_ *= factor;
    K_.ScaleLastColumn(factor);
  }

  /// Values of the basic variables for the right-hand side q of the LCP.
  void RespondToConstant(const Problem& problem, Values* values) const;

  /// Rate of change of the basic variables per unit of a non-basic `driving` variable.
  void RespondToDriving(const Problem& problem, const Variable& driving, Values* rates) const;

  int unknowns() const { return unknowns_; }

 private:
  // The right-hand side: a velocity and the constants of the rows (theory 4: β, t, η, ω). t_ij = D-part of SlipVelocity + T.
  struct Source {
    const Problem* constant = nullptr;  // q: β = b, t = τ
    int contact = -1;                   // else only this contact has constants
    Scalar beta{0}, t{0}, eta{0}, omega{0};

    Scalar Beta(int i) const { return constant ? constant->contacts[i].b : i == contact ? beta : Scalar(0); }
    Scalar Eta(int i) const { return i == contact ? eta : Scalar(0); }
    Scalar T(int i) const { return i == contact ? t : Scalar(0); }
    typename Problem::Tangential SlipVelocity(int i) const {
      return constant ? constant->contacts[i].tau : Problem::Tangential::Zero().eval();
    }
  };
  struct Unknown {
    Pair pair;
    int contact;
    int direction;
    int slot;
    Row A, B;
  };

  bool IsEliminated(int i) const { return eliminated_[static_cast<std::size_t>(i)] >= 0; }
  int Eliminated(int i) const { return eliminated_[static_cast<std::size_t>(i)]; }
  const ContactBasis& Basis(int i) const { return basis[static_cast<std::size_t>(i)]; }
  // The slip row of (i, j), less the eliminated one's where there is one.
  Row SlipRow(const Problem& problem, int i, int j) const;
  Scalar SlipCover(int i, int j) const;
  Scalar Cover(int slot) const { return cover[static_cast<std::size_t>(slot)]; }

  bool ChooseEliminated(const Problem& problem);
  bool AddUnknown(const Unknown& unknown);
  bool ListUnknowns(const Problem& problem);
  void FillRows(const Problem& problem);
  void FillCoverColumn(const Problem& problem);
  void FillCoverRow(const Problem& problem);
  Scalar Product(const Problem& problem, const ContactRow& contact, const Row& A, int b) const;
  Scalar ConeCoefficient(int contact, const Unknown& unknown, const Problem& problem) const;
  // Which contact's γ row closes the system, or -1: a ν or σ row does.
  int ClosingCone() const { return zero_column_ >= 0 ? zero_column_ : excluded.pair == Pair::kCone ? excluded.contact : -1; }

  void Respond(const Problem& problem, const Source& source, Velocity v, Values* values) const;
  Scalar RightHandSide(const Problem& problem, const Source& source, const Velocity& v, int a) const;
  Scalar ClosingRightHandSide(const Problem& problem, const Source& source, const Velocity& v) const;
  Scalar SlipConstant(const Problem& problem, const Source& source, int i, int j) const;
  Scalar Nu(const Problem& problem, const Source& source, int i, const Values& values) const;
  void ScanFriction(const Problem& problem, const Source& source, int i, Values* values) const;

  DenseLu<Scalar, kMaxUnknowns> K_;
  std::array<Unknown, kMaxUnknowns> unknown_;
  std::array<typename Problem::JointVector, Problem::kHasJoints ? kMaxUnknowns : 1> joint_share_;  // Qᵀ B_b
  Velocity cover_velocity_;                                                                        // B of z0
  std::array<std::int8_t, kCapacity.contacts> eliminated_;                                         // x_i; -1: none
  int unknowns_ = 0;                                                                               // with z0
  int zero_column_ = -1;  // the contact whose λ is basic without a basic φ (theory 4, zero-column case)
};

}  // namespace tactus::internal

#include "tactus/solve/internal/basis_system_impl.h"
