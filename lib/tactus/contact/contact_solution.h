#pragma once
#include <cstdint>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/impulses.h"
#include "tactus/contact/verdict.h"

namespace tactus {

enum class SolveStatus : std::uint8_t {
  kSolved,   ///< the complementarity conditions hold, verified to the tolerance
  kJammed,   ///< the contacts squeeze each other; `certificate` shows how (theory 3). Velocities and impulses are the
             ///< energy-safe answer of `rung`
  kBudget,   ///< work or pivots ran out, or rounding won; velocities and impulses are the energy-safe answer of `rung`
  kInvalid,  ///< the problem was refused, see the fault; the lists are empty
};

/// Why an answer is not exact (SolveStatus::kBudget).
enum class Shortfall : std::uint8_t {
  kNone,      ///< it is, or the problem is jammed or invalid
  kPivots,    ///< the last attempt used up its pivots
  kWork,      ///< the budget of work ended the search
  kClock,     ///< the caller's clock did
  kRounding,  ///< every attempt ended, and no answer held
  kOpposed,   ///< undoing overlaps would have flung a body: none was undone (theory 11.3)
};

constexpr const char* Name(Shortfall shortfall) {
  switch (shortfall) {
    case Shortfall::kNone: return "none";
    case Shortfall::kPivots: return "pivots";
    case Shortfall::kWork: return "work";
    case Shortfall::kClock: return "clock";
    case Shortfall::kRounding: return "rounding";
    case Shortfall::kOpposed: return "opposed";
  }
  return "unknown";
}

constexpr const char* Name(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved: return "solved";
    case SolveStatus::kJammed: return "jammed";
    case SolveStatus::kBudget: return "budget";
    case SolveStatus::kInvalid: return "invalid";
  }
  return "unknown";
}

/// On which friction cone an answer is.
enum class Cone : std::uint8_t {
  kPolygon,  ///< with d corners, inscribed in the round one: (5)
  kRound,    ///< Coulomb's: |f| ≤ μθ, and against the slip (docs/theory/round.md)
};

constexpr const char* Name(Cone cone) { return cone == Cone::kRound ? "round" : "polygon"; }

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
  int pivots = 0;                          ///< over all rungs that were tried
  std::int64_t work = 0;                   ///< the same in instructions, counted as in solve/work.h
  Shortfall shortfall = Shortfall::kNone;  ///< for kBudget: why
  Scalar residual = Scalar(0);  ///< of the complementarity conditions of the problem as given (docs/theory, section 3); of a
                                ///< round answer: (R1)
  Cone cone = Cone::kPolygon;   ///< of this answer; kRound: of every contact
  Scalar round_residual = Scalar(0);  ///< of (R1): of a round answer, or of what of the polygon's could not be polished
  int round_steps = 0;                ///< Newton steps on the round cone
  Verdict<Scalar> verdict;            ///< of the answer, against the problem as given; kSolved: it holds
  ProblemFault fault;                 ///< for kInvalid
  FixedVector<Vec<Scalar, kDof>, kCapacity.bodies> velocity;  ///< twist after the step
  ImpulseList<Scalar, kCapacity> impulse;
  /// Where the round cone was asked for: each contact's friction along its tangent and normal × tangent; else empty. The
  /// sum of its `impulse`'s, which on the round cone are its shares of the two directions next to it.
  FixedVector<Vec<Scalar, TangentSize(kDof)>, kCapacity.contacts> friction_Ns;
  /// Where a contact has static or viscous friction: Coulomb's μ that stood for it in this step, of each contact, and with
  /// which the answer holds (docs/theory/friction.md); else empty, and each contact has its own.
  FixedVector<Scalar, kCapacity.contacts> friction_coefficient;
  /// Each contact's, where some islands are on the round cone and others on the polygon: under a deadline, or where the
  /// answer is not exact; else empty.
  FixedVector<Cone, kCapacity.contacts> contact_cone;
  FixedVector<Scalar, kCapacity.joints> joint_impulse_Ns;
  FixedVector<Vec<Scalar, kLinear>, kCapacity.contacts> tangent;  ///< the tangents used
  /// For kJammed: impulses ≥ 0 inside the friction cones that balance each other, Nθ + Dφ (+ Bc) = 0, with Σ bᵢθᵢ < 0 (τ =
  /// 0).
  ImpulseList<Scalar, kCapacity> certificate;
  FixedVector<Scalar, kCapacity.joints> certificate_joint_Ns;  ///< its c

  /// On which cone a contact's answer is.
  Cone ConeOf(int contact) const { return contact_cone.empty() ? cone : contact_cone[contact]; }

  /// Back to no answer, in a time that does not depend on the capacity.
  void Clear() {
    status = SolveStatus::kInvalid;
    rung = Rung{};
    pivots = 0;
    work = 0;
    shortfall = Shortfall::kNone;
    residual = Scalar(0);
    verdict = {};
    cone = Cone::kPolygon;
    round_residual = Scalar(0);
    round_steps = 0;
    fault = {};
    velocity.clear();
    impulse.clear();
    friction_Ns.clear();
    friction_coefficient.clear();
    contact_cone.clear();
    joint_impulse_Ns.clear();
    tangent.clear();
    certificate.clear();
    certificate_joint_Ns.clear();
  }
};

}  // namespace tactus
