// What an audit found: each of its rows that lies in the servo application. The numbers are those of docs/safety.md.
#include <gtest/gtest.h>

#include "tests/servo/controller.h"

namespace tactus::servo {
namespace {

using wire::AckCode;
using wire::Action;
using wire::Pacing;

/// guard_ramp_down_s 20 ms at 1 kHz, and a tick for its rounding.
constexpr int kRampTicks = 21;

/// What is commanded from now on, edge by edge, until it is zero. Fails above the straight line from `from_N`.
int EdgesToZero(Controller* controller, float from_N, bool with_samples = true) {
  for (int edge = 1; edge <= 200; ++edge) {
    if (with_samples) controller->PutPressingSample();
    controller->Edge();
    controller->app->DrainTelemetry();
    const std::vector<wire::Command> commands = controller->TakeAll<wire::Command>();
    if (commands.empty()) ADD_FAILURE() << "no command at edge " << edge;
    if (commands.empty()) return -1;
    EXPECT_LE(Controller::Force(commands.back()), from_N * (1 - static_cast<float>(edge - 1) / 101.0f) + 1e-6f) << edge;
    if (Controller::Force(commands.back()) == 0) return edge;
  }
  ADD_FAILURE() << "force for ever";
  return -1;
}

TEST(Safety, S1StopFadesSendsZerosAndThenSaysStopped) {
  Controller controller;
  const float force_N = controller.Press();
  ASSERT_GT(force_N, 4.0f);
  controller.Put(Order(Action::kStop));
  EXPECT_LE(EdgesToZero(&controller, force_N), kRampTicks);
  EXPECT_TRUE(controller.app->stopped());
}

TEST(Safety, S2ConfigAfterDisarmWaitsForZeroOutput) {
  Controller controller;
  const float force_N = controller.Press();
  ASSERT_GT(force_N, 4.0f);
  controller.Put(Order(Action::kDisarm));
  controller.Put(Controller::DefaultConfig(Pacing::kClock));
  bool accepted = false;
  float last_N = force_N;
  for (int edge = 1; edge <= kRampTicks + 1 && !accepted; ++edge) {
    controller.PutPressingSample();
    controller.Edge();
    for (const Received& frame : controller.Take()) {
      if (frame.type == wire::MessageType::kCommand) last_N = Controller::Force(frame.As<wire::Command>());
      if (frame.type != wire::MessageType::kAck || frame.As<wire::Ack>().of_type() != wire::MessageType::kConfig) continue;
      EXPECT_EQ(frame.As<wire::Ack>().code(), AckCode::kAccepted);
      EXPECT_EQ(last_N, 0.0f) << "answered when the output was zero";
      accepted = true;
    }
  }
  EXPECT_TRUE(accepted);
  for (int edge = 0; edge < 10; ++edge) {
    controller.Edge();
    const auto commands = controller.TakeAll<wire::Command>();
    ASSERT_EQ(commands.size(), 1u) << "zeros at every edge, also without a sample";
    EXPECT_EQ(Controller::Force(commands[0]), 0.0f);
    EXPECT_EQ(commands[0].state(), wire::State::kIdle);
  }
}

TEST(Safety, S3DisarmAndStopAndEStopAreObeyedFromEveryVersion) {
  for (const Action action : {Action::kDisarm, Action::kStop, Action::kEStop}) {
    Controller controller;
    const float force_N = controller.Press();
    controller.Put(wire::HelloRequest(wire::kProtocolVersion + 1, 1));
    controller.PutPressingSample(), controller.Edge();
    EXPECT_EQ(controller.Tell(Action::kClearFault).code(), AckCode::kWrongVersion);
    EXPECT_EQ(controller.Tell(action).code(), AckCode::kAccepted);
    EXPECT_LE(EdgesToZero(&controller, force_N), action == Action::kEStop ? 1 : kRampTicks);
  }
}

/// SysTick dies: no edge, time stands, frames go on.
TEST(Safety, S4AStandingClockFeedsNothingAndEndsInZeros) {
  Controller controller;
  ASSERT_GT(controller.Press(), 4.0f);
  const int fed = controller.watchdog.fed;
  float last_N = 4.5f;
  int calls = 0;
  for (; last_N > 0 && calls < 100; ++calls) {
    controller.PutPressingSample();
    controller.app->OnTick();
    controller.app->DrainTelemetry();
    for (const wire::Command& command : controller.TakeAll<wire::Command>()) last_N = Controller::Force(command);
  }
  EXPECT_LE(calls, 17);
  EXPECT_EQ(controller.watchdog.fed, fed);
  EXPECT_EQ(controller.app->supervisor().cause, Cause::kClockLost);
  EXPECT_EQ(controller.Tell(Action::kDisarm).state(), wire::State::kFaulted);
  EXPECT_EQ(controller.Tell(Action::kClearFault).code(), AckCode::kWrongState) << "the clock still stands";
}

TEST(Safety, S4TheWatchdogIsFedAfterATickWithAnEdgeAndALivingBackground) {
  Controller controller;
  controller.Configure();
  controller.PutSample();
  controller.Edge();
  EXPECT_EQ(controller.watchdog.fed, 0) << "the background has not run";
  controller.app->DrainTelemetry();
  controller.PutSample();
  controller.app->OnTick();
  EXPECT_EQ(controller.watchdog.fed, 0) << "no edge";
  controller.Edge();
  EXPECT_EQ(controller.watchdog.fed, 1);
  controller.Edge();
  EXPECT_EQ(controller.watchdog.fed, 1) << "the background has not run since";
}

class Silence : public testing::TestWithParam<Pacing> {};

/// Source of the bound: guard_hold_ticks 3 and the ramp; with the pacing kSample guard_silence_ticks 10 before.
TEST_P(Silence, S7OfTheHostEndsInZerosWithinAFewPeriods) {
  Controller controller;
  ASSERT_GT(controller.Press(GetParam()), 4.0f);
  const int patience = GetParam() == Pacing::kClock ? 0 : 10;
  float last_N = 4.5f;
  int edges = 0, zeros_after = 0;
  std::vector<wire::Fault> faults;
  for (; edges < patience + 3 + kRampTicks; ++edges) {
    controller.Edge();
    for (const Received& frame : controller.Take()) {
      if (frame.type == wire::MessageType::kFault) faults.push_back(frame.As<wire::Fault>());
      if (frame.type == wire::MessageType::kCommand) last_N = Controller::Force(frame.As<wire::Command>());
    }
  }
  EXPECT_EQ(last_N, 0.0f);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code(), wire::FaultCode::kSampleStale);
  for (int i = 0; i < 5; ++i) controller.Edge(), zeros_after += static_cast<int>(controller.TakeAll<wire::Command>().size());
  EXPECT_EQ(zeros_after, 5);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kWrongState) << "it is latched";
  EXPECT_EQ(controller.Tell(Action::kClearFault).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kAccepted);
}
INSTANTIATE_TEST_SUITE_P(BothPacings, Silence, testing::Values(Pacing::kClock, Pacing::kSample),
                         [](const auto& pacing) { return pacing.param == Pacing::kClock ? "Clock" : "Sample"; });

TEST(Safety, S8AReplayedArmDoesNotArm) {
  Controller controller;
  controller.Configure();
  const wire::Arm recorded(controller.nonce(), controller.config_crc());
  EXPECT_EQ(controller.Answer(recorded).code(), AckCode::kAccepted);
  (void)controller.Tell(Action::kDisarm);
  for (int i = 0; i < 30; ++i) controller.Edge();
  EXPECT_EQ(controller.Answer(recorded).code(), AckCode::kWrongNonce) << "in the same connection";
  controller.Connect();
  EXPECT_EQ(controller.Answer(recorded).code(), AckCode::kWrongNonce) << "in the next";
  EXPECT_EQ(controller.app->supervisor().phase, Phase::kIdle);
}

TEST(Safety, S8ArmNeedsTheConfigInForce) {
  Controller controller;
  controller.Configure();
  EXPECT_EQ(controller.Answer(wire::Arm(controller.nonce(), controller.config_crc() ^ 1)).code(), AckCode::kWrongConfig);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kAccepted);
}

TEST(Safety, S8AWholeSessionThatIsPlayedAgainDoesNotArm) {
  Controller first;
  first.Configure();
  const wire::Arm recorded(first.nonce(), first.config_crc());
  Controller again;
  again.app = std::make_unique<ServoApp<double>>(Identity{.boot_seed = 2}, again.link, again.clock, again.watchdog);
  again.Configure();
  EXPECT_EQ(again.Answer(recorded).code(), AckCode::kWrongNonce);
}

class LateTicks : public testing::TestWithParam<Pacing> {};

/// 21 % of the ticks are late, as in the audit; never two in a row.
TEST_P(LateTicks, S10AreAFaultWithinAWindow) {
  Controller controller;
  ASSERT_GT(controller.Press(GetParam()), 4.0f);
  std::vector<wire::Fault> faults;
  int ticks = 0;
  for (; faults.empty() && ticks < 200; ++ticks) {
    if (ticks % 5 == 0)
      controller.link.during_write = [&] { ++controller.clock.edge_count, controller.clock.us_in_period = 1; };
    controller.PutPressingSample();
    controller.Edge();
    controller.link.during_write = nullptr;
    faults = controller.TakeAll<wire::Fault>();
  }
  EXPECT_LE(ticks, 64);
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].external(), wire::ExternalCause::kDeadline);
}
INSTANTIATE_TEST_SUITE_P(BothPacings, LateTicks, testing::Values(Pacing::kClock, Pacing::kSample),
                         [](const auto& pacing) { return pacing.param == Pacing::kClock ? "Clock" : "Sample"; });

TEST(Safety, S10MissedEdgesAreCountedByDifference) {
  Controller controller;
  controller.ArmIt();
  controller.PutSample();
  controller.Edge();
  controller.clock.edge_count += 3;  // three edges in which nothing ran
  controller.PutSample();
  controller.Edge();
  EXPECT_EQ(controller.app->missed_deadlines(), 3u);
}

TEST(Safety, S10EdgesBeforeAnApplicationAreNotItsOwn) {  // of `tactus serve`'s second session, after a minute
  Controller controller;
  controller.clock.edge_count = 60'000;
  controller.app = std::make_unique<ServoApp<double>>(Identity{.board = "test", .build = "0"}, controller.link,
                                                      controller.clock, controller.watchdog);
  controller.ArmIt();
  for (int i = 0; i < 3; ++i) {
    controller.PutSample();
    controller.Edge();
  }
  EXPECT_EQ(controller.app->missed_deadlines(), 0u);
}

float HeldForce(const FakeDevice& device) {
  return std::hypot(device.held.force_N[0], device.held.force_N[1], device.held.force_N[2]);
}

/// A local device under force.
void PressLocally(Controller* controller, FakeDevice* device) {
  controller->ArmIt();
  for (int i = 0; i < 2600 && HeldForce(*device) < 4.4f; ++i) {
    device->reading.sample = controller->PressingSample();
    controller->Edge();
    controller->app->DrainTelemetry();
  }
  ASSERT_GE(HeldForce(*device), 4.4f);
  ASSERT_TRUE(device->enabled);
}

/// The run is not over, and nothing says so, before the zeros are written.
TEST(Safety, StopWaitsForADeviceThatTakesNoCommand) {
  FakeDevice device;
  Controller controller(&device);
  PressLocally(&controller, &device);
  controller.Put(Order(Action::kStop));
  device.takes_commands = false;
  for (int edge = 0; edge < 300; ++edge) {
    device.reading.sample = controller.PressingSample();
    controller.Edge();
    controller.app->DrainTelemetry();
  }
  EXPECT_GT(HeldForce(device), 4.0f) << "it holds what it got last";
  EXPECT_FALSE(device.enabled) << "its drives are off all the same";
  EXPECT_FALSE(controller.app->stopping());
  EXPECT_EQ(controller.app->supervisor().phase, Phase::kFading);
  EXPECT_EQ(controller.app->supervisor().cause, Cause::kDeadline) << "more than 4 commands of 64 were lost";
  device.takes_commands = true;
  controller.Edge();
  controller.app->DrainTelemetry();
  EXPECT_EQ(HeldForce(device), 0.0f);
  EXPECT_TRUE(controller.app->stopped());
}

/// The device's own peak force is a ceiling, as what is compiled in.
TEST(Safety, ADeviceNarrowsTheCeilings) {
  FakeDevice device;
  device.can.peak_force_N = 3;
  device.can.peak_torque_Nm = 0.125f;
  Controller controller(&device);
  controller.Put(wire::HelloRequest(wire::kProtocolVersion, 7));
  controller.app->OnTick();
  const std::vector<wire::Hello> hello = controller.TakeAll<wire::Hello>();
  ASSERT_EQ(hello.size(), 1u);
  EXPECT_EQ(hello[0].max_force_N(), 3.0f);
  EXPECT_EQ(hello[0].max_torque_Nm(), 0.125f);
  wire::Config config = Controller::DefaultConfig(Pacing::kClock);
  const wire::Ack refused = controller.Configure(config);
  EXPECT_EQ(refused.code(), AckCode::kOutOfRange);
  EXPECT_EQ(refused.limit(), 3.0);
  config.mutate_limits_max_force_N(3);
  config.mutate_limits_max_torque_Nm(0.125);
  config.mutate_limits_max_force_rate_N_per_s(1000);
  EXPECT_EQ(controller.Configure(config).code(), AckCode::kAccepted);
}

TEST(Safety, EStopIsZeroInOneTick) {
  Controller controller;
  ASSERT_GT(controller.Press(), 4.0f);
  controller.Put(Order(Action::kEStop));
  controller.PutPressingSample();
  controller.Edge();
  const auto frames = controller.Take();
  const auto command = std::find_if(frames.begin(), frames.end(),
                                    [](const Received& frame) { return frame.type == wire::MessageType::kCommand; });
  ASSERT_NE(command, frames.end());
  EXPECT_EQ(Controller::Force(command->As<wire::Command>()), 0.0f);
  EXPECT_EQ(command->As<wire::Command>().state(), wire::State::kFaulted);
}

}  // namespace
}  // namespace tactus::servo
