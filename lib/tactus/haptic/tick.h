#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/collide/peg_in_hole.h"
#include "tactus/core/frames.h"
#include "tactus/haptic/clutch.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/coupling.h"
#include "tactus/haptic/guard.h"
#include "tactus/haptic/internal/reports.h"
#include "tactus/haptic/limits.h"
#include "tactus/haptic/second_hand.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/streamed_tick.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/haptic/tune.h"
#include "tactus/step/body_step.h"
#include "tactus/step/keep_contacts.h"

namespace tactus {

/// One period of the servo loop: from a sample of the handle to the force on the hand. docs/servo_loop.md draws it.
///
/// Pure: the results depend on the arguments alone. No heap, clock, static or exception; every loop is bounded.
///
/// @param[in]     sample     the handle's pose, of this period. Anything may be in it
/// @param[in]     config     validated (Validate)
/// @param[in,out] state      what survives from tick to tick
/// @param[out]    command    force and torque on the hand for the coming period; always finite and inside config.limits
/// @param[out]    telemetry  what happened
/// @returns kOk: the sample was used and the answer of the step is valid. kNotFinite, kOutOfRange, kStale: the sample was
///          not used; the last force is held, then fades. kNotReady: a fault is latched. The command is to be sent in every
///          case.
template <class Scalar, Capacity kCapacity>
Status Tick(const SensorFrame& sample, const Config<Scalar>& config, State<Scalar, kCapacity>* state, CommandFrame* command,
            Telemetry<Scalar>* telemetry) noexcept;

}  // namespace tactus

#include "tactus/haptic/tick.inl"
