// Configs whose every number is at one of its bounds, or at its default, under a rough hand: whatever Validate accepts, the
// tick can bear.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tactus/haptic/validate.h"
#include "tick_rig.h"

namespace tactus {
namespace {

/// Moves each field that it is shown to its lowest value, its highest, or leaves it.
template <class Scalar>
class CornerFiller {
 public:
  explicit CornerFiller(std::mt19937* random) : random_(*random) {}

  void operator()(const ConfigField& field, Scalar& x) { x = static_cast<Scalar>(Choose(field, x)); }
  template <int kRows>
  void operator()(const ConfigField& field, Vec<Scalar, kRows>& x) {
    const double bound = Choose(field, 2e9);
    if (bound < 1e9) x.setConstant(static_cast<Scalar>(bound));
  }
  void operator()(const ConfigField& field, int& x) { x = static_cast<int>(Choose(field, x)); }
  void operator()(const ConfigField&, bool& x) { x = random_() % 2 == 0; }

 private:
  double Choose(const ConfigField& field, double value) {
    const auto dice = random_() % 3;
    return dice == 0 ? field.lowest : dice == 1 ? field.highest : value;
  }
  std::mt19937& random_;
};

/// Sets the field of that name to `value`: what a fault between fields asks for.
template <class Scalar>
struct Repair {
  const ConfigFault& fault;
  void operator()(const ConfigField& field, Scalar& x) {
    if (std::string(field.name) == fault.field) x = static_cast<Scalar>(fault.limit * (1 - 1e-7));
  }
  template <class Field>
  void operator()(const ConfigField&, Field&) {}
};

/// A Config that Validate accepts. The soft start is short, so that most ticks have their whole force.
template <class Scalar>
Config<Scalar> RandomCorner(std::mt19937* random) {
  constexpr int kRulesBetweenFields = 5;
  for (;;) {
    Config<Scalar> config;
    ForEachField({}, config, CornerFiller<Scalar>(random));
    const Scalar h = Scalar(0.5);
    config.scene.q_WS << h, h, -h, h;
    config.guard.workspace_center_W_m = config.scene.p_WS_m;  // or no sample is good
    config.limits.soft_start_s = Scalar(0.01);
    for (int i = 0; i < kRulesBetweenFields; ++i) {
      const ConfigFault fault = Validate(config);
      if (!fault) return config;
      ForEachField({}, config, Repair<Scalar>{fault});
    }
  }
}

/// A handle that goes from place to place around the hole, almost as fast as the guard lets it, and turns as it goes.
class RoughHand {
 public:
  RoughHand(const Config<double>& config, std::mt19937* random)
      : random_(*random),
        center_m_(config.scene.p_WS_m),
        range_m_(std::min(0.05, 0.5 * config.guard.workspace_radius_m)),
        step_m_(0.5 * std::min(config.guard.max_jump_m, config.period_s * config.guard.max_speed_mps)),
        step_rad_(0.5 * std::min(config.guard.max_jump_rad, config.period_s * config.guard.max_speed_radps)) {}

  void Move() {
    constexpr int kTicksOneWay = 20;
    if (tick_++ % kTicksOneWay == 0) {
      way_ = Random();
      turn_ = Random();
      if (p_m_.norm() > range_m_) way_ = -p_m_.normalized();
    }
    p_m_ += step_m_ * way_;
    rotation_rad_ += step_rad_ * turn_;
  }
  Vec<double, 3> p_WH_m() const { return center_m_ + p_m_; }
  const Vec<double, 3>& rotation_rad() const { return rotation_rad_; }

 private:
  Vec<double, 3> Random() {
    std::uniform_real_distribution<double> unit(-1, 1);
    const double x = unit(random_), y = unit(random_), z = unit(random_);
    return {x, y, z};
  }

  std::mt19937& random_;
  Vec<double, 3> center_m_;
  double range_m_, step_m_, step_rad_;
  int tick_ = 0;
  Vec<double, 3> p_m_ = Vec<double, 3>::Zero(), rotation_rad_ = Vec<double, 3>::Zero();
  Vec<double, 3> way_ = Vec<double, 3>::Zero(), turn_ = Vec<double, 3>::Zero();
};

/// The guard's numbers and the scene's place in double precision.
template <class Scalar>
Config<double> ForHand(const Config<Scalar>& config) {
  Config<double> hand;
  hand.scene.p_WS_m = config.scene.p_WS_m.template cast<double>();
  hand.guard.workspace_radius_m = static_cast<double>(config.guard.workspace_radius_m);
  hand.guard.max_jump_m = static_cast<double>(config.guard.max_jump_m);
  hand.guard.max_jump_rad = static_cast<double>(config.guard.max_jump_rad);
  hand.guard.max_speed_mps = static_cast<double>(config.guard.max_speed_mps);
  hand.guard.max_speed_radps = static_cast<double>(config.guard.max_speed_radps);
  return hand;
}

double Length(const float (&v)[3]) { return Norm(Vec<double, 3>(v[0], v[1], v[2])); }

template <class Scalar>
class TickCorners : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(TickCorners, Scalars);

TYPED_TEST(TickCorners, GiveForcesWithinTheirLimitsAndNoInvalidProblem) {
  constexpr int kRounds = 200, kTicks = 300;
  constexpr double kRounding = 1 + 1e-6;  // of a float's norm
  std::mt19937 random(7);
  int contact_ticks = 0, force_ticks = 0;
  for (int round = 0; round < kRounds; ++round) {
    test::TickRig<TypeParam> rig;
    rig.config = RandomCorner<TypeParam>(&random);
    RoughHand hand(ForHand(rig.config), &random);
    for (int tick = 0; tick < kTicks; ++tick) {
      hand.Move();
      const Vec<double, 3> p_m = hand.p_WH_m();
      (void)rig.Step(p_m(0), p_m(1), p_m(2), hand.rotation_rad());  // a fault is an answer too
      ASSERT_EQ(rig.telemetry.status & (status_bit::kForceNotFinite | status_bit::kSolverInvalid), 0u)
          << round << " " << tick;
      ASSERT_LE(Length(rig.command.force_N), static_cast<double>(rig.config.limits.max_force_N) * kRounding) << round;
      ASSERT_LE(Length(rig.command.torque_Nm), static_cast<double>(rig.config.limits.max_torque_Nm) * kRounding) << round;
      contact_ticks += rig.telemetry.contacts > 0 ? 1 : 0;
      force_ticks += Length(rig.command.force_N) > 0 ? 1 : 0;
      if (rig.telemetry.fault == Fault::kNone) continue;
      ClearFault(rig.state.get());
      ASSERT_EQ(Arm(rig.state.get()), Status::kOk);
    }
  }
  EXPECT_GT(contact_ticks, kRounds * kTicks / 3);
  EXPECT_GT(force_ticks, kRounds * kTicks / 4);
}

}  // namespace
}  // namespace tactus
