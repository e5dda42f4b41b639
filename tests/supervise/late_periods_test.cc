#include "tactus/supervise/late_periods.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tactus {
namespace {

TEST(LatePeriods, CountsEdgesThatHadNoTickByDifference) {
  LatePeriods late;
  late.Advance(1);
  EXPECT_EQ(late.count(), 0);
  late.Advance(4);
  EXPECT_EQ(late.count(), 3);
}

TEST(LatePeriods, ForgetsWhatIsOlderThanTheWindow) {
  LatePeriods late;
  late.Advance(1);
  late.AddLate();
  for (int i = 0; i < LatePeriods::kWindow - 1; ++i) late.Advance(1);
  EXPECT_EQ(late.count(), 1);
  late.Advance(1);
  EXPECT_EQ(late.count(), 0);
}

TEST(LatePeriods, TakesAnyNumberOfEdges) {
  for (const std::uint32_t edges : {63u, 64u, 65u, 1000u, 0xFFFFFFFFu}) {
    LatePeriods late;
    late.Advance(edges);
    EXPECT_EQ(late.count(), static_cast<int>(std::min(edges - 1, 63u))) << edges << ": this period's tick may still come";
    EXPECT_TRUE(late.TooMany());
  }
}

/// S10: 423 late ticks of 2000, never 20 in a row. Every fifth is 21 %.
TEST(LatePeriods, S10FindsEveryFifthTickLate) {
  LatePeriods late;
  int periods = 0;
  for (; !late.TooMany(); ++periods) {
    late.Advance(1);
    if (periods % 5 == 0) late.AddLate();
    ASSERT_LT(periods, 64);
  }
  EXPECT_EQ(periods, 21) << "the fifth late one: periods 0, 5, 10, 15, 20";
}

TEST(LatePeriods, LetsFourOfAWindowPassForEver) {
  LatePeriods late;
  for (int i = 0; i < 10000; ++i) {
    late.Advance(1);
    if (i % 16 == 0) late.AddLate();
    ASSERT_FALSE(late.TooMany()) << i;
  }
}

}  // namespace
}  // namespace tactus
