#include "tactus/core/trig.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/target/hash.h"

namespace tactus {
namespace {

// Source of the expected values: libm in a wider format (80-bit on x86-64, 113-bit on aarch64, and double for float), which
// is exact to far below the bounds. The bounds are those stated in trig.h.
constexpr double kDoubleBound = 2.3e-16, kDoubleAtanBound = 5e-16;
constexpr double kFloatBound = 1.2e-7, kFloatAtanBound = 3e-7;

/// Angles from 1e-9 to the largest, as many small as large, both signs.
template <class Scalar>
Scalar RandomAngle(std::mt19937_64* random) {
  std::uniform_real_distribution<double> exponent(-9, std::log10(static_cast<double>(kMaxAngle_rad<Scalar>)));
  std::bernoulli_distribution negative;
  const double angle = std::pow(10.0, exponent(*random));
  return static_cast<Scalar>(negative(*random) ? -angle : angle);
}

TEST(Trig, SinAndCosKeepTheirBoundInDouble) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const double x = RandomAngle<double>(&random);
    ASSERT_LE(std::abs(static_cast<long double>(Sin(x)) - std::sin(static_cast<long double>(x))), kDoubleBound) << x;
    ASSERT_LE(std::abs(static_cast<long double>(Cos(x)) - std::cos(static_cast<long double>(x))), kDoubleBound) << x;
  }
}

TEST(Trig, SinAndCosKeepTheirBoundInFloat) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200'000; ++i) {
    const float x = RandomAngle<float>(&random);
    ASSERT_LE(std::abs(static_cast<double>(Sin(x)) - std::sin(static_cast<double>(x))), kFloatBound) << x;
    ASSERT_LE(std::abs(static_cast<double>(Cos(x)) - std::cos(static_cast<double>(x))), kFloatBound) << x;
  }
}

TEST(Trig, SinAndCosKeepTheirBoundNextToMultiplesOfAQuarterTurn) {
  for (int k = -600'000; k <= 600'000; k += 7) {
    const double x = k * (std::numbers::pi / 2);
    ASSERT_LE(std::abs(static_cast<long double>(Sin(x)) - std::sin(static_cast<long double>(x))), kDoubleBound) << k;
    ASSERT_LE(std::abs(static_cast<long double>(Cos(x)) - std::cos(static_cast<long double>(x))), kDoubleBound) << k;
  }
}

TEST(Trig, Atan2KeepsItsBoundInDouble) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200'000; ++i) {
    const double x = RandomAngle<double>(&random), y = RandomAngle<double>(&random);
    const long double expected = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    ASSERT_LE(std::abs(static_cast<long double>(Atan2(y, x)) - expected), kDoubleAtanBound) << y << " " << x;
  }
}

TEST(Trig, Atan2KeepsItsBoundInFloat) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 200'000; ++i) {
    const float x = RandomAngle<float>(&random), y = RandomAngle<float>(&random);
    const double expected = std::atan2(static_cast<double>(y), static_cast<double>(x));
    ASSERT_LE(std::abs(static_cast<double>(Atan2(y, x)) - expected), kFloatAtanBound) << y << " " << x;
  }
}

// The coefficients are tables, so that no board divides for them. They hold the bits that a division at run time gives.
template <class Scalar>
void ExpectCoefficientsOfRunTime() {
  volatile double factorial = 1;
  for (int n = 1; n <= internal::kLastTerm; ++n) {
    factorial = factorial * n;
    const volatile Scalar divisor = static_cast<Scalar>(n);
    const auto at = static_cast<std::size_t>(n);
    EXPECT_EQ(internal::kInverseFactorial<Scalar>[at], static_cast<Scalar>(1 / factorial)) << n;
    EXPECT_EQ(internal::kInverse<Scalar>[at], Scalar(1) / divisor) << n;
  }
}
TEST(Trig, TablesHoldTheBitsOfADivisionAtRunTime) {
  ExpectCoefficientsOfRunTime<double>();
  ExpectCoefficientsOfRunTime<float>();
}

template <class Scalar>
std::uint64_t BitsOfManyAngles() {
  target::Random random(7);
  target::Hash hash;
  for (int i = 0; i < 100'000; ++i) {
    const double size = i % 3 == 0 ? static_cast<double>(kMaxAngle_rad<Scalar>) : i % 3 == 1 ? 4 : 1e-3;
    const Scalar x = static_cast<Scalar>(random.Between(-size, size)), y = static_cast<Scalar>(random.Between(-1, 1));
    for (const Scalar result : {Sin(x), Cos(x), Atan2(y, x), Atan2(x, y)}) hash.AddValue(result);
  }
  return hash.value();
}
// Source: the hashes of revision 649c4ae, which computed every coefficient at run time.
TEST(Trig, BitsAreThoseOfCoefficientsComputedAtRunTime) {
  EXPECT_EQ(BitsOfManyAngles<double>(), 0x79f94ccab26bf6b2u);
  EXPECT_EQ(BitsOfManyAngles<float>(), 0x4704e230269cf45fu);
}

TEST(Trig, Atan2IsExactOnTheAxes) {  // Source: definition.
  constexpr double pi = std::numbers::pi;
  EXPECT_EQ(Atan2(0.0, 1.0), 0.0);
  EXPECT_EQ(Atan2(1.0, 0.0), pi / 2);
  EXPECT_EQ(Atan2(-1.0, 0.0), -pi / 2);
  EXPECT_EQ(Atan2(0.0, -1.0), pi);
  EXPECT_EQ(Atan2(0.0, 0.0), 0.0);
}

TEST(Trig, ReturnsNanForWhatItCannotReduce) {  // Source: the header's contract.
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double x : {nan, inf, -inf, 1.0001e6, -1e300}) {
    EXPECT_TRUE(std::isnan(Sin(x))) << x;
    EXPECT_TRUE(std::isnan(Cos(x))) << x;
  }
  EXPECT_TRUE(std::isnan(Atan2(nan, 0.0)));
  EXPECT_TRUE(std::isnan(Atan2(0.0, nan)));
  EXPECT_TRUE(std::isnan(Atan2(nan, 1.0)));
  EXPECT_TRUE(std::isnan(Atan2(inf, inf)));
}

}  // namespace
}  // namespace tactus
