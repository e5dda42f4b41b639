#pragma once
#include "tactus/contact/friction_frame.h"
#include "tactus/haptic/coupling.h"
#include "tactus/haptic/internal/reports.h"
#include "tactus/haptic/state.h"
#include "tactus/step/body_step.h"
#include "tactus/stream/stream_state.h"

// The parts of a tick that differ while contacts are streamed: stream/streamed_set.h has the equations.
namespace tactus {

/// Bodies that may yield in a set: none where the board has no room for scenes of several.
inline constexpr int kStreamedBodyRoom = kSceneCapacity.bodies > kStreamedBodies ? kStreamedBodies : 0;

/// How the stream stands after a tick.
template <class Scalar, Capacity kCapacity>
StreamPhase PhaseOf(const StreamConfig& config, const State<Scalar, kCapacity>& state) noexcept {
  if (!config.open) return StreamPhase::kClosed;
  if (!state.stream.has_set || state.placed_inside) return StreamPhase::kWaiting;
  return state.stream.holds ? StreamPhase::kFresh : StreamPhase::kFading;
}

/// Puts a streamed set in force between two ticks: PutInForce with what the tick knows.
template <class Scalar, Capacity kCapacity>
void PutInForce(const StreamedSet& set, const Config<Scalar>& config, State<Scalar, kCapacity>* state) noexcept {
  StreamState<Scalar>& stream = state->stream;
  const Scalar withheld_J = stream.account.withheld_J;
  PutInForce(set, state->tool, state->tick, config.period_s, SceneStiffness(config), &stream);
  if (!state->placed_inside) return;
  stream.lift_m = {};  // a tool in the handle is pushed by nothing
  stream.account.withheld_J = withheld_J;
}

namespace internal {

/// From the reference of the set in force to the end of the last tick.
template <class Scalar, Capacity kCapacity>
Scalar StreamAge_s(const Config<Scalar>& config, const State<Scalar, kCapacity>& state) {
  return config.period_s * static_cast<Scalar>(state.tick - 1 - state.stream.set.tick);
}

/// Whether the set in force holds in this tick.
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] void JudgeStream(const Config<Scalar>& config, State<Scalar, kCapacity>* state,
                                   Telemetry<Scalar>* telemetry) {
  StreamState<Scalar>& stream = state->stream;
  ++stream.ticks;
  const std::uint32_t age_ticks = state->tick - stream.set.tick;
  const bool young = stream.has_set && age_ticks <= static_cast<std::uint32_t>(stream.set.age_limit_ticks);
  const MovedContacts<Scalar> moved = MoveContacts(stream, state->tool, StreamAge_s(config, *state));
  const bool near = !stream.has_set || moved.way_m <= static_cast<Scalar>(stream.set.radius_m);
  if (!young) telemetry->status |= status_bit::kStreamStale;
  if (!near) telemetry->status |= status_bit::kStreamAway;
  stream.holds = young && near;
}

/// A stream that does not hold takes its force back.
template <class Scalar, Capacity kCapacity>
bool StreamFades(const Config<Scalar>& config, const State<Scalar, kCapacity>& state) {
  return config.stream.open && !state.stream.holds;
}

/// The tool is in the handle, without a force. @returns whether it stays there: no good set, or inside of what it tells.
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] bool StreamKeepsWaiting(const Config<Scalar>& config, State<Scalar, kCapacity>* state,
                                          Telemetry<Scalar>* telemetry) {
  StreamState<Scalar>& stream = state->stream;
  stream.lift_m = {};
  stream.load_N = Scalar(0);
  JudgeStream(config, state, telemetry);
  if (!stream.holds) return true;
  const MovedContacts<Scalar> moved = MoveContacts(stream, state->tool, StreamAge_s(config, *state));
  ReportContacts(stream.set.contacts.size(), 0, moved.min_gap_m, telemetry);
  return moved.min_gap_m < -Scalar(kPlacedInside_m) * config.workspace.scale;
}

/// The tool as the solver sees it: BuildProblem's, without contacts.
template <class Scalar, Capacity kCapacity, class Problem>
void PutTool(const Config<Scalar>& config, const ImplicitWrench<Scalar>& coupling, const State<Scalar, kCapacity>& state,
             Problem* problem) {
  BuildProblem(state.tool, ToolStep(config, coupling), {}, problem);
  if (config.stream.turns) return;
  problem->bodies[0].inertia_kgm2 = Mat<Scalar, 3, 3>::Identity() * Scalar(kNoTurnInertia_kgm2);
  problem->bodies[0].wrench.template tail<3>().setZero();
}

/// The bodies that yield: masses at the contacts, which do not turn.
template <class Scalar, Capacity kCapacity, class Problem>
void PutStreamedBodies(const State<Scalar, kCapacity>& state, Problem* problem) {
  const StreamState<Scalar>& stream = state.stream;
  problem->bodies.resize(1 + stream.set.mass_kg.size());
  for (int i = 0; i < stream.set.mass_kg.size(); ++i) {
    Body<Scalar, 6>& body = problem->bodies[1 + i];
    body = Body<Scalar, 6>{};
    body.mass_kg = static_cast<Scalar>(stream.set.mass_kg[i]);
    body.inertia_kgm2 = Mat<Scalar, 3, 3>::Identity() * Scalar(kNoTurnInertia_kgm2);
    body.position_m = state.tool.p_WT_m;
    body.velocity.template head<3>() = stream.bodies[static_cast<std::size_t>(i)].velocity_mps;
  }
}

template <class Scalar>
Contact<Scalar, 6> ToContact(const StreamedContact& streamed, int id, const Vec<Scalar, 3>& point_m, Scalar gap_m) {
  const Vec<Scalar, 3> sent = FromFloats<Scalar>(streamed.normal), w = FromFloats<Scalar>(streamed.surface_velocity_mps),
                       n = sent / Norm(sent);
  Contact<Scalar, 6> contact{.id = id,
                             .a = 0,
                             .b = streamed.body == kFixed ? kFixed : 1 + streamed.body,
                             .point_m = point_m,
                             .normal = n,
                             .tangent = DefaultTangent(n),
                             .friction = static_cast<Scalar>(streamed.friction),
                             .gap_m = gap_m};
  contact.surface_velocity_mps = {w.dot(contact.tangent), w.dot(Cross(n, contact.tangent))};
  contact.surface_normal_velocity_mps = w.dot(n);
  return contact;
}

/// Books what the solved contacts did: loads, energies, the bodies that yielded.
template <class Scalar, class Problem, class Solution>
void TakeStreamed(const Problem& problem, const Solution& solution, Scalar period_s, StreamState<Scalar>* stream) {
  stream->load_N = Scalar(0);
  for (int i = 0; i < solution.impulse.size(); ++i) {
    const Contact<Scalar, 6>& contact = problem.contacts[i];
    const Scalar theta_Ns = solution.impulse.normal_Ns(i);
    const Vec<Scalar, 6> twist_W = solution.velocity[0];
    const Vec<Scalar, 3> v = twist_W.template head<3>(), omega = twist_W.template tail<3>();
    const Vec<Scalar, 3> arm_m = contact.point_m - problem.bodies[0].position_m;
    Scalar surface_mps = contact.surface_normal_velocity_mps;
    if (contact.b != kFixed) {
      const Vec<Scalar, 6> other_W = solution.velocity[contact.b];
      const Vec<Scalar, 3> other_mps = other_W.template head<3>();
      surface_mps += contact.normal.dot(other_mps);
    }
    const Scalar opening_mps = contact.normal.dot(v + Cross(omega, arm_m)) - surface_mps;
    stream->load_N += theta_Ns / period_s;
    stream->account.pushed_J += theta_Ns * Max(Scalar(0), opening_mps);
    stream->account.surface_J += theta_Ns * surface_mps;
  }
  for (int i = 0; i < stream->set.mass_kg.size(); ++i) {
    const Vec<Scalar, 6> twist_W = solution.velocity[1 + i];
    auto& body = stream->bodies[static_cast<std::size_t>(i)];
    body.velocity_mps = twist_W.template head<3>();
    body.way_m += period_s * body.velocity_mps;
  }
}

/// What the passivity observer holds as taken from the hand pays for lifts that are let down: so much of the scene's energy.
template <class Scalar, Capacity kCapacity>
Scalar StreamCredit_J(const Config<Scalar>& config, const State<Scalar, kCapacity>& state) {
  if (!config.passivity.enabled || state.gain < Scalar(1)) return Scalar(0);
  const Scalar hand_J = Max(Scalar(0), state.passivity.dissipated_J);
  return hand_J * config.workspace.scale / config.workspace.force_scale;
}

/// One step with the streamed contacts, moved to where the tool is and solved anew. @returns as StepTool
template <class Scalar, Capacity kCapacity, class Solver, class Problem, class Solution>
bool SolveStreamed(const Config<Scalar>& config, const HandleState<Scalar>& handle, const ImplicitWrench<Scalar>& coupling,
                   Solver* solver, Problem* problem, Solution* solution, State<Scalar, kCapacity>* state,
                   Telemetry<Scalar>* telemetry) {
  StreamState<Scalar>& stream = state->stream;
  const MovedContacts<Scalar> moved = MoveContacts(stream, state->tool, StreamAge_s(config, *state));
  LowerLifts(moved, ScenePushOut(config) * config.period_s, StreamCredit_J(config, *state), SceneStiffness(config), &stream);
  PutTool(config, coupling, *state, problem);
  PutStreamedBodies(*state, problem);
  const Scalar search_m =
      SearchDistance(config, state->tool.twist_W, handle.twist_W) + config.period_s * Scalar(kMaxStreamedSpeed_mps);
  for (int i = 0; i < stream.set.contacts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Scalar gap_m = moved.gap_m[at] + stream.lift_m[at];
    if (gap_m > search_m) continue;
    (void)problem->contacts.push_back(ToContact(stream.set.contacts[i], i, moved.point_m[at], gap_m));  // 16 fit
  }
  ReportContacts(problem->contacts.size(), 0, SolvedOverlap(stream, moved), telemetry);
  SolverOptions<Scalar> options = ServoOptions(config);
  if (problem->bodies.size() > 1) options.work_budget = config.work.of_many;
  solver->Solve(*problem, options, solution);
  ReportSolution(*solution, telemetry);
  if (solution->status == SolveStatus::kInvalid) return false;
  ++stream.resolved_ticks;
  TakeStreamed(*problem, *solution, config.period_s, &stream);
  state->tool.twist_W = solution->velocity[0];
  if (!config.stream.turns) state->tool.twist_W.template tail<3>().setZero();
  IntegratePose(config.period_s, &state->tool);
  return IsFinite(state->tool.p_WT_m) && IsFinite(state->tool.q_WT) && IsFinite(state->tool.twist_W);
}

/// Not inline: a board has its fast memory for what runs without a stream.
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] bool StepStreamed(const Config<Scalar>& config, const HandleState<Scalar>& handle,
                                    const ImplicitWrench<Scalar>& coupling, State<Scalar, kCapacity>* state,
                                    Telemetry<Scalar>* telemetry) {
  static_assert(kStreamedContacts <= kCapacity.contacts && kStreamedContacts <= kSceneCapacity.contacts);
  const bool is_tool_alone = state->stream.set.mass_kg.empty();
  if constexpr (kStreamedBodyRoom > 0) {
    auto& many = state->many;
    if (!is_tool_alone)
      return SolveStreamed(config, handle, coupling, &many.solver, &many.problem, &many.solution, state, telemetry);
  }
  return is_tool_alone &&
         SolveStreamed(config, handle, coupling, &state->solver, &state->problem, &state->solution, state, telemetry);
}

}  // namespace internal
}  // namespace tactus
