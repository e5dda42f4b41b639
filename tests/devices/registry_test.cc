// What a user types: names, places, sets of numbers, faults.
#include <gtest/gtest.h>

#include "host_tools/devices/device_faults.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/serve/device_kinds.h"

namespace tactus::host {
namespace {

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(RealDevices, AreCompleteEachInItsLine) {
  for (const RealDevice& device : RealDevices()) {
    EXPECT_EQ(FindRealDevice(device.name), &device);
    EXPECT_NE(std::string(device.what), "");
    EXPECT_FALSE(LoadScene(device.scene).title.empty());
    const hal::DeviceCapabilities can = device.capabilities();
    EXPECT_GT(can.peak_force_N, 0.0f);
    EXPECT_GT(ConfigOf(can).device.mass_kg, 0);
    EXPECT_NE(device.emulate({}, 1), nullptr);
  }
  EXPECT_EQ(FindRealDevice("no such"), nullptr);
}

TEST(RealDevices, PlacesAreReadAsTheyAreWritten) {
  EXPECT_EQ(ParseLinePlace("/dev/ttyACM0").path, "/dev/ttyACM0");
  const LinePlace place = ParseLinePlace("unix:/tmp/a,b:c,set=v2019");
  EXPECT_TRUE(place.is_socket);
  EXPECT_EQ(place.path, "/tmp/a,b:c");
  EXPECT_EQ(place.set, "v2019");
}

TEST(RealDevices, SayWhatIsWrongWithADeviceOption) {
  const auto error = [](const char* text) { return ErrorOf([&] { (void)MakeDevice(text, 1000, 1); }); };
  EXPECT_EQ(error("woodenhaptics"), "device 'woodenhaptics': give woodenhaptics:PATH");
  EXPECT_NE(error("woodenhaptics:/no/such").find("cannot open '/no/such'"), std::string::npos);
  EXPECT_NE(error("woodenhaptics:unix:/no/such").find("cannot open '/no/such'"), std::string::npos);
  EXPECT_NE(error("nothing:x").find("woodenhaptics:PATH"), std::string::npos);
}

TEST(DeviceFaults, AreNamedAndTimed) {
  EXPECT_NE(ErrorOf([] { (void)ParseDeviceFault("mut@3"); }).find("no fault 'mut'"), std::string::npos);
  EXPECT_NE(ErrorOf([] { (void)ParseDeviceFault("mute@x"); }).find("give NAME@MS"), std::string::npos);
  const std::vector<EmulatedFault> faults = {ParseDeviceFault("mute@10+5"), ParseDeviceFault("reset@20")};
  EXPECT_FALSE(DeviceFaultsAt(faults, 9, 1).board.mute);
  EXPECT_TRUE(DeviceFaultsAt(faults, 10, 1).board.mute);
  EXPECT_FALSE(DeviceFaultsAt(faults, 15, 1).board.mute);
  EXPECT_TRUE(DeviceFaultsAt(faults, 20, 1).reset);
  EXPECT_FALSE(DeviceFaultsAt(faults, 21, 1).reset);
}

}  // namespace
}  // namespace tactus::host
