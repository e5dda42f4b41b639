#include "tests/audit/audit.h"

#include <gtest/gtest.h>

namespace tactus::audit {
namespace {

// A sample of what tactus_audit runs in millions. Source: the law of contact (law.cc), which shares no code with the solver.
TEST(Audit, NothingThatIsCalledSolvedIsWrong) {
  constexpr int kProblems = 150;
  Auditor auditor;
  for (const Family& family : Families()) {
    for (const bool in_double : {true, false}) {
      Tally tally;
      for (std::uint64_t seed = 1; seed <= kProblems; ++seed) (void)auditor.Run(family, seed, in_double, &tally);
      EXPECT_EQ(tally.wrong, 0) << family.name << (in_double ? " double" : " float") << ", seed " << tally.failed_seed;
      EXPECT_EQ(tally.explode, 0) << family.name << (in_double ? " double" : " float") << ", seed " << tally.failed_seed;
      EXPECT_EQ(tally.penetrate, 0) << family.name << (in_double ? " double" : " float") << ", seed " << tally.failed_seed;
    }
  }
}

// The checker must be able to say no: a body that falls freely though a floor is under it, and one with an impulse too many.
TEST(CheckLaw, FindsPenetrationAndEnergy) {
  LawCase fall;
  fall.step = 1e-3L;
  fall.directions = 4;
  LawBody body;
  body.inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  body.force = {0, 0, -10};
  fall.bodies = {body};
  LawContact floor;
  floor.a = 0;
  floor.normal = {0, 0, 1};
  floor.tangent = {1, 0, 0};
  floor.friction = 0.5L;
  floor.friction_impulse.assign(4, 0);
  fall.contacts = {floor};
  fall.velocity = {{0, 0, -0.01L}};
  fall.spin = {{0, 0, 0}};
  EXPECT_NEAR(static_cast<double>(CheckLaw(fall).penetration), 1, 1e-12);  // its own free speed

  LawCase rest = fall;
  rest.velocity = {{0, 0, 0}};
  rest.contacts[0].impulse = 0.01L;
  EXPECT_LE(static_cast<double>(CheckLaw(rest).Worst()), 1e-15);

  LawCase kick = fall;
  kick.velocity = {{0, 0, 0.02L}};
  kick.contacts[0].impulse = 0.03L;
  EXPECT_NEAR(static_cast<double>(CheckLaw(kick).energy), 1.5, 1e-12);  // (2² - 1)/2 of its free energy
}

}  // namespace
}  // namespace tactus::audit
