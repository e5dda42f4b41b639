// Drivers allocate nothing in a period, in force, in faults and in recovery; nor do the emulated boards.
#include <gtest/gtest.h>

#include <array>

#include "hal/devices/falcon_port.h"
#include "hal/devices/haply_port.h"
#include "hal/devices/moteus_port.h"
#include "hal/devices/odrive_port.h"
#include "hal/devices/woodenhaptics_port.h"
#include "hal/sim/falcon_board.h"
#include "hal/sim/faulty_line.h"
#include "hal/sim/haply_board.h"
#include "hal/sim/moteus_board.h"
#include "hal/sim/odrive_board.h"
#include "hal/sim/woodenhaptics_board.h"
#include "tests/io/count_allocations.h"

namespace tactus::hal {
namespace {

/// A line between a driver and a board, in two arrays.
class FixedLine final : public ByteLink {
 public:
  std::array<std::uint8_t, 8192> to_host{}, to_board{};
  std::size_t host_size = 0, board_size = 0;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    *count = std::min(room.size(), host_size);
    std::copy_n(to_host.begin(), *count, room.begin());
    std::copy(to_host.begin() + static_cast<std::ptrdiff_t>(*count),
              to_host.begin() + static_cast<std::ptrdiff_t>(host_size), to_host.begin());
    host_size -= *count;
    return Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> bytes, Lane) noexcept override {
    std::copy(bytes.begin(), bytes.end(), to_board.begin() + static_cast<std::ptrdiff_t>(board_size));
    board_size += bytes.size();
    return Status::kOk;
  }
  LinkCounters DoCounters() const noexcept override { return {}; }
};

template <class Port, DeviceKinematics D>
long AllocationsInAllStates(EmulatedBoard& board, const MotorDeviceConfig<D>& config) {
  FixedLine line;
  FaultyLine damage;
  Port port(line);
  MotorDevice<D> motor_device(config, port);
  Device& device = motor_device;
  bool enabled = false, forces = false, faults = false;
  const long before = Allocations();
  for (std::uint32_t ms = 1; ms <= 3000; ++ms) {
    board.faults.mute = ms % 1000 > 700 && ms % 1000 < 750;
    damage.faults.flip_byte = ms % 1000 > 800 && ms % 1000 < 850 ? 2 : -1;
    const DeviceReading reading = device.Read(ms * 1000);
    const bool faulted = reading.state == DeviceState::kFaulted;
    faults = faults || faulted;
    CommandFrame command;
    if (enabled && !faulted) command.force_N[2] = 0.5f;
    if (!enabled && reading.state == DeviceState::kReady) device.Enable(), enabled = true;
    (void)device.Write(command, {});
    if (enabled && faulted) device.Disable(), enabled = false;
    board.Receive(std::span(line.to_board).first(std::exchange(line.board_size, 0)));
    board.Advance();
    forces = forces || board.largest_A() > 0;
    const auto said = damage.Pass(board.Say());
    std::copy(said.begin(), said.end(), line.to_host.begin() + static_cast<std::ptrdiff_t>(line.host_size));
    line.host_size += said.size();
  }
  const long allocations = Allocations() - before;
  EXPECT_TRUE(forces && faults);
  return allocations;
}

TEST(DeviceDrivers, AllocateNothingInAnyState) {
  WoodenHapticsBoard arm(WoodenHapticsBoard::Arm({}, 1));
  EXPECT_EQ(AllocationsInAllStates<WoodenHapticsPort>(arm, WoodenHapticsConfig()), 0);
  HaplyBoard bars(HaplyBoard::Arms({}, 1));
  EXPECT_EQ(AllocationsInAllStates<HaplyPort>(bars, HaplyConfig()), 0);
  ODriveBoard drives(ODriveBoard::Arms({}, 1));
  EXPECT_EQ(AllocationsInAllStates<ODrivePort>(drives, ODriveConfig()), 0);
  FalconBoard delta(FalconBoard::Arms({}, 1));
  EXPECT_EQ(AllocationsInAllStates<FalconPort>(delta, FalconConfig()), 0);
  MoteusBoard fd_drives(MoteusBoard::Arms({}, 1));
  EXPECT_EQ(AllocationsInAllStates<MoteusPort>(fd_drives, MoteusConfig()), 0);
}

}  // namespace
}  // namespace tactus::hal
