#pragma once
#include "tactus/core/frames.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/wire/message.h"

namespace tactus::servo {

// Between the messages of the link and the types of the tick. Controller and replay share it.

/// @param[in] age_us  of the measurement when the tick starts
SensorFrame SampleFromWire(const wire::Sample& message, std::uint32_t age_us) noexcept;

/// What of a tick's report both messages carry and the tick does not know.
struct TickStamp {
  std::uint32_t tick = 0;  ///< counts from 1 after each Config or kReset
  std::uint32_t sample_age_us = 0;
};

template <class Scalar>
wire::Command CommandToWire(const CommandFrame& command, const Telemetry<Scalar>& telemetry,
                            const TickStamp& stamp) noexcept;

/// The fields that come from the tick; the loop's counters and its state are the caller's.
template <class Scalar>
wire::Telemetry TelemetryToWire(const Telemetry<Scalar>& telemetry, const TickStamp& stamp) noexcept;

extern template wire::Command CommandToWire(const CommandFrame&, const Telemetry<double>&, const TickStamp&) noexcept;
extern template wire::Command CommandToWire(const CommandFrame&, const Telemetry<float>&, const TickStamp&) noexcept;
extern template wire::Telemetry TelemetryToWire(const Telemetry<double>&, const TickStamp&) noexcept;
extern template wire::Telemetry TelemetryToWire(const Telemetry<float>&, const TickStamp&) noexcept;

}  // namespace tactus::servo
