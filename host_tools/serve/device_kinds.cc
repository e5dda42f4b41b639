#include "host_tools/serve/device_kinds.h"

#include <fmt/core.h>

#include "host_tools/devices/real_devices.h"
#include "host_tools/io/io_boards.h"
#include "host_tools/link/host_error.h"
#include "host_tools/serve/waiting_hand.h"

namespace tactus::host {
namespace {

std::unique_ptr<hal::Device> MakeSimulated(const DeviceRequest& request) {
  return std::make_unique<WaitingHand>(request.seed, request.period_us, request.script);
}

std::unique_ptr<hal::Device> OnTerminal(const DeviceRequest& request) {
  return OpenIoBoard(request.place, request.period_us);
}

std::unique_ptr<hal::Device> AtHost(const DeviceRequest&) { return nullptr; }

constexpr DeviceKind kKinds[] = {
    {"sim", "", "the simulated device and hand, in this process", MakeSimulated},
    {"tactus-io", "/dev/ttyX[:BAUD][,set=SET]",
     "an I/O board at the end of a serial line, with the mechanism of a preset or a file behind it (docs/io_firmware.md)",
     OnTerminal},
    {"host", "", "at the other end of the link, as with a board: Samples come, Commands go", AtHost},
};

}  // namespace

std::span<const DeviceKind> DeviceKinds() { return kKinds; }

std::string DeviceNames() {
  std::string names;
  for (const DeviceKind& kind : kKinds) {
    names += (names.empty() ? "" : ", ") + std::string(kind.name) + (*kind.place != '\0' ? ":" : "") + kind.place;
  }
  for (const RealDevice& device : RealDevices()) names += fmt::format(", {}:PATH", device.name);
  return names;
}

std::unique_ptr<hal::Device> MakeDevice(const std::string& text, DeviceRequest request, int priority) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  request.place = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const DeviceKind& kind : kKinds) {
    if (name != kind.name) continue;
    const bool wants_place = *kind.place != '\0';
    if (wants_place == request.place.empty() || (!wants_place && colon != std::string::npos)) {
      throw HostError(fmt::format("device '{}': give {}{}{}", text, name, wants_place ? ":" : "", kind.place));
    }
    std::unique_ptr<hal::Device> device = kind.make(request);
    if (request.homes) StartHoming(device.get(), text);
    return device;
  }
  if (const RealDevice* const device = FindRealDevice(name); device != nullptr) {
    if (request.place.empty()) throw HostError(fmt::format("device '{}': give {}:PATH", text, name));
    return OpenRealDevice(*device, request.place, request.period_us, priority, request.homes);
  }
  throw HostError(fmt::format("no device '{}'; there is: {}", text, DeviceNames()));
}

}  // namespace tactus::host
