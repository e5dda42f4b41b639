#pragma once
#include <array>
#include <limits>

#include "tactus/contact/contact_problem.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// How near two contacts of the same bodies must be to count as one (docs/theory, 2.4).
template <class Scalar>
struct MergeOptions {
  Scalar distance = Scalar(0.1);  ///< of the lever √(J/m), J the smallest moment about an axis; of two bodies the smaller.
                                  ///< A ball of 10 mm radius: 0.6 mm
  Scalar normal_difference = Scalar(2e-3);  ///< |n - n'|
};

/// Finds near-duplicate contacts and keeps the deeper of each pair: goes from the deepest contact up, and a contact near one
/// that is already kept is left to it. So a keeper always stands for itself.
/// @param[out] keeper  for each contact: the contact that stands for it, or -1: it stands for itself
template <class Scalar, Capacity kCapacity>
void FindDuplicates(const ContactProblem<Scalar, kCapacity>& problem, const MergeOptions<Scalar>& options,
                    std::array<int, kCapacity.contacts>* keeper) {
  const auto lever_squared = [&](int body) {
    return body == kFixed ? std::numeric_limits<Scalar>::max()
                          : problem.bodies[body].inertia_kgm2.diagonal().minCoeff() / problem.bodies[body].mass_kg;
  };
  const auto is_near = [&](const auto& p, const auto& q) {
    if (p.a != q.a || p.b != q.b) return false;
    const Scalar lever = Min(lever_squared(p.a), lever_squared(p.b));
    return (p.point_m - q.point_m).squaredNorm() < options.distance * options.distance * lever &&
           (p.normal - q.normal).squaredNorm() < options.normal_difference * options.normal_difference;
  };
  const int contacts = problem.contacts.size();
  FixedVector<int, kCapacity.contacts> kept;
  std::array<bool, kCapacity.contacts> seen{};
  for (int rank = 0; rank < contacts; ++rank) {
    int next = -1;
    for (int i = 0; i < contacts; ++i) {
      if (seen[i]) continue;
      if (next < 0 || problem.contacts[i].gap_m < problem.contacts[next].gap_m) next = i;
    }
    seen[next] = true;
    int& of_next = (*keeper)[next];
    of_next = -1;
    for (const int other : kept) {
      if (of_next < 0 && is_near(problem.contacts[next], problem.contacts[other])) of_next = other;
    }
    if (of_next < 0) (void)kept.push_back(next);  // as many places as contacts
  }
}

}  // namespace tactus
