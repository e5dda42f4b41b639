// Springs, dampers and fields that act with the force of a step's start: what is too much for their bodies is refused,
// however many of them there are. A viscous field is implicit.
#include "running.h"
#include "tactus/haptic/tune.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
constexpr double kMass_kg = 0.05, kMoment_kgm2 = 1e-5, kStep_s = 1e-3;

Scene<> Tool(BodyMotion motion = BodyMotion::kFree) {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back(
                {.mass_kg = kMass_kg, .inertia_kgm2 = {kMoment_kgm2, kMoment_kgm2, kMoment_kgm2}, .motion = motion}),
            Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 0, .radius_m = 0.01}), Status::kOk);
  return scene;
}
SceneFault FaultOf(const Scene<>& scene) {
  const auto prepared = std::make_unique<PreparedScene<double>>();
  return Prepare(scene, prepared.get());
}
void Add(const SceneJoint& joint, Scene<>* scene) { EXPECT_EQ(scene->joints.push_back(joint), Status::kOk); }
void Add(const SceneField& field, Scene<>* scene) { EXPECT_EQ(scene->fields.push_back(field), Status::kOk); }

// Source: h² K/m ≤ 1/2: 25 000 N/m for 50 g, 5 N m/rad for 1e-5 kg m².
TEST(Springs, OfAllJointsCountTogether) {
  for (const bool turns : {false, true}) {
    const double most = turns ? 5 : 25000;
    const SceneJoint spring{.kind = turns ? JointKind::kHinge : JointKind::kSlider, .stiffness = 0.9 * most};
    Scene<> scene = Tool();
    Add(spring, &scene);
    EXPECT_FALSE(FaultOf(scene));
    Add(spring, &scene);
    const SceneFault fault = FaultOf(scene);
    EXPECT_STREQ(fault.what, "is too stiff for the joint's bodies at 1 kHz");
    EXPECT_STREQ(fault.field, "stiffness");
  }
  Scene<> damped = Tool();
  Add(SceneJoint{.kind = JointKind::kSlider, .damping = 24}, &damped);
  EXPECT_FALSE(FaultOf(damped));
  Add(SceneJoint{.kind = JointKind::kSlider, .damping = 24}, &damped);
  EXPECT_STREQ(FaultOf(damped).field, "damping");
}

// Source: h² K/J ≤ 1/2 of what turns; h² K (1/m + l²/J) ≤ 1/2 of a rope with the lever l, 1 cm.
TEST(Springs, OfEveryKindOfJointAreChecked) {
  const auto most_of = [](JointKind kind, double lever_m) {
    return kind == JointKind::kRope ? 0.5e6 / (1 / kMass_kg + lever_m * lever_m / kMoment_kgm2) : 0.5e6 * kMoment_kgm2;
  };
  for (const JointKind kind : {JointKind::kHinge, JointKind::kScrew, JointKind::kGear, JointKind::kBall, JointKind::kRope}) {
    for (const double lever_m : {0.0, 0.01}) {
      for (const double share : {0.99, 1.01}) {
        SceneJoint joint{.kind = kind, .p_AJ_m = {lever_m, 0, 0}, .stiffness = share * most_of(kind, lever_m)};
        joint.length_m = kind == JointKind::kRope ? 1 : 0;
        Scene<> scene = Tool();
        Add(joint, &scene);
        EXPECT_EQ(static_cast<bool>(FaultOf(scene)), share > 1) << static_cast<int>(kind) << " " << lever_m;
        joint.damping = joint.stiffness * kStep_s, joint.stiffness = 0;
        scene.joints[0] = joint;
        const SceneFault fault = FaultOf(scene);
        ASSERT_EQ(static_cast<bool>(fault), share > 1) << static_cast<int>(kind) << " " << lever_m;
        if (fault) {
          EXPECT_STREQ(fault.field, "damping");
        }
      }
    }
  }
}

// A rope off the tool's middle holds its mass and its moment: a Tune may make neither smaller than the spring allows.
// Source: the share of h² K (1/m + l²/J) of 1/2.
TEST(Springs, OfARopeKeepATuneFromALightTool) {
  Scene<> scene = Tool();
  Add(SceneJoint{.kind = JointKind::kRope, .p_AJ_m = {0.01, 0, 0}, .stiffness = 10000, .length_m = 1}, &scene);
  const auto prepared = std::make_unique<PreparedScene<double>>();
  ASSERT_FALSE(Prepare(scene, prepared.get()));
  const double share = 2e-6 * 10000 * (1 / kMass_kg + 1e-4 / kMoment_kgm2);
  EXPECT_NEAR(prepared->least_tool_mass_kg, share * kMass_kg, 1e-12);
  EXPECT_NEAR(prepared->least_tool_moment_kgm2, share * kMoment_kgm2, 1e-16);
}

TEST(Springs, OfFieldsCountWithThoseOfJoints) {
  for (const FieldKind kind : {FieldKind::kPoint, FieldKind::kLine, FieldKind::kPlane}) {
    Scene<> scene = Tool();
    Add(SceneField{.kind = kind, .strength = 24000}, &scene);
    EXPECT_FALSE(FaultOf(scene));
    Add(SceneField{.kind = kind, .strength = 2000}, &scene);
    SceneFault fault = FaultOf(scene);
    EXPECT_STREQ(fault.list, "fields");
    EXPECT_STREQ(fault.field, "strength");
    scene.fields.resize(1);
    Add(SceneJoint{.kind = JointKind::kSlider, .stiffness = 2000}, &scene);
    fault = FaultOf(scene);
    EXPECT_STREQ(fault.list, "joints");
  }
  Scene<> knob = Tool();
  Add(SceneField{.kind = FieldKind::kDetents, .strength = 0.2, .count = 24}, &knob);
  EXPECT_FALSE(FaultOf(knob));
  knob.fields[0].count = 26;
  EXPECT_STREQ(FaultOf(knob).field, "strength");
}

TEST(Springs, OfASecondToolCountToo) {
  Scene<> scene = Tool();
  ASSERT_EQ(scene.bodies.push_back({.mass_kg = 0.01, .inertia_kgm2 = {1e-6, 1e-6, 1e-6}, .motion = BodyMotion::kHeld}),
            Status::kOk);
  Add(SceneField{.kind = FieldKind::kPoint, .strength = 4900}, &scene);
  EXPECT_FALSE(FaultOf(scene));
  scene.fields[0].strength = 5100;
  EXPECT_STREQ(FaultOf(scene).list, "fields");
}

// What was refused in the file is refused of a Tune.
TEST(Springs, KeepATuneFromMakingTheToolTooLight) {
  Scene<> scene = Tool();
  Add(SceneJoint{.kind = JointKind::kSlider, .stiffness = 5000, .damping = 2}, &scene);
  Add(SceneField{.kind = FieldKind::kDetents, .strength = 0.02, .count = 24}, &scene);
  const auto prepared = std::make_unique<PreparedScene<double>>();
  ASSERT_FALSE(Prepare(scene, prepared.get()));
  EXPECT_NEAR(prepared->least_tool_mass_kg, 0.01, 1e-12);
  EXPECT_NEAR(prepared->least_tool_moment_kgm2, 0.02 * 24 * 1e-6 * 2, 1e-15);
  Config<double> config;
  UseScene(*prepared, &config);
  TuneConfig<double> wanted = TuneOf(config);
  EXPECT_FALSE(ValidateTune(wanted, config));
  wanted.tool_mass_kg = 0.0101;
  EXPECT_FALSE(ValidateTune(wanted, config));
  wanted.tool_mass_kg = 0.0099;
  EXPECT_STREQ(ValidateTune(wanted, config).field, "tool_mass_kg");
  wanted = TuneOf(config);
  wanted.tool_inertia_kgm2 *= 0.09;
  EXPECT_STREQ(ValidateTune(wanted, config).field, "tool_inertia_kgm2");
}

// A scene at its bound takes a Tune that changes nothing: no rounding refuses it.
TEST(Springs, AtTheirBoundTakeATune) {
  for (const double mass_kg : {0.0013, 0.017, 0.05, 0.19}) {
    Scene<> scene = Tool();
    scene.bodies[0].mass_kg = mass_kg;
    Add(SceneJoint{.kind = JointKind::kSlider, .stiffness = 0.5e6 * mass_kg * (1 - 1e-12)}, &scene);
    const auto prepared = std::make_unique<PreparedScene<float>>();
    ASSERT_FALSE(Prepare(scene, prepared.get())) << mass_kg;
    Config<float> config;
    UseScene(*prepared, &config);
    EXPECT_FALSE(ValidateTune(TuneOf(config), config)) << mass_kg;
  }
}

// Source: implicit Euler, v ← v/(1 + h c/m): it never turns round, however viscous the field is.
TEST(Springs, AViscousFieldIsImplicit) {
  for (const double c : {1.0, 35.0, 1000.0, 1e5}) {
    Scene<> scene = Tool(BodyMotion::kTranslation);
    scene.bodies[0].velocity_mps = {0.1, 0, 0};
    Add(SceneField{.kind = FieldKind::kViscous, .strength = c, .max_force_N = 1000}, &scene);
    Running<double> running(scene);
    double v_mps = 0.1;
    for (int i = 0; i < 50; ++i) {
      const double bound = std::min(c, 1000 / v_mps);
      v_mps /= 1 + kStep_s * bound / kMass_kg;
      running.Step();
      ASSERT_NEAR(running.body(0).twist_W(0), v_mps, 1e-9) << c << " " << i;
    }
  }
}

// Source: the field's bound: what pushes with more moves it, with the rest.
TEST(Springs, AViscousFieldResistsWithItsBoundAtMost) {
  Scene<> scene = Tool(BodyMotion::kTranslation);
  Add(SceneField{.kind = FieldKind::kViscous, .strength = 100, .max_force_N = 2}, &scene);
  Running<double> running(scene);
  Vec<double, 6> push = Vec<double, 6>::Zero();
  push(0) = 3;
  for (int i = 0; i < 2000; ++i) running.Step(push);
  const double before_mps = running.body(0).twist_W(0);
  for (int i = 0; i < 100; ++i) running.Step(push);
  EXPECT_NEAR((running.body(0).twist_W(0) - before_mps) / 0.1, (3 - 2) / kMass_kg, 0.2);
}

}  // namespace
}  // namespace tactus
