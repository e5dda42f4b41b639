#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hal/api/last_words.h"
#include "tests/servo/controller.h"

namespace tactus::servo {
namespace {

using wire::AckCode;
using wire::Action;
using wire::Pacing;

TEST(ServoApp, SaysWhatItIsInItsHello) {
  Controller controller;
  controller.Put(wire::HelloRequest(wire::kProtocolVersion, 4711));
  controller.app->OnTick();
  const wire::Hello hello = controller.TakeAll<wire::Hello>().at(0);
  EXPECT_EQ(hello.nonce(), 4711u);
  EXPECT_EQ(hello.compatible(), 1u);
  EXPECT_EQ(hello.state(), wire::State::kUnconfigured);
  EXPECT_EQ(hello.scalar_bits(), 64);
  EXPECT_EQ(hello.config_size(), sizeof(wire::Config));
  EXPECT_EQ(hello.board()->Get(0), 't');
}

TEST(ServoApp, RefusesWhatFollowsAHelloOfAnotherVersion) {
  Controller controller;
  controller.Put(wire::HelloRequest(wire::kProtocolVersion + 1, 1));
  controller.app->OnTick();
  const wire::Hello hello = controller.TakeAll<wire::Hello>().at(0);
  EXPECT_EQ(hello.compatible(), 0u);
  EXPECT_EQ(hello.protocol_version(), wire::kProtocolVersion);
  EXPECT_EQ(controller.Answer(Controller::DefaultConfig(Pacing::kClock)).code(), AckCode::kWrongVersion);
}

/// Source: the table of docs/wire.md, section 5. '-': refused, otherwise the state after it.
TEST(ServoApp, FollowsTheStateTable) {
  struct Row {
    const char* name;
    std::function<void(Controller&)> enter;
    const char* after;  // Config, Arm, kDisarm, kClearFault, kReset, kStop, kEStop
  };
  const auto fault = [](Controller& c) { c.ArmIt(), c.PutSample(), c.Edge(), c.PutSample(99), c.Edge(); };
  const Row rows[] = {{"connecting", [](Controller&) {}, "--C--XC"},
                      {"unconfigured", [](Controller& c) { c.Connect(); }, "I-U--XU"},
                      {"idle", [](Controller& c) { c.Configure(); }, "IAIIIXX"},
                      {"armed", [](Controller& c) { c.ArmIt(); }, "-AX--XX"},
                      {"faulted", fault, "--FI-XF"}};
  const Action actions[] = {Action::kDisarm, Action::kClearFault, Action::kReset, Action::kStop, Action::kEStop};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < 7; ++i) {
      Controller controller;
      row.enter(controller);
      const wire::Ack ack = i == 0   ? controller.Configure(Controller::DefaultConfig(Pacing::kClock))
                            : i == 1 ? controller.TellArm()
                                     : controller.Tell(actions[i - 2]);
      const char expected = row.after[i];
      EXPECT_EQ(ack.code(), expected == '-' ? AckCode::kWrongState : AckCode::kAccepted) << row.name << ", message " << i;
      if (expected == '-') continue;
      EXPECT_EQ("CUIAFSX"[static_cast<int>(ack.state())], expected) << row.name << ", message " << i;
    }
  }
}

TEST(ServoApp, RefusesAnUnknownAction) {
  Controller controller;
  controller.Configure();
  const wire::Ack ack = controller.Tell(static_cast<Action>(77));
  EXPECT_EQ(ack.code(), AckCode::kOutOfRange);
  EXPECT_EQ(ack.field(), 0u);
}

TEST(ServoApp, NamesTheFieldThatItRefuses) {
  Controller controller;
  controller.Connect();
  wire::Config config = Controller::DefaultConfig(Pacing::kClock);
  config.mutable_scene_gravity_W_mps2()->Mutate(2, std::numeric_limits<double>::quiet_NaN());
  wire::Ack ack = controller.Answer(config);
  EXPECT_EQ(ack.code(), AckCode::kNotFinite);
  EXPECT_STREQ(wire::FieldName<wire::Config>(ack.field()), "scene_gravity_W_mps2");

  config = Controller::DefaultConfig(Pacing::kClock);
  config.mutate_limits_max_force_N(-1);
  ack = controller.Answer(config);
  EXPECT_EQ(ack.code(), AckCode::kOutOfRange);
  EXPECT_STREQ(wire::FieldName<wire::Config>(ack.field()), "limits_max_force_N");

  config = Controller::DefaultConfig(Pacing::kClock);
  config.mutate_directions(kServoCapacity.directions + 1);
  EXPECT_EQ(controller.Answer(config).code(), AckCode::kOverCapacity);
  config = Controller::DefaultConfig(static_cast<Pacing>(2));
  EXPECT_EQ(controller.Answer(config).code(), AckCode::kOutOfRange);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kWrongState) << "nothing was accepted";
}

// A second host comes while the background is between a bound and its note of it: it gets both.
TEST(ServoApp, TellsTheBoundsAnewToASecondHello) {
  Controller controller;
  controller.Connect();
  controller.link.after_unlock = [&] { controller.Put(wire::HelloRequest(wire::kProtocolVersion, 8)), controller.Edge(); };
  controller.app->DrainTelemetry();
  controller.app->DrainTelemetry();
  int lowest = 0, highest = 0;
  bool is_second = false;
  for (const Received& frame : controller.Take()) {
    is_second |= frame.type == wire::MessageType::kHello;
    lowest += is_second && frame.type == wire::MessageType::kConfigLowest;
    highest += is_second && frame.type == wire::MessageType::kConfigHighest;
  }
  EXPECT_TRUE(is_second);
  EXPECT_EQ(lowest, 1);
  EXPECT_GE(highest, 1);
}

// A Config that waits for the fade is refused by a fault. What makes the tick anew later takes the one in force.
TEST(ServoApp, LeavesNothingOfAConfigThatIsRefused) {
  Controller controller;
  (void)controller.Press();
  const std::uint32_t in_force = controller.config_crc();
  wire::Config other = Controller::DefaultConfig(Pacing::kClock);
  other.mutate_coupling_stiffness_N_per_m(700);
  controller.Put(Order(wire::Action::kDisarm));
  controller.Edge();
  controller.Put(other);
  controller.Edge();
  controller.Put(Order(wire::Action::kEStop));
  controller.Edge();
  bool refused = false;
  for (const wire::Ack& ack : controller.TakeAll<wire::Ack>())
    refused |= ack.of_type() == wire::MessageType::kConfig && ack.code() == AckCode::kWrongState;
  ASSERT_TRUE(refused);
  for (int i = 0; i < 200; ++i) controller.Edge();
  ASSERT_EQ(controller.Tell(wire::Action::kClearFault).code(), AckCode::kAccepted);
  ASSERT_EQ(controller.Answer(WorkspaceToWire(WorkspaceConfig<double>{})).code(), AckCode::kAccepted);
  const wire::Ack armed = controller.Answer(
      wire::Arm(controller.nonce(), Crc32(wire::PayloadOf(WorkspaceToWire(WorkspaceConfig<double>{})), in_force)));
  EXPECT_EQ(armed.code(), AckCode::kAccepted) << "the checksum is that of the Config in force";
}

TEST(ServoApp, TicksAtEachEdgeWithTheNewestSampleAndItsAge) {
  Controller controller;
  controller.Configure();
  controller.Edge();
  EXPECT_TRUE(controller.TakeTickCommands().empty()) << "no sample yet";
  controller.PutSample();
  controller.PutSample();
  controller.Edge();
  controller.clock.us_in_period = 300;
  controller.Edge();
  const auto commands = controller.TakeTickCommands();
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].sample_sequence(), 2u);
  EXPECT_EQ(commands[0].sample_age_us(), 0u);
  EXPECT_EQ(commands[1].sample_sequence(), 2u);
  EXPECT_EQ(commands[1].sample_age_us(), 1300u);
}

TEST(ServoApp, TicksOnceForEachSampleWhenTheSamplesPaceIt) {
  Controller controller;
  controller.Configure(Pacing::kSample);
  for (int i = 0; i < 3; ++i) controller.PutSample();
  for (int i = 0; i < 5; ++i) controller.Edge();
  const auto commands = controller.TakeTickCommands();
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].sample_sequence(), 1u);
  EXPECT_EQ(commands[2].sample_sequence(), 3u);
}

TEST(ServoApp, GoesOnThroughHostileBytesAndCountsThem) {
  Controller controller;
  controller.Configure();
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    for (int k = 0; k < 100; ++k) controller.link.incoming.push_back(static_cast<std::uint8_t>(random()));
    controller.link.incoming.push_back(0);
    controller.PutSample();
    controller.Edge();
    controller.app->DrainTelemetry();
  }
  const auto telemetry = controller.TakeAll<wire::Telemetry>();
  ASSERT_FALSE(telemetry.empty());
  EXPECT_EQ(telemetry.back().sample_sequence(), 500u) << "every frame between the rubbish was found";
  EXPECT_GE(telemetry.back().bad_frames(), 500u);
}

TEST(ServoApp, CountsFramesThatOnlyControllersSend) {
  Controller controller;
  controller.Configure();
  controller.Put(wire::Command());
  controller.Put(wire::Telemetry());
  controller.PutSample();
  controller.Edge();
  controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::Telemetry>().at(0).bad_frames(), 2u);
}

TEST(ServoApp, TakesABoundedNumberOfFramesPerCall) {
  Controller controller;
  controller.Connect();
  for (int i = 0; i < 100; ++i) controller.Put(wire::HelloRequest(wire::kProtocolVersion, 0));
  controller.Edge();
  EXPECT_LE(controller.TakeAll<wire::Hello>().size(), 8u);
  for (int i = 0; i < 20; ++i) controller.Edge();
  EXPECT_GE(controller.TakeAll<wire::Hello>().size(), 92u) << "the rest was not lost";
  for (int i = 0; i < 100; ++i) controller.Put(Order(Action::kDisarm));
  controller.Edge();
  EXPECT_EQ(controller.TakeAll<wire::Ack>().size(), 8u);
}

TEST(ServoApp, DropsAndCountsTelemetryThatNobodyDrains) {
  Controller controller;
  controller.Configure();
  for (int i = 0; i < 40; ++i) controller.PutSample(), controller.Edge();
  EXPECT_EQ(controller.TakeTickCommands().size(), 40u) << "commands do not wait for telemetry";
  controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::Telemetry>().size(), 32u);
  controller.PutSample(), controller.Edge(), controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::Telemetry>().at(0).dropped_telemetry(), 8u);
}

TEST(ServoApp, TellsTheButtonsOfItsOwnDeviceInEachTelemetry) {  // Source: docs/wire.md, Telemetry
  FakeDevice device;
  Controller controller(&device);
  controller.Configure();
  (void)controller.Take();
  for (int held = 0; held < 256; ++held) {
    device.reading.sample = controller.PressingSample();
    device.reading.buttons = static_cast<std::uint8_t>(held);
    controller.Edge();
    controller.app->DrainTelemetry();
    const auto told = controller.TakeAll<wire::Telemetry>();
    ASSERT_EQ(told.size(), 1u);
    ASSERT_EQ(told[0].buttons(), held);
    ASSERT_EQ(told[0].contacts_dropped(), 0);
  }
}

TEST(ServoApp, KeepsTelemetryWhileTheLinkIsFullAndShowsLostCommandsAsGaps) {
  Controller controller;
  controller.Configure();
  controller.PutSample(), controller.Edge(), controller.app->DrainTelemetry();
  controller.Take();
  controller.link.full = true;
  for (int i = 0; i < 3; ++i) controller.PutSample(), controller.Edge(), controller.app->DrainTelemetry();
  controller.link.full = false;
  controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::Telemetry>().size(), 3u);
  EXPECT_EQ(controller.missing_frames(), 3u) << "the three commands";
}

TEST(ServoApp, NumbersItsFramesInOrderWhenATickInterruptsTheBackground) {
  Controller controller;
  controller.Configure();
  for (int i = 0; i < 20; ++i) {
    controller.PutSample(), controller.Edge();
    controller.PutSample();
    controller.link.before_lock = [&] { controller.Edge(); };
    controller.app->DrainTelemetry();
  }
  const auto frames = controller.Take();
  EXPECT_EQ(frames.size(), 82u) << "40 commands, 40 telemetry, and after the hello the two bounds of a Config";
  EXPECT_EQ(controller.missing_frames(), 0u);
}

TEST(ServoApp, EndsWithZerosThenItsTelemetryAndThenStopped) {
  Controller controller;
  controller.ArmIt();
  for (int i = 0; i < 5; ++i) controller.PutSample(), controller.Edge();
  EXPECT_EQ(controller.Tell(Action::kStop).state(), wire::State::kFading);
  EXPECT_FALSE(controller.app->stopped());
  int edges = 0;
  std::vector<Received> frames;
  for (; !controller.app->stopped() && edges < 200; ++edges) {
    controller.PutSample(), controller.Edge();
    controller.app->DrainTelemetry();
    for (Received& frame : controller.Take()) frames.push_back(std::move(frame));
  }
  EXPECT_LE(edges, 21) << "guard_ramp_down_s, and a tick for its rounding";
  EXPECT_EQ(frames.back().type, wire::MessageType::kStopped);
  const auto last_command = std::find_if(frames.rbegin(), frames.rend(),
                                         [](const Received& frame) { return frame.type == wire::MessageType::kCommand; });
  ASSERT_NE(last_command, frames.rend());
  EXPECT_EQ(last_command->As<wire::Command>().state(), wire::State::kStopped);
  EXPECT_EQ(Controller::Force(last_command->As<wire::Command>()), 0.0f);
  controller.Edge();
  EXPECT_TRUE(controller.Take().empty()) << "silence";
}

TEST(ServoApp, StopsWhenTheLinkIsClosed) {
  Controller controller;
  controller.ArmIt();
  controller.link.closed = true;
  int edges = 0;
  for (; !controller.app->stopped() && edges < 200; ++edges) controller.Edge(), controller.app->DrainTelemetry();
  EXPECT_LE(edges, 21);
}

TEST(ServoApp, TellsOnceThatTheRunBeforeItFailed) {
  Controller controller;
  controller.app = std::make_unique<ServoApp<double>>(Identity{.failed_before = true}, controller.link, controller.clock,
                                                      controller.watchdog);
  for (int i = 0; i < 2; ++i) controller.Put(wire::HelloRequest(wire::kProtocolVersion, 1)), controller.app->OnTick();
  const auto faults = controller.TakeAll<wire::Fault>();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].external(), wire::ExternalCause::kControllerFault);
}

TEST(LastWords, AreAZeroCommandAndTheFaultOfTheController) {
  wire::FrameDecoder decoder;
  std::vector<wire::MessageType> types;
  wire::Command command;
  wire::Fault fault;
  for (const std::uint8_t byte : hal::kLastWords) {
    if (decoder.Push(byte) != Status::kOk) continue;
    types.push_back(decoder.frame().type);
    (void)wire::ReadMessage(decoder.frame(), &command);
    (void)wire::ReadMessage(decoder.frame(), &fault);
  }
  EXPECT_EQ(types, (std::vector{wire::MessageType::kCommand, wire::MessageType::kFault}));
  EXPECT_EQ(decoder.counters().bad(), 0u);
  EXPECT_EQ(hal::kLastWords.front(), 0) << "ends the frame that stood on the line";
  for (std::uint16_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(command.force_N()->Get(axis), 0);
    EXPECT_EQ(command.torque_Nm()->Get(axis), 0);
  }
  EXPECT_EQ(fault.code(), wire::FaultCode::kExternal);
  EXPECT_EQ(fault.external(), wire::ExternalCause::kControllerFault);
}

}  // namespace
}  // namespace tactus::servo
