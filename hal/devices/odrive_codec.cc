#include "hal/devices/odrive_codec.h"

#include <bit>

#include "tactus/core/scalar.h"

namespace tactus::hal::odrive {
namespace {

void Put(std::uint32_t bits, std::size_t at, CanFrame* frame) {
  for (std::size_t i = 0; i < 4; ++i) frame->data[at + i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

std::uint32_t Get(const CanFrame& frame, std::size_t at) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= static_cast<std::uint32_t>(frame.data[at + i]) << (8 * i);
  return bits;
}

CanFrame Of(int node, Command command, std::uint8_t size) { return {.id = IdOf(node, command), .size = size}; }

}  // namespace

CanFrame WriteTorque(int node, float torque_Nm) noexcept {
  CanFrame frame = Of(node, Command::kSetTorque, 4);
  Put(std::bit_cast<std::uint32_t>(torque_Nm), 0, &frame);
  return frame;
}

CanFrame WriteState(int node, AxisState state) noexcept {
  CanFrame frame = Of(node, Command::kSetState, 4);
  Put(static_cast<std::uint32_t>(state), 0, &frame);
  return frame;
}

CanFrame WriteTorqueMode(int node) noexcept {
  constexpr std::uint32_t kTorqueControl = 1, kPassThrough = 1;
  CanFrame frame = Of(node, Command::kSetControllerMode, 8);
  Put(kTorqueControl, 0, &frame);
  Put(kPassThrough, 4, &frame);
  return frame;
}

CanFrame WriteClearErrors(int node) noexcept { return Of(node, Command::kClearErrors, 0); }

CanFrame WriteQuestion(int node, Command asked) noexcept { return {.id = IdOf(node, asked), .is_request = true, .size = 8}; }

Status CheckAnswer(const CanFrame& frame) noexcept {
  if (frame.size != 8) return Status::kCorrupt;
  if (CommandOf(frame.id) != Command::kBus) return Status::kOk;
  const auto supply_V = std::bit_cast<float>(Get(frame, 0));
  return supply_V >= 0 && supply_V <= kMost_V ? Status::kOk : Status::kOutOfRange;
}

Status ReadHeartbeat(const CanFrame& frame, Heartbeat* heartbeat) noexcept {
  if (frame.size != 8) return Status::kCorrupt;
  *heartbeat = {.error = Get(frame, 0), .state = static_cast<AxisState>(frame.data[4])};
  return Status::kOk;
}

Status ReadEstimates(const CanFrame& frame, float* position_turns) noexcept {
  if (frame.size != 8) return Status::kCorrupt;
  const auto position = std::bit_cast<float>(Get(frame, 0)), velocity = std::bit_cast<float>(Get(frame, 4));
  if (!(Abs(position) <= kMost_Turns) || !IsFinite(velocity)) return Status::kOutOfRange;
  *position_turns = position;
  return Status::kOk;
}

}  // namespace tactus::hal::odrive
