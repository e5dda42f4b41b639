#include "host_tools/hil/rig_device.h"

#include <fmt/core.h>

#include <utility>

#include "hal/linux/periodic_clock.h"
#include "host_tools/devices/forwarding_device.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/io/io_boards.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

/// Waits for the next edge of a period before each Read, so that a loop without a clock of its own has the hardware's time.
class PacedDevice final : public ForwardingDevice {
 public:
  PacedDevice(std::unique_ptr<hal::Device> device, std::uint32_t period_us)
      : ForwardingDevice(std::move(device)), clock_(period_us, time_) {
    clock_.Start();
  }

 private:
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    (void)clock_.WaitForEdge();
    return ReadOn(now_us);
  }

  hal::MonotonicTime time_;
  hal::PeriodicClock clock_;
};

/// An I/O board that measures. @throws HostError as OpenIoBoard; it does not measure within two seconds
std::unique_ptr<hal::Device> OpenPacedIoBoard(const std::string& place) {
  constexpr std::uint32_t kPeriod_us = RigChoice::kPeriod_us, kPatience_us = 2'000'000;
  auto board = std::make_unique<PacedDevice>(OpenIoBoard(place, kPeriod_us), kPeriod_us);
  hal::Device& device = *board;
  for (std::uint32_t now_us = 0; now_us < kPatience_us; now_us += kPeriod_us) {
    const hal::DeviceReading reading = device.Read(now_us);
    (void)device.Write({}, {});
    if (!reading.valid || reading.state != hal::DeviceState::kReady) continue;
    board->ChangeClock();
    return board;
  }
  throw HostError(fmt::format("the I/O board on '{}' does not measure: {}", place, device.why()), kExitLink);
}

std::unique_ptr<hal::Device> OpenPacedLine(const RigFile& rig) {
  if (rig.device.device == kRigIoBoard) return OpenPacedIoBoard(rig.line);
  return std::make_unique<PacedDevice>(OpenRealDevice(*FindRealDevice(rig.device.device), rig.line, RigChoice::kPeriod_us),
                                       RigChoice::kPeriod_us);
}

}  // namespace

double DeclaredLift_m(const RigFile& rig) {
  const RealDevice* const real = rig.kind == RigKind::kLine ? FindRealDevice(rig.device.device) : nullptr;
  return real != nullptr ? real->lift_m : rig.device.lift_m();
}

RigDevice::RigDevice(const RigFile& rig) {
  switch (rig.kind) {
    case RigKind::kSimulated: device_ = rig.device.Simulated(); return;
    case RigKind::kEmulated: emulated_ = rig.device.Emulated(); return;
    case RigKind::kLine: break;
  }
  device_ = OpenPacedLine(rig);
}

}  // namespace tactus::host
