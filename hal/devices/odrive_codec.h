#pragma once
#include "hal/devices/can_text.h"

namespace tactus::hal::odrive {

/// The frames of an ODrive with CAN-Simple (docs/devices.md): identifier = node << 5 | command, numbers least byte first.
enum class Command : std::uint8_t {
  kHeartbeat = 0x01,          ///< from the drive, each 100 ms: error u32, state u8
  kSetState = 0x07,           ///< state u32
  kEstimates = 0x09,          ///< from the drive, cyclic: position f32 [turns], velocity f32 [turns/s]
  kSetControllerMode = 0x0B,  ///< control i32, input i32
  kSetTorque = 0x0E,          ///< f32 [N·m]
  kCurrents = 0x14,           ///< answers a question: wanted f32, measured f32 [A]
  kBus = 0x17,                ///< answers a question: voltage f32 [V], current f32 [A]
  kClearErrors = 0x18,        ///< nothing
};

enum class AxisState : std::uint8_t { kUndefined = 0, kIdle = 1, kClosedLoop = 8 };

/// Bit of the heartbeat's error that tells of the encoder. Any other is a drive's fault.
inline constexpr std::uint32_t kEncoderFailed = 0x100;

inline constexpr float kMost_Turns = 1000;  ///< a position beyond is none
inline constexpr float kMost_V = 100;       ///< no such drive bears more. Ours

constexpr std::uint16_t IdOf(int node, Command command) {
  return static_cast<std::uint16_t>(node << 5 | static_cast<int>(command));
}
constexpr int NodeOf(std::uint16_t id) { return id >> 5; }
constexpr Command CommandOf(std::uint16_t id) { return static_cast<Command>(id & 0x1F); }

CanFrame WriteTorque(int node, float torque_Nm) noexcept;
CanFrame WriteState(int node, AxisState state) noexcept;
/// Torques, and as they come.
CanFrame WriteTorqueMode(int node) noexcept;
CanFrame WriteClearErrors(int node) noexcept;
/// Asks for kCurrents or kBus, which changes nothing but the drive's watchdog.
CanFrame WriteQuestion(int node, Command asked) noexcept;

struct Heartbeat {
  std::uint32_t error = 0;
  AxisState state = AxisState::kUndefined;
};
/// @returns kOk; kCorrupt: another size
Status ReadHeartbeat(const CanFrame& frame, Heartbeat* heartbeat) noexcept;

/// Whether this is an answer to a question; what it tells of currents is not looked at.
/// @returns kOk; kCorrupt: another size; kOutOfRange: the supply of kBus is below 0, beyond kMost_V or no number
Status CheckAnswer(const CanFrame& frame) noexcept;

/// Position in turns. @returns kOk; kCorrupt: another size; kOutOfRange: no number, or beyond kMost_Turns
Status ReadEstimates(const CanFrame& frame, float* position_turns) noexcept;

}  // namespace tactus::hal::odrive
