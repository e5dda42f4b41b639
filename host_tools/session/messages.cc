#include "host_tools/session/messages.h"

#include <algorithm>

#include "firmware/servo/messages.h"

namespace tactus::host {

namespace {

template <class Message>
Message PoseOf(const SensorFrame& frame) {
  Message sample;
  sample.mutate_sequence(frame.sequence);
  sample.mutate_age_us(frame.age_us);
  for (std::uint16_t i = 0; i < 3; ++i) sample.mutable_position_m()->Mutate(i, frame.p_WH_m[i]);
  for (std::uint16_t i = 0; i < 4; ++i) sample.mutable_orientation_wxyz()->Mutate(i, frame.q_WH[i]);
  return sample;
}

}  // namespace

wire::Sample ToMessage(const SensorFrame& frame) { return PoseOf<wire::Sample>(frame); }

wire::CountedSample ToCountedMessage(const SensorFrame& frame) {
  auto sample = PoseOf<wire::CountedSample>(frame);
  servo::CountsToWire(frame.counts, &sample);
  return sample;
}

wire::SampleOfTwo ToMessage(const SensorFrame& first, const SensorFrame& second) {
  wire::SampleOfTwo samples;
  samples.mutate_sequence(first.sequence);
  samples.mutate_age_us(std::max(first.age_us, second.age_us));
  for (std::uint16_t i = 0; i < 3; ++i) {
    samples.mutable_position_m()->Mutate(i, first.p_WH_m[i]);
    samples.mutable_second_position_m()->Mutate(i, second.p_WH_m[i]);
  }
  for (std::uint16_t i = 0; i < 4; ++i) {
    samples.mutable_orientation_wxyz()->Mutate(i, first.q_WH[i]);
    samples.mutable_second_orientation_wxyz()->Mutate(i, second.q_WH[i]);
  }
  return samples;
}

namespace {

template <class Message>
CommandFrame FrameOf(const Message& command, std::uint32_t sequence) {
  CommandFrame frame;
  frame.sequence = sequence;
  for (std::uint16_t i = 0; i < 3; ++i) {
    frame.force_N[i] = command.force_N()->Get(i);
    frame.torque_Nm[i] = command.torque_Nm()->Get(i);
  }
  return frame;
}

}  // namespace

CommandFrame ToFrame(const wire::Command& command) { return FrameOf(command, command.sample_sequence()); }

CommandFrame ToFrame(const wire::SecondCommand& command, std::uint32_t sample_sequence) {
  return FrameOf(command, sample_sequence);
}

}  // namespace tactus::host
