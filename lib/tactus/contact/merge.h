#pragma once
#include <array>

#include "tactus/contact/contact_problem.h"

namespace tactus {

/// How near two contacts of the same bodies must be to count as one (docs/theory.md, 2.4).
template <class Scalar>
struct MergeOptions {
  Scalar distance_m = Scalar(1e-3);
  Scalar normal_difference = Scalar(2e-3);  ///< |n - n'|
};

/// Finds near-duplicate contacts and keeps the deeper of each pair.
/// @param[out] keeper  for each contact: the contact that stands for it, or -1: it stands for itself
template <class Scalar, Capacity kCapacity>
void FindDuplicates(const ContactProblem<Scalar, kCapacity>& problem, const MergeOptions<Scalar>& options,
                    std::array<int, kCapacity.contacts>* keeper) {
  const auto near = [&](const auto& p, const auto& q) {
    return p.a == q.a && p.b == q.b && (p.point_m - q.point_m).squaredNorm() < options.distance_m * options.distance_m &&
           (p.normal - q.normal).squaredNorm() < options.normal_difference * options.normal_difference;
  };
  for (int i = 0; i < problem.contacts.size(); ++i) (*keeper)[static_cast<std::size_t>(i)] = -1;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    for (int j = 0; j < problem.contacts.size(); ++j) {
      const auto& other = problem.contacts[j];
      const bool deeper = other.gap_m < contact.gap_m || (other.gap_m == contact.gap_m && j < i);
      if (j == i || !deeper || (*keeper)[static_cast<std::size_t>(j)] >= 0 || !near(contact, other)) continue;
      (*keeper)[static_cast<std::size_t>(i)] = j;
      break;
    }
  }
}

}  // namespace tactus
