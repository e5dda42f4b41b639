#include "tactus/core/widen.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace tactus {
namespace {

// Source: the processor's own conversion, which is exact (IEEE 754, 5.4.2).
TEST(Widen, HasTheBitsOfACast) {
  constexpr std::uint32_t kPrime = 9973;  // every 9973rd bit pattern: all exponents, both signs, subnormal numbers
  for (std::uint64_t bits = 0; bits <= 0xFFFF'FFFFu; bits += kPrime) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(Widen(x))) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(Widen(x)), std::bit_cast<std::uint64_t>(static_cast<double>(x))) << bits;
    }
  }
}

TEST(Widen, HasTheBitsOfACastAtTheEdges) {
  using Limits = std::numeric_limits<float>;
  for (const float x : {0.0F, Limits::denorm_min(), Limits::min(), std::nextafter(Limits::min(), 0.0F), 1.0F, Limits::max(),
                        Limits::infinity()}) {
    for (const float y : {x, -x}) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(Widen(y)), std::bit_cast<std::uint64_t>(static_cast<double>(y))) << y;
    }
  }
}

// Source: the processor's own conversion, rounded to nearest, ties to even.
TEST(Narrow, IsTheCastOfAllThatIsNoSubnormalFloat) {
  std::mt19937_64 random(3);
  const auto check = [](double x) {
    const auto cast = static_cast<float>(x);
    const float expected = std::abs(cast) < std::numeric_limits<float>::min() ? std::copysign(0.0f, cast) : cast;
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(NarrowToFloat(x)));
      return;
    }
    EXPECT_EQ(std::bit_cast<std::uint32_t>(NarrowToFloat(x)), std::bit_cast<std::uint32_t>(expected)) << x;
  };
  for (int i = 0; i < 200000; ++i) check(std::bit_cast<double>(random()));
  std::uniform_real_distribution<double> place(-10, 10);
  for (int i = 0; i < 200000; ++i) check(place(random));
  for (const double x : {0.0, -0.0, 1.0, 1 + 0x1p-24, 1 + 0x1p-23 + 0x1p-24, 1 + 0x1p-24 + 0x1p-50, 0x1.ffffffp127, 1e300,
                         -1e300, 1.0 / 0.0, -1.0 / 0.0, std::nan(""), 0x1p-126, -0x1p-126})
    check(x);
}

}  // namespace
}  // namespace tactus
