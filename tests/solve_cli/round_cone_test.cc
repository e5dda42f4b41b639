// `tactus solve --cone`.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/solve_cli/run_tactus.h"

namespace tactus::test {
namespace {

// A block of 2 kg on a floor, its centre at the contact, μ = 0.2, pushed for 10 ms with 10 N down and 3 N in direction (3,
// 4)/5.
const char* const kBlock =
    R"({"format":"tactus.problem/1","name":"block","dof":6,"step_s":0.01,"directions":8,"bodies":[{"mass_kg":2,)"
    R"("inertia_kgm2":[[0.01,0,0],[0,0.01,0],[0,0,0.01]],"position_m":[0,0,0],"velocity":[0,0,0,0,0,0],)"
    R"("wrench":[1.8,2.4,-10,0,0,0]}],"contacts":[{"id":1,"a":0,"b":-1,"point_m":[0,0,0],"normal":[0,0,1],)"
    R"("tangent":[1,0,0],"friction":0.2,"gap_m":0}],"joints":[]})"
    "\n";

// Source: closed form: θ = 0.1 N·s, friction 0.02 N·s against the push, 0.01 N·s are left for 2 kg.
TEST(ConeOption, GivesFrictionAgainstThePush) {
  for (const char* scalar : {"double", "float"}) {
    const auto result = RunTactus({"solve", "--cone", "round", "--scalar", scalar, "-"}, kBlock);
    const nlohmann::json solution = nlohmann::json::parse(result.out);
    const double tolerance = std::string(scalar) == "double" ? 1e-8 : 1e-5;
    EXPECT_EQ(solution["status"], "solved");
    EXPECT_EQ(solution["cone"], "round");
    EXPECT_LE(solution["round_residual"].get<double>(), 1e-4);
    EXPECT_NEAR(solution["friction_Ns"][0][0], -0.012, 0.02 * tolerance);
    EXPECT_NEAR(solution["friction_Ns"][0][1], -0.016, 0.02 * tolerance);
    EXPECT_NEAR(solution["velocity"][0][0], 0.003, 0.02 * tolerance);
    EXPECT_NEAR(solution["velocity"][0][1], 0.004, 0.02 * tolerance);
  }
}

TEST(ConeOption, IsThePolygonWithoutAsking) {
  const nlohmann::json solution = nlohmann::json::parse(RunTactus({"solve", "-"}, kBlock).out);
  EXPECT_EQ(solution["status"], "solved");
  for (const char* field : {"cone", "round_residual", "friction_Ns"}) EXPECT_FALSE(solution.contains(field)) << field;
  const double x = solution["velocity"][0][0], y = solution["velocity"][0][1];
  EXPECT_GT(std::abs(std::atan2(y, x) - std::atan2(4, 3)), 0.01);  // along one of its directions
}

TEST(ConeOption, KnowsTwoCones) {
  const auto result = RunTactus({"solve", "--cone", "square", "-"}, kBlock);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("no cone 'square'"), std::string::npos);
}

}  // namespace
}  // namespace tactus::test
