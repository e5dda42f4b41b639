#pragma once
#include <memory>
#include <type_traits>
#include <utility>

#include "hal/api/byte_link.h"
#include "hal/devices/motor_device.h"

namespace tactus::host {

/// A port that reads by its set's numbers gets them.
template <class Port, class Config>
Port PortOf(hal::ByteLink& link, const Config& config) {
  if constexpr (std::is_constructible_v<Port, hal::ByteLink&, const Config&>) {
    return Port(link, config);
  } else {
    return Port(link);
  }
}

template <class Port>
struct OwnedPort {
  template <class Config>
  OwnedPort(std::unique_ptr<hal::ByteLink> line, const Config& config)
      : link(std::move(line)), port(PortOf<Port>(*link, config)) {}
  std::unique_ptr<hal::ByteLink> link;
  Port port;
};

/// A device that owns its line and its port.
template <class Port, DeviceKinematics D>
class LineDevice final : private OwnedPort<Port>, public hal::MotorDevice<D> {
 public:
  LineDevice(std::unique_ptr<hal::ByteLink> line, const hal::MotorDeviceConfig<D>& config)
      : OwnedPort<Port>(std::move(line), config), hal::MotorDevice<D>(config, OwnedPort<Port>::port) {}
};

}  // namespace tactus::host
