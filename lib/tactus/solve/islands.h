#pragma once
#include <array>
#include <cstdint>

#include "tactus/contact/contact_problem.h"

namespace tactus {

/// Which bodies have to do with each other: those that a contact or a joint connects, directly or through others. A fixed
/// body connects nothing. Each island is a problem of its own, with its own scale; bodies that nothing touches make one
/// island together. By union-find.
template <Capacity kCapacity>
class Islands {
 public:
  template <class Scalar>
  void Find(const ContactProblem<Scalar, kCapacity>& problem) {
    bodies_ = problem.bodies.size();
    for (int k = 0; k < bodies_; ++k) {
      parent_[k] = static_cast<std::int16_t>(k);
      is_free_[k] = true;
    }
    for (const auto& contact : problem.contacts) Join(contact.a, contact.b);
    for (const auto& joint : problem.joints) Join(joint.a, joint.b);
    Number();
  }

  int count() const { return count_; }
  int OfBody(int body) const { return island_[body]; }
  /// Of what connects these two bodies.
  int Of(int a, int b) const { return OfBody(a != kFixed ? a : b); }

  /// The bodies of one island get the places 0, 1, 2, …; all others -1.
  void Place(int island, std::array<std::int16_t, kCapacity.bodies>* place) const {
    std::int16_t next = 0;
    for (int k = 0; k < bodies_; ++k) (*place)[k] = island_[k] == island ? next++ : std::int16_t{-1};
  }

 private:
  int Root(int k) {
    while (parent_[k] != k) {
      parent_[k] = parent_[parent_[k]];
      k = parent_[k];
    }
    return k;
  }

  void Join(int a, int b) {
    if (a != kFixed) is_free_[a] = false;
    if (b != kFixed) is_free_[b] = false;
    if (a == kFixed || b == kFixed) return;
    const int root_a = Root(a), root_b = Root(b);
    parent_[root_a > root_b ? root_a : root_b] = static_cast<std::int16_t>(root_a > root_b ? root_b : root_a);
  }

  // In the order of their first bodies, which are their roots.
  void Number() {
    count_ = 0;
    int of_free = -1;
    for (int k = 0; k < bodies_; ++k) {
      const int root = Root(k);
      if (is_free_[k]) {
        if (of_free < 0) of_free = count_++;
        island_[k] = static_cast<std::int16_t>(of_free);
      } else {
        island_[k] = root == k ? static_cast<std::int16_t>(count_++) : island_[root];
      }
    }
  }

  std::array<std::int16_t, kCapacity.bodies> parent_, island_;
  std::array<bool, kCapacity.bodies> is_free_;
  int bodies_ = 0, count_ = 0;
};

}  // namespace tactus
