#include "tactus/collide/contact_set.h"

#include <gtest/gtest.h>

namespace tactus {
namespace {

TEST(ContactSet, KeepsTheDeepestPointsAndCountsTheOthers) {
  ContactSet<double, 3> contacts;
  const double gaps_m[] = {5e-4, 1e-4, 3e-4, -2e-4, 4e-4, 2e-4};
  for (int i = 0; i < 6; ++i) contacts.Add({.id = i, .gap_m = gaps_m[i]});
  ASSERT_EQ(contacts.points().size(), 3);
  EXPECT_EQ(contacts.dropped(), 3);
  // Source: the three smallest of the list are numbers 3, 1 and 5.
  EXPECT_EQ(contacts.points()[0].id, 3);
  EXPECT_EQ(contacts.points()[1].id, 1);
  EXPECT_EQ(contacts.points()[2].id, 5);
  EXPECT_EQ(contacts.min_gap_m(), -2e-4);
}

TEST(ContactSet, HasNoGapWhenEmpty) {
  const ContactSet<double, 3> contacts;
  EXPECT_EQ(contacts.min_gap_m(), 0);
  EXPECT_EQ(contacts.dropped(), 0);
}

}  // namespace
}  // namespace tactus
