#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hal/sim/faulty_motor_io.h"

namespace tactus::host {

/// Something that goes wrong in the emulator, so many milliseconds after current was first let out.
struct EmulatedFault {
  std::string name;
  std::uint32_t start_ms = 0;
  std::uint32_t length_ms = 0;  ///< 0: until the end
};

/// What else than the motors goes wrong.
struct EmulatedState {
  hal::MotorFaults motors;
  bool mute = false;   ///< nothing leaves the board
  bool reset = false;  ///< the board starts anew, once
};

/// "NAME@MS" or "NAME@MS+LENGTH". @throws HostError: no such name, no such time.
EmulatedFault ParseFault(const std::string& text);
/// The same without a look at the name. @throws HostError: no such time.
EmulatedFault ParseFaultTime(const std::string& text);

/// The names, for the help.
std::string FaultNames();

/// What is wrong at `now_ms`. @param[in] step_ms  since the last call
EmulatedState FaultsAt(const std::vector<EmulatedFault>& faults, double now_ms, double step_ms);

}  // namespace tactus::host
