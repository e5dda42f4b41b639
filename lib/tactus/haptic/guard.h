#pragma once
#include <cstdint>

#include "tactus/core/frames.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/telemetry.h"

namespace tactus {

/// What the checks of one sample say.
template <class Scalar>
struct SampleCheck {
  Status status = Status::kOk;  ///< kOk: use the sample. kNotFinite, kOutOfRange, kStale: do not
  Fault cause = Fault::kNone;   ///< what latches if no good sample comes before the force has faded
  Fault fault = Fault::kNone;   ///< what latches at once
  std::uint32_t bits = 0;       ///< for Telemetry::status
  /// Since the last good sample: by the sequence number, but no more than the loop saw pass (and one).
  int periods = 1;
  Vec<Scalar, 3> p_WH_m = Vec<Scalar, 3>::Zero();
  Quaternion<Scalar> q_WH = IdentityQuaternion<Scalar>();
  Vec<Scalar, 6> step_W = Vec<Scalar, 6>::Zero();  ///< the handle's way since the last good sample [m, rad]
};

/// Checks a sample against nature and against the last good one: finite, unit quaternion, fresh, inside the workspace, no
/// jump, not frozen. Changes nothing.
///
/// A sample that is late or garbled may be the link's fault and the next one good: the force is held, then fades. A handle
/// that is somewhere impossible means that the device cannot be trusted: the fault latches at once.
///
/// @param[in] command_force_N  magnitude of the last command, for the frozen check
template <class Scalar>
SampleCheck<Scalar> CheckSample(const SensorFrame& sample, const GuardConfig<Scalar>& config, const GuardState& guard,
                                Scalar command_force_N) noexcept;

/// Keeps what the next check needs. Call once a tick with the result of CheckSample.
template <class Scalar>
void RememberSample(const SensorFrame& sample, const SampleCheck<Scalar>& check, const GuardConfig<Scalar>& config,
                    Scalar command_force_N, GuardState* guard) noexcept;

}  // namespace tactus

#include "tactus/haptic/internal/guard_impl.h"
