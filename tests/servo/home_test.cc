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

// Arm switches the drives on at the next edge; what comes before it must not begin to home.
TEST(Home, IsRefusedBetweenArmAndTheDrives) {
  FakeDevice device;
  Controller controller(&device);
  controller.Configure();
  controller.Edge();
  ASSERT_EQ(controller.TellArm().code(), AckCode::kAccepted);
  ASSERT_FALSE(device.enabled);
  EXPECT_EQ(controller.Tell(Action::kHome).code(), AckCode::kWrongState);
}

TEST(Home, IsToldByHelloBeforeTheNextEdge) {
  FakeDevice device;
  Controller controller(&device);
  controller.Connect();
  controller.Edge();
  ASSERT_EQ(controller.Tell(Action::kHome).code(), AckCode::kAccepted);
  controller.Put(wire::HelloRequest(wire::kProtocolVersion, 8));
  controller.app->OnTick();
  const std::vector<wire::Hello> hello = controller.TakeAll<wire::Hello>();
  ASSERT_EQ(hello.size(), 1u);
  EXPECT_EQ(hello[0].device_state(), wire::DeviceState::kHoming);
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

/// A device of the board's own under force, then a host that is gone without a word.
/// @param line  what comes in every fifth period from then on  @returns whether the drives stay on
bool HoldsForceForAHostThatIsGone(std::uint32_t most_silence_us, const std::vector<std::uint8_t>& line = {}) {
  FakeDevice device;
  Controller controller(&device, most_silence_us);
  const auto edges = [&](int count) {
    for (int i = 0; i < count; ++i) {
      device.reading.sample = controller.PressingSample();
      if (i % 5 == 0) controller.link.incoming.insert(controller.link.incoming.end(), line.begin(), line.end());
      controller.Edge();
      controller.app->DrainTelemetry();
    }
  };
  controller.ArmIt();
  edges(900);
  EXPECT_TRUE(device.enabled && device.held.force_N[2] != 0);
  edges(400);  // 1.3 s since the Arm
  if (!device.enabled) {
    EXPECT_EQ(device.held.force_N[2], 0);
    EXPECT_EQ(controller.app->supervisor().phase, Phase::kIdle) << "a host that comes back has to arm";
  }
  return device.enabled;
}

TEST(DeadHost, LosesTheForceOfADeviceThatIsTheBoards) {
  EXPECT_FALSE(HoldsForceForAHostThatIsGone(1'000'000));
  EXPECT_TRUE(HoldsForceForAHostThatIsGone(0)) << "where somebody else watches it";
}

// A line that nobody drives makes bytes of its own: false start bits beside a bridge, or zeros for as long as it is held
// low.
TEST(DeadHost, IsNotKeptAliveByWhatItsLineMakesUp) {
  EXPECT_TRUE(HoldsForceForAHostThatIsGone(1'000'000, {0})) << "the host's sign of life";
  EXPECT_FALSE(HoldsForceForAHostThatIsGone(1'000'000, {0xFF}));
  EXPECT_FALSE(HoldsForceForAHostThatIsGone(1'000'000, {0xFE, 0xF0, 0x80, 0x00}));
  EXPECT_FALSE(HoldsForceForAHostThatIsGone(1'000'000, std::vector<std::uint8_t>(90, 0)));
}

}  // namespace
}  // namespace tactus::servo
