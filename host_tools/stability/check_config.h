#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "host_tools/scene/scene_option.h"
#include "host_tools/stability/device_model.h"
#include "tactus/haptic/ceilings.h"

namespace tactus::host {

/// Looks at a Config before it is sent: whether the loop with this device is predicted to be stable.
///
/// @param[in] allow  a Config that is predicted to be unstable is only said to be
/// @returns what the run's report says of it; empty: all is well
/// @throws HostError: predicted unstable, with the number and what to change
std::vector<std::string> CheckStability(const Config<double>& config, const DeviceModel& device, bool allow);

/// What a command that sends a Config does before: --allow-unstable, and the look at what is to be played.
class StabilityChoice {
 public:
  void AddOption(CLI::App* command);
  /// @param[out] run  its `device` gets what is said @throws HostError as CheckStability
  void Check(const PlayOptions& play, const SceneChoice& scene, const DeviceModel& device, RunSummary* run) const;
  bool allows() const { return allow_; }

 private:
  bool allow_ = false;
};

/// A controller's own bounds narrowed to what is stable with the damping of `config`, whether a Config to come declares the
/// device's delay or none. It knows the device's declared numbers only.
DeviceLimits NarrowedToStable(const Config<double>& config, const DeviceModel& device, DeviceLimits limits = {});

}  // namespace tactus::host
