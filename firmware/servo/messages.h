#pragma once
#include "hal/api/device.h"
#include "tactus/contact/contact_events.h"
#include "tactus/core/frames.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/haptic/workspace.h"
#include "tactus/stream/stream_state.h"
#include "tactus/wire/message.h"

namespace tactus::servo {

// Between the messages of the link and the types of the tick. Controller and replay share it.

/// @param[in] age_us  of the measurement when the tick starts
/// @param[in] counts  that its position is from
SensorFrame SampleFromWire(const wire::Sample& message, std::uint32_t age_us, const CountSteps& counts = {}) noexcept;

wire::Sample WithoutCounts(const wire::CountedSample& sample) noexcept;

/// Of a CountedSample or SampleCounts.
template <class Message>
CountSteps CountsFromWire(const Message& message) noexcept {
  CountSteps counts{.motors = message.motors()};
  for (std::uint16_t i = 0; i < 9; ++i) counts.step_m[i / 3][i % 3] = message.step_m()->Get(i);
  return counts;
}
template <class Message>
void CountsToWire(const CountSteps& counts, Message* message) noexcept {
  message->mutate_motors(counts.motors);
  for (std::uint16_t i = 0; i < 9; ++i) message->mutable_step_m()->Mutate(i, counts.step_m[i / 3][i % 3]);
}

/// The samples of a pair, each by itself.
wire::Sample FirstOf(const wire::SampleOfTwo& samples) noexcept;
wire::Sample SecondOf(const wire::SampleOfTwo& samples) noexcept;

/// The message of a second hand's command.
wire::SecondCommand SecondToWire(const CommandFrame& command, std::uint32_t tick) noexcept;

/// The message of a command. `note.mode` is the tick's, `note.state` the supervisor's.
wire::Command CommandToWire(const CommandFrame& command, const hal::CommandNote& note) noexcept;

/// What goes with the command of a tick. The state is the caller's.
template <class Scalar>
hal::CommandNote NoteOf(const Telemetry<Scalar>& telemetry, const SensorFrame& sample) noexcept {
  return {.tick = telemetry.tick,
          .sample_age_us = sample.age_us,
          .status = telemetry.status,
          .mode = static_cast<std::uint8_t>(telemetry.mode)};
}

/// The fields that come from the tick, its sample and what the device says besides it; the loop's counters and its state are
/// the caller's.
template <class Scalar>
void TelemetryToWire(const Telemetry<Scalar>& telemetry, const SensorFrame& sample, std::uint8_t buttons,
                     wire::Telemetry* message) noexcept;

/// What the last tick of a scene with two tools did to the second hand.
template <class Scalar>
wire::SecondTelemetry SecondTelemetryToWire(const State<Scalar>& state) noexcept;

/// What the tick knows of a report on the stream; session, refusals and phase are the caller's.
template <class Scalar>
wire::StreamReport StreamToWire(const StreamState<Scalar>& stream, std::uint32_t tick) noexcept;

/// The map in force, the clutch, and the bounds of a Workspace.
template <class Scalar>
wire::WorkspaceReport WorkspaceToWire(const Config<Scalar>& config, const WorkspaceState<Scalar>& state,
                                      std::uint32_t tick) noexcept;

/// `missed` is the caller's.
template <class Scalar>
wire::ContactEvent EventToWire(const ContactEvent<Scalar>& event) noexcept {
  wire::ContactEvent m;
  m.mutate_tick(event.tick);
  for (std::uint16_t i = 0; i < 3; ++i) m.mutable_point_m()->Mutate(i, static_cast<float>(event.point_m(i)));
  m.mutate_impulse_Ns(static_cast<float>(event.impulse_Ns));
  m.mutate_body_a(static_cast<std::int16_t>(event.a));
  m.mutate_body_b(static_cast<std::int16_t>(event.b));
  m.mutate_change(static_cast<wire::ContactChange>(event.change));
  return m;
}

/// What a StreamOpen asks of the tick.
StreamConfig StreamFromWire(const wire::StreamOpen& message) noexcept;

/// The sample that it tells of.
SensorFrame SampleFromWire(const wire::Telemetry& message) noexcept;
SensorFrame SampleFromWire(const wire::SecondTelemetry& message) noexcept;

extern template wire::StreamReport StreamToWire(const StreamState<double>&, std::uint32_t) noexcept;
extern template wire::StreamReport StreamToWire(const StreamState<float>&, std::uint32_t) noexcept;
extern template wire::WorkspaceReport WorkspaceToWire(const Config<double>&, const WorkspaceState<double>&,
                                                      std::uint32_t) noexcept;
extern template wire::WorkspaceReport WorkspaceToWire(const Config<float>&, const WorkspaceState<float>&,
                                                      std::uint32_t) noexcept;
extern template wire::SecondTelemetry SecondTelemetryToWire(const State<double>&) noexcept;
extern template wire::SecondTelemetry SecondTelemetryToWire(const State<float>&) noexcept;
extern template void TelemetryToWire(const Telemetry<double>&, const SensorFrame&, std::uint8_t, wire::Telemetry*) noexcept;
extern template void TelemetryToWire(const Telemetry<float>&, const SensorFrame&, std::uint8_t, wire::Telemetry*) noexcept;

}  // namespace tactus::servo
