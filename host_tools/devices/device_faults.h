#pragma once
#include <string>

#include "hal/sim/emulated_board.h"
#include "hal/sim/faulty_line.h"
#include "host_tools/io/emulated_faults.h"

namespace tactus::host {

/// What is wrong with an emulated device at one moment.
struct DeviceFaults {
  hal::BoardFaults board;
  hal::LineFaults line;  ///< of what the device says
  bool deaf = false;     ///< what the host says does not arrive
  bool reset = false;    ///< the supply is gone for a moment, once
  bool unplugged = false;
};

/// "NAME@MS" or "NAME@MS+LENGTH". @throws HostError: no such name, no such time.
EmulatedFault ParseDeviceFault(const std::string& text);
std::string DeviceFaultNames();
/// @throws HostError: the device does not know this fault; it says which it knows.
void CheckHas(const hal::EmulatedBoard& board, const std::string& device, const EmulatedFault& fault);

/// What is wrong at `now_ms`. @param[in] step_ms  since the last call
DeviceFaults DeviceFaultsAt(const std::vector<EmulatedFault>& faults, double now_ms, double step_ms);

}  // namespace tactus::host
