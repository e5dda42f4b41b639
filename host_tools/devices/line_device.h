#pragma once
#include <memory>
#include <utility>

#include "hal/api/byte_link.h"
#include "hal/devices/motor_device.h"

namespace tactus::host {

template <class Port>
struct OwnedPort {
  explicit OwnedPort(std::unique_ptr<hal::ByteLink> line) : link(std::move(line)), port(*link) {}
  std::unique_ptr<hal::ByteLink> link;
  Port port;
};

/// A device that owns its line and its port.
template <class Port, DeviceKinematics D>
class LineDevice final : private OwnedPort<Port>, public hal::MotorDevice<D> {
 public:
  LineDevice(std::unique_ptr<hal::ByteLink> line, const hal::MotorDeviceConfig<D>& config)
      : OwnedPort<Port>(std::move(line)), hal::MotorDevice<D>(config, OwnedPort<Port>::port) {}
};

}  // namespace tactus::host
