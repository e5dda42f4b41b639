#include "tactus/step/keep_contacts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Set = ContactSet<double, 24>;

constexpr double kReach_m = 1e-4;

BodyStep<double> PegStep() {
  return {.step_s = 1e-3,
          .mass_kg = 0.1,
          .inertia_kgm2 = Vec3(3.25e-5, 3.25e-5, 5e-6),
          .coupling = {},
          .friction = 0.25,
          .directions = 8,
          .direction_offset_rad = 0.1};
}

ContactPoint<double> At(int id, const Vec3& point_m, const Vec3& normal, double gap_m) {
  ContactPoint<double> contact;
  contact.id = id;
  contact.point_m = point_m;
  contact.normal = normal;
  contact.gap_m = gap_m;
  return contact;
}

Vec3 Direction(double degrees) {
  const double rad = degrees * std::numbers::pi / 180;
  return {std::cos(rad), std::sin(rad), 0};
}

/// The peg's lower edge on a plate, points every `step_deg`; the id is the angle.
Set Ring(int step_deg, double gap_m) {
  Set set;
  for (int deg = 0; deg < 360; deg += step_deg)
    set.Add(At(deg, 0.01 * Direction(deg) - 0.03 * Vec3::UnitZ(), Vec3::UnitZ(), gap_m));
  return set;
}

/// The largest angle between neighbours.
int LargestGap_deg(std::vector<int> angles) {
  std::sort(angles.begin(), angles.end());
  int largest = angles.front() + 360 - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i) largest = std::max(largest, angles[i] - angles[i - 1]);
  return largest;
}

std::vector<int> Ids(const Set& set, int below = 1 << 20) {
  std::vector<int> ids;
  for (const ContactPoint<double>& point : set.points()) {
    if (point.id < below) ids.push_back(point.id);
  }
  return ids;
}

TEST(KeepContacts, LeavesWhatFitsAsItIs) {
  Set set = Ring(60, 0);
  EXPECT_EQ(KeepContacts(6, RigidBodyState<double>{}, PegStep(), kReach_m, {}, &set), 0);
  EXPECT_EQ(Ids(set), (std::vector<int>{0, 60, 120, 180, 240, 300}));
  EXPECT_EQ(set.dropped(), 0);
}

TEST(KeepContacts, CountsWhatItDropsAndKeepsTheOrder) {
  Set set = Ring(45, 0);
  EXPECT_EQ(KeepContacts(5, RigidBodyState<double>{}, PegStep(), kReach_m, {}, &set), 3);
  EXPECT_EQ(set.dropped(), 3);
  const std::vector<int> ids = Ids(set);
  ASSERT_EQ(ids.size(), 5u);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
}

// Source: pushes along one normal balance a load in the middle of a face, and any small tilting moment, if and only if the
// middle is inside the kept polygon: no half circle is empty.
TEST(KeepContacts, KeepsAFaceFromTippingToAnySide) {
  for (const int step_deg : {30, 45, 60}) {
    for (int most = 4; most < 360 / step_deg; ++most) {
      Set set = Ring(step_deg, 0);
      (void)KeepContacts(most, RigidBodyState<double>{}, PegStep(), kReach_m, {}, &set);
      EXPECT_LT(LargestGap_deg(Ids(set)), 180) << step_deg << "° " << most;
    }
  }
}

// Source: normals around a hole push every way across it if and only if no half circle of them is empty.
TEST(KeepContacts, KeepsWallsAllAround) {
  Set set;
  for (int deg = 0; deg < 360; deg += 30) set.Add(At(deg, 0.01 * Direction(deg), -Direction(deg), 1e-6));
  (void)KeepContacts(4, RigidBodyState<double>{}, PegStep(), kReach_m, {}, &set);
  EXPECT_LT(LargestGap_deg(Ids(set)), 180);
}

// A floor of many points does not crowd out two walls, nor they the floor.
TEST(KeepContacts, KeepsEachWayToPush) {
  Set set = Ring(30, 0);
  set.Add(At(1000, Vec3(0.01, 0, 0), -Vec3::UnitX(), 2e-6));
  set.Add(At(1001, Vec3(-0.01, 0, 0), Vec3::UnitX(), 2e-6));
  (void)KeepContacts(6, RigidBodyState<double>{}, PegStep(), kReach_m, {}, &set);
  EXPECT_EQ(Ids(set).size() - Ids(set, 1000).size(), 2u) << "both walls";
  EXPECT_LT(LargestGap_deg(Ids(set, 1000)), 180) << "and a floor that does not tip";
}

TEST(KeepContacts, DropsWhatIsOutOfReach) {
  Set set;
  for (int i = 0; i < 8; ++i) set.Add(At(i, 0.01 * Direction(45 * i), -Direction(45 * i), i < 4 ? 2e-6 : 3 * kReach_m));
  (void)KeepContacts(4, RigidBodyState<double>{}, PegStep(), kReach_m, {}, &set);
  EXPECT_EQ(Ids(set), (std::vector<int>{0, 1, 2, 3}));
}

// Source: g + h n·v: the wall that the body flies at is nearer after the step than the one that it touches and leaves.
TEST(KeepContacts, LooksAtTheEndOfTheStep) {
  Set set;
  set.Add(At(0, Vec3(0.01, 0, 0), -Vec3::UnitX(), 0));
  set.Add(At(1, Vec3(-0.01, 0, 0), Vec3::UnitX(), 1e-4));
  RigidBodyState<double> body;
  body.twist_W(0) = -0.2;  // 0.2 mm in the step
  (void)KeepContacts(1, body, PegStep(), kReach_m, {}, &set);
  EXPECT_EQ(Ids(set), (std::vector<int>{1}));
}

TEST(KeepContacts, StaysWithWhatItHasBesideAnEqual) {
  const std::vector<std::int32_t> last = {45, 135, 225, 315};
  Set set = Ring(45, 0);
  (void)KeepContacts(4, RigidBodyState<double>{}, PegStep(), kReach_m, last, &set);
  EXPECT_EQ(Ids(set), (std::vector<int>{45, 135, 225, 315}));
}

}  // namespace
}  // namespace tactus
