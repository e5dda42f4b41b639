#include "tactus/device/transmission.h"

#include <cstring>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "tactus/device/joint_wall.h"

namespace tactus {
namespace {

constexpr double kPeriod_s = 1e-3;

/// WoodenHaptics' first axis: 2000 counts, capstan 10 mm on a drum of 160 mm, 0.0259 N·m/A, 3 A.
MotorCalibration<double> Wooden() {
  return {.counts_per_turn = 2000,
          .turns_per_joint_turn = 16,
          .torque_constant_Nm_per_A = 0.0259,
          .max_current_A = 3,
          .continuous_current_A = 1,
          .thermal_time_s = 30};
}
Calibration<double, 2> Two() { return {Wooden(), Wooden()}; }

TEST(Transmission, CountsBecomeAngles) {  // Source: closed form: 16 turns of 2000 counts are one turn of the joint.
  Calibration<double, 2> calibration = Two();
  calibration[1].encoder_sign = -1;
  calibration[1].zero_count = 100;
  calibration[1].offset_rad = 0.5;
  Vec<double, 2> q;
  ASSERT_TRUE(AnglesOfCounts(calibration, {8000, 100 + 32000}, &q).ok());
  EXPECT_NEAR(q(0), std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(q(1), 0.5 - 2 * std::numbers::pi, 1e-15);
}

// Single precision keeps one count apart from the next, far from an absolute zero: the difference is taken in whole numbers.
TEST(Transmission, SinglePrecisionSeesEveryCount) {
  Calibration<float, 1> calibration{MotorCalibration<float>{.counts_per_turn = 2000, .turns_per_joint_turn = 16}};
  calibration[0].zero_count = 2'000'000'000;
  Vec<float, 1> a, b;
  ASSERT_TRUE((AnglesOfCounts<float, 1>(calibration, {2'000'010'000}, &a).ok()));
  ASSERT_TRUE((AnglesOfCounts<float, 1>(calibration, {2'000'010'001}, &b).ok()));
  EXPECT_NEAR(static_cast<double>(b(0) - a(0)), 2 * std::numbers::pi / 32000, 3e-7);
}

TEST(Transmission, RefusesCountsThatNoJointTurns) {
  Calibration<double, 2> calibration = Two();
  calibration[1].zero_count = -1;
  Vec<double, 2> q = Vec<double, 2>::Constant(7);
  for (const std::int32_t wild :
       {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(), 1 << 24}) {
    const KinematicResult result = AnglesOfCounts(calibration, {0, wild}, &q);
    EXPECT_EQ(result.cause, KinematicCause::kAbsurd);
    EXPECT_EQ(result.joint, 1);
    EXPECT_EQ(q.norm(), 0);
  }
}

using Spoil = void (*)(MotorCalibration<double>*);
struct Wrong {
  const char* field;
  Spoil spoil;
};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Transmission, NamesTheFirstWrongFieldAndItsMotor) {
  using M = MotorCalibration<double>;
  const Wrong wrongs[] = {{"counts_per_turn", [](M* m) { m->counts_per_turn = 0; }},
                          {"counts_per_turn", [](M* m) { m->counts_per_turn = kNan; }},
                          {"turns_per_joint_turn", [](M* m) { m->turns_per_joint_turn = -16; }},
                          {"encoder_sign", [](M* m) { m->encoder_sign = 0; }},
                          {"offset_rad", [](M* m) { m->offset_rad = kNan; }},
                          {"torque_sign", [](M* m) { m->torque_sign = 2; }},
                          {"torque_constant_Nm_per_A", [](M* m) { m->torque_constant_Nm_per_A = 0; }},
                          {"max_current_A", [](M* m) { m->max_current_A = -1; }},
                          {"continuous_current_A", [](M* m) { m->continuous_current_A = 3.1; }},
                          {"continuous_current_A", [](M* m) { m->continuous_current_A = 0; }},
                          {"thermal_time_s", [](M* m) { m->thermal_time_s = 1e-3; }}};
  EXPECT_FALSE(Validate(Two(), kPeriod_s));
  for (const Wrong& wrong : wrongs) {
    for (std::size_t i = 0; i < 2; ++i) {
      Calibration<double, 2> calibration = Two();
      wrong.spoil(&calibration[i]);
      const DeviceFault fault = Validate(calibration, kPeriod_s);
      ASSERT_TRUE(fault) << wrong.field;
      EXPECT_STREQ(fault.field, wrong.field);
      EXPECT_EQ(fault.index, static_cast<int>(i));
    }
  }
  EXPECT_STREQ(Validate(Two(), 0.0).field, "period_s");
}

TEST(Transmission, SensedJointsNeedNoMotor) {
  Calibration<double, 1> calibration{MotorCalibration<double>{.counts_per_turn = 4096, .turns_per_joint_turn = 1}};
  EXPECT_FALSE(ValidateSensed(calibration));
  calibration[0].encoder_sign = 3;
  EXPECT_STREQ(ValidateSensed(calibration).field, "encoder_sign");
}

// Source: closed form of a one-sided spring and damper.
TEST(JointWall, PushesBackAndNeverPulls) {
  const JointWall<double> wall{
      .low_rad = -1, .high_rad = 2, .stiffness_Nm_per_rad = 10, .damping_Nms_per_rad = 0.5, .max_torque_Nm = 3};
  EXPECT_EQ(WallTorque(wall, 0.0, 5.0), 0);
  EXPECT_EQ(WallTorque(wall, 2.0, 5.0), 0);
  EXPECT_NEAR(WallTorque(wall, 2.1, 1.0), -(10 * 0.1 + 0.5), 1e-14);
  EXPECT_NEAR(WallTorque(wall, -1.1, -1.0), 10 * 0.1 + 0.5, 1e-14);
  EXPECT_EQ(WallTorque(wall, 2.1, -10.0), 0);  // leaving fast: the damper must not hold it
  EXPECT_EQ(WallTorque(wall, -1.1, 10.0), 0);
  EXPECT_EQ(WallTorque(wall, 5.0, 0.0), -3);
  EXPECT_EQ(WallTorque(wall, kNan, 0.0), 0);
  EXPECT_EQ(WallTorque(wall, 5.0, kNan), 0);
  EXPECT_EQ(WallTorque(wall, 1e308, -1e308), 0);
}

TEST(JointWall, NamesTheFirstWrongField) {
  const JointLimits<double, 1> limits{Vec<double, 1>(-1), Vec<double, 1>(1)};
  const auto field = [&](const JointWall<double>& wall) { return Validate(std::array{wall}, limits).field; };
  EXPECT_EQ(field({-0.9, 0.9, 10, 1, 1}), nullptr);
  EXPECT_STREQ(field({-1.1, 0.9, 10, 1, 1}), "walls.low_rad");
  EXPECT_STREQ(field({-0.9, -0.95, 10, 1, 1}), "walls.high_rad");
  EXPECT_STREQ(field({-0.9, 0.9, kNan, 1, 1}), "walls.stiffness_Nm_per_rad");
  EXPECT_STREQ(field({-0.9, 0.9, 10, -1, 1}), "walls.damping_Nms_per_rad");
  EXPECT_STREQ(field({-0.9, 0.9, 10, 1, -1}), "walls.max_torque_Nm");
}

}  // namespace
}  // namespace tactus
