#include <fmt/core.h>

#include "host_tools/io/usb_pipe.h"
#include "host_tools/link/host_error.h"

#ifdef TACTUS_WITH_LIBUSB
#include <libusb.h>

#include <vector>
#endif

namespace tactus::host {

#ifdef TACTUS_WITH_LIBUSB
namespace {

constexpr unsigned kControlTimeout_ms = 1000;
constexpr std::uint8_t kVendorOut = 0x40, kOut = 0x02, kIn = 0x81;
constexpr int kInterface = 0;

Status StatusOf(int error) {
  if (error >= 0) return Status::kOk;
  if (error == LIBUSB_ERROR_TIMEOUT) return Status::kWouldBlock;
  return error == LIBUSB_ERROR_PIPE ? Status::kNotReady : Status::kClosed;
}

class LibusbPipe final : public UsbPipe {
 public:
  explicit LibusbPipe(const UsbIdentity& identity) {
    if (libusb_init(&context_) != 0) throw HostError("libusb does not start", kExitLink);
    try {
      Open(identity);
    } catch (const HostError&) {
      Close();
      throw;
    }
  }
  ~LibusbPipe() override { Close(); }
  LibusbPipe(const LibusbPipe&) = delete;
  LibusbPipe& operator=(const LibusbPipe&) = delete;

  Status Control(std::uint8_t request, std::uint16_t value, std::uint16_t index) noexcept override {
    return StatusOf(libusb_control_transfer(handle_, kVendorOut, request, value, index, nullptr, 0, kControlTimeout_ms));
  }
  Status Read(std::span<std::uint8_t> room, int timeout_ms, std::size_t* count) noexcept override {
    int got = 0;
    const int error = libusb_bulk_transfer(handle_, kIn, room.data(), static_cast<int>(room.size()), &got,
                                           static_cast<unsigned>(timeout_ms));
    *count = static_cast<std::size_t>(got);
    return error == LIBUSB_ERROR_TIMEOUT ? Status::kOk : StatusOf(error) == Status::kOk ? Status::kOk : Status::kClosed;
  }
  Status Write(std::span<const std::uint8_t> bytes, int timeout_ms) noexcept override {
    int put = 0;
    auto* const data = const_cast<std::uint8_t*>(bytes.data());  // libusb's signature: it does not write there
    const int error =
        libusb_bulk_transfer(handle_, kOut, data, static_cast<int>(bytes.size()), &put, static_cast<unsigned>(timeout_ms));
    if (error == 0 && static_cast<std::size_t>(put) != bytes.size()) return Status::kWouldBlock;
    return StatusOf(error) == Status::kNotReady ? Status::kClosed : StatusOf(error);
  }

 private:
  [[noreturn]] static void Refuse(const UsbIdentity& identity, const std::string& why) {
    throw HostError(fmt::format("USB device {:04x}:{:04x}: {}", identity.vendor, identity.product, why), kExitLink);
  }

  std::string SerialOf(libusb_device_handle* handle, std::uint8_t index) const {
    unsigned char text[128] = {};
    const int size = index == 0 ? 0 : libusb_get_string_descriptor_ascii(handle, index, text, sizeof(text));
    return size > 0 ? std::string(text, text + size) : "";
  }

  /// All of this kind that may be opened; the one that is meant stays open in handle_.
  void Find(const UsbIdentity& identity, libusb_device* const* devices, std::ptrdiff_t count) {
    std::string serials;
    int there = 0, error = 0;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      libusb_device_descriptor is{};
      if (libusb_get_device_descriptor(devices[i], &is) != 0) continue;
      if (is.idVendor != identity.vendor || is.idProduct != identity.product) continue;
      libusb_device_handle* handle = nullptr;
      ++there;
      if (const int result = libusb_open(devices[i], &handle); result != 0) {
        error = result;
        continue;
      }
      const std::string serial = SerialOf(handle, is.iSerialNumber);
      serials += (serials.empty() ? "" : ", ") + serial;
      const bool is_meant = identity.serial.empty() || identity.serial == serial;
      if (is_meant && handle_ == nullptr) {
        handle_ = handle;
      } else {
        libusb_close(handle);
      }
    }
    if (there == 0) Refuse(identity, "is not plugged in");
    if (identity.serial.empty() && there > 1)
      Refuse(identity, fmt::format("there are {}: give usb:SERIAL, of {}", there, serials));
    if (handle_ != nullptr) return;
    if (error != 0)
      Refuse(identity, fmt::format("{}: a udev rule gives the right to it (docs/devices.md)", libusb_strerror(error)));
    Refuse(identity, fmt::format("none has the serial number '{}'; there is: {}", identity.serial, serials));
  }

  void Open(const UsbIdentity& identity) {
    libusb_device** devices = nullptr;
    const std::ptrdiff_t count = libusb_get_device_list(context_, &devices);
    if (count < 0) Refuse(identity, "the list of USB devices cannot be had");
    try {
      Find(identity, devices, count);
    } catch (const HostError&) {
      libusb_free_device_list(devices, 1);
      throw;
    }
    libusb_free_device_list(devices, 1);
    (void)libusb_set_auto_detach_kernel_driver(handle_, 1);  // where that is not known, claiming fails and says so
    if (const int error = libusb_claim_interface(handle_, kInterface); error != 0)
      Refuse(identity, error == LIBUSB_ERROR_BUSY ? "is in use by another program" : libusb_strerror(error));
    claimed_ = true;
  }

  void Close() {
    if (claimed_) (void)libusb_release_interface(handle_, kInterface);
    if (handle_ != nullptr) libusb_close(handle_);
    if (context_ != nullptr) libusb_exit(context_);
  }

  libusb_context* context_ = nullptr;
  libusb_device_handle* handle_ = nullptr;
  bool claimed_ = false;
};

}  // namespace

std::unique_ptr<UsbPipe> OpenLibusbPipe(const UsbIdentity& identity) { return std::make_unique<LibusbPipe>(identity); }
#else
std::unique_ptr<UsbPipe> OpenLibusbPipe(const UsbIdentity&) {
  throw HostError(
      "this program was built without libusb: install libusb-1.0-0-dev and build it again, or let the kernel's ftdi_sio "
      "have the device and give its /dev/ttyUSB... (docs/devices.md, section 3)");
}
#endif

}  // namespace tactus::host
