#pragma once
#include <array>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/check.h"
#include "tactus/solve/lemke/basis.h"
#include "tactus/solve/lemke/basis_slots.h"
#include "tactus/solve/work.h"

namespace tactus::internal {

/// What a Lemke path shares with the linear algebra below it: the basis and the covering vector.
template <class Problem_>
class BasisState {
 public:
  using Problem = Problem_;
  using Scalar = typename Problem::Scalar;
  static constexpr Capacity kCapacity = Problem::kCapacity;
  using Velocity = typename Problem::Velocity;
  using Slots = BasisSlots<kCapacity>;

  /// Values of the basic variables, or their rates of change, with the velocity that goes with them. 0 for a pair of which
  /// neither variable is basic, and for z0 when it is not.
  struct Values {
    SlotVector<Scalar, kCapacity> at;
    Velocity velocity;
  };

  Slots slots;
  SlotVector<Scalar, kCapacity> cover{};  ///< the covering vector c, by row of the LCP; slot of z0: unused
  bool level_cover = true;                ///< c_σij is the same for every j
  bool z0_basic = false;
  Variable excluded;     ///< while z0 is basic: the pair of which neither variable is
  Work* work = nullptr;  ///< counts the steps and may refuse them; nullptr: no limit

  const ContactBasis& basis(int contact) const { return basis_[contact]; }
  /// Keeps a basis for the next warm start, which cleans it and enters it.
  void keep_basis(int contact, const ContactBasis& basis) {
    TACTUS_CHECK(0 <= contact && contact < kCapacity.contacts);  // else GCC -O3 warns in a user's build
    basis_[contact] = basis;
  }

  /// Gives a contact its friction rows, σ and γ basic.
  void Expand(int contact) {
    basis_[contact].expanded = true;
    slots.Expand(contact);
  }

  /// @returns false if the step does not fit into the budget of work.
  bool Take(std::int64_t cost) { return work == nullptr || work->Take(cost); }

 protected:
  Scalar Cover(int slot) const { return cover[slot]; }
  void SetBasicOf(const Variable& pair, bool z_basic) {
    SetBasic(&basis_[pair.contact], pair.pair, pair.direction, z_basic);
  }
  void ScaleCovers(Scalar factor) {
    for (int slot = 1; slot < slots.size(); ++slot) cover[slot] *= factor;
  }

  std::array<ContactBasis, kCapacity.contacts> basis_{};
};

}  // namespace tactus::internal
