#include "firmware/servo/messages.h"

#include "tactus/core/widen.h"
#include "tactus/haptic/ceilings.h"

namespace tactus::servo {
namespace {

// The enumerations of the schema mirror the library's: one static_assert for the last value of each.
static_assert(static_cast<int>(wire::Mode::kFault) == static_cast<int>(Mode::kFault));
static_assert(static_cast<int>(wire::FaultCode::kExternal) == static_cast<int>(Fault::kExternal));
static_assert(static_cast<int>(wire::SolveStatus::kInvalid) == static_cast<int>(SolveStatus::kInvalid));
static_assert(static_cast<int>(wire::Rung::kConvexStep) == static_cast<int>(Rung::kConvexStep));
static_assert(static_cast<std::uint32_t>(wire::StatusBit::kClutched) == status_bit::kClutched);
static_assert(static_cast<int>(wire::ClutchPhase::kHeld) == static_cast<int>(ClutchPhase::kHeld));

static_assert(static_cast<int>(wire::ContactChange::kSticks) == static_cast<int>(ContactChange::kSticks));
static_assert(static_cast<int>(wire::StreamPhase::kFading) == static_cast<int>(StreamPhase::kFading));

template <class Scalar, int kRows, std::uint16_t kSize>
void ToArray(const Vec<Scalar, kRows>& vector, flatbuffers::Array<double, kSize>* array) {
  static_assert(kRows == kSize);
  for (std::uint16_t i = 0; i < kSize; ++i) array->Mutate(i, Widen(vector(i)));
}

}  // namespace

SensorFrame SampleFromWire(const wire::Sample& message, std::uint32_t age_us, const CountSteps& counts) noexcept {
  SensorFrame frame{.sequence = message.sequence(), .age_us = age_us, .counts = counts};
  for (std::uint16_t i = 0; i < 3; ++i) frame.p_WH_m[i] = message.position_m()->Get(i);
  for (std::uint16_t i = 0; i < 4; ++i) frame.q_WH[i] = message.orientation_wxyz()->Get(i);
  return frame;
}

namespace {

/// Telemetry's, or SecondTelemetry's.
template <class Message>
SensorFrame SampleOf(const Message& message) noexcept {
  SensorFrame frame;
  frame.sequence = message.sample_sequence();
  frame.age_us = message.sample_age_us();
  for (std::uint16_t i = 0; i < 3; ++i) frame.p_WH_m[i] = message.sample_position_m()->Get(i);
  for (std::uint16_t i = 0; i < 4; ++i) frame.q_WH[i] = message.sample_orientation_wxyz()->Get(i);
  return frame;
}

template <class Message>
void SetSample(const SensorFrame& sample, Message* message) noexcept {
  message->mutate_sample_age_us(sample.age_us);
  for (std::uint16_t i = 0; i < 3; ++i) message->mutable_sample_position_m()->Mutate(i, sample.p_WH_m[i]);
  for (std::uint16_t i = 0; i < 4; ++i) message->mutable_sample_orientation_wxyz()->Mutate(i, sample.q_WH[i]);
}

}  // namespace

SensorFrame SampleFromWire(const wire::Telemetry& message) noexcept { return SampleOf(message); }
SensorFrame SampleFromWire(const wire::SecondTelemetry& message) noexcept { return SampleOf(message); }

namespace {

template <class Message, class Position, class Orientation>
wire::Sample SampleWith(const Message& message, const Position& p_m, const Orientation& q) noexcept {
  wire::Sample sample;
  sample.mutate_sequence(message.sequence());
  sample.mutate_age_us(message.age_us());
  for (std::uint16_t i = 0; i < 3; ++i) sample.mutable_position_m()->Mutate(i, p_m.Get(i));
  for (std::uint16_t i = 0; i < 4; ++i) sample.mutable_orientation_wxyz()->Mutate(i, q.Get(i));
  return sample;
}

}  // namespace

wire::Sample WithoutCounts(const wire::CountedSample& sample) noexcept {
  return SampleWith(sample, *sample.position_m(), *sample.orientation_wxyz());
}

wire::Sample FirstOf(const wire::SampleOfTwo& samples) noexcept {
  return SampleWith(samples, *samples.position_m(), *samples.orientation_wxyz());
}

wire::Sample SecondOf(const wire::SampleOfTwo& samples) noexcept {
  return SampleWith(samples, *samples.second_position_m(), *samples.second_orientation_wxyz());
}

wire::SecondCommand SecondToWire(const CommandFrame& command, std::uint32_t tick) noexcept {
  wire::SecondCommand message;
  message.mutate_tick(tick);
  for (std::uint16_t i = 0; i < 3; ++i) {
    message.mutable_force_N()->Mutate(i, command.force_N[i]);
    message.mutable_torque_Nm()->Mutate(i, command.torque_Nm[i]);
  }
  return message;
}

wire::Command CommandToWire(const CommandFrame& command, const hal::CommandNote& note) noexcept {
  wire::Command message;
  message.mutate_tick(note.tick);
  message.mutate_sample_sequence(command.sequence);
  message.mutate_sample_age_us(note.sample_age_us);
  message.mutate_status(note.status);
  for (std::uint16_t i = 0; i < 3; ++i) {
    message.mutable_force_N()->Mutate(i, command.force_N[i]);
    message.mutable_torque_Nm()->Mutate(i, command.torque_Nm[i]);
  }
  message.mutate_state(static_cast<wire::State>(note.state));
  message.mutate_mode(static_cast<wire::Mode>(note.mode));
  return message;
}

template <class Scalar>
void TelemetryToWire(const Telemetry<Scalar>& t, const SensorFrame& sample, std::uint8_t buttons,
                     wire::Telemetry* message) noexcept {
  constexpr int kMostDropped = 255;
  wire::Telemetry& m = *message;
  m.mutate_tick(t.tick);
  m.mutate_sample_sequence(t.sample_sequence);
  SetSample(sample, message);
  m.mutate_status(t.status);
  m.mutate_mode(static_cast<wire::Mode>(t.mode));
  m.mutate_fault(static_cast<wire::FaultCode>(t.fault));
  m.mutate_solve_status(static_cast<wire::SolveStatus>(t.solve_status));
  m.mutate_rung(static_cast<wire::Rung>(t.rung));
  m.mutate_contacts(static_cast<std::uint16_t>(t.contacts));
  m.mutate_contacts_dropped(
      static_cast<std::uint8_t>(t.contacts_dropped < kMostDropped ? t.contacts_dropped : kMostDropped));
  m.mutate_buttons(buttons);
  m.mutate_pivots(static_cast<std::uint16_t>(t.pivots));
  m.mutate_work(t.work);
  ToArray(t.handle_twist_W, m.mutable_handle_twist_W());
  ToArray(t.p_WT_m, m.mutable_p_WT_m());
  ToArray(t.q_WT, m.mutable_q_WT());
  ToArray(t.tool_twist_W, m.mutable_tool_twist_W());
  ToArray(t.coupling_wrench_W, m.mutable_coupling_wrench_W());
  ToArray(t.command_wrench_W, m.mutable_command_wrench_W());
  m.mutate_min_gap_m(Widen(t.min_gap_m));
  m.mutate_residual(Widen(t.residual));
  m.mutate_normal_impulse_Ns(Widen(t.normal_impulse_Ns));
  m.mutate_gain(Widen(t.gain));
  m.mutate_stored_J(Widen(t.stored_J));
  m.mutate_dissipated_J(Widen(t.dissipated_J));
  m.mutate_damping_ratio(Widen(t.damping_ratio));
  m.mutate_state_hash(t.state_hash);
}

template <class Scalar>
wire::SecondTelemetry SecondTelemetryToWire(const State<Scalar>& state) noexcept {
  wire::SecondTelemetry m;
  if constexpr (kServoScene.hands > 1) {
    const auto& hand = state.second;
    m.mutate_tick(state.tick);
    m.mutate_sample_sequence(hand.sample.sequence);
    SetSample(hand.sample, &m);
    ToArray(hand.handle.handle().twist_W, m.mutable_handle_twist_W());
    ToArray(hand.tool.p_WT_m, m.mutable_p_WT_m());
    ToArray(hand.tool.q_WT, m.mutable_q_WT());
    ToArray(hand.tool.twist_W, m.mutable_tool_twist_W());
    ToArray(hand.command_wrench_W, m.mutable_command_wrench_W());
    m.mutate_dissipated_J(Widen(hand.passivity.dissipated_J));
    m.mutate_damping_ratio(Widen(hand.passivity.damping_ratio));
  }
  return m;
}

StreamConfig StreamFromWire(const wire::StreamOpen& message) noexcept {
  return {.open = message.session() != 0, .turns = message.turns() != 0};
}

template <class Scalar>
wire::StreamReport StreamToWire(const StreamState<Scalar>& stream, std::uint32_t tick) noexcept {
  wire::StreamReport m;
  m.mutate_tick(tick);
  m.mutate_sequence(stream.set.sequence);
  m.mutate_age_ticks(stream.has_set ? tick - stream.set.tick : 0);
  m.mutate_ticks(stream.ticks);
  m.mutate_resolved_ticks(stream.resolved_ticks);
  m.mutate_swaps(stream.swaps);
  Scalar lift_m(0);
  for (const Scalar lift : stream.lift_m) lift_m = Max(lift_m, lift);
  m.mutate_lift_m(static_cast<float>(lift_m));
  m.mutate_load_N(static_cast<float>(stream.load_N));
  for (std::uint16_t i = 0; i < 3 * kStreamedBodies; ++i) {
    m.mutable_body_velocity_mps()->Mutate(i, static_cast<float>(stream.bodies[i / 3u].velocity_mps(i % 3)));
  }
  m.mutate_pushed_J(Widen(stream.account.pushed_J));
  m.mutate_eased_J(Widen(stream.account.eased_J));
  m.mutate_withheld_J(Widen(stream.account.withheld_J));
  m.mutate_surface_J(Widen(stream.account.surface_J));
  return m;
}

template <class Scalar>
wire::WorkspaceReport WorkspaceToWire(const Config<Scalar>& config, const WorkspaceState<Scalar>& state,
                                      std::uint32_t tick) noexcept {
  const WorkspaceConfig<Scalar>& workspace = config.workspace;
  wire::WorkspaceReport m;
  m.mutate_tick(tick);
  m.mutate_clutch(static_cast<wire::ClutchPhase>(state.clutch));
  m.mutate_scale(Widen(workspace.scale));
  m.mutate_force_scale(Widen(workspace.force_scale));
  ToArray(state.begun ? state.offset_m : workspace.offset_m, m.mutable_offset_m());
  ToArray(workspace.q_WD, m.mutable_orientation_wxyz());
  ToArray(state.index, m.mutable_index_wxyz());
  m.mutate_lowest_scale(kScaleField.lowest);
  m.mutate_highest_scale(kScaleField.highest);
  m.mutate_lowest_force_scale(kForceScaleField.lowest);
  m.mutate_highest_force_scale(kForceScaleField.highest);
  m.mutate_highest_offset_m(kWorkspaceOffsetField.highest);
  return m;
}

template wire::WorkspaceReport WorkspaceToWire(const Config<double>&, const WorkspaceState<double>&, std::uint32_t) noexcept;
template wire::WorkspaceReport WorkspaceToWire(const Config<float>&, const WorkspaceState<float>&, std::uint32_t) noexcept;
template wire::StreamReport StreamToWire(const StreamState<double>&, std::uint32_t) noexcept;
template wire::StreamReport StreamToWire(const StreamState<float>&, std::uint32_t) noexcept;
template wire::SecondTelemetry SecondTelemetryToWire(const State<double>&) noexcept;
template wire::SecondTelemetry SecondTelemetryToWire(const State<float>&) noexcept;
template void TelemetryToWire(const Telemetry<double>&, const SensorFrame&, std::uint8_t, wire::Telemetry*) noexcept;
template void TelemetryToWire(const Telemetry<float>&, const SensorFrame&, std::uint8_t, wire::Telemetry*) noexcept;

}  // namespace tactus::servo
