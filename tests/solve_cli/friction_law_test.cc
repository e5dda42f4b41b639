// Static and viscous friction through `tactus solve`. Sources: docs/theory/friction.md, docs/problem_format.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/solve_cli/run_tactus.h"

namespace tactus::test {
namespace {

// A block of 2 kg, 10 N down, pushed along its tangent for 10 ms.
std::string Block(double push_N, double speed_mps, const std::string& law) {
  return fmt::format(
      R"({{"format":"tactus.problem/1","dof":6,"step_s":0.01,"directions":8,"direction_offset_rad":0,)"
      R"("bodies":[{{"mass_kg":2,"inertia_kgm2":[[0.01,0,0],[0,0.01,0],[0,0,0.01]],"position_m":[0,0,0],)"
      R"("velocity":[{},0,0,0,0,0],"wrench":[{},0,-10,0,0,0]}}],"contacts":[{{"id":1,"a":0,"b":-1,"point_m":[0,0,0],)"
      R"("normal":[0,0,1],"tangent":[1,0,0],"friction":0.2,"gap_m":0{}}}],"joints":[]}})"
      "\n",
      speed_mps, push_N, law);
}

nlohmann::json Solve(const std::string& problem, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"solve"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.push_back("-");
  return nlohmann::json::parse(RunTactus(arguments, problem).out);
}

const char* const kStatic = R"(,"static_friction":0.4)";

TEST(FrictionOfAFile, IsStaticAtRest) {
  for (const char* cone : {"polygon", "round"}) {
    const nlohmann::json solution = Solve(Block(3, 0, kStatic), {"--cone", cone});
    EXPECT_EQ(solution["status"], "solved");
    EXPECT_EQ(solution["friction_coefficient"], nlohmann::json::parse("[0.4]"));
    EXPECT_NEAR(solution["velocity"][0][0], 0, 1e-9);
  }
}

// 0.1 m/s before; 0.01 s (3 N - 0.2 · 10 N) / 2 kg on top.
TEST(FrictionOfAFile, IsKineticInMotion) {
  const nlohmann::json solution = Solve(Block(3, 0.1, kStatic));
  EXPECT_EQ(solution["friction_coefficient"], nlohmann::json::parse("[0.2]"));
  EXPECT_NEAR(solution["velocity"][0][0], 0.105, 1e-12);
}

// (0.1 + 0.005)/(1 + 0.01 · 4/2)
TEST(FrictionOfAFile, IsViscousAtTheEndOfTheStep) {
  for (const char* cone : {"polygon", "round"}) {
    const nlohmann::json solution = Solve(Block(3, 0.1, R"(,"viscous_friction_Ns_per_m":4)"), {"--cone", cone});
    EXPECT_EQ(solution["status"], "solved");
    EXPECT_LE(solution["verdict"]["contact"].get<double>(), 1e-6);
    EXPECT_NEAR(solution["velocity"][0][0], 0.105 / 1.02, 1e-10);
    EXPECT_NEAR(solution["friction_coefficient"][0], 0.2 + 4 * 0.105 / 1.02 / 10, 1e-10);
  }
}

TEST(FrictionOfAFile, IsNotReportedWhereThereIsOneNumber) {
  EXPECT_FALSE(Solve(Block(3, 0, "")).contains("friction_coefficient"));
}

TEST(FrictionOfAFile, IsRefusedByItsName) {
  EXPECT_EQ(Solve(Block(3, 0, R"(,"static_friction":0.1)"))["error"],
            "line 1: contacts[0].static_friction: must be >= friction, or 0: the same as friction, is 0.1");
  EXPECT_EQ(Solve(Block(3, 0, R"(,"viscous_friction_Ns_per_m":-1)"))["error"],
            "line 1: contacts[0].viscous_friction_Ns_per_m: must be >= 0, is -1");
  EXPECT_EQ(
      Solve(Block(3, 0, kStatic), {"--solver", "convex_step"})["error"],
      "line 1: contacts[0].static_friction: must be 0 for this solver, which has one coefficient for each contact, is 0.4");
}

}  // namespace
}  // namespace tactus::test
