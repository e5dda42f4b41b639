#pragma once
#include <array>
#include <cstdint>

#include "tactus/core/capacity.h"
#include "tactus/core/check.h"
#include "tactus/solve/lemke/basis.h"

namespace tactus::internal {

/// The place of each basic variable in one long array. Ratio test and update are plain loops over it:
///
///     slot 0             z0
///     slots 1 … n        ν_i or θ_i of every contact
///     then d + 1 slots   σ_ij or φ_ij for every j, γ_i or λ_i: for each contact with friction rows, in the order of
///     expansion
template <Capacity kCapacity>
class BasisSlots {
 public:
  static constexpr int kCover = 0;
  static constexpr int kSlots = 1 + kCapacity.contacts * (2 + kCapacity.directions);

  /// No contact has friction rows.
  void Reset(int contacts, int directions) {
    contacts_ = contacts;
    directions_ = directions;
    size_ = 1 + contacts;
    expanded_count_ = 0;
  }

  /// Gives a contact its friction slots.
  void Expand(int contact) {
    TACTUS_CHECK(size_ + directions_ + 1 <= kSlots);
    expanded_[expanded_count_++] = static_cast<std::int16_t>(contact);
    friction_[contact] = static_cast<std::int16_t>(size_);
    size_ += directions_ + 1;
  }

  int size() const { return size_; }
  int expanded() const { return expanded_count_; }
  int ExpandedContact(int e) const { return expanded_[e]; }
  static int Normal(int contact) { return 1 + contact; }
  bool IsNormal(int slot) const { return 1 <= slot && slot <= contacts_; }
  /// First of an expanded contact's friction slots: σ_0 or φ_0.
  int Slip(int contact) const { return friction_[contact]; }
  int Cone(int contact) const { return Slip(contact) + directions_; }

  int Of(const Variable& y) const {
    switch (y.pair) {
      case Pair::kNormal: return Normal(y.contact);
      case Pair::kSlip: return Slip(y.contact) + y.direction;
      case Pair::kCone: return Cone(y.contact);
      default: return kCover;
    }
  }

  /// The pair at a slot; `is_z` is left false.
  Variable At(int slot) const {
    if (slot == kCover) return {Pair::kCover, -1, -1, false};
    if (slot <= contacts_) return {Pair::kNormal, slot - 1, -1, false};
    const int friction_slot = slot - 1 - contacts_, place = friction_slot % (directions_ + 1);
    const int contact = expanded_[friction_slot / (directions_ + 1)];
    if (place == directions_) return {Pair::kCone, contact, -1, false};
    return {Pair::kSlip, contact, place, false};
  }

 private:
  std::array<std::int16_t, kCapacity.contacts> friction_;  // of expanded contacts
  std::array<std::int16_t, kCapacity.contacts> expanded_;  // contacts in the order of expansion
  int contacts_ = 0;
  int directions_ = 0;
  int size_ = 1;
  int expanded_count_ = 0;
};

/// One number for every basic variable, or for every row of the LCP; the places are those of BasisSlots.
template <class Scalar, Capacity kCapacity>
using SlotVector = std::array<Scalar, BasisSlots<kCapacity>::kSlots>;

}  // namespace tactus::internal
