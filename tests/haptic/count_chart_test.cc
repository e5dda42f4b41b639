// Positions from counts of motors: the chart, and the handle's estimate in it.
#include "tactus/haptic/count_chart.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tactus/haptic/handle_estimate.h"
#include "tactus/haptic/passivity.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;
constexpr double kPeriod_s = 1e-3;

/// A column for each motor.
CountSteps StepsOf(const Mat<double, 3, 3>& C, int motors = 3) {
  CountSteps counts{.motors = static_cast<std::uint8_t>(motors)};
  for (int i = 0; i < motors; ++i) {
    for (int x = 0; x < 3; ++x) counts.step_m[i][x] = static_cast<float>(C(x, i));
  }
  return counts;
}

/// Motors along axes that are turned against x, y and z, each with a count of its own.
Mat<double, 3, 3> Turned(const Vec3& turn_rad, const Vec3& count_m) {
  return RotationMatrix<double>(ExpMap(turn_rad)) * count_m.asDiagonal();
}

template <class Scalar>
class CountChartTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(CountChartTest, Scalars);

// Source: A C = 1, and C A is the projection on the plane of two motors, or the line of one.
TYPED_TEST(CountChartTest, GoesIntoCountsAndBack) {
  using Chart = CountChart<TypeParam>;
  using Point = Vec<TypeParam, 3>;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const double slack = sizeof(TypeParam) == 8 ? 1e-6 : 1e-3;  // the steps come in single precision
  int used = 0;
  for (int i = 0; i < 1000; ++i) {
    Mat<double, 3, 3> C;
    for (int k = 0; k < 9; ++k) C(k) = 3e-5 * normal(random);
    const int motors = 1 + i % 3;
    const Chart chart(StepsOf(C, motors));
    if (chart.motors() == 0) continue;  // too near each other
    ++used;
    EXPECT_EQ(chart.axes(), motors);
    Point counts = Point::Zero();
    for (int k = 0; k < motors; ++k) counts(k) = static_cast<TypeParam>(10 * normal(random));
    const Point x = chart.OutOf(counts), back = chart.Into(x);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(back(k), counts(k), 100 * slack) << i;
    const Point any(TypeParam(1e-4 * normal(random)), TypeParam(1e-4 * normal(random)), TypeParam(1e-4 * normal(random)));
    const Point left = any - chart.OutOf(chart.Into(any));  // across all motors
    for (int k = 0; k < motors; ++k) {
      const Point step_m = chart.steps_m().col(k);
      EXPECT_NEAR(left.dot(step_m), 0, 10 * slack * static_cast<double>(any.norm() * step_m.norm())) << i;
    }
  }
  EXPECT_GT(used, 800);
}

TYPED_TEST(CountChartTest, TakesXyzWhereStepsAreNoDevices) {
  using Chart = CountChart<TypeParam>;
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const CountSteps good = StepsOf(Turned({0.3, 0.2, 0.1}, {4e-5, 2e-5, 1e-5}));
  EXPECT_EQ(Chart(good).motors(), 3);
  for (const float bad : {nan, infinity, -infinity, 1e-2f, 1e30f, -1e30f}) {
    for (int k = 0; k < 9; ++k) {
      CountSteps steps = good;
      steps.step_m[k / 3][k % 3] = bad;
      EXPECT_EQ(Chart(steps).motors(), 0) << bad;
    }
  }
  CountSteps still = good, along = good, flat = good, many = good;
  for (int x = 0; x < 3; ++x) {
    still.step_m[1][x] = 0;
    along.step_m[1][x] = -2 * along.step_m[0][x];
    flat.step_m[2][x] = flat.step_m[0][x] + flat.step_m[1][x];
  }
  many.motors = 4;
  for (const CountSteps& steps : {still, along, flat, many}) {
    const Chart chart(steps);
    EXPECT_EQ(chart.motors(), 0);
    EXPECT_EQ(chart.Into({1, 2, 3}), (Vec<TypeParam, 3>(1, 2, 3)));
    EXPECT_EQ(chart.OutOf({1, 2, 3}), (Vec<TypeParam, 3>(1, 2, 3)));
  }
  many.motors = 255;
  EXPECT_EQ(Chart(many).motors(), 0);
}

// A sensor that is declared coarser than what it counts. Source: by hand, the root of the sum of squares along x.
TYPED_TEST(CountChartTest, IsAsCoarseAsIsDeclared) {
  using Chart = CountChart<TypeParam>;
  const CountSteps steps{.motors = 3, .step_m = {{3e-6f, 0, 0}, {4e-6f, 2e-6f, 0}, {0, 0, 1e-6f}}};  // x: 5 um
  const double slack = sizeof(TypeParam) == 8 ? 1e-6 : 1e-5;
  for (const double D : {0.0, 4.9e-6}) EXPECT_EQ(Chart(steps, TypeParam(D)).steps_m(), Chart(steps).steps_m());
  const Chart coarse(steps, TypeParam(4e-5));
  EXPECT_NEAR(coarse.steps_m()(0, 0), 8 * 3e-6, slack * 8 * 3e-6);
  EXPECT_NEAR(coarse.steps_m()(1, 1), 8 * 2e-6, slack * 8 * 2e-6);
  EXPECT_NEAR(coarse.Into({0, 0, TypeParam(8e-6)})(2), 1, slack);
  EXPECT_NEAR(coarse.OutOf(coarse.Into({1, 2, 3}))(1), 2, 1e-5);
}

/// A handle whose place is rounded to the counts of its motors.
struct Counted {
  Mat<double, 3, 3> C;

  Vec3 operator()(const Vec3& p_m) const {
    const Vec3 counts = C.inverse() * p_m;
    return C * Vec3(std::round(counts(0)), std::round(counts(1)), std::round(counts(2)));
  }
};

/// Feeds a motion, with the chart or without.
class Feed {
 public:
  DeviceConfig<double> device;
  HandleEstimator<double> estimator;

  Feed() { estimator.Reset(Vec3::Zero(), IdentityQuaternion<double>()); }
  const HandleState<double>& operator()(const Vec3& p_m, const CountChart<double>& chart,
                                        const Vec3& force_N = Vec3::Zero()) {
    Vec6 wrench_W = Vec6::Zero();
    wrench_W.head<3>() = force_N;
    estimator.Update(p_m, IdentityQuaternion<double>(), wrench_W, 1, device, CouplingConfig<double>{}, kPeriod_s, chart);
    return estimator.handle();
  }
};

// Source: three motors along x, y and z whose count is D are what DeviceConfig::resolution_m says.
TEST(CountedEstimate, IsTheSameForMotorsAlongXyz) {
  constexpr double kCount_m = 0x1p-15;  // of single precision
  Feed counted, plain;
  counted.device.resolution_m = 0;
  plain.device.resolution_m = kCount_m;
  const Counted device{Vec3(kCount_m, kCount_m, kCount_m).asDiagonal()};
  const CountChart<double> chart(StepsOf(device.C));
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p_m(0.01 * std::sin(0.003 * k), 2e-5 * k, -1e-3 * std::cos(0.02 * k)), force_N(std::sin(0.1 * k), 1, -2);
    const auto one = counted(device(p_m), chart, force_N), other = plain(device(p_m), {}, force_N);
    for (int x = 0; x < 3; ++x) {
      ASSERT_NEAR(one.p_WH_m(x), other.p_WH_m(x), 1e-12) << k;
      ASSERT_NEAR(one.twist_W(x), other.twist_W(x), 1e-10) << k;
      ASSERT_NEAR(counted.estimator.way_W()(x), plain.estimator.way_W()(x), 1e-12) << k;
    }
  }
  const CouplingConfig<double> coupling;
  EXPECT_NEAR(EnergyGrain(coupling, counted.device, chart), EnergyGrain(coupling, plain.device), 1e-15);
}

/// rms errors of a steady motion over the counts, after a second.
struct Errors {
  double place_m = 0, speed_mps = 0;
};
Errors Follow(const Vec3& velocity_mps, const Counted& device, bool charted) {
  Feed feed;
  feed.device.resolution_m = device.C.cwiseAbs().rowwise().norm().maxCoeff();  // as AtHandle of a preset
  const CountChart<double> chart =
      charted ? CountChart<double>(StepsOf(device.C), feed.device.resolution_m) : CountChart<double>();
  Errors sum;
  for (int k = 0; k < 3000; ++k) {
    const Vec3 p_m = k * kPeriod_s * velocity_mps;
    const HandleState<double>& estimate = feed(device(p_m), chart);
    if (k < 1000) continue;
    sum.place_m += (estimate.p_WH_m - p_m).squaredNorm() / 2000;
    sum.speed_mps += (Vec3(estimate.twist_W.head<3>()) - velocity_mps).squaredNorm() / 2000;
  }
  return {std::sqrt(sum.place_m), std::sqrt(sum.speed_mps)};
}

// Of a motor with fine counts beside two with coarse ones: along the fine one the place is as right as a third of its own
// count, and not of the coarse ones'. Source: a rounding of q is q/√12 rms.
TEST(CountedEstimate, TakesEachMotorsCountForItself) {
  const Counted device{Turned({0.4, -0.7, 0.3}, {6e-5, 4e-6, 5e-5})};
  const Vec3 fine = device.C.col(1).normalized();
  for (const double speed_mps : {0.002, 0.01, 0.05}) {
    const Errors counted = Follow(speed_mps * fine, device, true), plain = Follow(speed_mps * fine, device, false);
    EXPECT_LE(counted.place_m, 4e-6 / 3) << speed_mps;
    EXPECT_LE(counted.speed_mps, 0.2 * 4e-6 / kPeriod_s) << speed_mps;
    EXPECT_LE(counted.place_m, plain.place_m) << speed_mps;
  }
}

// Source: a force along the fine motor is felt after as many of its counts as on a device with that count alone. In the
// chart of x, y and z it has to be more than a count of the coarse one.
TEST(CountedEstimate, SeesAMotionAlongAFineMotorSooner) {
  const Counted device{Turned({0.4, -0.7, 0.3}, {6e-5, 4e-6, 5e-5})};
  const Vec3 fine = device.C.col(1).normalized();
  const auto ticks_late = [&](bool charted) {
    Feed feed;
    feed.device.resolution_m = device.C.rowwise().norm().maxCoeff();
    const CountChart<double> chart = charted ? CountChart<double>(StepsOf(device.C)) : CountChart<double>();
    for (int k = 0; k < 500; ++k) feed(Vec3::Zero(), chart);
    for (int k = 1; k < 200; ++k) {  // the hand draws it away with 10 mm/s
      if (feed(device(1e-5 * k * fine), chart).twist_W.head<3>().dot(fine) > 0.005) return k;
    }
    return 200;
  };
  EXPECT_LE(ticks_late(true), 3);
  EXPECT_GE(ticks_late(false), 6);
}

// Source: the true motion, which goes on where the motors' steps turn with the posture, by a degree a tick.
TEST(CountedEstimate, GoesOnWhereTheStepsTurn) {
  Feed feed;
  Vec3 last_mps = Vec3::Zero();
  for (int k = 0; k < 2000; ++k) {
    const double t_s = k * kPeriod_s;
    const Vec3 p_m(0.02 * std::sin(3 * t_s), 0.01 * std::cos(5 * t_s), 0.05 * t_s);
    const Vec3 v_mps(0.06 * std::cos(3 * t_s), -0.05 * std::sin(5 * t_s), 0.05);
    const Counted device{Turned({0, 0, k * M_PI / 180}, {4e-5, 1e-5, 2e-5})};
    const HandleState<double>& estimate = feed(device(p_m), CountChart<double>(StepsOf(device.C)));
    if (k < 300) continue;
    const Vec3 now_mps = estimate.twist_W.head<3>();
    ASSERT_LE((now_mps - v_mps).norm(), 0.02) << k;
    if (k > 300) {  // half of a coarse count a tick, by the fast gain
      ASSERT_LE((now_mps - last_mps).norm(), 0.012) << k;
    }
    ASSERT_LE((device.C.inverse() * (estimate.p_WH_m - device(p_m))).cwiseAbs().maxCoeff(), 1.5 + 1e-6) << k;
    last_mps = now_mps;
  }
}

// Source: nothing moves, and the force does not change: whatever coordinates come, coarse, fine or ideal, none makes it
// move.
TEST(CountedEstimate, OfAHandleThatIsHeldStaysAtRestWhereTheChartChanges) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const double resolution_m : {0.0, 4e-5}) {
    Feed feed;
    feed.device.resolution_m = resolution_m;
    const Vec3 force_N(3, -5, 6);
    for (int k = 0; k < 200; ++k) feed(Vec3::Zero(), {}, force_N);
    for (int k = 0; k < 2000; ++k) {
      CountChart<double> chart;
      if (k / 20 % 2 == 0) {
        const Vec3 count_m(4e-5, k / 40 % 2 == 0 ? 5e-7 : 2e-5, 1e-5 * (2 + unit(random)));
        chart = CountChart<double>(StepsOf(Turned({0.01 * k, 0.5, unit(random)}, count_m)));
      }
      ASSERT_LE(feed(Vec3::Zero(), chart, force_N).twist_W.norm(), 1e-3) << k << ' ' << resolution_m;
    }
  }
}

// Two motors leave a plane, one a line: what is across comes as the sample has it, and a force across moves nothing.
TEST(CountedEstimate, OfTwoMotorsHoldsThePlaceAcross) {
  Feed feed;
  const Counted device{Turned({0.2, 0.1, 0}, {4e-5, 3e-5, 1})};  // the third is no motor
  const CountChart<double> chart(StepsOf(device.C, 2));
  ASSERT_EQ(chart.motors(), 2);
  const Vec3 across = device.C.col(2).normalized();
  for (int k = 0; k < 3000; ++k) {
    const Vec3 p_m = device.C.leftCols(2) * Vec<double, 2>(200 * std::sin(0.01 * k), 0.2 * k);
    const Vec3 counts = (device.C.inverse() * p_m).array().round();
    const HandleState<double>& estimate = feed(device.C * counts, chart, 5 * across);
    ASSERT_NEAR(estimate.p_WH_m.dot(across), 0, 1e-12) << k;
    ASSERT_NEAR(estimate.twist_W.head<3>().dot(across), 0, 1e-9) << k;
  }
}

// Whatever steps come, and however they change: |x - y| ≤ 1.5 counts, all finite.
TEST(CountedEstimate, StaysNearTheSampleWhateverStepsCome) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  const float odd[] = {0, 1e-12f, 1e-9f, 1e-5f, 1e-3f, 1, 1e30f, std::numeric_limits<float>::quiet_NaN()};
  Feed feed;
  for (int k = 0; k < 20'000; ++k) {
    CountSteps steps{.motors = static_cast<std::uint8_t>(random() % 5)};
    for (auto& step : steps.step_m) {
      for (float& x : step) x = random() % 10 == 0 ? odd[random() % 8] : static_cast<float>(1e-4 * unit(random));
    }
    const Vec3 p_m(0.01 * unit(random), 0.01 * unit(random), 0.01 * unit(random));
    const CountChart<double> chart(steps);
    const HandleState<double>& estimate = feed(p_m, chart, 8 * Vec3(unit(random), unit(random), unit(random)));
    double reach_m = 1.5 * std::sqrt(3) * feed.device.resolution_m;
    if (chart.motors() > 0) {
      reach_m = 0;
      for (int i = 0; i < chart.motors(); ++i) reach_m += 1.5 * chart.Step_m(i);
    }
    ASSERT_LE((estimate.p_WH_m - p_m).norm(), reach_m * (1 + 1e-6) + 1e-12) << k;
    ASSERT_TRUE(IsFinite(estimate.twist_W.squaredNorm())) << k;
  }
}

}  // namespace
}  // namespace tactus
