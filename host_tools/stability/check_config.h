#pragma once
#include <string>
#include <vector>

#include "host_tools/command_line.h"
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

/// What a device bears, as a controller can know it before a Config comes: by the damping, with the device's declared
/// numbers, whether the Config declares the delay or, as a host does that does not know of it, none. Over the damping each
/// rises to one maximum and falls behind it.
struct StableCoupling {
  StableStiffness translation = {}, rotation = {};
  bool turns = false;  ///< false: `rotation` is nothing

  /// The lower of both, damping by damping: for two devices under one Config.
  void Include(const StableCoupling& other);
};

/// @param config  what is not the coupling's; some 10 ms a damping
StableCoupling StableCouplingOf(const Config<double>& config, const DeviceModel& device, const DeviceLimits& limits = {});

/// A controller's own bounds narrowed to what is stable: by each damping, and no stiffness above the largest of all. On the
/// way of a Tune between two pairs that are below the line each pair is (lib/tactus/haptic/tune.inl).
/// @param stable  it outlives the limits
DeviceLimits NarrowedToStable(const StableCoupling& stable, DeviceLimits limits = {});

}  // namespace tactus::host
