#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "hal/api/device.h"
#include "hal/sim/emulated_motors.h"
#include "hal/sim/presets.h"
#include "host_tools/io/open_io_line.h"

namespace tactus::host {

// What stands behind the motors of an I/O board, a *set*: a preset by name (docs/presets.md), or a file that names one with
// `preset = "hapkit"` and changes its numbers. Its encoders count from the posture in which the handle is at W's origin,
// unless the file's offset_deg and zero_count say another.

/// "hapkit, pantograph, ...": those that a board can have.
std::string IoSetNames();

/// What a device of this set declares. @throws HostError: no such set, what is wrong in its file
hal::DeviceCapabilities CapabilitiesOfIoSet(const std::string& set);

/// Opens the terminal, waits for the board, and drives the set with it. Before the loop.
/// @throws HostError as WaitForHello; a board with too few motors, other counts a turn than the file's; as
/// CapabilitiesOfIoSet
std::unique_ptr<hal::Device> OpenIoMechanism(const TtyPlace& place, const std::string& set, std::uint32_t period_us);

/// The same set behind an emulated board: mechanics, encoders and hand.
std::unique_ptr<hal::EmulatedMotors> EmulateIoSet(const std::string& set, const hal::PresetRequest& request);

}  // namespace tactus::host
