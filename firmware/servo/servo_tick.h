#pragma once
#include "tactus/haptic/tick.h"

namespace tactus {

// The tick of the servo loop is compiled once for each scalar, in servo_tick_double.cc and servo_tick_float.cc; a board
// links only the one that it uses.
extern template Status Tick<double, kServoCapacity>(const SensorFrame&, const Config<double>&,
                                                    State<double, kServoCapacity>*, CommandFrame*,
                                                    Telemetry<double>*) noexcept;
extern template Status Tick<float, kServoCapacity>(const SensorFrame&, const Config<float>&, State<float, kServoCapacity>*,
                                                   CommandFrame*, Telemetry<float>*) noexcept;

}  // namespace tactus
