#include "tactus/core/widen.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tactus
