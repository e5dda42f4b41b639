#include "host_tools/session/messages.h"

namespace tactus::host {

wire::Sample ToMessage(const SensorFrame& frame) {
  wire::Sample sample;
  sample.mutate_sequence(frame.sequence);
  sample.mutate_age_us(frame.age_us);
  for (std::uint16_t i = 0; i < 3; ++i) sample.mutable_position_m()->Mutate(i, frame.p_WH_m[i]);
  for (std::uint16_t i = 0; i < 4; ++i) sample.mutable_orientation_wxyz()->Mutate(i, frame.q_WH[i]);
  return sample;
}

CommandFrame ToFrame(const wire::Command& command) {
  CommandFrame frame;
  frame.sequence = command.sample_sequence();
  for (std::uint16_t i = 0; i < 3; ++i) {
    frame.force_N[i] = command.force_N()->Get(i);
    frame.torque_Nm[i] = command.torque_Nm()->Get(i);
  }
  return frame;
}

}  // namespace tactus::host
