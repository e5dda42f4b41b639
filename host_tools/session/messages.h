#pragma once
#include "tactus/core/frames.h"
#include "tactus/wire/message.h"

namespace tactus::host {

// Between the device's frames and the messages of the link, as the host needs them.
wire::Sample ToMessage(const SensorFrame& frame);
wire::CountedSample ToCountedMessage(const SensorFrame& frame);
wire::SampleOfTwo ToMessage(const SensorFrame& first, const SensorFrame& second);
/// As a CountedSample where its position is from counts of motors, else as a Sample.
template <class Client>
void SendSample(const SensorFrame& frame, Client& to) {
  if (frame.counts.motors > 0) {
    to.Send(ToCountedMessage(frame));
  } else {
    to.Send(ToMessage(frame));
  }
}
CommandFrame ToFrame(const wire::Command& command);
/// @param sample_sequence  of the Command that follows
CommandFrame ToFrame(const wire::SecondCommand& command, std::uint32_t sample_sequence);

}  // namespace tactus::host
