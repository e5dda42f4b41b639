#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "hal/api/device.h"
#include "hal/sim/peg_in_hole_script.h"

namespace tactus::host {

/// What a device of `tactus serve` is made with.
struct DeviceRequest {
  std::string place = "";  ///< what stands behind the colon
  std::uint32_t period_us = 1000;
  std::uint64_t seed = 1;                           ///< of a simulated hand's tremor
  hal::HandScript script = hal::PegInHoleScript();  ///< its movements; they outlive the device
  bool homes = false;                               ///< by its pose, at once
};

/// A kind of device that --device may name: `name` or `name:place`.
struct DeviceKind {
  const char* name;
  const char* place;  ///< what stands behind the colon; empty: nothing may
  const char* what;
  /// @returns the device, whose calls neither wait nor allocate; nullptr: it is at the host's end of the link.
  /// @throws HostError: it is not there.
  std::unique_ptr<hal::Device> (*make)(const DeviceRequest& request);
};

/// All there are. One line in device_kinds.cc adds another.
std::span<const DeviceKind> DeviceKinds();

/// "sim, host, ...", with what stands behind a colon.
std::string DeviceNames();

/// @param text      as --device has it
/// @param request   its place comes from `text`
/// @param priority  of threads of the device's own: the loop's
/// @throws HostError: no such kind, a place too many or missing, no home pose to home by, or as DeviceKind::make.
std::unique_ptr<hal::Device> MakeDevice(const std::string& text, DeviceRequest request, int priority);

}  // namespace tactus::host
