#include "tactus/haptic/guard.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tactus {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

/// A good sample after one good sample.
struct GuardFixture {
  GuardConfig<double> config;
  GuardState guard;
  SensorFrame sample;

  GuardFixture() {
    SensorFrame first;
    first.sequence = 7;
    RememberSample(first, CheckSample(first, config, guard), &guard);
    sample.sequence = 8;
    sample.p_WH_m[0] = 0.001f;
  }
  SampleCheck<double> Check() const { return CheckSample(sample, config, guard); }
};

TEST(CheckSample, AcceptsAGoodSampleAndGivesItsStep) {
  const SampleCheck<double> check = GuardFixture().Check();
  EXPECT_EQ(check.status, Status::kOk);
  EXPECT_EQ(check.bits, 0u);
  EXPECT_EQ(check.periods, 1);
  EXPECT_NEAR(check.step_W(0), 0.001, 1e-10);  // the float's rounding
}

TEST(CheckSample, RefusesWhatIsNotFinite) {
  for (const float bad : {kNan, kInf, -kInf}) {
    for (int i = 0; i < 7; ++i) {
      GuardFixture fixture;
      (i < 3 ? fixture.sample.p_WH_m[i] : fixture.sample.q_WH[i - 3]) = bad;
      const SampleCheck<double> check = fixture.Check();
      EXPECT_EQ(check.status, Status::kNotFinite) << i;
      EXPECT_EQ(check.cause, Fault::kSampleNotFinite);
      EXPECT_EQ(check.fault, Fault::kNone);
      EXPECT_EQ(check.bits, status_bit::kSampleNotFinite);
    }
  }
}

TEST(CheckSample, RefusesAQuaternionThatIsNotOfUnitLength) {
  GuardFixture fixture;
  fixture.sample.q_WH[0] = 1.01f;
  EXPECT_EQ(fixture.Check().status, Status::kOutOfRange);
  EXPECT_EQ(fixture.Check().cause, Fault::kSampleRotation);
  fixture.sample.q_WH[0] = 0.0f;
  EXPECT_EQ(fixture.Check().status, Status::kOutOfRange);
  fixture.sample.q_WH[0] = 1.0005f;
  EXPECT_EQ(fixture.Check().status, Status::kOk);
}

TEST(CheckSample, RefusesOldSamples) {
  GuardFixture fixture;
  fixture.sample.age_us = 2000;
  EXPECT_EQ(fixture.Check().status, Status::kOk);
  fixture.sample.age_us = 2001;
  EXPECT_EQ(fixture.Check().status, Status::kStale);
  fixture.sample.age_us = 0;
  for (const std::uint32_t sequence : {7u, 6u, 0u}) {  // repeated, reordered
    fixture.sample.sequence = sequence;
    EXPECT_EQ(fixture.Check().status, Status::kStale) << sequence;
  }
}

TEST(CheckSample, CountsMissedSamplesAcrossTheWrapOfTheSequence) {
  GuardFixture fixture;
  fixture.guard.sequence = 0xfffffffeu;
  fixture.guard.ticks_without_sample = 2;
  fixture.sample.sequence = 1;
  const SampleCheck<double> check = fixture.Check();
  EXPECT_EQ(check.status, Status::kOk);
  EXPECT_EQ(check.periods, 3);
  EXPECT_EQ(check.bits, status_bit::kSampleMissed);
}

TEST(CheckSample, CondemnsAHandleThatJumps) {
  GuardFixture fixture;
  fixture.sample.p_WH_m[0] = 0.0101f;
  EXPECT_EQ(fixture.Check().fault, Fault::kHandleJump);
  fixture.sample.p_WH_m[0] = 0;
  fixture.sample.q_WH[0] = std::cos(0.2f);
  fixture.sample.q_WH[3] = std::sin(0.2f);  // a turn by 0.4 rad
  EXPECT_EQ(fixture.Check().fault, Fault::kHandleJump);
  fixture.sample.sequence += 1;  // in two periods it may
  EXPECT_EQ(fixture.Check().fault, Fault::kNone);
}

TEST(CheckSample, CondemnsAJumpThatASkippedSequenceNumberWouldExcuse) {
  GuardFixture fixture;
  fixture.sample.p_WH_m[0] = 0.1f;
  for (const std::uint32_t advance : {100u, 0x7fffffffu}) {
    fixture.sample.sequence = 7 + advance;
    const SampleCheck<double> check = fixture.Check();
    EXPECT_EQ(check.periods, 2);  // Source: no tick without a sample, so one period has passed, and one of slack
    EXPECT_EQ(check.fault, Fault::kHandleJump);
    EXPECT_EQ(check.bits, status_bit::kSampleMissed | status_bit::kHandleJump);
  }
}

TEST(CheckSample, CondemnsAHandleOutsideTheWorkspace) {
  GuardFixture fixture;
  fixture.config.workspace_center_W_m = Vec<double, 3>(0.1, 0, 0);
  fixture.config.workspace_radius_m = 0.0985;
  EXPECT_EQ(fixture.Check().fault, Fault::kHandleOutside);
  EXPECT_EQ(fixture.Check().status, Status::kOutOfRange);
}

TEST(CheckSample, AcceptsAPoseThatNeverChanges) {
  GuardFixture fixture;
  for (int k = 0; k < 100'000; ++k) {
    ++fixture.sample.sequence;
    const SampleCheck<double> check = fixture.Check();
    ASSERT_EQ(check.status, Status::kOk) << k;
    RememberSample(fixture.sample, check, &fixture.guard);
  }
}

TEST(RecentWay, IsTheMeanSpeedOfTheLastSteps) {  // Source: way over time; steps of 1, 2, 1, 3 periods, the first forgotten.
  RecentWay<double> recent;
  EXPECT_EQ(recent.MeanTwist(1e-3).norm(), 0);
  Vec<double, 6> step = Vec<double, 6>::Zero();
  const double ways_m[] = {9e-3, 1e-3, 2e-3, 0, 4e-3};
  const int periods[] = {1, 1, 2, 1, 3};
  for (int i = 0; i < 5; ++i) {
    step(1) = ways_m[i];
    recent.Push(step, periods[i]);
    if (i == 0) {
      EXPECT_NEAR(recent.MeanTwist(1e-3)(1), 9, 1e-12);
    }
  }
  EXPECT_NEAR(recent.MeanTwist(1e-3)(1), 1, 1e-12);
}

TEST(RememberSample, CountsTicksWithoutASample) {
  GuardFixture fixture;
  fixture.sample.sequence = 7;
  for (int i = 1; i <= 3; ++i) {
    RememberSample(fixture.sample, fixture.Check(), &fixture.guard);
    EXPECT_EQ(fixture.guard.ticks_without_sample, i);
  }
  fixture.sample.sequence = 8;
  RememberSample(fixture.sample, fixture.Check(), &fixture.guard);
  EXPECT_EQ(fixture.guard.ticks_without_sample, 0);
}

}  // namespace
}  // namespace tactus
