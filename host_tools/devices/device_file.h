#pragma once
#include <span>
#include <string>
#include <vector>

#include "host_tools/scene/toml_table.h"
#include "tactus/device/five_bar.h"
#include "tactus/device/link_arm.h"
#include "tactus/device/stamper_delta.h"
#include "tactus/device/transmission.h"

namespace tactus::host {

/// Numbers of one's own device, in a TOML file; what is left out stays as it was (docs/devices.md, "Numbers of your own").
class DeviceFile {
 public:
  /// @throws HostError: no such file, no TOML.
  explicit DeviceFile(const std::string& path);

  /// `[[motors]]`, in the driver's order. @throws HostError: more than there are, or what is wrong, by file and line.
  void Motors(std::span<MotorCalibration<double>> motors);
  /// `[mechanism]`.
  void Mechanism(LinkArm<double>* arm);
  void Mechanism(FiveBar<double>* bars);
  void Mechanism(StamperDelta<double>* delta);
  /// A key at the top of the file.
  double Number(const char* key, double otherwise) { return root_.Number(key, otherwise); }
  /// Refuses what nobody has asked for.
  void Finish() const { root_.Finish(); }

 private:
  const toml::table table_;
  TomlTable root_;
};

/// Whether a set of numbers is a file: it has a slash or ends in ".toml".
bool IsDeviceFile(const std::string& set);

}  // namespace tactus::host
