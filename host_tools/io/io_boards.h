#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "hal/api/device.h"

namespace tactus::host {

/// Opens "/dev/ttyX[:BAUD][,set=SET]" and the board on it as a device of the loop: with SET's mechanism (io_mechanism.h), or
/// without one with the simulated device's. Before the loop. @throws HostError as OpenIoDevice and OpenIoMechanism; a rate
/// that the board does not keep
std::unique_ptr<hal::Device> OpenIoBoard(const std::string& place, std::uint32_t period_us);

}  // namespace tactus::host
