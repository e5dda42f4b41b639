#pragma once
#include <span>
#include <string>
#include <vector>

#include "hal/api/device.h"
#include "host_tools/scene/toml_table.h"
#include "tactus/device/five_bar.h"
#include "tactus/device/hapkit.h"
#include "tactus/device/joint_friction.h"
#include "tactus/device/joint_wall.h"
#include "tactus/device/link_arm.h"
#include "tactus/device/stamper_delta.h"
#include "tactus/device/transmission.h"

namespace tactus::host {

/// Numbers of one's own device, in a TOML file; what is left out stays as it was (docs/devices.md, "Numbers of your own").
class DeviceFile {
 public:
  /// @throws HostError: no such file, no TOML.
  explicit DeviceFile(const std::string& path);

  /// All of it, the same for a driver and for an emulator, which has no use for walls and for a compensated friction.
  /// @throws HostError: what is wrong or not known, by file, line, key and range.
  template <class Arm>
  void ReadAll(std::span<MotorCalibration<double>> motors, Arm* mechanism, hal::DeviceCapabilities* can,
               std::span<JointWall<double>> walls, std::span<JointFriction<double>> friction) {
    ReadMechanism(motors, mechanism);
    ReadRest(can, walls.first(motors.size()), friction);
  }

  /// The same in two parts, for whom the second's defaults follow from the first.
  template <class Arm>
  void ReadMechanism(std::span<MotorCalibration<double>> motors, Arm* mechanism) {
    Motors(motors);
    Mechanism(mechanism);
  }
  void ReadRest(hal::DeviceCapabilities* can, std::span<JointWall<double>> walls,
                std::span<JointFriction<double>> friction) {
    Handle(can);
    Walls(walls);
    Friction(friction);
    root_.Finish();
  }
  /// `preset`: whose numbers the file changes, where its reader is of no one device. @param names  for the message
  std::string Preset(const std::string& names);

 private:
  /// `[[motors]]`, in the driver's order.
  void Motors(std::span<MotorCalibration<double>> motors);
  /// `[[walls]]`, of the motors' joints in the same order.
  void Walls(std::span<JointWall<double>> walls);
  /// `[[friction]]`, of the same joints: what is compensated.
  void Friction(std::span<JointFriction<double>> friction);
  /// `[mechanism]`.
  void Mechanism(LinkArm<double>* arm);
  void Mechanism(FiveBar<double>* bars);
  void Mechanism(StamperDelta<double>* delta);
  void Mechanism(Hapkit<double>* paddle);
  /// Keys at the top of the file.
  void Handle(hal::DeviceCapabilities* can);

  const toml::table table_;
  TomlTable root_;
};

/// Whether a set of numbers is a file: it has a slash or ends in ".toml".
bool IsDeviceFile(const std::string& set);

}  // namespace tactus::host
