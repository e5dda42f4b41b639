#include "tactus/contact/friction_frame.h"

#include <gtest/gtest.h>

namespace tactus::test {
namespace {

using Vec3 = Vec<double, 3>;
constexpr double kRounding = 4e-16;  // a few ulp at 1

Vec3 OnCircle(double angle) { return Vec3(__builtin_cos(angle), 0, __builtin_sin(angle)); }

TEST(DefaultTangent, IsUnitAndPerpendicularForNormalsAllOver) {
  for (int i = 0; i < 1000; ++i) {
    const double z = -1 + 2 * (i + 0.5) / 1000, angle = 2.4 * i, r = __builtin_sqrt(1 - z * z);
    const Vec3 n(r * __builtin_cos(angle), r * __builtin_sin(angle), z);
    const Vec3 t = DefaultTangent(n);
    EXPECT_NEAR(t.norm(), 1, kRounding) << i;
    EXPECT_NEAR(t.dot(n), 0, kRounding) << i;
  }
}

// Source: the least tangent change for a turn of the normal by α is at most α (parallel transport on a great circle).
TEST(ContinuedTangent, TurnsNoFasterThanTheNormal) {
  constexpr double kStep = 1e-3;
  Vec3 tangent = DefaultTangent(OnCircle(0));
  for (int i = 1; i < 6284; ++i) {
    const Vec3 next = ContinuedTangent(OnCircle(i * kStep), tangent);
    ASSERT_LE((next - tangent).norm(), kStep * (1 + 1e-6)) << i;
    ASSERT_NEAR(next.dot(OnCircle(i * kStep)), 0, kRounding);
    tangent = next;
  }
}

TEST(ContinuedTangent, StartsAfreshWhenTheNormalTurnedOntoTheTangent) {
  const Vec3 n(0, 0, 1);
  EXPECT_EQ(ContinuedTangent(n, n), DefaultTangent(n));
}

}  // namespace
}  // namespace tactus::test
