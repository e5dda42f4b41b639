#include "tactus/core/cholesky.h"

#include <gtest/gtest.h>

namespace tactus::test {
namespace {

// Moments 1, 1 and `least`, the last one's axis along (0.6, 0.64, 0.48).
template <class Number>
void Needle(Number least, Number J[3][3]) {
  const Number axis[3] = {Number(0.6), Number(0.64), Number(0.48)};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) J[i][j] = (i == j ? Number(1) : Number(0)) - (Number(1) - least) * axis[i] * axis[j];
  }
}

// Source: the factor of the same numbers in long double, 11 bits more; the last pivot of `least` = 1e-6 keeps 13 digits of
// them. Tolerance: two roundings to double.
TEST(AccurateCholesky, IsRightToAnUlpWhereThePivotCancels) {
  double given[3][3];
  Needle(1e-6, given);
  Mat<double, 3, 3> J, L, inverse;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) J(i, j) = given[i][j];
  }
  AccurateCholesky(J, &L, &inverse);
  long double l[3][3] = {};
  for (int j = 0; j < 3; ++j) {
    for (int i = j; i < 3; ++i) {
      long double sum = given[i][j];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? __builtin_sqrtl(sum) : sum / l[j][j];
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) EXPECT_NEAR(L(i, j) / static_cast<double>(l[i][j]), 1, 1e-12) << i << j;
  }
  Mat<double, 3, 3> plain;
  ASSERT_TRUE(Cholesky(J, &plain));
  EXPECT_GT(__builtin_fabs(plain(2, 2) / static_cast<double>(l[2][2]) - 1), 1e-12);  // what it is for
  EXPECT_NEAR(L(2, 2) * inverse(2, 2), 1, 4e-16);
}

}  // namespace
}  // namespace tactus::test
