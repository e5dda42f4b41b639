#include "firmware/servo/servo_tick.h"

namespace tactus {

template Status Tick<float, kServoCapacity>(const SensorFrame&, const Config<float>&, State<float, kServoCapacity>*,
                                            CommandFrame*, Telemetry<float>*) noexcept;

}  // namespace tactus
