// Problems that 649c4ae answered wrongly or gave up (tests/data/audit), through ContactSolver and the independent checker.
// Source of every expectation: the law of contact (law.cc).
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/audit/audit.h"

namespace tactus::audit {
namespace {

using nlohmann::json;

template <class Vector>
Vector ToVector(const json& numbers) {
  Vector v;
  for (int i = 0; i < v.size(); ++i) v(i) = numbers.at(static_cast<std::size_t>(i));
  return v;
}

Contact<double, 6> ToContact(const json& from) {
  Contact<double, 6> contact;
  contact.id = from.at("id");
  contact.a = from.at("a");
  contact.b = from.at("b");
  contact.point_m = ToVector<Vec<double, 3>>(from.at("point_m"));
  contact.normal = ToVector<Vec<double, 3>>(from.at("normal"));
  const auto tangent = ToVector<Vec<double, 3>>(from.at("tangent"));
  if (tangent.cross(contact.normal) != Vec<double, 3>::Zero()) contact.tangent = tangent;  // along it: the library's own
  contact.friction = from.at("friction");
  contact.gap_m = from.at("gap_m");
  if (!from.contains("surface_velocity_mps")) return contact;
  const auto w = ToVector<Vec<double, 3>>(from.at("surface_velocity_mps"));
  contact.surface_normal_velocity_mps = w.dot(contact.normal);
  contact.surface_velocity_mps << w.dot(contact.tangent), w.dot(contact.normal.cross(contact.tangent));
  return contact;
}

ManyProblem ToProblem(const json& from) {
  ManyProblem problem;
  problem.step_s = from.at("step_s");
  problem.directions = from.at("directions");
  problem.direction_offset_rad = from.value("direction_offset_rad", 0.1);
  for (const json& body : from.at("bodies")) {
    Body<double, 6> to;
    to.mass_kg = body.at("mass_kg");
    for (int row = 0; row < 3; ++row) {
      to.inertia_kgm2.row(row) = ToVector<Vec<double, 3>>(body.at("inertia_kgm2").at(static_cast<std::size_t>(row)));
    }
    to.position_m = ToVector<Vec<double, 3>>(body.at("position_m"));
    to.velocity = ToVector<Vec<double, 6>>(body.at("velocity"));
    to.wrench = ToVector<Vec<double, 6>>(body.at("wrench"));
    (void)problem.bodies.push_back(to);
  }
  for (const json& contact : from.at("contacts")) (void)problem.contacts.push_back(ToContact(contact));
  for (const json& joint : from.at("joints")) {
    (void)problem.joints.push_back({joint.at("a"), joint.at("b"), ToVector<Vec<double, 6>>(joint.at("jacobian_a")),
                                    ToVector<Vec<double, 6>>(joint.at("jacobian_b")), joint.at("speed")});
  }
  return problem;
}

std::vector<Outcome> Solve(const std::string& file, bool in_double, const Family& how = {}) {
  Auditor auditor;
  std::vector<Outcome> outcomes;
  std::ifstream lines(std::string(TACTUS_TEST_DATA) + "/audit/" + file + ".jsonl");
  for (std::string line; std::getline(lines, line);) {
    outcomes.push_back(auditor.Run(ToProblem(json::parse(line)), how, in_double));
  }
  EXPECT_FALSE(outcomes.empty()) << file;
  return outcomes;
}

void ExpectSolved(const std::vector<Outcome>& outcomes, Real limit) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].status, SolveStatus::kSolved) << i;
    EXPECT_LE(outcomes[i].report.Worst(), limit) << i << ", contact " << outcomes[i].report.worst_contact;
  }
}

TEST(Given, ManyContactsOfManyBodiesAreNotGivenUpForLength) {
  ExpectSolved(Solve("pivot_limit", true), kDoubleLimits.wrong);
}

TEST(Given, AGrainIsHeldUpWhateverPassesElsewhere) {
  ExpectSolved(Solve("grain", true), kDoubleLimits.wrong);
  ExpectSolved(Solve("grain_float", false), kFloatLimits.wrong);
}

// The joints hold the slider: the momentum of the friction is theirs.
TEST(Given, JointsCarryTheFrictionOfAConveyor) { ExpectSolved(Solve("held_conveyor", true), kDoubleLimits.wrong); }

TEST(Given, MergedContactsHoldWhateverTheStatus) {
  for (const Outcome& outcome : Solve("merge_jam", true, {.merge = true})) {
    EXPECT_LE(outcome.report.pushed, kDoubleLimits.wrong) << Name(outcome.status);
  }
}

// Conservation of energy and momentum: nothing touches.
TEST(Given, ANeedleKeepsItsSpin) { ExpectSolved(Solve("needle", true), 1e-9L); }

TEST(Given, AHeavyBodyDoesNotPassThroughALightOneThatIsWelded) {
  for (const Outcome& outcome : Solve("blocked", true)) EXPECT_LE(outcome.report.pushed, kDoubleLimits.wrong);
}

TEST(Given, AFarWallCostsNothing) {
  for (const int budget : {0, 350000}) {
    const std::vector<Outcome> outcomes = Solve("far_wall", false, {.work_budget = budget});
    ExpectSolved(outcomes, kFloatLimits.wrong);
    EXPECT_GT(outcomes[0].pivots, 0) << budget;
    EXPECT_LE(outcomes[0].pivots, 12) << budget;  // the floor's four contacts
  }
}

}  // namespace
}  // namespace tactus::audit
