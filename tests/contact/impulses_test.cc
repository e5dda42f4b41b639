#include "tactus/contact/impulses.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tactus/contact/friction_frame.h"
#include "tactus/contact/whitened_problem.h"

namespace tactus {
namespace {

constexpr Capacity kSmall{.bodies = 1, .contacts = 4, .joints = 0, .directions = 8, .dof = 6};
using List = ImpulseList<double, kSmall>;

TEST(ImpulseList, ForgetsWhichContactsAreLoadedWhenItIsWrittenTo) {
  List list;
  list.resize(2, 8);
  list.KeepLoaded({true, false});
  EXPECT_TRUE(list.IsLoaded(0));  // as it was told
  EXPECT_FALSE(list.IsLoaded(1));
  list.storage().phi[1][3] = 0.5;
  EXPECT_FALSE(list.IsLoaded(0));  // as it is
  EXPECT_TRUE(list.IsLoaded(1));
  list.KeepLoaded({true, false});
  list.resize(3, 8);
  EXPECT_FALSE(list.IsLoaded(0));
  EXPECT_TRUE(list.IsLoaded(1));
  EXPECT_FALSE(list.IsLoaded(2));
}

TEST(ImpulseList, TakesNaNForALoad) {
  List list;
  list.resize(1, 8);
  list.storage().phi[0][7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(list.IsLoaded(0));
}

// Σ φ_j d_j = f, φ ≥ 0, and Σφ ≤ |f|/cos(π/d), whatever the direction: between two directions, on one, and none.
TEST(WhitenedProblem, SplitsAFrictionForceIntoTheTwoDirectionsNextToIt) {
  for (const int directions : {3, 5, 8}) {
    WhitenedProblem<double, kSmall> problem;
    problem.directions = directions;
    FillDirections<double, 6>(directions, 0.1, problem.direction.data());
    const auto check = [&](const Vec<double, 2>& f) {
      std::array<double, 8> phi;
      problem.Split(f, &phi);
      Vec<double, 2> sum = Vec<double, 2>::Zero();
      double size = 0;
      int used = 0;
      for (int j = 0; j < directions; ++j) {
        EXPECT_GE(phi[static_cast<std::size_t>(j)], 0);
        sum += phi[static_cast<std::size_t>(j)] * problem.direction[static_cast<std::size_t>(j)];
        size += phi[static_cast<std::size_t>(j)];
        used += phi[static_cast<std::size_t>(j)] > 0 ? 1 : 0;
      }
      EXPECT_LE((sum - f).norm(), 4e-16 * f.norm()) << directions;
      EXPECT_LE(size, f.norm() / std::cos(std::numbers::pi / directions) * (1 + 1e-15)) << directions;
      EXPECT_LE(used, 2) << directions;
    };
    check(Vec<double, 2>::Zero());
    for (int j = 0; j < directions; ++j) check(2 * problem.direction[static_cast<std::size_t>(j)]);
    for (int degrees = 0; degrees < 360; ++degrees) {
      check({3 * std::cos(degrees * std::numbers::pi / 180), 3 * std::sin(degrees * std::numbers::pi / 180)});
    }
  }
}

}  // namespace
}  // namespace tactus
