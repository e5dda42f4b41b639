// Control kHome: the operator's word that the handle of the controller's own device is held in its home pose.
#include <gtest/gtest.h>

#include "hal/api/device_pair.h"
#include "tests/servo/controller.h"

namespace tactus::servo {
namespace {

using wire::AckCode;
using wire::Action;

TEST(Home, IsTheDevicesWhileNoForceCanBeOut) {
  FakeDevice device;
  Controller controller(&device);
  controller.Connect();
  EXPECT_EQ(controller.Tell(Action::kHome).code(), AckCode::kAccepted) << "before a Config, for what is not homed arms not";
  controller.Configure();
  EXPECT_EQ(controller.Tell(Action::kHome).code(), AckCode::kAccepted);
  EXPECT_EQ(device.homings, 2);
}

TEST(Home, IsRefusedWhileForceMayBeOut) {
  FakeDevice device;
  Controller controller(&device);
  controller.ArmIt();
  for (int i = 0; i < 3; ++i) {
    device.reading.sample = controller.PressingSample();
    controller.Edge();
  }
  ASSERT_TRUE(device.enabled);
  EXPECT_EQ(controller.Tell(Action::kHome).code(), AckCode::kWrongState);
  EXPECT_EQ(device.homings, 0);
}

TEST(Home, IsTakenInAFaultOfTheDevice) {
  FakeDevice device;
  Controller controller(&device);
  controller.ArmIt();
  device.reading.state = hal::DeviceState::kFaulted;
  for (int i = 0; i < 3; ++i) controller.Edge();
  ASSERT_EQ(controller.app->supervisor().phase, Phase::kFaulted);
  EXPECT_EQ(controller.Tell(Action::kHome).code(), AckCode::kAccepted);
}

TEST(Home, IsRefusedWithoutAHomePoseAndWithADeviceAtTheHost) {
  FakeDevice device;
  device.has_home_pose = false;
  Controller own(&device), at_host;
  own.Configure(), at_host.Configure();
  EXPECT_EQ(own.Tell(Action::kHome).code(), AckCode::kWrongState);
  EXPECT_EQ(at_host.Tell(Action::kHome).code(), AckCode::kWrongState);
}

TEST(Home, OfAPairIsThatOfBoth) {
  FakeDevice first, second;
  hal::DevicePair pair(first, second);
  EXPECT_EQ(pair.Home(), Status::kOk);
  EXPECT_EQ(first.homings + second.homings, 2);
  second.has_home_pose = false;
  EXPECT_EQ(pair.Home(), Status::kNotReady);
}

}  // namespace
}  // namespace tactus::servo
