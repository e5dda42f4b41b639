// The map of the workspace and the clutch, as a host orders them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "controller.h"

namespace tactus::servo {
namespace {

using wire::AckCode;

wire::Workspace Scaled(double scale, double offset_x_m = 0) {
  WorkspaceConfig<double> map;
  map.scale = scale;
  map.offset_m(0) = offset_x_m;
  return WorkspaceToWire(map);
}

wire::Subscribe ForWorkspace() {
  wire::Subscribe subscribe;
  subscribe.mutate_workspace(1);
  return subscribe;
}

std::uint32_t CrcWith(const Controller& controller, const wire::Workspace& map) {
  return Crc32(wire::PayloadOf(map), controller.config_crc());
}

wire::Ack ArmWith(const wire::Workspace& map, Controller* controller) {
  return controller->Answer(wire::Arm(controller->nonce(), CrcWith(*controller, map)));
}

/// Samples high above the plate; what the controller tells meanwhile.
std::vector<Received> Rest(int periods, Controller* controller) {
  for (int i = 0; i < periods; ++i) {
    controller->PutSample();
    controller->Edge();
    controller->app->DrainTelemetry();
  }
  return controller->Take();
}

template <wire::Message M>
M LastOf(const std::vector<Received>& frames) {
  M last;
  for (const Received& frame : frames) {
    if (frame.type == wire::kTypeOf<M>) last = frame.As<M>();
  }
  return last;
}

/// Subscribes.
wire::WorkspaceReport ReportOf(Controller* controller) {
  (void)controller->Take();
  controller->Put(ForWorkspace());
  controller->app->OnTick();
  return LastOf<wire::WorkspaceReport>(controller->Take());
}

TEST(Workspace, ComesBehindAConfigAndIsSummedByArm) {
  Controller controller;
  EXPECT_EQ(controller.Answer(Scaled(5)).code(), AckCode::kWrongState);
  controller.Connect();
  EXPECT_EQ(controller.Answer(Scaled(5)).code(), AckCode::kWrongState);
  (void)controller.Configure(Controller::DefaultConfig(wire::Pacing::kClock));
  EXPECT_EQ(controller.Answer(Scaled(5)).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kWrongConfig) << "a host that does not know of it";
  EXPECT_EQ(controller.Answer(Scaled(3)).code(), AckCode::kAccepted);
  EXPECT_EQ(ArmWith(Scaled(3), &controller).code(), AckCode::kAccepted) << "the last one counts";
}

TEST(Workspace, IsOneToOneAfterTheNextConfig) {
  Controller controller;
  controller.Configure();
  (void)controller.Answer(Scaled(5));
  (void)controller.Configure(Controller::DefaultConfig(wire::Pacing::kClock));
  EXPECT_EQ(controller.TellArm().code(), AckCode::kAccepted);
  EXPECT_EQ(ReportOf(&controller).scale(), 1);
  EXPECT_TRUE(controller.TakeAll<wire::WorkspaceReport>().empty());
  (void)Rest(5, &controller);
  EXPECT_TRUE(controller.TakeAll<wire::WorkspaceReport>().empty()) << "told once";
}

TEST(Workspace, TellsWhatIsInForceAndWhatMayBe) {
  Controller controller;
  controller.Configure();
  (void)controller.Answer(Scaled(5, 0.5));
  const wire::WorkspaceReport report = ReportOf(&controller);
  EXPECT_EQ(report.scale(), 5);
  EXPECT_EQ(report.offset_m()->Get(0), 0.5);
  EXPECT_EQ(report.lowest_scale(), 0.05);
  EXPECT_EQ(report.highest_scale(), 100);
  wire::Subscribe wrong;
  wrong.mutate_workspace(2);
  EXPECT_EQ(controller.Answer(wrong).code(), AckCode::kOutOfRange);
}

TEST(Workspace, MapsTheHandleIntoTheScene) {  // Source: p = o + s p_H; the tool is where the virtual handle is.
  Controller controller;
  controller.Configure();
  (void)controller.Answer(Scaled(3, 0.5));
  (void)ArmWith(Scaled(3, 0.5), &controller);
  const auto telemetry = LastOf<wire::Telemetry>(Rest(5, &controller));
  EXPECT_NEAR(telemetry.p_WT_m()->Get(0), 0.5, 1e-9);
  EXPECT_NEAR(telemetry.p_WT_m()->Get(2), 0.3, 1e-7);
  EXPECT_NEAR(telemetry.sample_position_m()->Get(2), 0.1, 1e-7);
}

TEST(Workspace, RefusesEachBadNumberByItsField) {
  Controller controller;
  controller.Configure();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto expect = [&](wire::Workspace map, AckCode code, const char* field, double limit) {
    const wire::Ack ack = controller.Answer(map);
    EXPECT_EQ(ack.code(), code) << field;
    EXPECT_EQ(ack.field(), wire::FieldOffset<wire::Workspace>(field)) << field;
    EXPECT_EQ(ack.limit(), limit) << field;
  };
  expect(Scaled(nan), AckCode::kNotFinite, "scale", 0);
  expect(Scaled(0), AckCode::kOutOfRange, "scale", 0.05);
  expect(Scaled(-1), AckCode::kOutOfRange, "scale", 0.05);
  expect(Scaled(101), AckCode::kOutOfRange, "scale", 100);
  expect(Scaled(1, nan), AckCode::kNotFinite, "offset_m", 0);
  expect(Scaled(1, 101), AckCode::kOutOfRange, "offset_m", 100);
  wire::Workspace map = Scaled(1);
  map.mutate_force_scale(0);
  expect(map, AckCode::kOutOfRange, "force_scale", 0.01);
  map = Scaled(1);
  map.mutable_orientation_wxyz()->Mutate(1, 1);
  expect(map, AckCode::kOutOfRange, "orientation_wxyz", 1);
  map = Scaled(1);
  map.mutate_clutch_button(9);
  expect(map, AckCode::kOutOfRange, "clutch_button", 8);
  map = Scaled(1);
  map.mutate_index_turns(2);
  expect(map, AckCode::kOutOfRange, "index_turns", 1);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kAccepted) << "nothing has changed";
}

TEST(Workspace, BeginsWithTheConfigInForceAndNotWithOneThatWasRefused) {
  Controller controller;
  controller.ArmIt();
  Rest(5, &controller);
  wire::Config other = Controller::DefaultConfig(wire::Pacing::kClock);
  other.mutate_limits_max_force_N(1);
  EXPECT_EQ(controller.Answer(other).code(), AckCode::kWrongState) << "armed";
  EXPECT_EQ(controller.Tell(wire::Action::kDisarm).code(), AckCode::kAccepted);
  Rest(40, &controller);
  EXPECT_EQ(controller.Answer(Scaled(2)).code(), AckCode::kAccepted);
  EXPECT_EQ(ArmWith(Scaled(2), &controller).code(), AckCode::kAccepted);
}

TEST(Clutch, TakesTheForceAndTellsSo) {
  Controller controller;
  const float pressed_N = controller.Press();
  ASSERT_GT(pressed_N, 4.0f);
  EXPECT_EQ(controller.Answer(ForWorkspace()).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.Answer(Scaled(2)).code(), AckCode::kForceIsOn);
  EXPECT_EQ(controller.Tell(wire::Action::kPressClutch).code(), AckCode::kAccepted);
  float last_N = pressed_N;
  std::vector<wire::ClutchPhase> told;
  for (int i = 0; i < 40; ++i) {
    controller.PutPressingSample();
    controller.Edge();
    for (const Received& frame : controller.Take()) {
      if (frame.type == wire::MessageType::kWorkspaceReport) told.push_back(frame.As<wire::WorkspaceReport>().clutch());
      if (frame.type != wire::MessageType::kCommand) continue;
      const auto command = frame.As<wire::Command>();
      const float force_N = Controller::Force(command);
      EXPECT_LE(std::abs(force_N - last_N), 4.5f / 20 * 1.01f) << "Source: 4.5 N within guard_ramp_down_s";
      EXPECT_NE(command.status() & static_cast<std::uint32_t>(wire::StatusBit::kClutched), 0u);
      EXPECT_EQ(command.state(), wire::State::kArmed);
      last_N = force_N;
    }
  }
  EXPECT_EQ(last_N, 0);
  EXPECT_EQ(told, (std::vector{wire::ClutchPhase::kFading, wire::ClutchPhase::kHeld}));
  EXPECT_EQ(controller.Answer(Scaled(2)).code(), AckCode::kAccepted) << "no force is on";
  EXPECT_EQ(controller.Tell(wire::Action::kReleaseClutch).code(), AckCode::kAccepted);
  controller.PutPressingSample();
  controller.Edge();
  const auto report = LastOf<wire::WorkspaceReport>(controller.Take());
  EXPECT_EQ(report.clutch(), wire::ClutchPhase::kOpen);
  EXPECT_EQ(report.scale(), 2);
  // Source: o = p_T - s p_H, the peg on the plate and the handle 3 mm deep.
  EXPECT_NEAR(report.offset_m()->Get(2), 0.030 - 2 * 0.027, 2e-4);
  EXPECT_NEAR(report.offset_m()->Get(0), 0.05 - 2 * 0.05, 2e-4);
}

TEST(Clutch, IsTakenWhereverTicksRunAndOutlivesAFault) {
  Controller controller;
  EXPECT_EQ(controller.Tell(wire::Action::kPressClutch).code(), AckCode::kWrongState);
  controller.Connect();
  EXPECT_EQ(controller.Tell(wire::Action::kPressClutch).code(), AckCode::kWrongState);
  controller.ArmIt();
  Rest(10, &controller);
  EXPECT_EQ(controller.Tell(wire::Action::kPressClutch).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.Tell(wire::Action::kPressClutch).code(), AckCode::kAccepted) << "twice is once";
  Rest(40, &controller);
  EXPECT_EQ(controller.Tell(wire::Action::kEStop).code(), AckCode::kAccepted);
  Rest(2, &controller);
  EXPECT_EQ(controller.Tell(wire::Action::kReleaseClutch).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.Tell(wire::Action::kPressClutch).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.Answer(Scaled(2)).code(), AckCode::kWrongState);
  EXPECT_EQ(controller.Tell(wire::Action::kClearFault).code(), AckCode::kAccepted);
  const auto held = LastOf<wire::Telemetry>(Rest(5, &controller));
  EXPECT_NE(held.status() & static_cast<std::uint32_t>(wire::StatusBit::kClutched), 0u);
  (void)controller.Configure(Controller::DefaultConfig(wire::Pacing::kClock));
  const auto anew = LastOf<wire::Telemetry>(Rest(5, &controller));
  EXPECT_EQ(anew.status() & static_cast<std::uint32_t>(wire::StatusBit::kClutched), 0u);
}

TEST(Clutch, IsHeldByTheDevicesButton) {
  FakeDevice device;
  device.reading.sample = {.sequence = 1, .p_WH_m = {0, 0, 0.1f}, .q_WH = {1, 0, 0, 0}};
  Controller controller(&device);
  controller.Configure();
  WorkspaceConfig<double> map;
  map.clutch_button = 3;
  (void)controller.Answer(WorkspaceToWire(map));
  (void)ArmWith(WorkspaceToWire(map), &controller);
  const auto clutched = [&](std::uint8_t buttons) {
    device.reading.buttons = buttons;
    for (int i = 0; i < 30; ++i) {
      ++device.reading.sample.sequence;
      controller.Edge();
      controller.app->DrainTelemetry();
    }
    const auto telemetry = LastOf<wire::Telemetry>(controller.Take());
    return (telemetry.status() & static_cast<std::uint32_t>(wire::StatusBit::kClutched)) != 0;
  };
  EXPECT_FALSE(clutched(0b011));
  EXPECT_TRUE(clutched(0b100));
  EXPECT_TRUE(clutched(0b111));
  EXPECT_FALSE(clutched(0));
}

}  // namespace
}  // namespace tactus::servo
