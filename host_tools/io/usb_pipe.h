#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tactus/core/status.h"

namespace tactus::host {

/// A USB device with one bulk endpoint each way, opened for this program alone. Each call waits; one thread may read, one
/// write and one control at the same time.
class UsbPipe {
 public:
  virtual ~UsbPipe() = default;

  /// A vendor request to the device, without data. @returns kOk; kNotReady: it refuses; kClosed: it is gone.
  virtual Status Control(std::uint8_t request, std::uint16_t value, std::uint16_t index) noexcept = 0;
  /// One transfer. @returns kOk with *count, 0: nothing came in time; kClosed.
  virtual Status Read(std::span<std::uint8_t> room, int timeout_ms, std::size_t* count) noexcept = 0;
  /// All of `bytes`. @returns kOk; kWouldBlock: not in time, and some may have gone; kClosed.
  virtual Status Write(std::span<const std::uint8_t> bytes, int timeout_ms) noexcept = 0;
};

/// Which USB device.
struct UsbIdentity {
  std::uint16_t vendor = 0, product = 0;
  std::string serial = {};  ///< empty: the only one that is there
};

/// Through libusb; a driver of the kernel that has it lets go as long. Not run on hardware.
/// @throws HostError: none or several, no right to it, in use; or this program was built without libusb.
std::unique_ptr<UsbPipe> OpenLibusbPipe(const UsbIdentity& identity);

}  // namespace tactus::host
