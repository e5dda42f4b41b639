// A scene with two tools, as a host drives it: docs/wire.md, SampleOfTwo and SecondCommand.
#include <gtest/gtest.h>

#include <cmath>

#include "controller.h"
#include "two_balls.h"

namespace tactus::servo {
namespace {

using wire::AckCode;

class Hands {
 public:
  Controller controller;
  wire::SecondCommand second;
  wire::Command command;
  int pairs = 0, alone = 0;  ///< Commands with a SecondCommand of the same tick just before them, and without

  explicit Hands(hal::Device* device = nullptr) : controller(device) {}

  AckCode SendScene(const Scene<>& scene) {
    ack = servo::SendScene(scene, &controller, &crc);
    return ack.code();
  }
  void Begin(const Scene<>& scene) {
    controller.Connect();
    ASSERT_EQ(SendScene(scene), AckCode::kAccepted);
    config = Controller::DefaultConfig(wire::Pacing::kClock);
    ASSERT_EQ(controller.Configure(config).code(), AckCode::kAccepted);
    Run(0.05f, 0.05f, 2);
    ASSERT_EQ(controller.Answer(wire::Arm(controller.nonce(), Crc32(wire::PayloadOf(config), crc))).code(),
              AckCode::kAccepted);
  }
  void Put(float first_z_m, float second_z_m) {
    wire::SampleOfTwo samples;
    samples.mutate_sequence(++sequence);
    samples.mutable_position_m()->Mutate(2, first_z_m);
    samples.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    samples.mutable_second_position_m()->Mutate(0, 0.05f);
    samples.mutable_second_position_m()->Mutate(2, second_z_m);
    samples.mutable_second_orientation_wxyz()->Mutate(0, 1.0f);
    controller.Put(samples);
  }
  void Run(float first_z_m, float second_z_m, int periods) {
    for (int i = 0; i < periods; ++i) {
      Put(first_z_m, second_z_m);
      Edge();
    }
  }
  /// Down in steps of 0.1 mm, so that no speed is a fault.
  void Lower(float from_m, float first_m, float second_m) {
    for (int i = 1; i <= 500; ++i) {
      const float share = static_cast<float>(i) / 500;
      Run(from_m + share * (first_m - from_m), from_m + share * (second_m - from_m), 1);
    }
  }
  void Edge() {
    controller.Edge();
    controller.app->DrainTelemetry();
    std::optional<std::uint32_t> before;
    for (const Received& frame : controller.Take()) {
      if (frame.type == wire::MessageType::kSecondCommand) {
        second = frame.As<wire::SecondCommand>();
        before = second.tick();
      }
      if (frame.type != wire::MessageType::kCommand) continue;
      command = frame.As<wire::Command>();
      before&&* before == command.tick() ? ++pairs : ++alone;
      before.reset();
    }
  }

  wire::Config config;
  wire::Ack ack;
  std::uint32_t crc = 0, sequence = 0;
};

float Length(const wire::SecondCommand& command) {
  return std::hypot(command.force_N()->Get(0), command.force_N()->Get(1), command.force_N()->Get(2));
}
float Length(const wire::Command& command) {
  return std::hypot(command.force_N()->Get(0), command.force_N()->Get(1), command.force_N()->Get(2));
}

// Source: the coupling's spring, 1500 N/m; each hand presses as deep as it likes.
TEST(TwoHands, FeelTheirOwnWalls) {
  Hands hands;
  hands.Begin(TwoBalls());
  hands.Lower(0.05f, 0.009f, 0.008f);
  hands.Run(0.009f, 0.008f, 1000);
  EXPECT_EQ(hands.command.mode(), wire::Mode::kActive);
  EXPECT_NEAR(hands.command.force_N()->Get(2), 1500 * 0.001, 5e-3);
  EXPECT_NEAR(hands.second.force_N()->Get(2), 1500 * 0.002, 5e-3);
  EXPECT_EQ(hands.alone, 0) << "each Command has its SecondCommand";
}

TEST(TwoHands, AnEStopZeroesBoth) {
  Hands hands;
  hands.Begin(TwoBalls());
  hands.Lower(0.05f, 0.009f, 0.008f);
  hands.Run(0.009f, 0.008f, 500);
  ASSERT_GT(Length(hands.second), 1);
  hands.controller.Put(Order(wire::Action::kEStop));
  hands.Run(0.009f, 0.008f, 1);
  EXPECT_EQ(Length(hands.command), 0);
  EXPECT_EQ(Length(hands.second), 0);
}

// Source: hold for 3 ticks, then 20 ms of fading. Samples of one hand alone are none.
TEST(TwoHands, SamplesOfOneHandFadeBoth) {
  Hands hands;
  hands.Begin(TwoBalls());
  hands.Lower(0.05f, 0.009f, 0.008f);
  hands.Run(0.009f, 0.008f, 500);
  float last = Length(hands.second);
  for (int i = 0; i < 30; ++i) {
    wire::Sample sample;
    sample.mutate_sequence(++hands.sequence);
    sample.mutable_position_m()->Mutate(2, 0.009f);
    sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    hands.controller.Put(sample);
    hands.Edge();
    EXPECT_LE(Length(hands.second), last);
    last = Length(hands.second);
  }
  EXPECT_EQ(last, 0);
  EXPECT_EQ(Length(hands.command), 0);
  EXPECT_EQ(hands.command.state(), wire::State::kFaulted);
}

TEST(TwoHands, ANaNOfTheSecondHandFadesBoth) {
  Hands hands;
  hands.Begin(TwoBalls());
  hands.Lower(0.05f, 0.009f, 0.008f);
  hands.Run(0.009f, 0.008f, 500);
  for (int i = 0; i < 30; ++i) hands.Run(0.009f, std::nanf(""), 1);
  EXPECT_EQ(Length(hands.command), 0);
  EXPECT_EQ(Length(hands.second), 0);
}

// The first tick after a Config, a scene of one tool and a SampleOfTwo: the second handle is not looked at.
TEST(TwoHands, AreOneWithAnotherScene) {
  Scene<> scene = TwoBalls();
  scene.bodies[1].motion = BodyMotion::kFree;
  scene.bodies[1].p_WB_m = {0.05, 0, 0.01};
  Hands hands;
  hands.Begin(scene);
  hands.Lower(0.05f, 0.009f, 0.008f);
  EXPECT_GT(Length(hands.command), 1);
  EXPECT_EQ(hands.pairs, 0);
}

TEST(TwoHands, HaveNoMapAndNoClutch) {
  Hands hands;
  hands.controller.Connect();
  ASSERT_EQ(hands.SendScene(TwoBalls()), AckCode::kAccepted);
  ASSERT_EQ(hands.controller.Configure(Controller::DefaultConfig(wire::Pacing::kClock)).code(), AckCode::kAccepted);
  WorkspaceConfig<double> map;
  map.scale = 2;
  EXPECT_EQ(hands.controller.Answer(WorkspaceToWire(map)).code(), AckCode::kOverCapacity);
  EXPECT_EQ(hands.controller.Tell(wire::Action::kPressClutch).code(), AckCode::kOverCapacity);
}

TEST(TwoHands, AreRefusedByAControllerWithADeviceOfItsOwn) {
  FakeDevice device;
  Hands hands(&device);
  hands.controller.Connect();
  EXPECT_EQ(hands.SendScene(TwoBalls()), AckCode::kOverCapacity);
  EXPECT_EQ(hands.ack.field(), static_cast<std::uint16_t>(SceneList::kHands));
  EXPECT_EQ(hands.ack.limit(), 1);
}

}  // namespace
}  // namespace tactus::servo
