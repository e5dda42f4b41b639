#pragma once
#include <array>

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/core/widen.h"
#include "tactus/step/rigid_body.h"
#include "tactus/stream/streamed_set.h"

namespace tactus {

/// The energy account of a stream [J], since it was opened.
template <class Scalar>
struct StreamAccount {
  Scalar pushed_J = Scalar(0);    ///< contacts that push an overlap out put so much into tool and spring
  Scalar eased_J = Scalar(0);     ///< of it by lifts that were let down, at most what the passivity observer had as credit
  Scalar withheld_J = Scalar(0);  ///< what sets that overlap the tool would have put in without their lifts
  Scalar surface_J = Scalar(0);   ///< surfaces that move did so much work on the tool, as the host orders; < 0: they took it
};

/// What of a stream survives a tick.
template <class Scalar>
struct StreamState {
  using Vec3 = Vec<Scalar, 3>;
  struct YieldingBody {
    Vec3 velocity_mps = Vec3::Zero();  ///< by the contacts alone, since the set came
    Vec3 way_m = Vec3::Zero();
  };

  StreamedSet set;
  bool has_set = false;
  bool holds = false;                              ///< as of the last tick: young and near enough
  std::array<Scalar, kStreamedContacts> lift_m{};  ///< so far each surface stands back from where the host has it
  Scalar load_N = Scalar(0);                       ///< sum of the contacts' normal forces in the last tick
  std::array<YieldingBody, kStreamedBodies> bodies{};
  StreamAccount<Scalar> account;
  std::uint32_t ticks = 0;           ///< since the stream was opened
  std::uint32_t resolved_ticks = 0;  ///< of them: contacts were moved and the problem solved
  std::uint32_t swaps = 0;           ///< sets put in force
};

/// Where the contacts of a set are in a tick.
template <class Scalar>
struct MovedContacts {
  std::array<Scalar, kStreamedContacts> gap_m{};  ///< without the lifts
  std::array<Vec<Scalar, 3>, kStreamedContacts> point_m{};
  Scalar min_gap_m = Scalar(0);  ///< the smallest, 0 where none is below
  Scalar way_m = Scalar(0);      ///< of the point that moved most
};

template <class Scalar>
Vec<Scalar, 3> FromFloats(const float (&a)[3]) {
  return {static_cast<Scalar>(a[0]), static_cast<Scalar>(a[1]), static_cast<Scalar>(a[2])};
}

/// Moves the contacts of the set in force to a pose of the tool: the equation of streamed_set.h.
///
/// @param[in] elapsed_s  since the reference
template <class Scalar>
MovedContacts<Scalar> MoveContacts(const StreamState<Scalar>& state, const RigidBodyState<Scalar>& tool,
                                   Scalar elapsed_s) noexcept {
  const StreamedSet& set = state.set;
  MovedContacts<Scalar> moved;
  const Vec<Scalar, 3> p0_m(Narrow<Scalar>(set.p_WT_m[0]), Narrow<Scalar>(set.p_WT_m[1]), Narrow<Scalar>(set.p_WT_m[2]));
  const Quaternion<Scalar> q0(Narrow<Scalar>(set.q_WT[0]), Narrow<Scalar>(set.q_WT[1]), Narrow<Scalar>(set.q_WT[2]),
                              Narrow<Scalar>(set.q_WT[3]));
  const Mat<Scalar, 3, 3> turn = RotationMatrix(Multiply(tool.q_WT, Conjugate(q0)));
  const Vec<Scalar, 3> step_m = tool.p_WT_m - p0_m;
  for (int i = 0; i < set.contacts.size(); ++i) {
    const StreamedContact& contact = set.contacts[i];
    const Vec<Scalar, 3> arm0_m = FromFloats<Scalar>(contact.point_m) - p0_m, arm_m = Times(turn, arm0_m);
    const Vec<Scalar, 3> way_m = step_m + (arm_m - arm0_m), n = FromFloats<Scalar>(contact.normal);
    Vec<Scalar, 3> surface_way_m = elapsed_s * FromFloats<Scalar>(contact.surface_velocity_mps);
    if (contact.body != kFixed) surface_way_m += state.bodies[static_cast<std::size_t>(contact.body)].way_m;
    const auto at = static_cast<std::size_t>(i);
    moved.point_m[at] = tool.p_WT_m + arm_m;
    moved.gap_m[at] = static_cast<Scalar>(contact.gap_m) + n.dot(way_m - surface_way_m);
    moved.min_gap_m = Min(moved.min_gap_m, moved.gap_m[at]);
    moved.way_m = Max(moved.way_m, Norm(way_m));
  }
  return moved;
}

/// Smallest gap of what the solver sees, the lifts counted; 0 where none is below.
template <class Scalar>
Scalar SolvedOverlap(const StreamState<Scalar>& state, const MovedContacts<Scalar>& moved) {
  Scalar least_m(0);
  for (int i = 0; i < state.set.contacts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    least_m = Min(least_m, moved.gap_m[at] + state.lift_m[at]);
  }
  return least_m;
}

/// Puts a set in force between two ticks. The tool stays where it is, with its velocity: a swap moves nothing and adds no
/// energy by itself. A surface that overlaps the tool more than the last set did is lifted back to that: pushed out it would
/// move the hand. A lift ends as the tool leaves by itself (LowerLifts), or is let down slowly from the loop's credit.
///
///     l_i = max(0, o - g_i)          o ≤ 0: smallest gap of the last set, or 0
///     withheld += F l + K l²/2       of the largest l and the last load F: the work of a push-out by l against the spring K
///
/// @param[in] set        checked
/// @param[in] tool       as of the last step
/// @param[in] ticks      done: the state of the tick's count
template <class Scalar>
void PutInForce(const StreamedSet& set, const RigidBodyState<Scalar>& tool, std::uint32_t ticks, Scalar period_s,
                Scalar stiffness_N_per_m, StreamState<Scalar>* state) noexcept {
  Scalar overlap_m(0), lift_m(0);
  if (state->has_set) {
    const Scalar elapsed_s = period_s * static_cast<Scalar>(ticks - state->set.tick);
    overlap_m = SolvedOverlap(*state, MoveContacts(*state, tool, elapsed_s));
  }
  state->set = set;
  state->has_set = true;
  ++state->swaps;
  state->bodies = {};
  state->lift_m = {};
  const MovedContacts<Scalar> moved = MoveContacts(*state, tool, period_s * static_cast<Scalar>(ticks - set.tick));
  for (int i = 0; i < set.contacts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    state->lift_m[at] = Max(Scalar(0), overlap_m - moved.gap_m[at]);
    lift_m = Max(lift_m, state->lift_m[at]);
  }
  state->account.withheld_J += state->load_N * lift_m + stiffness_N_per_m * lift_m * lift_m / 2;
}

/// A lift is no larger than the overlap: the surface follows a tool that leaves. What is left is let down by at most
/// `most_m` in this tick, and by no more than `credit_J` pays for: to push the tool out by d against the last load F and the
/// spring K takes F d + K d²/2 ≤ (F + K most/2) d.
template <class Scalar>
void LowerLifts(const MovedContacts<Scalar>& moved, Scalar most_m, Scalar credit_J, Scalar stiffness_N_per_m,
                StreamState<Scalar>* state) noexcept {
  const Scalar price_N = state->load_N + stiffness_N_per_m * most_m / 2;
  for (int i = 0; i < state->set.contacts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    Scalar& lift_m = state->lift_m[at];
    lift_m = Min(lift_m, Max(Scalar(0), -moved.gap_m[at]));
    if (!(lift_m > Scalar(0) && credit_J > Scalar(0))) continue;
    const Scalar paid_m = price_N * most_m > credit_J ? credit_J / price_N : most_m;
    const Scalar down_m = Min(lift_m, paid_m);
    lift_m -= down_m;
    credit_J -= price_N * down_m;
    state->account.eased_J += price_N * down_m;
  }
}

}  // namespace tactus
