#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hal/api/device_pair.h"
#include "host_tools/command_line.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/serve/failure_watch.h"
#include "host_tools/stability/check_config.h"
#include "tactus/haptic/ceilings.h"

namespace tactus::host {

/// --device, --second-device, and where they stand.
struct DeviceChoice {
  std::string device = "sim", second;
  std::vector<float> at_m, second_at_m;  ///< of two devices: the middle of each one's frame in W; empty: 0, 0, 0
  std::uint64_t seed = 1;                ///< of a simulated hand's tremor
  bool homes = false;                    ///< each by its pose, at the start

  void AddOptions(CLI::App* command);
  /// "falcon:usb and falcon:usb:B"
  std::string text() const { return second.empty() ? device : device + " and " + second; }
};

/// What `tactus serve` drives: no device of its own, one, or two as one.
class ServedDevices {
 public:
  /// @param scene     that sessions begin with, whose hands hold simulated devices; it outlives this. nullptr: the peg
  /// @param priority  of threads of the devices' own: the loop's
  /// @throws HostError: a device is not there, the two do not go together, the scene has two tools and there is one device
  ServedDevices(const DeviceChoice& choice, const SceneFile* scene, std::uint32_t period_us, int priority);
  /// The lines are closed and their guards speak, all at once: one may take half a second.
  ~ServedDevices();
  ServedDevices(const ServedDevices&) = delete;
  ServedDevices& operator=(const ServedDevices&) = delete;

  /// nullptr: it is at the host's end of the link.
  hal::Device* device() const;

  /// The default bounds, or closer ones: what devices of these declared numbers can have stable, which is kept here. Those
  /// that the host brings are the host's to look at.
  DeviceLimits Limits(std::uint32_t period_us);

  /// The operator says: each handle is held in its home pose.
  void Home();

  /// Now and then, beside the loop: tells failures when they come.
  void Look() {
    for (Served& served : served_) served.failures.Look();
  }
  /// Their last failures in their own words; empty: none.
  std::string why() const;

 private:
  struct Served {
    std::string name;
    std::unique_ptr<hal::Device> device;
    FailureWatch failures;
  };

  std::vector<Served> served_;
  std::optional<StableCoupling> stable_;
  std::unique_ptr<hal::DevicePair> pair_;
};

}  // namespace tactus::host
