#pragma once
#include <array>
#include <cstdint>

#include "tactus/core/fixed_vector.h"
#include "tactus/solve/internal/basis_state.h"

namespace tactus::internal {

/// Largest size of the matrix that UpdatedSystem keeps the inverse of: every basic θ, φ, λ and z0 is an unknown.
constexpr int MaxUpdated(const Capacity& c) {
  return c.dof * c.bodies + 4 + (c.compliant ? c.contacts : 0) + 2 * c.contacts;
}

/// The same task as BasisSystem for many bodies: the inverse of the basis matrix is updated at each pivot ([Lloyd04] 5.2)
/// instead of factored anew, O(r²) instead of O(r³).
///
/// Unknowns are the basic z (θ_i, φ_ij, λ_i, z0), equations the rows of the LCP whose w is not basic, F x = -constants. A
/// pivot exchanges one of them, which is a rank-1 change of W = F⁻¹. Each response is checked: if F x + constants is not
/// small, it is refined once with W, then W is computed anew.
template <class Scalar, Capacity kCapacity>
class UpdatedSystem : public BasisState<Scalar, kCapacity> {
  using State = BasisState<Scalar, kCapacity>;

 public:
  using typename State::Problem;
  using typename State::Slots;
  using typename State::Values;
  using typename State::Velocity;
  using Row = typename Problem::Row;
  using ContactRow = typename Problem::ContactRow;
  using State::basis;
  using State::cover;
  using State::excluded;
  using State::slots;
  using State::z0_basic;

  // As in BasisSystem.
  void Reset(const Problem& problem);
  void set_basis(int contact, const ContactBasis& basis);
  void EnterCover(const Variable& excluded_pair);
  void LeaveCover();
  void Enter(const Variable& driving);
  bool Leave(const Variable& pair);
  void ScaleCover(Scalar factor);
  Scalar RespondToConstant(const Problem& problem, Values* values);
  Scalar RespondToDriving(const Problem& problem, const Variable& driving, Values* rates);

 private:
  static constexpr int kMax = MaxUpdated(kCapacity);
  using Vector = std::array<Scalar, kMax>;

  // A basic z, or a row of the LCP: its variable and what it is along.
  struct Member {
    Variable of;
    int slot;
    const ContactRow* row;  // nullptr for z0
    Row along;              // N_i or D_ij
  };
  using Members = FixedVector<Member, kMax>;
  using Places = std::array<std::int16_t, Slots::kSlots>;

  // The constants of F x + constants = 0: q, or what one unit of the driving variable does to the rows.
  struct Source {
    bool is_constant = false;
    Member driving{};
  };

  Member MakeMember(const Problem& problem, const Variable& y) const;
  void Add(const Member& member, Members* members, Places* places);
  int Place(const Places& places, const Variable& y) const { return places[static_cast<std::size_t>(slots.Of(y))]; }
  Scalar* WRow(int equation) { return &W_[static_cast<std::size_t>(equation) * kMax]; }
  Scalar Entry(const Problem& problem, const Member& equation, const Member& unknown) const;

  bool ListMembers(const Problem& problem);
  Scalar Invert(const Problem& problem);
  Scalar InvertInPlace(int size);
  bool ExchangeRow(int row, int size);

  void SolveUnknowns(const Problem& problem, const Source& source);
  void SetValues(const Problem& problem, const Source& source, Values* values);
  void ScanContact(const Problem& problem, const Source& source, int i, Values* values) const;
  Scalar Error(const Source& source, const Values& values);
  void Refine();
  Scalar Respond(const Problem& problem, const Source& source, Values* values);

  void EnterFirstCover();
  void Exchange(const Variable& leaving, bool z_leaves);
  void FindInfluence(const Member& equation);
  void RemoveUnknown(int place);
  void RemoveEquation(int place);

  Members unknowns_, equations_;
  Places place_of_unknown_, place_of_equation_;
  std::array<Scalar, static_cast<std::size_t>(kMax) * kMax> W_;  // row by equation: W_[p][a] = (F⁻¹)_ap
  std::array<int, kMax> swapped_;
  Vector x_;          // the last response; the unknowns' rates
  Vector influence_;  // how the leaving variable depends on the constant of each equation
  Vector error_;
  SlotVector<Scalar, kCapacity> z_;  // every z by slot, 0 where it is not basic
  const Problem* problem_ = nullptr;
  Variable entering_;
  bool is_current_ = false;  // W is the inverse for the basis as it stands
};

}  // namespace tactus::internal

#include "tactus/solve/internal/updated_system_impl.h"
