#pragma once
#include <cstdint>

#include "tactus/contact/contact_solution.h"
#include "tactus/core/eigen.h"
#include "tactus/solve/rung.h"

namespace tactus {

/// What the loop is doing. Force goes to the hand in kActive, and what is left of it in kHolding and kFading.
enum class Mode : std::uint8_t {
  kDisarmed,  ///< the tool is simulated, the command is zero (or fading there)
  kActive,    ///< armed, good samples (soft start included)
  kHolding,   ///< armed, no good sample for at most guard.hold_ticks: last force
  kFading,    ///< armed, no good sample for longer: the force goes to zero in guard.ramp_down_s
  kFault,     ///< a fault has latched; the force is zero or fading there. ClearFault() leaves it
};

constexpr const char* Name(Mode mode) {
  switch (mode) {
    case Mode::kDisarmed: return "disarmed";
    case Mode::kActive: return "active";
    case Mode::kHolding: return "holding";
    case Mode::kFading: return "fading";
    case Mode::kFault: return "fault";
  }
  return "unknown";
}

/// Why the loop is in Mode::kFault: the first cause stays until ClearFault().
enum class Fault : std::uint8_t {
  kNone,
  kSampleNotFinite,  ///< samples with NaN or infinity until the force had faded
  kSampleRotation,   ///< quaternions that are not of unit length until the force had faded
  kSampleStale,      ///< no fresh sample until the force had faded
  kReserved4,        ///< never: once a pose that did not change. A still hand on a wall looks the same
  kHandleJump,       ///< the handle teleported: further than guard.max_jump between two samples
  kHandleSpeed,      ///< faster than guard.max_speed
  kHandleOutside,    ///< outside the workspace, or turned against the tool by more than kMaxTurn_rad
  kSolverInvalid,    ///< the solver refused the contact problem, or the step's result is not finite
  kForceNotFinite,   ///< a force that is not finite was computed: the command is zero at once
  kExternal,         ///< raised by the application, RaiseFault()
};

constexpr const char* Name(Fault fault) {
  switch (fault) {
    case Fault::kNone: return "none";
    case Fault::kSampleNotFinite: return "sample not finite";
    case Fault::kSampleRotation: return "sample's quaternion not of unit length";
    case Fault::kSampleStale: return "sample stale";
    case Fault::kReserved4: return "reserved";
    case Fault::kHandleJump: return "handle jumped";
    case Fault::kHandleSpeed: return "handle too fast";
    case Fault::kHandleOutside: return "handle outside the workspace";
    case Fault::kSolverInvalid: return "solver refused the problem";
    case Fault::kForceNotFinite: return "force not finite";
    case Fault::kExternal: return "raised by the application";
  }
  return "unknown";
}

/// Bits of Telemetry::status: what happened in this tick. Limits that worked as designed are bits, not faults.
namespace status_bit {
inline constexpr std::uint32_t kSampleNotFinite = 1u << 0;
inline constexpr std::uint32_t kSampleRotation = 1u << 1;  ///< quaternion not of unit length (± 1e-3)
inline constexpr std::uint32_t kSampleStale = 1u << 2;     ///< too old, or its sequence number did not advance
inline constexpr std::uint32_t kSampleMissed = 1u << 3;    ///< the sequence number skipped; the sample itself is good
inline constexpr std::uint32_t kReserved4 = 1u << 4;       ///< never set: keeps the place of a check that is gone
inline constexpr std::uint32_t kHandleJump = 1u << 5;
inline constexpr std::uint32_t kHandleSpeed = 1u << 6;
inline constexpr std::uint32_t kHandleOutside = 1u << 7;
inline constexpr std::uint32_t kContactsDropped = 1u << 8;  ///< more contact points than capacity: the deepest were kept
inline constexpr std::uint32_t kSolverFallback = 1u << 9;   ///< the solution is safe, not exact: see `rung`
inline constexpr std::uint32_t kSolverInvalid = 1u << 10;
inline constexpr std::uint32_t kPassivityActive = 1u << 11;   ///< damping was added
inline constexpr std::uint32_t kPassivityLimited = 1u << 12;  ///< … and more was wanted than the bound allows
inline constexpr std::uint32_t kSoftStart = 1u << 13;         ///< the force is scaled by `gain` < 1
inline constexpr std::uint32_t kRateLimited = 1u << 14;
inline constexpr std::uint32_t kForceClamped = 1u << 15;
inline constexpr std::uint32_t kTorqueClamped = 1u << 16;
inline constexpr std::uint32_t kForceNotFinite = 1u << 17;
inline constexpr std::uint32_t kToolPlaced = 1u << 18;    ///< the tool was put at the handle's pose in this tick
inline constexpr std::uint32_t kPlacedInside = 1u << 19;  ///< … inside an obstacle: no force until the hand drew it out
inline constexpr std::uint32_t kWorkSpent = 1u << 20;     ///< the budget of work ended the search for an exact answer
inline constexpr std::uint32_t kStreamStale = 1u << 21;   ///< no streamed set, or one past its age: the force fades
inline constexpr std::uint32_t kStreamAway = 1u << 22;    ///< the tool is farther than the streamed set holds: it fades
inline constexpr std::uint32_t kClutched = 1u << 23;  ///< the clutch is pressed or holds: the force is zero or goes there
inline constexpr std::uint32_t kOverlapsOpposed = 1u << 24;  ///< undoing overlaps would have flung a body: they stay
}  // namespace status_bit
inline constexpr int kStatusBitCount = 25;

/// What a tick reports and nothing reads back. World axes, SI.
template <class Scalar_>
struct Telemetry {
  using Scalar = Scalar_;

  std::uint32_t tick = 0;             ///< counts calls of Tick() since the state was made
  std::uint32_t sample_sequence = 0;  ///< of the sample this tick was given
  std::uint32_t status = 0;           ///< status_bit::…
  Mode mode = Mode::kDisarmed;
  Fault fault = Fault::kNone;

  Vec<Scalar, 6> handle_twist_W = Vec<Scalar, 6>::Zero();  ///< estimate: velocity [m/s], angular velocity [rad/s]
  Vec<Scalar, 3> p_WT_m = Vec<Scalar, 3>::Zero();          ///< tool at the end of the step
  Vec<Scalar, 4> q_WT{Scalar(1), Scalar(0), Scalar(0), Scalar(0)};
  Vec<Scalar, 6> tool_twist_W = Vec<Scalar, 6>::Zero();
  Vec<Scalar, 6> coupling_wrench_W = Vec<Scalar, 6>::Zero();  ///< on the hand, before passivity and limits [N, N·m]
  Vec<Scalar, 6> command_wrench_W = Vec<Scalar, 6>::Zero();   ///< on the hand, as commanded

  int contacts = 0;              ///< contact points given to the solver
  int contacts_dropped = 0;      ///< points over capacity
  Scalar min_gap_m = Scalar(0);  ///< smallest gap before the step; 0 without contacts; < 0: penetration
  SolveStatus solve_status = SolveStatus::kSolved;
  Rung rung = Rung::kNone;
  int pivots = 0;
  std::uint32_t work = 0;  ///< of the solver [instructions], counted and not measured: solve/work.h
  Scalar residual = Scalar(0);
  Scalar normal_impulse_Ns = Scalar(0);  ///< sum over the contacts

  Scalar gain = Scalar(0);           ///< soft start and fading: 0 … 1
  Scalar stored_J = Scalar(0);       ///< kinetic energy of the tool, the coupling's springs, its weight
  Scalar dissipated_J = Scalar(0);   ///< passivity observer: energy taken from the hand and not stored; < 0: generated
  Scalar damping_ratio = Scalar(0);  ///< α of the passivity controller

  std::uint64_t state_hash = 0;  ///< HashState() after the tick
};

}  // namespace tactus
