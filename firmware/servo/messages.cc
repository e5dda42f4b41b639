#include "firmware/servo/messages.h"

#include "tactus/core/widen.h"

namespace tactus::servo {
namespace {

// The enumerations of the schema mirror the library's: one static_assert for the last value of each.
static_assert(static_cast<int>(wire::Mode::kFault) == static_cast<int>(Mode::kFault));
static_assert(static_cast<int>(wire::FaultCode::kExternal) == static_cast<int>(Fault::kExternal));
static_assert(static_cast<int>(wire::SolveStatus::kInvalid) == static_cast<int>(SolveStatus::kInvalid));
static_assert(static_cast<int>(wire::Rung::kConvexStep) == static_cast<int>(Rung::kConvexStep));
static_assert(static_cast<std::uint32_t>(wire::StatusBit::kWorkSpent) == status_bit::kWorkSpent);

template <class Scalar, int kRows, std::uint16_t kSize>
void ToArray(const Vec<Scalar, kRows>& vector, flatbuffers::Array<double, kSize>* array) {
  static_assert(kRows == kSize);
  for (std::uint16_t i = 0; i < kSize; ++i) array->Mutate(i, Widen(vector(i)));
}

}  // namespace

SensorFrame SampleFromWire(const wire::Sample& message, std::uint32_t age_us) noexcept {
  SensorFrame frame;
  frame.sequence = message.sequence();
  frame.age_us = age_us;
  for (std::uint16_t i = 0; i < 3; ++i) frame.p_WH_m[i] = message.position_m()->Get(i);
  for (std::uint16_t i = 0; i < 4; ++i) frame.q_WH[i] = message.orientation_wxyz()->Get(i);
  return frame;
}

SensorFrame SampleFromWire(const wire::Telemetry& message) noexcept {
  SensorFrame frame;
  frame.sequence = message.sample_sequence();
  frame.age_us = message.sample_age_us();
  for (std::uint16_t i = 0; i < 3; ++i) frame.p_WH_m[i] = message.sample_position_m()->Get(i);
  for (std::uint16_t i = 0; i < 4; ++i) frame.q_WH[i] = message.sample_orientation_wxyz()->Get(i);
  return frame;
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
wire::Telemetry TelemetryToWire(const Telemetry<Scalar>& t, const SensorFrame& sample) noexcept {
  wire::Telemetry m;
  m.mutate_tick(t.tick);
  m.mutate_sample_sequence(t.sample_sequence);
  m.mutate_sample_age_us(sample.age_us);
  m.mutate_status(t.status);
  m.mutate_mode(static_cast<wire::Mode>(t.mode));
  m.mutate_fault(static_cast<wire::FaultCode>(t.fault));
  m.mutate_solve_status(static_cast<wire::SolveStatus>(t.solve_status));
  m.mutate_rung(static_cast<wire::Rung>(t.rung));
  m.mutate_contacts(static_cast<std::uint16_t>(t.contacts));
  m.mutate_contacts_dropped(static_cast<std::uint16_t>(t.contacts_dropped));
  m.mutate_pivots(static_cast<std::uint16_t>(t.pivots));
  m.mutate_work(t.work);
  for (std::uint16_t i = 0; i < 3; ++i) m.mutable_sample_position_m()->Mutate(i, sample.p_WH_m[i]);
  for (std::uint16_t i = 0; i < 4; ++i) m.mutable_sample_orientation_wxyz()->Mutate(i, sample.q_WH[i]);
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
  return m;
}

template wire::Telemetry TelemetryToWire(const Telemetry<double>&, const SensorFrame&) noexcept;
template wire::Telemetry TelemetryToWire(const Telemetry<float>&, const SensorFrame&) noexcept;

}  // namespace tactus::servo
