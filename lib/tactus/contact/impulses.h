#pragma once
#include <array>

#include "tactus/core/capacity.h"
#include "tactus/core/check.h"
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// Impulses of the whitened, normalised contacts: what the solvers work on; and in the storage of an ImpulseList, when a
/// solve has ended, of the problem's contacts.
template <class Scalar, Capacity kCapacity>
struct WhitenedImpulses {
  std::array<Scalar, kCapacity.contacts> theta{};
  std::array<std::array<Scalar, kCapacity.directions>, kCapacity.contacts> phi{};

  void SetZero(int contact) {
    theta[contact] = Scalar(0);
    phi[contact].fill(Scalar(0));
  }

  /// False: θ and all φ of the contact are zero. Most contacts carry nothing, and much need not be done for them.
  bool IsLoaded(int contact, int directions) const {
    if (theta[contact] != Scalar(0)) return true;
    Scalar sum(0);  // without a branch for each φ; a NaN is not zero
    for (int j = 0; j < directions; ++j) sum += Abs(phi[contact][j]);
    return sum != Scalar(0);
  }
};

/// The impulses of one contact.
template <class Scalar, Capacity kCapacity>
struct ContactImpulse {
  Scalar normal_Ns = Scalar(0);  ///< θ ≥ 0
  Vec<Scalar, kCapacity.directions> friction_Ns =
      Vec<Scalar, kCapacity.directions>::Zero();  ///< φ_j ≥ 0; entries from d on are zero
};

/// The impulses of all contacts, in the order of the problem's. A list to read. Its storage is the solvers' room to work in:
/// they leave θ and φ of the whitened problem there, and TakeToPhysicalUnits() makes of them what the list shows.
template <class Scalar, Capacity kCapacity>
class ImpulseList {
 public:
  using Whitened = WhitenedImpulses<Scalar, kCapacity>;
  using value_type = ContactImpulse<Scalar, kCapacity>;

  class Iterator {
   public:
    Iterator(const ImpulseList& list, int i) : list_(&list), i_(i) {}
    value_type operator*() const { return (*list_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

   private:
    const ImpulseList* list_;
    int i_;
  };

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { size_ = 0; }
  /// Sets the size and the number of directions d; the impulses are what last stood there.
  void resize(int size, int directions) {
    TACTUS_CHECK(0 <= size && size <= kCapacity.contacts);
    TACTUS_CHECK(0 <= directions && directions <= kCapacity.directions);
    size_ = size;
    directions_ = directions;
    knows_loaded_ = false;
  }

  Scalar normal_Ns(int i) const {
    TACTUS_CHECK(0 <= i && i < size_);
    return storage_.theta[i];
  }
  value_type operator[](int i) const {
    value_type impulse{normal_Ns(i)};
    const auto& phi = storage_.phi[i];
    for (int j = 0; j < directions_; ++j) impulse.friction_Ns(j) = phi[j];
    return impulse;
  }
  /// φ_ij, j < d, without a copy. What stands behind them means nothing.
  const std::array<Scalar, kCapacity.directions>& friction_Ns(int i) const {
    TACTUS_CHECK(0 <= i && i < size_);
    return storage_.phi[i];
  }
  /// Σ_j φ_ij (cos a_j, sin a_j), with the problem's directions (FillDirections). Most φ are zero.
  template <class Directions>
  typename Directions::value_type FrictionAlong(const Directions& directions, int i) const {
    using Tangential = typename Directions::value_type;
    const auto& phi = friction_Ns(i);
    Tangential friction = Tangential::Zero();
    for (int j = 0; j < directions_; ++j) {
      if (phi[j] != Scalar(0)) friction += phi[j] * directions[j];
    }
    return friction;
  }
  bool IsLoaded(int i) const { return knows_loaded_ ? is_loaded_[i] : storage_.IsLoaded(i, directions_); }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

  /// To write into: which contacts are loaded is looked for from then on.
  Whitened& storage() {
    knows_loaded_ = false;
    return storage_;
  }
  const Whitened& storage() const { return storage_; }
  /// What IsLoaded() says without looking, until somebody asks for the storage to write into.
  void KeepLoaded(const std::array<bool, kCapacity.contacts>& is_loaded) {
    is_loaded_ = is_loaded;
    knows_loaded_ = true;
  }

 private:
  Whitened storage_;
  std::array<bool, kCapacity.contacts> is_loaded_{};
  bool knows_loaded_ = false;
  int size_ = 0, directions_ = 0;
};

}  // namespace tactus
