#pragma once
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"

namespace tactus {

// A contact problem with a mass matrix of one's own: reduced coordinates of a mechanism, modes of a flexible body. The
// solvers see a WhitenedProblem only, so whoever has M = G Gᵀ and the Jacobians of the contacts can start there:
//
//     u = Gᵀ q̇,   k = G⁻¹(M q̇₀ + h f),   N = G⁻¹ J_nᵀ,   T = G⁻¹ J_tᵀ          J q̇: velocity of a against b at the contact
//
//     WhitenedProblem<double, kCapacity> problem;
//     StartOwn(k, 8, 0.1, &problem);
//     for (…) AddOwnContact({.N = …, .T = …, .b = gap_m / step_s, .mu = 0.3}, &problem);
//     Ladder<double, kCapacity> ladder;
//     ladder.Run(&problem, {.warm = false}, recall, &impulses, &certificate);    // recall: as in ladder.h, may write zeros
//     q̇ = G⁻ᵀ ladder.velocity();   θ = impulses.theta[i] / problem.contacts[i].normal_scale
//
// A capacity of `bodies` m and `dof` s has m s coordinates. A contact's columns have at most two blocks of s: with m = 1 all
// coordinates (dof 6: up to 6), with m = 2 and dof 6 up to 12.

/// A contact in coordinates of one's own.
template <class Problem>
struct OwnContact {
  using Scalar = typename Problem::Scalar;

  typename Problem::Column N = Problem::Column::Zero();  ///< G⁻¹ J_nᵀ
  Mat<Scalar, Problem::kColumn, Problem::kTangent> T =
      Mat<Scalar, Problem::kColumn, Problem::kTangent>::Zero();    ///< G⁻¹ J_tᵀ, a column a tangent
  Scalar b = Scalar(0);                                            ///< Φ/h - n·w [m/s]
  typename Problem::Tangential tau = Problem::Tangential::Zero();  ///< -w along the tangents [m/s]
  Scalar mu = Scalar(0);                                           ///< Coulomb's μ
};

/// An empty problem of the free motion k, entries beyond one's own coordinates zero.
template <class Scalar, Capacity kCapacity>
void StartOwn(const typename WhitenedProblem<Scalar, kCapacity>::Velocity& k, int directions, Scalar direction_offset_rad,
              WhitenedProblem<Scalar, kCapacity>* problem) {
  problem->bodies = kCapacity.bodies;
  problem->directions = directions;
  problem->direction_offset_rad = direction_offset_rad;
  FillDirections<Scalar, kCapacity.dof>(directions, direction_offset_rad, problem->direction.data());
  problem->k = k;
  problem->contacts.clear();
  problem->joint_rank = 0;
  problem->contradicted_contact = -1;
  problem->loses_spin = false;
}

/// Adds a contact: its columns get the length that the solvers expect (theory 2.3).
/// @returns false: it does not fit, or its normal moves nothing; then it is left out
template <class Scalar, Capacity kCapacity>
[[nodiscard]] bool AddOwnContact(const OwnContact<WhitenedProblem<Scalar, kCapacity>>& own,
                                 WhitenedProblem<Scalar, kCapacity>* problem) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  const Scalar normal = Sqrt(own.N.squaredNorm()), tangent = Sqrt(own.T.squaredNorm() / Scalar(Problem::kTangent));
  if (!(normal > Scalar(0)) || problem->contacts.size() == kCapacity.contacts) return false;
  const int place = problem->contacts.size();
  problem->contacts.resize(place + 1);
  typename Problem::ContactColumns& columns = problem->contacts[place];
  const bool slides = tangent > Scalar(0);
  columns.normal_scale = normal;
  columns.tangent_scale = slides ? tangent : Scalar(1);
  columns.N = own.N / normal;
  columns.T = own.T / columns.tangent_scale;
  columns.b = own.b / normal;
  columns.b_clear = Max(columns.b, Scalar(0));
  columns.tau = own.tau / columns.tangent_scale;
  columns.mu = slides ? own.mu * columns.tangent_scale / normal : Scalar(0);
  if constexpr (Problem::kHasJoints) columns.held_mu = Scalar(0);
  if constexpr (kCapacity.compliant) columns.epsilon = Scalar(0);
  columns.offset[0] = 0;
  if constexpr (Problem::kBlocks == 2) columns.offset[1] = static_cast<std::int16_t>(kCapacity.dof);
  columns.source = static_cast<std::int16_t>(place);
  columns.is_far = columns.is_held = false;
  return true;
}

}  // namespace tactus
