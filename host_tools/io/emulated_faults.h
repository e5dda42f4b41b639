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

/// "NAME@MS" or "NAME@MS+LENGTH" of a board with so many motors.
/// @throws HostError: no such name, no such time, a fault of two motors where there is one.
EmulatedFault ParseFault(const std::string& text, int motors);
/// The same without a look at the name. @throws HostError: no such time.
EmulatedFault ParseFaultTime(const std::string& text);

/// The names, for the help.
std::string FaultNames();

/// What is wrong at `now_ms` with a board of so many motors. @param[in] step_ms  since the last call
EmulatedState FaultsAt(const std::vector<EmulatedFault>& faults, double now_ms, double step_ms, int motors);

}  // namespace tactus::host
