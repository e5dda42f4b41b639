#include <gtest/gtest.h>

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
    const char* after;  // Config, kArm, kDisarm, kClearFault, kReset, kStop
  };
  const auto fault = [](Controller& c) { c.ArmIt(), c.PutSample(), c.Edge(), c.PutSample(99), c.Edge(); };
  const Row rows[] = {{"connecting", [](Controller&) {}, "------"},
                      {"unconfigured", [](Controller& c) { c.Connect(); }, "I----S"},
                      {"idle", [](Controller& c) { c.Configure(); }, "IAIIIS"},
                      {"armed", [](Controller& c) { c.ArmIt(); }, "-AI--S"},
                      {"faulted", fault, "--FI-S"}};
  const Action actions[] = {Action::kNone,       Action::kArm,   Action::kDisarm,
                            Action::kClearFault, Action::kReset, Action::kStop};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < 6; ++i) {
      Controller controller;
      row.enter(controller);
      const wire::Ack ack =
          i == 0 ? controller.Answer(Controller::DefaultConfig(Pacing::kClock)) : controller.Tell(actions[i]);
      const char expected = row.after[i];
      EXPECT_EQ(ack.code(), expected == '-' ? AckCode::kWrongState : AckCode::kAccepted) << row.name << ", message " << i;
      if (expected == '-') continue;
      EXPECT_EQ("CUIAFS"[static_cast<int>(ack.state())], expected) << row.name << ", message " << i;
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
  EXPECT_EQ(controller.Tell(Action::kArm).code(), AckCode::kWrongState) << "nothing was accepted";
}

TEST(ServoApp, TicksAtEachEdgeWithTheNewestSampleAndItsAge) {
  Controller controller;
  controller.Configure();
  controller.Edge();
  EXPECT_TRUE(controller.TakeAll<wire::Command>().empty()) << "no sample yet";
  controller.PutSample();
  controller.PutSample();
  controller.Edge();
  controller.clock.us_in_period = 300;
  controller.Edge();
  const auto commands = controller.TakeAll<wire::Command>();
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
  const auto commands = controller.TakeAll<wire::Command>();
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].sample_sequence(), 1u);
  EXPECT_EQ(commands[2].sample_sequence(), 3u);
}

/// Presses the peg on the plate beside the hole until the force is there.
void Press(Controller* controller) {
  for (int i = 0; i < 1000; ++i) {
    wire::Sample sample(static_cast<std::uint32_t>(i + 1), 0);
    sample.mutable_position_m()->Mutate(0, 0.05f);
    sample.mutable_position_m()->Mutate(2, 0.031f - 2e-6f * static_cast<float>(i));
    sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    controller->Put(sample);
    controller->Edge();
    controller->app->DrainTelemetry();
  }
}

class SilentHost : public ::testing::TestWithParam<Pacing> {};

/// Source of the bound: hold_ticks 3 + ramp_down 20 ms = 23 ticks, and one for the rounding of the ramp; by sample the clock
/// takes over after 2000 silent edges.
TEST_P(SilentHost, LeadsToZeroForceAndALatchedFault) {
  Controller controller;
  controller.ArmIt(GetParam());
  Press(&controller);
  const auto before = controller.TakeAll<wire::Command>();
  ASSERT_GT(before.back().force_N()->Get(2), 0.5f) << "1 mm at 1500 N/m";
  const int patience = GetParam() == Pacing::kClock ? 0 : 2000;
  for (int i = 0; i < patience + 24; ++i) controller.Edge();
  std::vector<wire::Fault> faults;
  std::vector<wire::Command> commands;
  for (const Received& frame : controller.Take()) {
    if (frame.type == wire::MessageType::kFault) faults.push_back(frame.As<wire::Fault>());
    if (frame.type == wire::MessageType::kCommand) commands.push_back(frame.As<wire::Command>());
  }
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code(), wire::FaultCode::kSampleStale);
  for (std::uint16_t axis = 0; axis < 3; ++axis) EXPECT_EQ(commands.back().force_N()->Get(axis), 0.0f);
  EXPECT_EQ(controller.Tell(Action::kArm).code(), AckCode::kWrongState) << "it is latched";
  EXPECT_EQ(controller.Tell(Action::kClearFault).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.Tell(Action::kArm).code(), AckCode::kAccepted);
}
INSTANTIATE_TEST_SUITE_P(BothPacings, SilentHost, ::testing::Values(Pacing::kClock, Pacing::kSample));

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
}

TEST(ServoApp, CountsMissedDeadlinesAndFaultsWhenTheyDoNotEnd) {
  Controller controller;
  controller.ArmIt();
  controller.link.during_write = [&] { ++controller.clock.edge_count; };
  for (int i = 0; i < 19; ++i) controller.PutSample(), controller.Edge();
  EXPECT_EQ(controller.app->missed_deadlines(), 19u);
  EXPECT_TRUE(controller.TakeAll<wire::Fault>().empty());
  for (int i = 0; i < 2; ++i) controller.PutSample(), controller.Edge();
  const wire::Fault fault = controller.TakeAll<wire::Fault>().at(0);
  EXPECT_EQ(fault.code(), wire::FaultCode::kExternal);
  EXPECT_EQ(fault.external(), wire::ExternalCause::kDeadline);
}

TEST(ServoApp, DropsAndCountsTelemetryThatNobodyDrains) {
  Controller controller;
  controller.Configure();
  for (int i = 0; i < 40; ++i) controller.PutSample(), controller.Edge();
  EXPECT_EQ(controller.TakeAll<wire::Command>().size(), 40u) << "commands do not wait for telemetry";
  controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::Telemetry>().size(), 32u);
  controller.PutSample(), controller.Edge(), controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::Telemetry>().at(0).dropped_telemetry(), 8u);
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
  EXPECT_EQ(frames.size(), 80u) << "40 commands, 40 telemetry";
  EXPECT_EQ(controller.missing_frames(), 0u);
}

TEST(ServoApp, EndsWithItsTelemetryAndThenStopped) {
  Controller controller;
  controller.ArmIt();
  for (int i = 0; i < 5; ++i) controller.PutSample(), controller.Edge();
  EXPECT_EQ(controller.Tell(Action::kStop).state(), wire::State::kStopped);
  EXPECT_FALSE(controller.app->stopped());
  controller.PutSample(), controller.Edge();
  controller.app->DrainTelemetry();
  const auto frames = controller.Take();
  ASSERT_EQ(frames.size(), 6u) << "5 telemetry, no command any more";
  EXPECT_EQ(frames.back().type, wire::MessageType::kStopped);
  EXPECT_EQ(frames.back().As<wire::Stopped>().ticks(), 5u);
  EXPECT_TRUE(controller.app->stopped());
}

TEST(ServoApp, StopsWhenTheLinkIsClosed) {
  Controller controller;
  controller.ArmIt();
  controller.link.closed = true;
  controller.Edge();
  EXPECT_TRUE(controller.app->stopped());
}

TEST(ServoApp, TellsOnceThatTheRunBeforeItFailed) {
  Controller controller;
  controller.app = std::make_unique<ServoApp<double>>(Identity{.failed_before = true}, controller.link, controller.clock,
                                                      controller.watchdog);
  for (int i = 0; i < 2; ++i) controller.Put(wire::HelloRequest(wire::kProtocolVersion, 1));
  controller.app->OnTick();
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
