#pragma once
#include <vector>

#include "host_tools/rig/selftest.h"

namespace tactus::host {

/// The servo application in this process with this device: that its e-stop, and a device that falls silent, end with zeros
/// and the drives off. Nothing touches anything, so no force is out.
///
/// @param[in] now_us  the device's clock goes on from here
std::vector<SelfTestLine> CheckController(hal::Device& device, std::uint32_t now_us, std::uint32_t period_us);

}  // namespace tactus::host
