#pragma once
#include <memory>
#include <string>

#include "hal/api/cartesian_motors.h"
#include "host_tools/io/io_line.h"
#include "host_tools/io/open_io_line.h"
#include "host_tools/io/reopening_tty.h"

namespace tactus::host {

/// An I/O board with the simulated device's mechanism as the loop's device: no joints, its motors are the handle's axes.
class IoDevice : public IoLine, public hal::Device {
 public:
  /// @param motors      the mechanism
  /// @param mechanism   capabilities of the mechanism; its peaks are narrowed by the board's ceilings
  IoDevice(hal::ByteLink& link, const hal::CartesianMotors& motors, const hal::DeviceCapabilities& mechanism)
      : IoLine(link), motors_(motors), capabilities_(mechanism) {}

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return capabilities_; }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override;
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override;
  void DoEnable() noexcept override { SwitchOn(); }
  void DoDisable() noexcept override { SwitchOff(); }
  const char* DoWhy() const noexcept override { return Name(IoLine::last_failure()); }
  void DoTakeBounds(const wire::IoHello& hello) noexcept override;

  const hal::CartesianMotors motors_;
  hal::DeviceCapabilities capabilities_;
  std::int32_t count_[hal::kMaxMotors] = {};
  SensorFrame sample_;
};

struct OwnedTty {
  explicit OwnedTty(const TtyPlace& place) : link(place.path, place.baud) {}
  ReopeningTty link;
};

/// A board as a device that owns its terminal, and opens it again when it has hung up.
class TtyIoDevice final : private OwnedTty, public IoDevice {
 public:
  TtyIoDevice(const TtyPlace& place, const hal::CartesianMotors& motors, const hal::DeviceCapabilities& mechanism)
      : OwnedTty(place), IoDevice(OwnedTty::link, motors, mechanism) {}
};

/// Opens "/dev/ttyX[:BAUD]" and the board on it, with the simulated device's mechanism. @throws HostError as WaitForHello;
/// a board with fewer motors than that has
std::unique_ptr<TtyIoDevice> OpenIoDevice(const std::string& place);

}  // namespace tactus::host
