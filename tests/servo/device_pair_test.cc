// Two devices of the controller's own, as one: hal/api/device_pair.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "controller.h"
#include "hal/api/device_pair.h"
#include "two_balls.h"

namespace tactus::servo {
namespace {

float Length(const CommandFrame& command) { return std::hypot(command.force_N[0], command.force_N[1], command.force_N[2]); }

SensorFrame At(float x_m, float z_m, std::uint32_t sequence) {
  return {.sequence = sequence, .p_WH_m = {x_m, 0, z_m}, .q_WH = {1, 0, 0, 0}};
}

TEST(DevicePair, GivesBothHandlesWhereTheyStandInTheScene) {
  FakeDevice first, second;
  hal::DevicePair pair(first, second, {0.1f, 0, 0}, {0, -0.2f, 0.3f});
  first.reading.sample = At(0.01f, 0.02f, 5);
  second.reading.sample = At(0.03f, 0.04f, 9);
  const hal::DeviceReading reading = pair.Read(0);
  EXPECT_FLOAT_EQ(reading.sample.p_WH_m[0], 0.11f);
  EXPECT_FLOAT_EQ(reading.sample.p_WH_m[2], 0.02f);
  ASSERT_TRUE(reading.has_second);
  EXPECT_FLOAT_EQ(reading.second.p_WH_m[0], 0.03f);
  EXPECT_FLOAT_EQ(reading.second.p_WH_m[1], -0.2f);
  EXPECT_FLOAT_EQ(reading.second.p_WH_m[2], 0.34f);
  EXPECT_EQ(reading.sample.sequence, 5u);
  EXPECT_EQ(reading.second.sequence, 9u);
}

TEST(DevicePair, IsNewWhenBothAre) {
  FakeDevice first, second;
  hal::DevicePair pair(first, second);
  const auto reads = [&](bool of_first, bool of_second) {
    first.reading.is_new = of_first;
    second.reading.is_new = of_second;
    return pair.Read(0).is_new;
  };
  EXPECT_TRUE(reads(true, true));
  EXPECT_FALSE(reads(true, false));
  EXPECT_TRUE(reads(false, true)) << "by turns is new every other time";
  EXPECT_FALSE(reads(true, false));
  EXPECT_FALSE(reads(true, false)) << "one that is silent is the pair's silence";
  EXPECT_FALSE(reads(false, false));
}

TEST(DevicePair, HasTheWorseOfBothStates) {
  using hal::DeviceCause;
  using hal::DeviceState;
  FakeDevice first, second;
  hal::DevicePair pair(first, second);
  second.reading.valid = false;
  second.reading.state = DeviceState::kHoming;
  EXPECT_FALSE(pair.Read(0).valid);
  EXPECT_EQ(pair.Read(0).state, DeviceState::kHoming);
  second.reading.valid = true;
  second.reading.state = DeviceState::kFaulted;
  second.reading.cause = DeviceCause::kOverheated;
  first.reading.state = DeviceState::kHoming;
  EXPECT_EQ(pair.Read(0).state, DeviceState::kFaulted);
  EXPECT_EQ(pair.Read(0).cause, DeviceCause::kOverheated);
  EXPECT_FALSE(pair.Read(0).e_stop);
  second.reading.e_stop = true;
  EXPECT_TRUE(pair.Read(0).e_stop);
  first.reading.buttons = 0b0010;
  second.reading.buttons = 0b0001;
  EXPECT_EQ(pair.Read(0).buttons, 0b0001'0010);
}

TEST(DevicePair, GivesTheSecondZerosUnlessItIsTold) {
  FakeDevice first, second;
  hal::DevicePair pair(first, second);
  const CommandFrame one{.sequence = 1, .force_N = {1, 0, 0}}, two{.sequence = 1, .force_N = {0, 2, 0}};
  EXPECT_EQ(pair.WriteSecond(two, {}), Status::kOk);
  EXPECT_EQ(pair.Write(one, {}), Status::kOk);
  EXPECT_EQ(Length(first.held), 1);
  EXPECT_EQ(Length(second.held), 2);
  EXPECT_EQ(pair.Write(one, {}), Status::kOk);
  EXPECT_EQ(Length(first.held), 1);
  EXPECT_EQ(Length(second.held), 0) << "no old command goes out again";
  second.takes_commands = false;
  EXPECT_EQ(pair.Write({}, {}), Status::kWouldBlock) << "zeros were not written to both";
}

TEST(DevicePair, CanDoWhatBothCan) {
  FakeDevice first, second;
  first.can = {.resolution_m = 1e-5f, .peak_force_N = 3, .peak_torque_Nm = 0, .command_delay_ticks = 1};
  second.can = {.resolution_m = 4e-5f, .peak_force_N = 8, .peak_torque_Nm = 0.1f};
  hal::DevicePair pair(first, second);
  EXPECT_EQ(pair.capabilities().peak_force_N, 3);
  EXPECT_EQ(pair.capabilities().peak_torque_Nm, 0.1f) << "0 is unknown";
  EXPECT_EQ(pair.capabilities().resolution_m, 4e-5f);
  EXPECT_EQ(pair.capabilities().command_delay_ticks, 1) << "the later of the two";
  EXPECT_TRUE(pair.are_alike());
  second.can.actuated[5] = false;
  EXPECT_FALSE(hal::DevicePair(first, second).are_alike());
}

/// Two devices, each of which presses a ball on the plane, and the controller that they are of.
class OwnHands {
 public:
  FakeDevice first, second;
  hal::DevicePair pair{first, second, {0, 0, 0}, {0.05f, 0, 0}};
  Controller controller{&pair};

  /// Arms, and presses by 1 and 2 mm: 1.5 and 3 N of the coupling's 1500 N/m.
  void Press() {
    controller.Connect();
    std::uint32_t crc = 0;
    ASSERT_EQ(SendScene(TwoBalls(), &controller, &crc).code(), wire::AckCode::kAccepted);
    wire::Config config = Controller::DefaultConfig(wire::Pacing::kClock);
    config.mutate_telemetry_every_ticks(1);
    ASSERT_EQ(controller.Configure(config).code(), wire::AckCode::kAccepted);
    Run(2);
    ASSERT_EQ(controller.Answer(wire::Arm(controller.nonce(), Crc32(wire::PayloadOf(config), crc))).code(),
              wire::AckCode::kAccepted);
    while (first_z_m > 0.009f || second_z_m > 0.008f) {  // in steps of 0.1 mm, so that no speed is a fault
      first_z_m = std::max(first_z_m - 1e-4f, 0.009f);
      second_z_m = std::max(second_z_m - 1e-4f, 0.008f);
      Run(1);
    }
    Run(1000);
    ASSERT_NEAR(first.held.force_N[2], 1.5, 5e-3);
    ASSERT_NEAR(second.held.force_N[2], 3, 5e-3);
    ASSERT_TRUE(first.enabled && second.enabled);
  }
  void Run(int periods) {
    for (int i = 0; i < periods; ++i) {
      ++sequence;
      first.reading.sample = At(0, first_z_m, first_stands ? first.reading.sample.sequence : sequence);
      second.reading.sample = At(0, second_z_m, second_stands ? second.reading.sample.sequence : sequence);
      first.reading.sample.counts = second.reading.sample.counts = counts;
      first.reading.is_new = !first_stands;
      second.reading.is_new = !second_stands;
      controller.Edge();
      controller.app->DrainTelemetry();
    }
  }
  bool are_off() const { return Length(first.held) == 0 && Length(second.held) == 0; }
  float first_z_m = 0.05f, second_z_m = 0.05f;
  bool first_stands = false, second_stands = false;
  CountSteps counts;
  std::uint32_t sequence = 0;
};

// Source: the coupling's spring, 1500 N/m; the force that a device holds and the one that is told are one.
TEST(OwnDevices, FeelTheirOwnWallsAndTellBoth) {
  OwnHands hands;
  hands.counts = {.motors = 3, .step_m = {{4e-5f, 0, 0}, {0, 4e-5f, 0}, {0, 0, 4e-5f}}};  // of which nothing is told
  hands.Press();
  hands.controller.Take();
  hands.Run(1);
  wire::SecondTelemetry second;
  wire::Telemetry first;
  std::vector<wire::MessageType> order;
  for (const Received& frame : hands.controller.Take()) {
    order.push_back(frame.type);
    if (frame.type == wire::MessageType::kSecondTelemetry) second = frame.As<wire::SecondTelemetry>();
    if (frame.type == wire::MessageType::kTelemetry) first = frame.As<wire::Telemetry>();
  }
  EXPECT_EQ(order, (std::vector{wire::MessageType::kSecondTelemetry, wire::MessageType::kTelemetry}))
      << "no Command: the devices are here";
  EXPECT_EQ(second.tick(), first.tick());
  EXPECT_FLOAT_EQ(second.sample_position_m()->Get(0), 0.05f);
  EXPECT_FLOAT_EQ(second.sample_position_m()->Get(2), 0.008f);
  EXPECT_EQ(static_cast<float>(second.command_wrench_W()->Get(2)), hands.second.held.force_N[2]);
  EXPECT_EQ(static_cast<float>(first.command_wrench_W()->Get(2)), hands.first.held.force_N[2]);
  EXPECT_NEAR(second.p_WT_m()->Get(2), 0.010, 1e-5) << "the ball lies on the plane";
}

struct Wrong {
  const char* name;
  void (*act)(OwnHands* hands);
  int periods;  ///< until both are at zero: at once, or the fade of 20 ms behind what may be silent before
};
class OwnDevicesFail : public testing::TestWithParam<Wrong> {};

TEST_P(OwnDevicesFail, ThenNeitherHandHasForce) {
  OwnHands hands;
  ASSERT_NO_FATAL_FAILURE(hands.Press());
  GetParam().act(&hands);
  hands.Run(GetParam().periods);
  EXPECT_TRUE(hands.are_off());
  EXPECT_EQ(hands.controller.app->supervisor().phase, Phase::kFaulted);
  hands.Run(3);
  EXPECT_TRUE(hands.are_off());
  EXPECT_FALSE(hands.first.enabled || hands.second.enabled);
}
INSTANTIATE_TEST_SUITE_P(
    Causes, OwnDevicesFail,
    testing::Values(Wrong{"EStop", [](OwnHands* hands) { hands->second.reading.e_stop = true; }, 1},
                    Wrong{"EStopOfTheFirst", [](OwnHands* hands) { hands->first.reading.e_stop = true; }, 1},
                    Wrong{"Failed", [](OwnHands* hands) { hands->second.reading.state = hal::DeviceState::kFaulted; }, 1},
                    Wrong{"FailedOfTheFirst",
                          [](OwnHands* hands) { hands->first.reading.state = hal::DeviceState::kFaulted; }, 1},
                    Wrong{"NotValid", [](OwnHands* hands) { hands->second.reading.valid = false; }, 1},
                    Wrong{"Stands", [](OwnHands* hands) { hands->second_stands = true; }, 34},
                    Wrong{"StandsOfTheFirst", [](OwnHands* hands) { hands->first_stands = true; }, 34}),
    [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(OwnDevices, FadeTogetherWhenDisarmed) {
  OwnHands hands;
  ASSERT_NO_FATAL_FAILURE(hands.Press());
  hands.controller.Put(Order(wire::Action::kDisarm));
  float last = Length(hands.second.held);
  for (int i = 0; i < 21; ++i) {
    hands.Run(1);
    EXPECT_LT(Length(hands.second.held), last);
    last = Length(hands.second.held);
    if (last == 0) break;
  }
  EXPECT_TRUE(hands.are_off());
  hands.Run(2);
  EXPECT_FALSE(hands.first.enabled || hands.second.enabled);
}

TEST(OwnDevices, OfOneToolLeaveTheSecondAtZero) {
  FakeDevice first, second;
  hal::DevicePair pair(first, second);
  Controller controller(&pair);
  controller.ArmIt();
  for (int i = 0; i < 2600; ++i) {
    first.reading.sample = controller.PressingSample();
    second.reading.sample = first.reading.sample;
    second.held.force_N[0] = 1;  // so that what is not written shows
    controller.Edge();
    EXPECT_EQ(Length(second.held), 0);
  }
  EXPECT_GT(Length(first.held), 4);
}

}  // namespace
}  // namespace tactus::servo
