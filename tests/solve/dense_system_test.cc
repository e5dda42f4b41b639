#include "tactus/solve/algebra/dense_system.h"

#include <gtest/gtest.h>

#include <random>

namespace tactus::test {
namespace {

constexpr int kMax = 12;
using System = internal::DenseSystem<double, kMax>;

TEST(DenseSystem, SolvesRandomSystemsOfEverySize) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= kMax; ++n) {
    double A[kMax][kMax], x[kMax];
    System system;
    for (int i = 0; i < n; ++i) x[i] = normal(random);
    for (int i = 0; i < n; ++i) {
      double b = 0;
      for (int j = 0; j < n; ++j) {
        A[i][j] = i == j && i % 2 == 0 && n > 1 ? 0 : normal(random);  // zero diagonals: needs pivoting
        system.row(i)[j] = A[i][j];
        b += A[i][j] * x[j];
      }
      system.row(i)[n] = b;
    }
    System::Vector solution{};
    ASSERT_GT(system.Solve(n, &solution), 0) << n;
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(solution[static_cast<std::size_t>(i)], x[i], 1e-11) << n;  // condition < 1e4 for this seed
  }
}

TEST(DenseSystem, InvertsRandomMatricesOfEverySize) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= kMax; ++n) {
    double A[kMax][kMax];
    System system;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        A[i][j] = i == j && i % 2 == 0 && n > 1 ? 0 : normal(random);
        system.row(i)[j] = A[i][j];
      }
    }
    ASSERT_GT(system.Invert(n), 0) << n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double product = 0;
        for (int k = 0; k < n; ++k) product += A[i][k] * system.row(k)[j];
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-11) << n;  // condition < 1e4 for this seed
      }
    }
  }
}

TEST(DenseSystem, TellsASingularMatrix) {
  System system;
  const auto fill = [&] {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) system.row(i)[j] = (i + 1) * (j + 1);
  };
  System::Vector x{};
  fill();
  EXPECT_EQ(system.Solve(3, &x), 0);
  fill();
  EXPECT_EQ(system.Invert(3), 0);
}

TEST(DenseSystem, TellsANaN) {
  System system;
  system.row(0)[0] = __builtin_nan("");
  system.row(0)[1] = 1;
  System::Vector x{};
  EXPECT_EQ(system.Solve(1, &x), 0);
  system.row(0)[0] = __builtin_nan("");
  EXPECT_EQ(system.Invert(1), 0);
}

TEST(DenseSystem, TellsAnAnswerThatIsNotFinite) {
  System system;
  System::Vector x{};
  system.row(0)[0] = 1;
  system.row(0)[1] = __builtin_nan("");
  EXPECT_EQ(system.Solve(1, &x), 0);
  system.row(0)[0] = 1e-320;  // 1/1e-320 overflows
  system.row(0)[1] = 1;
  EXPECT_EQ(system.Solve(1, &x), 0);
}

TEST(DenseSystem, IsRegularWhenEmpty) {
  System system;
  System::Vector x{};
  EXPECT_EQ(system.Solve(0, &x), 1);
  EXPECT_EQ(system.Invert(0), 1);
}

}  // namespace
}  // namespace tactus::test
