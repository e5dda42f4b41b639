#include "tactus/solve/lemke/basis_trace.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tactus::internal {
namespace {

struct Exchange {
  Variable enters, leaves;
};

// Of 40 contacts with 8 directions: any z for any w.
Exchange Draw(std::mt19937* random) {
  const auto draw = [&](unsigned n) { return static_cast<int>((*random)() % n); };
  return {{Pair::kNormal, draw(40), -1, true}, {Pair::kSlip, draw(40), draw(8), false}};
}
Exchange Undone(const Exchange& e) { return {e.leaves, e.enters}; }

TEST(BasisTrace, SeesNoCycleOnAPathThatNeverComesBack) {
  std::mt19937 random(1);
  BasisTrace trace;
  trace.Start();
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 8; ++j) {  // each pair leaves once: the sets are all different
      trace.Exchange({Pair::kSlip, i, j, true}, {Pair::kSlip, i, j, false});
      ASSERT_FALSE(trace.IsBack()) << i << " " << j;
    }
  }
}

// Source: Brent's algorithm: a cycle of c pivots that begins after s is seen at the latest c pivots after the first power of
// two that is neither below s nor below c, counted from the last mark.
TEST(BasisTrace, SeesACycleSoonAfterItBegins) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const int tail = static_cast<int>(random() % 50), half = 1 + static_cast<int>(random() % 20);
    std::vector<Exchange> cycle;
    for (int k = 0; k < half; ++k) cycle.push_back(Draw(&random));
    for (int k = 0; k < half; ++k) cycle.push_back(Undone(cycle[static_cast<std::size_t>(half - 1 - k)]));
    BasisTrace trace;
    trace.Start();
    int pivots = 0;
    bool seen = false;
    for (; pivots < tail && !seen; ++pivots) {
      const Exchange e = Draw(&random);
      trace.Exchange(e.enters, e.leaves);
      seen = trace.IsBack();
    }
    for (std::size_t k = 0; pivots < 1000 && !seen; ++pivots, k = (k + 1) % cycle.size()) {
      trace.Exchange(cycle[k].enters, cycle[k].leaves);
      seen = trace.IsBack();
    }
    EXPECT_TRUE(seen);
    EXPECT_LE(pivots, 4 * (tail + 2 * half) + 4);
  }
}

TEST(BasisTrace, TellsABasisWithFrictionRowsFromOneWithout) {
  BasisTrace trace;
  trace.Start();
  const Variable normal{Pair::kNormal, 3, -1, true}, nu{Pair::kNormal, 3, -1, false};
  trace.Exchange(normal, nu);
  ASSERT_FALSE(trace.IsBack());
  trace.Expand(3);
  trace.Exchange(nu, normal);
  ASSERT_FALSE(trace.IsBack());
  trace.Exchange(normal, nu);
  EXPECT_FALSE(trace.IsBack());  // the first basis, but for the rows
}

}  // namespace
}  // namespace tactus::internal
