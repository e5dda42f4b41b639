#include "tactus/device/homing.h"

#include <cstring>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace tactus {
namespace {

constexpr double kPeriod_s = 1e-3;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr std::int32_t kMostCounts_ = 200;
using Plan = HomingPlan<double, 2>;
using TestHoming = Homing<double, 2>;

/// 2000 counts a turn, 16 turns of the motor a turn of the joint; the second encoder counts backwards.
Calibration<double, 2> Motors() {
  MotorCalibration<double> m{.counts_per_turn = 2000,
                             .turns_per_joint_turn = 16,
                             .torque_constant_Nm_per_A = 0.0259,
                             .max_current_A = 3,
                             .continuous_current_A = 1};
  Calibration<double, 2> two{m, m};
  two[1].encoder_sign = -1;
  return two;
}
JointLimits<double, 2> Limits() { return {.low_rad = {-1.5, -1.5}, .high_rad = {1.5, 1.5}}; }

Plan IndexPlan() {
  Plan plan;
  plan.pose_rad = {0.1, -0.2};
  plan.has_index = {true, true};
  plan.index_rad = {0.013, -0.021};
  return plan;
}

/// A mechanism that knows its true angles, and encoders that started anywhere.
struct Mechanism {
  Vec<double, 2> q = {0.1, -0.2};
  std::array<std::int32_t, 2> start = {0, 0};
  Vec<double, 2> index = {0.013, -0.021};
  bool no_pulse = false;

  static double CountsPerRad() { return 2000 * 16 / kTurn; }
  std::int32_t CountOf(int i, double angle) const {
    const double counts = (i == 1 ? -1 : 1) * angle * CountsPerRad();
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(start[i]) +
                                     static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(counts + 0.5))));
  }
  /// Moves to `to` in one period; a pulse comes where the motor's zero lies between.
  HomingReading<2> Move(const Vec<double, 2>& to) {
    HomingReading<2> reading;
    for (int i = 0; i < 2; ++i) {
      const double a = (q(i) - index(i)) * 16 / kTurn, b = (to(i) - index(i)) * 16 / kTurn;
      const double k = std::floor(std::max(a, b));
      reading.count[i] = CountOf(i, to(i));
      reading.index_seen[i] = !no_pulse && k > std::min(a, b);
      reading.index_count[i] = CountOf(i, index(i) + k * kTurn / 16);
    }
    q = to;
    return reading;
  }
};

void HoldStill(TestHoming* homing, Mechanism* mechanism) {
  homing->Start();
  for (int i = 0; i < 600; ++i) homing->Step(mechanism->Move(mechanism->q), kPeriod_s);
}
void Sweep(TestHoming* homing, Mechanism* mechanism) {  // a turn and a half of each motor
  const Vec<double, 2> from = mechanism->q;
  for (int i = 1; i <= 1000; ++i) {
    homing->Step(mechanism->Move(from + Vec<double, 2>::Constant(1.5 * kTurn / 16 * i / 1000)), kPeriod_s);
  }
}

TestHoming Made(const Plan& plan) { return {plan, Limits(), Motors(), kMostCounts_}; }

TEST(Homing, AKnownPoseIsTheZero) {
  Plan plan;
  plan.pose_rad = {0.1, -0.2};
  TestHoming homing = Made(plan);
  Mechanism mechanism{.start = {123456, -98765}};
  EXPECT_EQ(homing.phase(), HomingPhase::kIdle);
  HoldStill(&homing, &mechanism);
  ASSERT_TRUE(homing.done()) << Name(homing.cause());
  EXPECT_EQ(homing.progress(), 1);
  Vec<double, 2> q;
  ASSERT_TRUE(AnglesOfCounts(homing.calibration(), mechanism.Move({0.4, 0.3}).count, &q).ok());
  // Source: the mechanism's own angles; a count is 0.2 mrad, and the pose was rounded to one too.
  EXPECT_NEAR(q(0), 0.4, 1.01 / Mechanism::CountsPerRad());
  EXPECT_NEAR(q(1), 0.3, 1.01 / Mechanism::CountsPerRad());
}

// A pose that is wrong by a fifth of a turn of the motor: with the index the angles are right to the count, wherever the
// counters began, at the end of their range too.
TEST(Homing, AnIndexMendsAPoseThatIsNotExact) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> error(-0.2 * kTurn / 16, 0.2 * kTurn / 16);
  std::uniform_int_distribution<std::int32_t> anywhere(std::numeric_limits<std::int32_t>::min(),
                                                       std::numeric_limits<std::int32_t>::max());
  for (int n = 0; n < 200; ++n) {
    TestHoming homing = Made(IndexPlan());
    Mechanism mechanism{.q = {0.1 + error(random), -0.2 + error(random)}};
    // AnglesOfCounts takes the difference in whole numbers, so the zero must not be on the other side of the wrap.
    mechanism.start = {anywhere(random) / 2, anywhere(random) / 2};
    HoldStill(&homing, &mechanism);
    ASSERT_EQ(homing.phase(), HomingPhase::kIndex);
    EXPECT_EQ(homing.progress(), 0.5);
    Sweep(&homing, &mechanism);
    ASSERT_TRUE(homing.done()) << n << ": " << Name(homing.cause()) << ' ' << homing.joint();
    Vec<double, 2> q;
    ASSERT_TRUE(AnglesOfCounts(homing.calibration(), mechanism.Move({-0.3, 0.7}).count, &q).ok());
    EXPECT_NEAR(q(0), -0.3, 1.01 / Mechanism::CountsPerRad());
    EXPECT_NEAR(q(1), 0.7, 1.01 / Mechanism::CountsPerRad());
  }
}

TEST(Homing, APoseNearlyHalfATurnOffIsAmbiguousAndNamed) {
  TestHoming homing = Made(IndexPlan());
  Mechanism mechanism{.q = {0.1, -0.2 + 0.4 * kTurn / 16}};
  HoldStill(&homing, &mechanism);
  Sweep(&homing, &mechanism);
  EXPECT_TRUE(homing.failed());
  EXPECT_EQ(homing.cause(), HomingCause::kAmbiguous);
  EXPECT_EQ(homing.joint(), 1);
  EXPECT_EQ(homing.progress(), 0);
}

TEST(Homing, AHandThatIsNotStillIsWaitedForAndThenNamed) {
  TestHoming homing = Made(IndexPlan());
  Mechanism mechanism;
  homing.Start();
  for (int i = 0; i < 29'900; ++i) {
    homing.Step(mechanism.Move({0.1 + (i % 2) * 1e-3, -0.2}), kPeriod_s);
    ASSERT_EQ(homing.phase(), HomingPhase::kHold);
  }
  for (int i = 0; i < 200; ++i) homing.Step(mechanism.Move({0.1 + (i % 2) * 1e-3, -0.2}), kPeriod_s);
  EXPECT_EQ(homing.cause(), HomingCause::kNotStill);
  homing.Start();  // and may be begun again
  EXPECT_EQ(homing.phase(), HomingPhase::kHold);
  EXPECT_EQ(homing.cause(), HomingCause::kNone);
}

TEST(Homing, ASlowDriftIsNotStill) {  // 3 counts in the half second: not one step of it is a motion
  TestHoming homing = Made(Plan{});
  homing.Start();
  HomingReading<2> reading;
  for (int i = 0; i < 3000; ++i) {
    reading.count[0] = i / 160;
    homing.Step(reading, kPeriod_s);
  }
  EXPECT_EQ(homing.phase(), HomingPhase::kHold);
}

TEST(Homing, AnIndexThatDoesNotComeIsNamed) {
  TestHoming homing = Made(IndexPlan());
  Mechanism mechanism;
  HoldStill(&homing, &mechanism);
  mechanism.no_pulse = true;
  for (int i = 0; i < 60'100; ++i) homing.Step(mechanism.Move(mechanism.q), kPeriod_s);
  EXPECT_EQ(homing.cause(), HomingCause::kNoIndex);
  EXPECT_EQ(homing.joint(), 0);
}

TEST(Homing, ACountThatJumpsIsNamed) {
  for (const std::int32_t jump : {201, -201, std::numeric_limits<std::int32_t>::min()}) {
    TestHoming homing = Made(IndexPlan());
    homing.Start();
    HomingReading<2> reading;
    homing.Step(reading, kPeriod_s);
    reading.count[1] = jump;
    homing.Step(reading, kPeriod_s);
    EXPECT_EQ(homing.cause(), HomingCause::kJumped);
    EXPECT_EQ(homing.joint(), 1);
  }
}

TEST(Homing, AnIndexOfAnotherPeriodIsRefused) {
  TestHoming homing = Made(IndexPlan());
  Mechanism mechanism;
  HoldStill(&homing, &mechanism);
  HomingReading<2> reading = mechanism.Move(mechanism.q);
  reading.index_seen[0] = true;
  reading.index_count[0] = reading.count[0] - 201;
  homing.Step(reading, kPeriod_s);
  EXPECT_EQ(homing.cause(), HomingCause::kJumped);
}

// While the second joint's index is waited for, the first turns on past its range: the pose was not the home pose.
TEST(Homing, AJointOutsideItsRangeIsNamed) {
  Plan plan = IndexPlan();
  plan.has_index = {false, true};
  TestHoming homing = Made(plan);
  Mechanism mechanism;
  HoldStill(&homing, &mechanism);
  while (mechanism.q(0) < 1.55) homing.Step(mechanism.Move(mechanism.q + Vec<double, 2>(1e-3, 0)), kPeriod_s);
  ASSERT_EQ(homing.phase(), HomingPhase::kIndex);
  EXPECT_EQ(homing.joint(), 1);
  for (int i = 0; i < 500; ++i) homing.Step(mechanism.Move(mechanism.q + Vec<double, 2>(0, 1e-3)), kPeriod_s);
  EXPECT_EQ(homing.cause(), HomingCause::kOutsideLimit);
  EXPECT_EQ(homing.joint(), 0);
}

TEST(Homing, AnIndexThatComesLaterAgreesUntilCountsAreLost) {
  MotorCalibration<double> m = Motors()[0];
  m.zero_count = 500;
  m.offset_rad = 0.013;
  EXPECT_TRUE(IndexAgrees(m, 0.013, 500 + 7 * 2000, 0.002));
  EXPECT_TRUE(IndexAgrees(m, 0.013, 500 - 3 * 2000 + 3, 0.002));
  EXPECT_FALSE(IndexAgrees(m, 0.013, 500 + 7 * 2000 + 5, 0.002));
  EXPECT_FALSE(IndexAgrees(m, 0.013, 500 + (1 << 25), 0.002));
}

TEST(Homing, NamesTheFirstWrongFieldOfAPlan) {
  const auto fault = [](auto spoil) {
    Plan plan = IndexPlan();
    spoil(&plan);
    return Validate(plan, Limits());
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(fault([](Plan*) {}));
  EXPECT_STREQ(fault([](Plan* p) { p->pose_rad(1) = 1.6; }).field, "pose_rad");
  EXPECT_EQ(fault([](Plan* p) { p->pose_rad(1) = 1.6; }).index, 1);
  EXPECT_STREQ(fault([](Plan* p) { p->index_rad(0) = kNan; }).field, "index_rad");
  EXPECT_STREQ(fault([](Plan* p) { p->largest_index_error = 0.5; }).field, "largest_index_error");
  EXPECT_STREQ(fault([](Plan* p) { p->still_counts = -1; }).field, "still_counts");
  EXPECT_STREQ(fault([](Plan* p) { p->still_s = kNan; }).field, "still_s");
  EXPECT_STREQ(fault([](Plan* p) { p->hold_timeout_s = 0.5; }).field, "hold_timeout_s");
  EXPECT_STREQ(fault([](Plan* p) { p->index_timeout_s = 0; }).field, "index_timeout_s");
}

}  // namespace
}  // namespace tactus
