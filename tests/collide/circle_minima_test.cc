#include "tactus/collide/circle_minima.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace tactus {
namespace {

double AngleOf(const CircleDirection<double>& d) { return std::atan2(d.sin, d.cos); }

TEST(CircleMinima, SamplesStandEveryThirtyDegrees) {  // Source: libm.
  for (int i = 0; i < kCircleSamples; ++i) {
    const double angle = i * std::numbers::pi / 6;
    EXPECT_NEAR(CircleSample<double>(i).cos, std::cos(angle), 1e-15) << i;
    EXPECT_NEAR(CircleSample<double>(i).sin, std::sin(angle), 1e-15) << i;
  }
}

TEST(CircleMinima, FindsTheMinimumOfASmoothFunction) {
  for (const double minimum_rad : {-0.25, -0.1, 0.0, 0.05, 0.24}) {
    const auto gap = [minimum_rad](const CircleDirection<double>& d) {
      return -std::cos(AngleOf(d) - minimum_rad) + 0.2 * std::cos(2 * (AngleOf(d) - minimum_rad));
    };
    const CircleDirection<double> found =
        RefineMinimum<double>(gap, CircleSample<double>(0), gap(CircleSample<double>(11)), gap(CircleSample<double>(1)));
    EXPECT_NEAR(AngleOf(found), minimum_rad, 1e-4);  // the last parabola's spacing is 3e-3; its error is of third order
  }
}

TEST(CircleMinima, FindsTheBottomOfANarrowValley) {
  // Two slopes of ±1 with a round bottom 1° wide, as where two edges cross.
  constexpr double kMinimum_rad = 0.2, kWidth_rad = 0.0175;
  const auto gap = [](const CircleDirection<double>& d) { return std::hypot(AngleOf(d) - kMinimum_rad, kWidth_rad); };
  const CircleDirection<double> found =
      RefineMinimum<double>(gap, CircleSample<double>(0), gap(CircleSample<double>(11)), gap(CircleSample<double>(1)));
  EXPECT_NEAR(gap(found), kWidth_rad, 1e-4 * kWidth_rad);
}

TEST(CircleMinima, StaysOnTheCircle) {
  const CircleDirection<double> turned = CircleSample<double>(4).Turned(0.2);
  EXPECT_NEAR(turned.cos * turned.cos + turned.sin * turned.sin, 1, 1e-15);
  EXPECT_NEAR(AngleOf(turned), 4 * std::numbers::pi / 6 + 2 * std::atan(0.2), 1e-15);  // Source: half-angle formulae.
}

}  // namespace
}  // namespace tactus
