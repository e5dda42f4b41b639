// Two tools in one scene, each in a hand of its own: docs/scenes.md, "Two tools".
#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "firmware/servo/servo_tick.h"
#include "scenes.h"

namespace tactus {
namespace {

constexpr double kHalf_m = 0.02;                // of the box that is carried
constexpr double kBall_m = 0.01;                // radius of a finger tip
constexpr double kGrip_m = kHalf_m + 0.005;     // height of the finger tips while the box stands
constexpr double kTouch_m = kHalf_m + kBall_m;  // of their centres from the middle plane

SceneBody Finger(double mass_kg, const Vector3& p_m, BodyMotion motion) {
  const double J = 0.4 * mass_kg * kBall_m * kBall_m;
  return {.mass_kg = mass_kg, .inertia_kgm2 = {J, J, J}, .p_WB_m = p_m, .motion = motion};
}

/// Two finger tips, balls of 1 cm, on either side of a box along x that stands on a plane. They keep their orientation and
/// grip above the box's middle, so that it hangs between them. Flat pads would leave it open where the pressure is.
Scene<> BoxBetweenFingers(double box_kg = 0.1, double finger_kg = 0.03) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  scene.default_law.friction = 0.8;
  EXPECT_EQ(scene.bodies.push_back(Finger(finger_kg, {-0.04, 0, kGrip_m}, BodyMotion::kTranslation)), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Finger(finger_kg, {0.04, 0, kGrip_m}, BodyMotion::kHeldTranslation)), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Cube(box_kg, 2 * kHalf_m, {0, 0, kHalf_m})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 0, .radius_m = kBall_m}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 1, .radius_m = kBall_m}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(2, 2 * kHalf_m)), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

/// The tick with two handles that are led.
template <class Scalar>
class TwoHands {
 public:
  explicit TwoHands(const Scene<>& scene) {
    EXPECT_FALSE(Prepare(scene, world_.get()));
    config.device.resolution_m = config.device.resolution_rad = Scalar(0);
    config.limits.soft_start_s = Scalar(0.001);
    UseScene(*world_, &config);
  }
  void Tick(const Vector3& first_m, const Vector3& second_m) {
    ++sequence;
    TellSecondHand(At(second_m), &*state);
    Run(At(first_m));
  }
  /// Without the second hand's sample.
  void TickAlone(const Vector3& first_m) {
    ++sequence;
    Run(At(first_m));
  }
  SensorFrame At(const Vector3& p_m) const {
    SensorFrame sample;
    sample.sequence = sequence;
    for (std::size_t i = 0; i < 3; ++i) sample.p_WH_m[i] = static_cast<float>(p_m[i]);
    return sample;
  }
  /// Both along straight lines in so many ticks, then `rest` ticks there.
  void Lead(const Vector3& a, const Vector3& a_to, const Vector3& b, const Vector3& b_to, int steps, int rest) {
    for (int k = 1; k <= steps + rest; ++k) {
      const double share = std::min(1.0, static_cast<double>(k) / steps);
      Vector3 at_a, at_b;
      for (std::size_t i = 0; i < 3; ++i) {
        at_a[i] = a[i] + share * (a_to[i] - a[i]);
        at_b[i] = b[i] + share * (b_to[i] - b[i]);
      }
      Tick(at_a, at_b);
      if (telemetry.fault != Fault::kNone) return;
    }
  }
  void Begin(const Vector3& a, const Vector3& b) {
    Tick(a, b);
    EXPECT_EQ(Arm(&*state), Status::kOk);
    for (int i = 0; i < 10; ++i) Tick(a, b);
  }
  /// The fingers grip with `depth_m` of the coupling each, and lift by 5 cm.
  void GripAndLift(double depth_m) {
    const double start = 0.04, grip = kTouch_m - depth_m;
    Begin({-start, 0, kGrip_m}, {start, 0, kGrip_m});
    Lead({-start, 0, kGrip_m}, {-grip, 0, kGrip_m}, {start, 0, kGrip_m}, {grip, 0, kGrip_m}, 500, 300);
    Lead({-grip, 0, kGrip_m}, {-grip, 0, kGrip_m + 0.05}, {grip, 0, kGrip_m}, {grip, 0, kGrip_m + 0.05}, 1000, 1500);
  }
  const RigidBodyState<Scalar>& box() const { return state->scene.bodies[2]; }

  Config<Scalar> config;
  std::unique_ptr<State<Scalar>> state = std::make_unique<State<Scalar>>();
  CommandFrame command, second;
  Telemetry<Scalar> telemetry;
  Status status = Status::kOk;
  std::uint32_t sequence = 0;
  std::uint32_t exact = 0, ticks = 0;

 private:
  void Run(const SensorFrame& sample) {
    status = tactus::Tick(sample, config, &*state, &command, &telemetry);
    second = SecondCommand(*state);
    ++ticks;
    if (telemetry.solve_status == SolveStatus::kSolved) ++exact;
  }
  std::unique_ptr<PreparedScene<Scalar>> world_ = std::make_unique<PreparedScene<Scalar>>();
};

template <class Scalar>
class TwoTools : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(TwoTools, Scalars);

// Source: statics. Held at rest, the box's weight and the fingers' are the hands'; along x the hands press with K · depth
// each.
TYPED_TEST(TwoTools, CarryABox) {
  const double depth_m = 0.002;
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.GripAndLift(depth_m);
  ASSERT_EQ(hands.telemetry.fault, Fault::kNone);
  const double weight_N = (0.1 + 2 * 0.03) * kGravity_mps2;
  EXPECT_NEAR(hands.command.force_N[2] + hands.second.force_N[2], -weight_N, 2e-3);
  EXPECT_NEAR(hands.command.force_N[2], hands.second.force_N[2], 5e-3);
  EXPECT_NEAR(hands.command.force_N[0], -1500 * depth_m, 0.02);
  EXPECT_NEAR(hands.second.force_N[0], 1500 * depth_m, 0.02);
  EXPECT_NEAR(static_cast<double>(hands.box().p_WT_m(2)), kHalf_m + 0.05 - weight_N / 2 / 1500, 2e-3);
  EXPECT_GE(hands.exact, hands.ticks * 0.999 - 2);
}

// Source: statics. Flat pads on flat faces, the box between their middles and heavier than what friction's torque could hold
// if the pressure were at one edge: rigid, that is open, and in single precision it turned out of the grip. Soft pads settle
// it.
TYPED_TEST(TwoTools, CarryABoxBetweenSoftFlatPads) {
  Scene<> scene = BoxBetweenFingers();
  for (int i = 0; i < 2; ++i)
    scene.shapes[i] = {.kind = ShapeKind::kBox,
                       .body = static_cast<std::int16_t>(i),
                       .material = 1,
                       .radius_m = 2e-4,
                       .half_m = {kBall_m, 0.01, 0.01}};
  ASSERT_EQ(scene.laws.push_back({.a = 1, .b = 0, .friction = 0.8, .stiffness_N_per_m = 2000, .damping_Ns_per_m = 5}),
            Status::kOk);
  TwoHands<TypeParam> hands(scene);
  hands.GripAndLift(0.004);
  ASSERT_EQ(hands.telemetry.fault, Fault::kNone);
  const double weight_N = (0.1 + 2 * 0.03) * kGravity_mps2;
  EXPECT_NEAR(hands.command.force_N[2] + hands.second.force_N[2], -weight_N, 0.01);
  // 4 mm in series: the coupling's 1500 N/m and four points of 2000 N/m.
  EXPECT_NEAR(hands.command.force_N[0], -0.004 * 1500 * 8000 / 9500, 0.05);
  EXPECT_NEAR(static_cast<double>(hands.box().p_WT_m(2)), kHalf_m + 0.05, 3e-3);
  EXPECT_NEAR(std::abs(static_cast<double>(hands.box().q_WT(0))), 1, 1e-4);  // not turned
  EXPECT_GE(hands.exact, hands.ticks * 0.999 - 2);
}

// Source: Coulomb. Two fingers carry no more than 2 μ F: at F = 0.3 N that is below the box's weight, and it stays where it
// is.
TYPED_TEST(TwoTools, LetABoxSlipThatTheyHoldTooLoosely) {
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.GripAndLift(0.0002);
  ASSERT_EQ(hands.telemetry.fault, Fault::kNone);
  EXPECT_NEAR(static_cast<double>(hands.box().p_WT_m(2)), kHalf_m, 2e-3);
}

// Source: Newton's third law. A tool that presses on the other one through nothing but the box: both hands feel the same.
TYPED_TEST(TwoTools, FeelEachOtherThroughABox) {
  Scene<> scene = BoxBetweenFingers();
  scene.gravity_W_mps2 = {};
  TwoHands<TypeParam> hands(scene);
  hands.Begin({-0.04, 0, kGrip_m}, {0.04, 0, kGrip_m});
  hands.Lead({-0.04, 0, kGrip_m}, {-0.025, 0, kGrip_m}, {0.04, 0, kGrip_m}, {0.031, 0, kGrip_m}, 500, 1500);
  ASSERT_EQ(hands.telemetry.fault, Fault::kNone);
  // The handles are 56 mm apart, the centres of touching fingers 60 mm: 4 mm for two springs in series.
  EXPECT_NEAR(hands.command.force_N[0], -1500 * 0.002, 5e-3);
  EXPECT_NEAR(hands.second.force_N[0], 1500 * 0.002, 5e-3);
}

// A sample of one hand alone is none: both forces are held, then fade, and the fault tells why.
TYPED_TEST(TwoTools, LoseTheirForceWithOneHandsSamples) {
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.GripAndLift(0.002);
  ASSERT_EQ(hands.telemetry.mode, Mode::kActive);
  const float before_N = hands.second.force_N[0];
  const Vector3 at{-kTouch_m + 0.002, 0, kGrip_m + 0.05};
  hands.TickAlone(at);
  EXPECT_EQ(hands.status, Status::kStale);
  EXPECT_EQ(hands.telemetry.mode, Mode::kHolding);
  EXPECT_EQ(hands.second.force_N[0], before_N);
  for (int i = 0; i < 30; ++i) hands.TickAlone(at);
  EXPECT_EQ(hands.telemetry.fault, Fault::kSampleStale);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(hands.command.force_N[i], 0);
    EXPECT_EQ(hands.second.force_N[i], 0);
  }
}

// What is impossible of the second handle latches at once, as of the first.
TYPED_TEST(TwoTools, AJumpOfTheSecondHandleIsAFault) {
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.GripAndLift(0.002);
  hands.Tick({-kTouch_m + 0.002, 0, kGrip_m + 0.05}, {kTouch_m - 0.002, 0.02, kGrip_m + 0.05});
  EXPECT_EQ(hands.telemetry.fault, Fault::kHandleJump);
  EXPECT_TRUE(hands.telemetry.status & status_bit::kHandleJump);
  for (int i = 0; i < 25; ++i) hands.Tick({-kTouch_m + 0.002, 0, kGrip_m + 0.05}, {kTouch_m - 0.002, 0, kGrip_m + 0.05});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(hands.second.force_N[i], 0);
}

TYPED_TEST(TwoTools, AnEStopCutsBothForces) {
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.GripAndLift(0.002);
  ASSERT_GT(hands.second.force_N[0], 1);
  CutForce(&*hands.state);
  hands.Tick({-kTouch_m + 0.002, 0, kGrip_m + 0.05}, {kTouch_m - 0.002, 0, kGrip_m + 0.05});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(hands.command.force_N[i], 0);
    EXPECT_EQ(hands.second.force_N[i], 0);
  }
}

// Either tool inside an obstacle keeps both without force.
TYPED_TEST(TwoTools, WaitWhileTheSecondIsInsideAnObstacle) {
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.Begin({-0.04, 0, kGrip_m}, {0.04, 0, 0});  // half in the plane
  EXPECT_TRUE(hands.telemetry.status & status_bit::kPlacedInside);
  hands.Lead({-0.04, 0, kGrip_m}, {-0.04, 0, kGrip_m}, {0.04, 0, 0}, {0.04, 0, kGrip_m}, 300, 300);
  EXPECT_FALSE(hands.telemetry.status & status_bit::kPlacedInside);
  EXPECT_EQ(hands.telemetry.mode, Mode::kActive);
}

// Source: the force of a spring that stiffens at constant force stays; softer, it falls by 20 N/s at most.
TYPED_TEST(TwoTools, ATuneStepsNeitherHand) {
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  hands.GripAndLift(0.002);
  const Vector3 a{-kTouch_m + 0.002, 0, kGrip_m + 0.05}, b{kTouch_m - 0.002, 0, kGrip_m + 0.05};
  for (const double stiffness : {2500.0, 700.0}) {
    TuneConfig<TypeParam> wanted = TuneOf(hands.config);
    wanted.coupling.stiffness_N_per_m = static_cast<TypeParam>(stiffness);
    for (int i = 0; i < 400; ++i) {
      (void)Tune(wanted, &hands.config, &*hands.state);
      const CommandFrame one = hands.command, two = hands.second;
      hands.Tick(a, b);
      for (int x = 0; x < 3; ++x) {
        ASSERT_NEAR(hands.command.force_N[x], one.force_N[x], 0.03) << i;
        ASSERT_NEAR(hands.second.force_N[x], two.force_N[x], 0.03) << i;
      }
    }
    EXPECT_EQ(hands.config.coupling.stiffness_N_per_m, static_cast<TypeParam>(stiffness));
  }
}

TYPED_TEST(TwoTools, SameSamplesGiveTheSameBits) {
  std::uint64_t hashes[2];
  for (std::uint64_t& hash : hashes) {
    TwoHands<TypeParam> hands(BoxBetweenFingers());
    hands.GripAndLift(0.002);
    hash = hands.telemetry.state_hash;
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  TwoHands<TypeParam> other(BoxBetweenFingers());
  other.GripAndLift(0.002 + 1e-6);
  EXPECT_NE(other.telemetry.state_hash, hashes[0]);
}

/// Good samples of both hands for the most part, and whatever else may come, in any order.
template <class Scalar>
void DoAnything(std::mt19937* random, TwoHands<Scalar>* hands, Vector3* a, Vector3* b) {
  const auto below = [random](int n) { return static_cast<int>((*random)() % static_cast<unsigned>(n)); };
  const auto step = [&](Vector3* p) {
    for (double& x : *p) x = std::clamp(x + 1e-4 * (below(21) - 10), -0.06, 0.06);
  };
  step(a);
  step(b);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  switch (below(60)) {
    case 0: return hands->TickAlone(*a);
    case 1: return hands->Tick(*a, {nan, 0, 0});
    case 2: return hands->Tick({0, nan, 0}, *b);
    case 3: return hands->Tick(*a, {(*b)[0], (*b)[1], 0.9});
    case 4: Disarm(&*hands->state); break;
    case 5: CutForce(&*hands->state); break;
    case 6:
    case 7:
    case 8:
      ClearFault(&*hands->state);
      hands->Tick(*a, *b);
      (void)Arm(&*hands->state);
      break;
    case 9: --hands->sequence; break;
    default: break;
  }
  hands->Tick(*a, *b);
}

// Whatever comes, both forces are finite, inside the limits and as near to the last ones as the rates let them; zero with
// the gain.
TYPED_TEST(TwoTools, NoOrderOfEventsBreaksABound) {
  std::mt19937 random(2);
  TwoHands<TypeParam> hands(BoxBetweenFingers());
  Vector3 a{-0.04, 0, kGrip_m}, b{0.04, 0, kGrip_m};
  CommandFrame last_a, last_b;
  int with_force = 0;
  for (int i = 0; i < 20000; ++i) {
    DoAnything(&random, &hands, &a, &b);
    for (const auto& [now, last] : {std::pair{hands.command, last_a}, std::pair{hands.second, last_b}}) {
      const Vec<double, 3> force(now.force_N[0], now.force_N[1], now.force_N[2]);
      const Vec<double, 3> before(last.force_N[0], last.force_N[1], last.force_N[2]);
      ASSERT_LE(force.norm(), 8 * (1 + 1e-6)) << i;
      if (hands.state->gain == 0) {
        ASSERT_EQ(force.norm(), 0) << i;
      }
      const bool fell = force.norm() <= before.norm();
      if (!fell) {  // 3000 N/s, two ticks at most between two looks
        ASSERT_LE((force - before).norm(), 6 + 1e-4) << i;
      }
      with_force += force.norm() > 0.1;
    }
    last_a = hands.command;
    last_b = hands.second;
  }
  EXPECT_GT(with_force, 1000);
}

TEST(ASecondTool, IsTheSecondBodyOnlyAndMovesAsTheFirst) {
  Scene<> scene = BoxBetweenFingers();
  EXPECT_FALSE(Validate(scene));
  scene.bodies[2].motion = BodyMotion::kHeldTranslation;
  SceneFault fault = Validate(scene);
  EXPECT_STREQ(fault.field, "motion");
  EXPECT_EQ(fault.index, 2);
  scene = BoxBetweenFingers();
  scene.bodies[1].motion = BodyMotion::kHeld;
  fault = Validate(scene);
  EXPECT_STREQ(fault.field, "motion");
  EXPECT_EQ(fault.index, 1);
}

TEST(ASecondTool, NeedsRoomForIt) {
  Scene<kBoardScene> scene;
  ASSERT_EQ(scene.bodies.push_back({}), Status::kOk);
  ASSERT_EQ(scene.bodies.push_back({.motion = BodyMotion::kHeld}), Status::kOk);
  const SceneFault fault = Validate(scene);
  EXPECT_STREQ(fault.what, "is held by a second hand, for which there is no room");
  EXPECT_EQ(fault.index, 1);
}

}  // namespace
}  // namespace tactus
