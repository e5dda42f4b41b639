#include "firmware/servo/servo_tick.h"

namespace tactus {

template Status Tick<double, kServoCapacity>(const SensorFrame&, const Config<double>&, State<double, kServoCapacity>*,
                                             CommandFrame*, Telemetry<double>*) noexcept;

}  // namespace tactus
