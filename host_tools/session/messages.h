#pragma once
#include "tactus/core/frames.h"
#include "tactus/wire/message.h"

namespace tactus::host {

// Between the device's frames and the messages of the link, as the host needs them.
wire::Sample ToMessage(const SensorFrame& frame);
CommandFrame ToFrame(const wire::Command& command);

}  // namespace tactus::host
