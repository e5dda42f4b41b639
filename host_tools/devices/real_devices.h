#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "hal/api/byte_link.h"
#include "hal/api/device.h"
#include "hal/linux/realtime_thread.h"
#include "hal/sim/emulated_board.h"
#include "hal/sim/hand_script.h"
#include "host_tools/devices/line_guard.h"
#include "host_tools/io/can_link.h"

namespace tactus::host {

/// What a driver is made with.
struct DriverRequest {
  std::unique_ptr<hal::ByteLink> link = {};  ///< its line, open
  std::string set = {};                      ///< of numbers, by name; empty: the default
  std::uint32_t period_us = 1000;
};

/// What an emulator is made with.
struct EmulationRequest {
  hal::HandScript script = {};  ///< of the hand on it; outlives the board
  std::uint64_t seed = 1;       ///< of the hand's tremor
  std::string set = {};         ///< a file with numbers; empty: the default set
  bool unprogrammed = false;    ///< it waits for its program, as from the box
};

/// Where a device's line is: "PATH", "unix:PATH", "can:INTERFACE", "usb" or "usb:SERIAL", and behind each ",set=NAME" and
/// ",program=FILE" in any order.
struct LinePlace {
  std::string path, set, program;
  bool is_socket = false, is_can = false, is_usb = false;
  int priority = hal::RealtimeWish{}.priority;  ///< of the line's own threads
};
LinePlace ParseLinePlace(const std::string& place);

/// A haptic device that can be bought or built: its driver, and the emulator of it.
struct RealDevice {
  const char* name;
  const char* what;
  const char* sets;                           ///< names of its sets of numbers, the default first
  unsigned baud;                              ///< of its line, where that has one
  const char* scene;                          ///< a shipped one that it can feel
  hal::DeviceCapabilities (*capabilities)();  ///< of the default set
  /// @returns the driver, whose calls neither wait nor allocate. @throws HostError: no such set.
  std::unique_ptr<hal::Device> (*drive)(DriverRequest request);
  /// @returns the board with its mechanics and a hand on it.
  /// @throws HostError: a set that is neither empty nor a file.
  std::unique_ptr<hal::EmulatedBoard> (*emulate)(const EmulationRequest& request);
  /// Bytes that take all force away, said when the program ends, however it ends (line_guard.h); empty: none.
  LastWords last_words = {};
  const char* homing = "";  ///< what its user does while it homes
  const char* lost = "";    ///< and before, when its counts have lost their place; empty: home by its pose, or never
  /// Of its bus, if it has one: "can0" is then an interface as "can:can0" is.
  std::optional<CanKind> can = {};
  double lift_m = 0.001;  ///< how far its handle may go when the drives come on: its driver may hold up its links
  /// Opens its line and starts it there: a device that needs its program, or that libusb reaches. @throws HostError
  std::unique_ptr<hal::ByteLink> (*start)(const LinePlace& place, unsigned baud) = nullptr;
  void (*last_words_over_usb)(const std::string& serial, const LastWords& words) = nullptr;  ///< where `start` is
};

/// All there are. One line in real_devices.cc adds another.
std::span<const RealDevice> RealDevices();
/// @returns nullptr: no such name.
const RealDevice* FindRealDevice(const std::string& name);
std::string RealDeviceNames();

/// Begins to home a device by its pose. @param device  nullptr: it is the host's
/// @throws HostError: it has no such pose.
void StartHoming(hal::Device* device, const std::string& name);

/// Opens its line, makes its driver and waits until it measures: for at most two seconds, or a minute while it homes. A
/// terminal that goes is opened again. Before the loop. @throws HostError: no line, or what the driver says is wrong.
/// @param priority  of a line's own threads: the loop's  @param homes  by its pose, as StartHoming
std::unique_ptr<hal::Device> OpenRealDevice(const RealDevice& device, const std::string& place, std::uint32_t period_us,
                                            int priority = hal::RealtimeWish{}.priority, bool homes = false);

}  // namespace tactus::host
