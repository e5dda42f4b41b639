#pragma once
#include <memory>
#include <string>

#include "bench/safety/parts.h"
#include "hal/sim/faulty_line.h"
#include "host_tools/devices/device_faults.h"
#include "host_tools/devices/real_devices.h"

namespace tactus::bench::safety {

/// A real device's driver and its emulator, joined by a line in memory: a period is a millisecond. The loop above the driver
/// is the least there is: a force while all is well, else zeros and the drives off.
class DeviceRig {
 public:
  /// @param hand  of the emulated person; without moves: holds still at W's origin  @param set  a file with numbers, of both
  explicit DeviceRig(const host::RealDevice& real, const hal::HandScript& hand = {}, const std::string& set = "");

  host::DeviceFaults wrong;      ///< now
  float force_N[3] = {0, 0, 0};  ///< commanded
  hal::DeviceReading reading;    ///< the last
  std::string why;               ///< the driver's first failure since Drive
  bool drives = false;           ///< a force is commanded
  bool closed = false;           ///< the line is gone

  void Period();
  void Periods(int count) {
    for (int i = 0; i < count; ++i) Period();
  }
  /// Clears what is wrong, and lets the force out as a controller does: zeros, enable, force. @returns whether it flows.
  bool Drive();

  /// The operator ends the driver's program and starts it again.
  void StartAnew();

  hal::EmulatedBoard& board() { return *board_; }
  hal::Device& device() { return *device_; }
  /// Bytes for the driver, past the board.
  void Tell(std::span<const std::uint8_t> bytes);
  /// What the driver has sent in the last period.
  const std::vector<std::uint8_t>& sent() const { return sent_; }
  std::uint32_t now_us() const { return now_us_; }
  bool off() { return board_->largest_A() == 0; }

 private:
  const host::RealDevice& real_;
  const std::string set_;
  std::unique_ptr<hal::EmulatedBoard> board_;
  MemoryLink* link_;  // the device's
  std::unique_ptr<hal::Device> device_;
  hal::FaultyLine line_;
  std::vector<std::uint8_t> sent_;
  std::uint32_t now_us_ = 0;
  bool enabled_ = false;
};

}  // namespace tactus::bench::safety
