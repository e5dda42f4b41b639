#include "host_tools/io/io_device.h"

#include <fmt/core.h>

#include <algorithm>

#include "hal/sim/sim_motor_io.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

/// The lesser of what the mechanism and the board's motors can do.
float Peak(float of_mechanism, const wire::IoHello& hello, int first, float per_A) {
  float peak = of_mechanism;
  for (int i = first; i < first + 3; ++i)
    peak = std::min(peak, hello.max_current_A()->Get(static_cast<std::uint16_t>(i)) * per_A);
  return peak;
}

}  // namespace

void IoDevice::DoTakeBounds(const wire::IoHello& hello) noexcept {
  capabilities_.peak_force_N = Peak(capabilities_.peak_force_N, hello, 0, motors_.N_per_A);
  capabilities_.peak_torque_Nm = Peak(capabilities_.peak_torque_Nm, hello, 3, motors_.Nm_per_A);
}

hal::DeviceReading IoDevice::DoReadSample(std::uint32_t now_us) noexcept {
  const IoReading reading = Take(now_us);
  if (reading.is_new) {
    for (int i = 0; i < hal::kMaxMotors; ++i) count_[i] = last().count()->Get(static_cast<std::uint16_t>(i));
    motors_.ToPose(count_, &sample_);
    ++sample_.sequence;
  }
  sample_.age_us = reading.age_us;
  return {.sample = sample_,
          .valid = reading.valid,
          .is_new = reading.is_new,
          .e_stop = reading.e_stop,
          .state = reading.state,
          .cause = ToDeviceCause(reading.trouble)};
}

Status IoDevice::DoWriteCommand(const CommandFrame& command, const hal::CommandNote&) noexcept {
  float max_A[hal::kMaxMotors], current_A[hal::kMaxMotors];
  for (std::uint16_t i = 0; i < hal::kMaxMotors; ++i) max_A[i] = hello().max_current_A()->Get(i);
  motors_.ToCurrents(command, count_, max_A, &current_A);
  return Command(current_A);
}

std::unique_ptr<TtyIoDevice> OpenIoDevice(const std::string& place) {
  const TtyPlace tty = TtyPlaceOf(place);
  constexpr hal::DeviceParameters kDevice = hal::FalconClass();
  constexpr hal::CartesianMotors kMotors = hal::SimMotors();
  const hal::DeviceCapabilities mechanism{.name = "I/O board on a terminal",
                                          .resolution_m = kMotors.m_per_count,
                                          .resolution_rad = kMotors.rad_per_count,
                                          .peak_force_N = static_cast<float>(kDevice.max_force_N),
                                          .peak_torque_Nm = static_cast<float>(kDevice.max_torque_Nm),
                                          .effector_mass_kg = static_cast<float>(kDevice.mass_kg),
                                          .effector_inertia_kgm2 = static_cast<float>(kDevice.inertia_kgm2),
                                          .command_delay_ticks = 1};  // io_firmware.md, 1
  auto opened = std::make_unique<TtyIoDevice>(tty, kMotors, mechanism);
  WaitForHello(*opened, tty);
  if (opened->hello().motors() < hal::kMaxMotors) {
    throw HostError(fmt::format(
        "the I/O board '{}' on '{}' has {} motors, the simulated device {}: say what stands behind them, with ',set=NAME' "
        "or ',set=FILE' behind the path",
        BoardName(opened->hello()), tty.path, opened->hello().motors(), hal::kMaxMotors));
  }
  return opened;
}

}  // namespace tactus::host
