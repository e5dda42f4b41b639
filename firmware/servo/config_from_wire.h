#pragma once
#include <cstdint>

#include "tactus/haptic/ceilings.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/tune.h"
#include "tactus/wire/fields.h"
#include "tactus/wire/message.h"

namespace tactus::servo {

/// A host that wants Telemetry more seldom than every quarter of an hour wants none, which is 0.
inline constexpr std::int32_t kMostTelemetryEveryTicks = 1'000'000;

/// Why a Config message is refused.
struct ConfigRefusal {
  wire::AckCode code = wire::AckCode::kAccepted;
  std::uint16_t field = wire::kNoField;  ///< its offset in the payload
  double limit = 0;                      ///< the bound that the field breaks

  constexpr explicit operator bool() const { return code != wire::AckCode::kAccepted; }
};

/// Takes a Config message apart and checks every field. Controller and replay share it, so both run with the same numbers.
///
/// @param[in]  message    anything
/// @param[in]  period_us  of the loop
/// @param[out] config     unchanged if the message is refused
/// @param[in]  device     whose bounds (ceilings.h)
template <class Scalar>
ConfigRefusal ConfigFromWire(const wire::Config& message, std::uint32_t period_us, Config<Scalar>* config,
                             const DeviceLimits& device = {}) noexcept;

/// Takes a Tune message apart: `config` with the message's fields, checked as a whole.
///
/// @param[in]  config  in force
/// @param[out] tune    where tactus::Tune() shall go; unchanged if the message is refused
template <class Scalar>
ConfigRefusal TuneFromWire(const wire::Tune& message, const Config<Scalar>& config, TuneConfig<Scalar>* tune,
                           const DeviceLimits& device = {}) noexcept;

/// Takes a Workspace message apart and checks every field.
///
/// @param[out] workspace  unchanged if the message is refused
template <class Scalar>
ConfigRefusal WorkspaceFromWire(const wire::Workspace& message, WorkspaceConfig<Scalar>* workspace) noexcept;

/// The message of a map.
wire::Workspace WorkspaceToWire(const WorkspaceConfig<double>& workspace) noexcept;

/// The Tune that leads to `config`. Telemetry every tick.
wire::Tune TuneToWire(const Config<double>& config) noexcept;

/// The message from which ConfigFromWire makes `config`. Pacing by clock, telemetry every tick.
wire::Config ConfigToWire(const Config<double>& config) noexcept;

/// What ConfigFromWire accepts at least and at most, field by field.
wire::ConfigLowest LowestToWire(const DeviceLimits& device = {}) noexcept;
wire::ConfigHighest HighestToWire(const DeviceLimits& device = {}) noexcept;

/// The device's limits that these bounds follow from.
DeviceLimits LimitsFromWire(const wire::ConfigHighest& highest) noexcept;

extern template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<double>*,
                                             const DeviceLimits&) noexcept;
extern template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<float>*,
                                             const DeviceLimits&) noexcept;

extern template ConfigRefusal TuneFromWire(const wire::Tune&, const Config<double>&, TuneConfig<double>*,
                                           const DeviceLimits&) noexcept;
extern template ConfigRefusal TuneFromWire(const wire::Tune&, const Config<float>&, TuneConfig<float>*,
                                           const DeviceLimits&) noexcept;

extern template ConfigRefusal WorkspaceFromWire(const wire::Workspace&, WorkspaceConfig<double>*) noexcept;
extern template ConfigRefusal WorkspaceFromWire(const wire::Workspace&, WorkspaceConfig<float>*) noexcept;

}  // namespace tactus::servo
