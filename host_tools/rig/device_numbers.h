#pragma once
#include <optional>
#include <string>

#include "host_tools/rig/identify.h"

namespace tactus::host {

/// A device by the numbers that its loop needs: what `tactus identify` writes, and `tactus stability`, `run` and `hil` read.
struct DeviceNumbers {
  std::string name;
  double mass_kg = 0;               ///< mean of the axes that move
  double damping_Ns_per_m = 0;      ///< the smallest; 0 where it was not seen: the worst case
  std::optional<double> coulomb_N;  ///< the smallest; nothing: not seen
  double resolution_m = 0;          ///< the largest; 0: not seen
  double delay_s = 0;               ///< the largest
  double max_force_N = 0;           ///< what a Config asks of it at most; 0: nobody said
};

/// @param[in] found  has an axis that was measured
DeviceNumbers NumbersOf(const std::string& name, const Identification& found);
std::string DeviceNumbersToml(const DeviceNumbers& numbers);
/// @throws HostError: no such file, no TOML, or a number that no device has, by file and key
DeviceNumbers ReadDeviceNumbers(const std::string& path);

}  // namespace tactus::host
