#include "tactus/solve/internal/dense_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace tactus::test {
namespace {

constexpr int kMax = 12;
using Lu = internal::DenseLu<double, kMax>;

TEST(DenseLu, SolvesRandomSystemsOfEverySize) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= kMax; ++n) {
    double A[kMax][kMax], x[kMax];
    Lu lu;
    Lu::Vector b{};
    for (int i = 0; i < n; ++i) x[i] = normal(random);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        lu.row(i)[j] = A[i][j] = i == j && i % 2 == 0 ? 0 : normal(random);  // zero diagonals: needs pivoting
        b[static_cast<std::size_t>(i)] += A[i][j] * x[j];
      }
    }
    if (n == 1) lu.row(0)[0] = 2, b[0] = 2 * x[0];
    ASSERT_GT(lu.Factor(n), 0) << n;
    lu.Solve(&b);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(b[static_cast<std::size_t>(i)], x[i], 1e-11) << n;  // condition < 1e4 for this seed
  }
}

TEST(DenseLu, TellsASingularMatrix) {
  Lu lu;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) lu.row(i)[j] = (i + 1) * (j + 1);
  EXPECT_EQ(lu.Factor(3), 0);
}

TEST(DenseLu, TellsANaN) {
  Lu lu;
  lu.row(0)[0] = __builtin_nan("");
  EXPECT_EQ(lu.Factor(1), 0);
}

TEST(DenseLu, IsRegularWhenEmpty) {
  Lu lu;
  EXPECT_EQ(lu.Factor(0), 1);
}

}  // namespace
}  // namespace tactus::test
