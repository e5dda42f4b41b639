#pragma once
#include "tactus/core/frames.h"
#include "tactus/wire/message.h"

namespace tactus::host {

// Between the device's frames and the messages of the link, as the host needs them.
wire::Sample ToMessage(const SensorFrame& frame);
wire::SampleOfTwo ToMessage(const SensorFrame& first, const SensorFrame& second);
CommandFrame ToFrame(const wire::Command& command);
/// @param sample_sequence  of the Command that follows
CommandFrame ToFrame(const wire::SecondCommand& command, std::uint32_t sample_sequence);

}  // namespace tactus::host
