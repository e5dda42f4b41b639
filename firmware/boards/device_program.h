#pragma once
#include "firmware/boards/board_device.h"
#include "firmware/boards/servo_program.h"
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/reset_cause.h"
#include "hal/devices/board_port.h"

namespace tactus::board {

/// A board whose servo drives the board's own motors: encoders -> pose -> tick -> wrench -> currents within one period, with
/// no line between. The device is board_device.h's; the host configures, arms, watches and records. Behind a reset, and so
/// behind each run, the counts have no place until the handle is homed.
///
/// @tparam Motors  a Board as docs/porting.md lists it, and MotorIo(options): a hal::MotorIo
template <class Motors>
struct WithOwnDevice : Motors {
  using Drives = hal::NoDriveLine;  // the motors' own: they come on when their currents can be measured
  static constexpr int kDeviceTick = board::kDeviceTick;
  static constexpr std::uint32_t kHostSilence_us = 1'000'000;  ///< no byte for so long: the force fades
  using Scalar = TACTUS_BOARD_SCALAR;
  using Mechanism = BoardMechanism<Scalar>;

  /// Numbers of board_device.h that are wrong end the run with kDeviceNumbers and the first of them.
  static hal::Device* Device(const hal::cortex_m::BootOptions& options, hal::cortex_m::ResetCause cause) {
    const auto config = BoardDevice<Scalar>(static_cast<Scalar>(options.period_us) * Scalar(1e-6));
    hal::cortex_m::BootOptions bare = options;
    bare.local_device = false;  // not the simulated device: it is another mechanism
    hal::MotorIo& motors = Motors::MotorIo(bare);
    if (const DeviceFault wrong = hal::Validate(config))
      ReportFault(hal::cortex_m::FaultCause::kDeviceNumbers, static_cast<std::uint32_t>(wrong.index), wrong.field);
    if (motors.traits().motors != Mechanism::kMotors)
      ReportFault(hal::cortex_m::FaultCause::kDeviceNumbers, Mechanism::kMotors, "motors");
    const std::uint32_t restarts = RestartsBehind(cause, hal::cortex_m::Starts(), !TACTUS_EMULATED);
    static hal::BoardPort port(motors, options.period_us, restarts);
    static hal::MotorDevice<Mechanism> device(config, port);
    return &device;
  }
};

template <class Motors>
using DeviceProgram = ServoProgram<WithOwnDevice<Motors>>;

}  // namespace tactus::board
