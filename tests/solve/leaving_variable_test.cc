// The ratio test against the rule as docs/theory, section 6, states it, in three plain loops.
#include "tactus/solve/lemke/leaving_variable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace tactus::test {
namespace {

constexpr int kSize = 40;
template <class Scalar>
using Numbers = std::array<Scalar, kSize>;

template <class Scalar>
int PlainRatioTest(const Numbers<Scalar>& q, const Numbers<Scalar>& m, Scalar scale, const RatioTolerances<Scalar>& tau) {
  const auto room = [&](std::size_t p) { return std::max(q[p], Scalar(0)); };
  Scalar largest(0), t = std::numeric_limits<Scalar>::max();
  for (const Scalar rate : m) largest = std::max(largest, std::abs(rate));
  const auto is_candidate = [&](std::size_t p) { return m[p] < -tau.pivot * largest; };
  for (std::size_t p = 0; p < kSize; ++p) {
    if (is_candidate(p)) t = std::min(t, (room(p) + tau.feasible * scale) / -m[p]);
  }
  int leaving = -1;
  for (std::size_t p = 0; p < kSize && leaving != 0; ++p) {
    if (!is_candidate(p) || room(p) > -m[p] * t) continue;
    if (leaving < 0 || m[p] < m[static_cast<std::size_t>(leaving)]) leaving = static_cast<int>(p);
  }
  return leaving;
}

// Values with ties, zeros and violations of the size of rounding; rates over sixteen decades, or zero.
template <class Scalar>
void Draw(std::mt19937* random, Numbers<Scalar>* q, Numbers<Scalar>* m) {
  const auto draw = [&](int n) { return static_cast<int>((*random)() % static_cast<unsigned>(n)); };
  const Scalar blocked = Scalar(draw(1000)) / Scalar(1000);
  for (std::size_t p = 0; p < kSize; ++p) {
    (*m)[p] = Scalar(draw(2001) - 1000) / Scalar(1000) * std::pow(Scalar(10), Scalar(draw(4) == 0 ? -draw(16) : 0));
    const int kind = draw(8);
    const Scalar value = kind == 0 ? Scalar(0) : kind < 3 ? blocked * std::abs((*m)[p]) : Scalar(draw(1000)) / Scalar(100);
    const Scalar rounding = Scalar(draw(201) - 100) * Tolerances<Scalar>::kFeasible / Scalar(30);
    (*q)[p] = draw(2) == 0 ? value : value + rounding;
  }
}

template <class Scalar>
void ExpectSameChoice(const RatioTolerances<Scalar>& tolerances) {
  std::mt19937 random(18);
  for (int trial = 0; trial < 20000; ++trial) {
    Numbers<Scalar> q, m;
    Draw(&random, &q, &m);
    Scalar step(-1);
    const int leaving = internal::FindLeavingVariable(q, m, kSize, Scalar(10), tolerances, &step);
    ASSERT_EQ(leaving, PlainRatioTest(q, m, Scalar(10), tolerances)) << "trial " << trial;
    if (leaving < 0) continue;
    const std::size_t p = static_cast<std::size_t>(leaving);
    EXPECT_EQ(step, std::max(q[p], Scalar(0)) / -m[p]);  // the same operations
  }
}

TEST(RatioTest, ChoosesAsTheRuleSaysInDouble) {
  ExpectSameChoice<double>({});
  ExpectSameChoice(RatioTolerances<double>::Finer());
}

TEST(RatioTest, ChoosesAsTheRuleSaysInFloat) {
  ExpectSameChoice<float>({});
  ExpectSameChoice(RatioTolerances<float>::Finer());
}

TEST(RatioTest, NothingLeavesWhereNoRateIsNegative) {
  Numbers<double> q, m;
  q.fill(1);
  m.fill(0);
  m[3] = 1e-3;
  double step = -1;
  EXPECT_EQ(internal::FindLeavingVariable(q, m, kSize, 1.0, {}, &step), -1);
  EXPECT_EQ(step, -1);
}

}  // namespace
}  // namespace tactus::test
