#include "tactus/contact/merge.h"

#include <gtest/gtest.h>

#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

std::array<int, kSmall.contacts> Keepers(const SmallProblem<>& problem) {
  std::array<int, kSmall.contacts> keeper;
  FindDuplicates(problem, MergeOptions<double>{}, &keeper);
  return keeper;
}

SmallProblem<> TwoContacts(double distance_m, double gap_of_second_m) {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), Vec<double, 6>::Zero(), 0.5);
  (void)problem.contacts.push_back(ContactBelow<>(1, 0.5, {distance_m, 0, -0.01}));
  problem.contacts[1].gap_m = gap_of_second_m;
  return problem;
}

TEST(FindDuplicates, KeepsTheDeeperOfTwo) {
  EXPECT_EQ(Keepers(TwoContacts(0.5e-3, -1e-6))[0], 1);
  EXPECT_EQ(Keepers(TwoContacts(0.5e-3, -1e-6))[1], -1);
}

TEST(FindDuplicates, KeepsTheFirstOfTwoEqualOnes) {
  EXPECT_EQ(Keepers(TwoContacts(0, 0))[0], -1);
  EXPECT_EQ(Keepers(TwoContacts(0, 0))[1], 0);
}

TEST(FindDuplicates, LeavesContactsApartThatAreOneMillimetreApart) { EXPECT_EQ(Keepers(TwoContacts(1e-3, -1e-6))[0], -1); }

TEST(FindDuplicates, LeavesOpposedContactsApart) {
  SmallProblem<> problem = TwoContacts(0, 0);
  problem.contacts[1].normal *= -1;
  EXPECT_EQ(Keepers(problem)[1], -1);
}

TEST(FindDuplicates, AKeeperIsNeverMergedItself) {  // a row of contacts 0.6 mm apart, deeper and deeper
  SmallProblem<> problem = TwoContacts(0.6e-3, -1e-6);
  (void)problem.contacts.push_back(ContactBelow<>(2, 0.5, {1.2e-3, 0, -0.01}));
  problem.contacts[2].gap_m = -2e-6;
  const auto keeper = Keepers(problem);
  for (int i = 0; i < 3; ++i) {
    if (keeper[static_cast<std::size_t>(i)] >= 0) {
      EXPECT_EQ(keeper[static_cast<std::size_t>(keeper[static_cast<std::size_t>(i)])], -1) << i;
    }
  }
}

}  // namespace
}  // namespace tactus::test
