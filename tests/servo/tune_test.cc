// A researcher changes numbers under the hand.
#include <gtest/gtest.h>

#include "tests/servo/controller.h"

namespace tactus::servo {
namespace {

using wire::AckCode;
using wire::Action;

wire::Tune DefaultTune() { return TuneToWire(Config<double>{}); }

/// One period with the hand at rest on the plate. @returns the force
float Hold(Controller* controller) {
  controller->PutPressingSample();
  controller->Edge();
  controller->app->DrainTelemetry();
  return Controller::Force(controller->TakeTickCommands().back());
}

/// Presses, and waits until the force has come to rest.
float PressAndRest(Controller* controller) {
  (void)controller->Press();
  float force_N = 0;
  for (int i = 0; i < 1500; ++i) force_N = Hold(controller);
  return force_N;
}

/// Source: section 3 of what a Tune promises, docs/wire.md: at constant force, 0.05 N a tick at most.
TEST(Tune, ChangesTheStiffnessUnderTheHandWithoutAStep) {
  Controller controller;
  float last_N = PressAndRest(&controller);
  ASSERT_GT(last_N, 3.0f);
  wire::Tune tune = DefaultTune();
  for (const double stiffness_N_per_m : {3000.0, 800.0}) {
    tune.mutate_coupling_stiffness_N_per_m(stiffness_N_per_m);
    controller.PutPressingSample();
    EXPECT_EQ(controller.Answer(tune).code(), AckCode::kAccepted);
    for (int i = 0; i < 400; ++i) {
      const float force_N = Hold(&controller);
      EXPECT_NEAR(force_N, last_N, 0.05f) << stiffness_N_per_m << ", tick " << i;
      last_N = force_N;
    }
  }
  EXPECT_EQ(controller.app->supervisor().phase, Phase::kArmed);
}

TEST(Tune, NamesTheFieldAndTheCeilingThatItIsBeyond) {
  Controller controller;
  controller.ArmIt();
  wire::Tune tune = DefaultTune();
  tune.mutate_coupling_stiffness_N_per_m(1e6);
  const wire::Ack ack = controller.Answer(tune);
  EXPECT_EQ(ack.code(), AckCode::kOutOfRange);
  EXPECT_STREQ(wire::FieldName<wire::Tune>(ack.field()), "coupling_stiffness_N_per_m");
  EXPECT_EQ(ack.limit(), DeviceLimits{}.stiffness_N_per_m);
  tune = DefaultTune();
  tune.mutate_scene_friction(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(controller.Answer(tune).code(), AckCode::kNotFinite);
}

TEST(Tune, TightensLimitsAtOnce) {
  Controller controller;
  ASSERT_GT(PressAndRest(&controller), 3.0f);
  wire::Tune tune = DefaultTune();
  tune.mutate_limits_max_force_N(1.0);
  controller.PutPressingSample();
  EXPECT_EQ(controller.Answer(tune).code(), AckCode::kAccepted);
  EXPECT_LE(Hold(&controller), 1.0f * (1 + 1e-6f));
}

TEST(Tune, IsRefusedWithoutAConfigAndWhileTheForceFades) {
  Controller controller;
  controller.Connect();
  EXPECT_EQ(controller.Answer(DefaultTune()).code(), AckCode::kWrongState);
  ASSERT_GT(controller.Press(), 3.0f);
  (void)controller.Tell(Action::kDisarm);
  EXPECT_EQ(controller.Answer(DefaultTune()).code(), AckCode::kWrongState);
}

/// The checksum that Arm carries goes on over the Tune.
TEST(Tune, IsPartOfWhatArmMustKnow) {
  Controller controller;
  controller.Configure();
  wire::Tune tune = DefaultTune();
  tune.mutate_scene_friction(0.5);
  EXPECT_EQ(controller.Answer(tune).code(), AckCode::kAccepted);
  EXPECT_EQ(controller.TellArm().code(), AckCode::kWrongConfig);
  const std::uint32_t crc = Crc32(wire::PayloadOf(tune), controller.config_crc());
  EXPECT_EQ(controller.Answer(wire::Arm(controller.nonce(), crc)).code(), AckCode::kAccepted);
}

}  // namespace
}  // namespace tactus::servo
