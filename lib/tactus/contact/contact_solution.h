#pragma once
#include <cstdint>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/impulses.h"

namespace tactus {

enum class SolveStatus : std::uint8_t {
  kSolved,   ///< the complementarity conditions hold, verified to the tolerance
  kJammed,   ///< the contacts squeeze each other; `certificate` shows how (theory 3). Velocities and impulses are the
             ///< energy-safe answer of `rung`
  kBudget,   ///< work or pivots ran out, or rounding won; velocities and impulses are the energy-safe answer of `rung`
  kInvalid,  ///< the problem was refused, see the fault; the lists are empty
};

constexpr const char* Name(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved: return "solved";
    case SolveStatus::kJammed: return "jammed";
    case SolveStatus::kBudget: return "budget";
    case SolveStatus::kInvalid: return "invalid";
  }
  return "unknown";
}

/// Which step of the ladder gave the answer: the ladder says which there are, `solve/rung.h`.
enum class Rung : std::uint8_t;

/// The answer to a ContactProblem. Impulses in N·s (a force is impulse / h); world axes, SI.
template <class Scalar_, Capacity kCapacity>
struct ContactSolution {
  using Scalar = Scalar_;
  static constexpr int kDof = kCapacity.dof;
  static constexpr int kLinear = LinearSize(kDof);

  SolveStatus status = SolveStatus::kInvalid;
  Rung rung{};
  int pivots = 0;                ///< over all rungs that were tried
  std::int64_t work = 0;         ///< the same in instructions, counted as in solve/work.h
  bool ran_out_of_work = false;  ///< the answer is not exact, and the budget of work ended the search for one
  Scalar residual = Scalar(0);   ///< of the complementarity conditions of the problem as given (docs/theory, section 3)
  ProblemFault fault;            ///< for kInvalid
  FixedVector<Vec<Scalar, kDof>, kCapacity.bodies> velocity;  ///< twist after the step
  ImpulseList<Scalar, kCapacity> impulse;
  FixedVector<Scalar, kCapacity.joints> joint_impulse_Ns;
  FixedVector<Vec<Scalar, kLinear>, kCapacity.contacts> tangent;  ///< the tangents used
  /// For kJammed: impulses ≥ 0 inside the friction cones that balance each other, Nθ + Dφ (+ Bc) = 0, with Σ bᵢθᵢ < 0 (τ =
  /// 0).
  ImpulseList<Scalar, kCapacity> certificate;

  /// Back to no answer, in a time that does not depend on the capacity.
  void Clear() {
    status = SolveStatus::kInvalid;
    rung = Rung{};
    pivots = 0;
    work = 0;
    ran_out_of_work = false;
    residual = Scalar(0);
    fault = {};
    velocity.clear();
    impulse.clear();
    joint_impulse_Ns.clear();
    tangent.clear();
    certificate.clear();
  }
};

}  // namespace tactus
