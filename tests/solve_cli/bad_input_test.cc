// What `tactus solve` says to input that is not a problem. Every case: one line out for the line in, status invalid, an
// error that names the field and the reason, the exit code of docs/problem_format.md, and the good line behind it is still
// solved.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "host_tools/solve/solve_command.h"
#include "tests/solve_cli/run_tactus.h"
#include "tests/support/generators.h"
#include "tests/support/write_problem.h"

namespace tactus::test {
namespace {

using nlohmann::json;

// One body on two contacts and one joint; every field is there.
json GoodProblem() {
  return json::parse(R"({"format":"tactus.problem/1","name":"good","dof":6,"step_s":0.001,"directions":8,
    "direction_offset_rad":0.1,
    "bodies":[{"mass_kg":1,"inertia_kgm2":[[1e-3,0,0],[0,1e-3,0],[0,0,1e-3]],"position_m":[0,0,0.05],
               "velocity":[0,0,0,0,0,0],"wrench":[1,0,-9.81,0,0,0]}],
    "contacts":[{"id":1,"a":0,"b":-1,"point_m":[0.05,0,0],"normal":[0,0,1],"tangent":[1,0,0],"friction":0.5,"gap_m":0},
                {"id":2,"a":0,"b":-1,"point_m":[-0.05,0,0],"normal":[0,0,1],"tangent":[1,0,0],"friction":0.5,"gap_m":0}],
    "joints":[{"a":0,"b":-1,"jacobian_a":[0,1,0,0,0,0],"jacobian_b":[0,0,0,0,0,0],"speed":0}]})");
}

struct BadCase {
  const char* name;
  const char* where;  // JSON pointer of what is replaced
  const char* by;     // the new text; nullptr: removed
  const char* error;  // what the error contains
};

void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

constexpr BadCase kBadCases[] = {
    {"WrongFormat", "/format", "\"tactus.problem/2\"", "format: must be \"tactus.problem/1\", is \"tactus.problem/2\""},
    {"NoFormat", "/format", nullptr, "format: is missing"},
    {"NameIsNumber", "/name", "7", "name: must be a string, is 7"},
    {"DofIsFour", "/dof", "4", "dof: must be 6 (spatial) or 3 (planar), is 4"},
    {"DofIsText", "/dof", "\"6\"", "dof: must be an integer"},
    {"NoDof", "/dof", nullptr, "dof: is missing"},
    {"StepIsZero", "/step_s", "0", "step_s: must be > 0"},
    {"StepIsNegative", "/step_s", "-0.001", "step_s: must be > 0"},
    {"StepIsNaN", "/step_s", "NaN", "step_s: must be a finite number, is NaN"},
    {"StepOverflows", "/step_s", "1e999", "step_s: must be a finite number, is 1e999"},
    {"TwoDirections", "/directions", "2", "directions: must be >= 3"},
    {"NegativeDirections", "/directions", "-8", "directions: must be >= 3"},
    {"HalfADirection", "/directions", "8.5", "directions: must be an integer, is 8.5"},
    {"TooManyDirections", "/directions", "1000", "directions: over capacity, must be at most 32, is 1000"},
    {"HugeDirections", "/directions", "1e30", "directions: must be an integer of 32 bits"},
    {"OffsetIsInfinite", "/direction_offset_rad", "Infinity", "direction_offset_rad: must be a finite number, is Infinity"},
    {"BodiesIsObject", "/bodies", "{}", "bodies: must be an array, is an object"},
    {"NoBodies", "/bodies", nullptr, "bodies: is missing"},
    {"EmptyBodies", "/bodies", "[]", "bodies: needs at least one moving body"},
    {"BodyIsNumber", "/bodies/0", "3", "bodies[0]: must be an object, is 3"},
    {"NoMass", "/bodies/0/mass_kg", nullptr, "bodies[0].mass_kg: is missing"},
    {"MassIsNull", "/bodies/0/mass_kg", "null", "bodies[0].mass_kg: is missing"},
    {"MassIsZero", "/bodies/0/mass_kg", "0", "bodies[0].mass_kg: must be > 0, is 0"},
    {"MassIsNegative", "/bodies/0/mass_kg", "-1.5", "bodies[0].mass_kg: must be > 0, is -1.5"},
    {"MassIsNaN", "/bodies/0/mass_kg", "NaN", "bodies[0].mass_kg: must be a finite number, is NaN"},
    {"MassIsInfinite", "/bodies/0/mass_kg", "-Infinity", "bodies[0].mass_kg: must be a finite number, is -Infinity"},
    {"MassIsArray", "/bodies/0/mass_kg", "[1]", "bodies[0].mass_kg: must be a finite number, is [1]"},
    {"InertiaIsNumber", "/bodies/0/inertia_kgm2", "1", "bodies[0].inertia_kgm2: must be 3 rows of 3 numbers, is 1"},
    {"InertiaIsShort", "/bodies/0/inertia_kgm2/1", "[0,1]",
     "bodies[0].inertia_kgm2[1]: must be an array of 3 numbers, is [0,1]"},
    {"InertiaIsNaN", "/bodies/0/inertia_kgm2/1/1", "NaN", "bodies[0].inertia_kgm2[1][1]: must be a finite number, is NaN"},
    {"InertiaIsNotSymmetric", "/bodies/0/inertia_kgm2/0/1", "5e-4", "bodies[0].inertia_kgm2: must be symmetric"},
    {"InertiaIsNotPositive", "/bodies/0/inertia_kgm2/2/2", "-1e-3", "bodies[0].inertia_kgm2: must be positive definite"},
    {"InertiaIsZero", "/bodies/0/inertia_kgm2/2/2", "0", "bodies[0].inertia_kgm2: must be positive definite"},
    {"PositionIsPlanar", "/bodies/0/position_m", "[0,0]", "bodies[0].position_m: must be an array of 3 numbers, is [0,0]"},
    {"VelocityIsShort", "/bodies/0/velocity", "[0,0,0]", "bodies[0].velocity: must be an array of 6 numbers"},
    {"WrenchIsText", "/bodies/0/wrench/4", "\"a lot\"", "bodies[0].wrench[4]: must be a finite number, is \"a lot\""},
    {"NoContacts", "/contacts", nullptr, "contacts: is missing"},
    {"NoId", "/contacts/1/id", nullptr, "contacts[1].id: is missing"},
    {"SameId", "/contacts/1/id", "1", "contacts[1].id: must be unique, is 1 as in contacts[0]"},
    {"IdIsTooLarge", "/contacts/1/id", "3000000000", "contacts[1].id: must be an integer of 32 bits, is 3000000000"},
    {"NoBodyA", "/contacts/1/a", "1", "contacts[1].a: no body has this index, is 1"},
    {"BodyAIsBelowFixed", "/contacts/1/a", "-2", "contacts[1].a: no body has this index, is -2"},
    {"NoBodyB", "/contacts/1/b", "7", "contacts[1].b: no body has this index, is 7"},
    {"BothFixed", "/contacts/1/a", "-1", "contacts[1].b: both bodies are fixed"},
    {"SameBody", "/contacts/1/b", "0", "contacts[1].b: must not be body a itself, is 0"},
    {"PointIsMissing", "/contacts/0/point_m", nullptr, "contacts[0].point_m: is missing"},
    {"NormalIsNotUnit", "/contacts/0/normal", "[0,0,1.1]", "contacts[0].normal: must have length 1, is [0,0,1.1]"},
    {"NormalIsZero", "/contacts/0/normal", "[0,0,0]", "contacts[0].normal: must have length 1, is [0,0,0]"},
    {"NormalIsNaN", "/contacts/0/normal/2", "NaN", "contacts[0].normal[2]: must be a finite number, is NaN"},
    {"TangentIsNotUnit", "/contacts/0/tangent", "[2,0,0]", "contacts[0].tangent: must have length 1, is [2,0,0]"},
    {"TangentIsZero", "/contacts/0/tangent", "[0,0,0]", "contacts[0].tangent: must have length 1, is [0,0,0]"},
    {"TangentLeansALittleOffTheNormal", "/contacts/0/tangent", "[2e-6,0,1]",
     "contacts[0].tangent: must be perpendicular to the normal"},
    {"TangentLeans", "/contacts/0/tangent", "[0.6,0,0.8]", "contacts[0].tangent: must be perpendicular to the normal"},
    {"FrictionIsNegative", "/contacts/1/friction", "-0.1", "contacts[1].friction: must be >= 0, is -0.1"},
    {"FrictionIsInfinite", "/contacts/1/friction", "1e400", "contacts[1].friction: must be a finite number, is 1e400"},
    {"GapIsMissing", "/contacts/1/gap_m", nullptr, "contacts[1].gap_m: is missing"},
    {"GapIsTrue", "/contacts/1/gap_m", "true", "contacts[1].gap_m: must be a finite number, is true"},
    {"SurfaceIsNumber", "/contacts/1/surface_velocity_mps", "1", "contacts[1].surface_velocity_mps: must be 3 numbers"},
    {"SurfaceIsNaN", "/contacts/1/surface_velocity_mps", "[0,NaN,0]",
     "contacts[1].surface_velocity_mps[1]: must be a finite"},
    {"ComplianceIsNegative", "/contacts/1/compliance_mps_per_Ns", "-1", "contacts[1].compliance_mps_per_Ns: must be >= 0"},
    {"JointsIsText", "/joints", "\"none\"", "joints: must be an array, is \"none\""},
    {"JointBodyIsUnknown", "/joints/0/a", "3", "joints[0].a: no body has this index, is 3"},
    {"JointRowIsShort", "/joints/0/jacobian_a", "[1]", "joints[0].jacobian_a: must be an array of 6 numbers, is [1]"},
    {"JointRowIsZero", "/joints/0/jacobian_a", "[0,0,0,0,0,0]", "joints[0].jacobian_a: the row is zero"},
    {"JointSpeedIsMissing", "/joints/0/speed", nullptr, "joints[0].speed: is missing"},
    {"ProblemIsArray", "", "[1,2,3]", "problem: must be an object, is [1,2,3]"},
    {"ProblemIsNumber", "", "42", "problem: must be an object, is 42"},
};

// The problem as text, with the value at `where` replaced by any text, JSON or not.
std::string Spoil(const BadCase& bad) {
  if (*bad.where == '\0') return bad.by;
  json problem = GoodProblem();
  const json::json_pointer pointer(bad.where);
  if (bad.by == nullptr) {
    problem[pointer.parent_pointer()].erase(pointer.back());
    return problem.dump();
  }
  problem[pointer] = "@";
  std::string text = problem.dump();
  return text.replace(text.find("\"@\""), 3, bad.by);
}

class BadInput : public testing::TestWithParam<BadCase> {};

TEST_P(BadInput, IsNamedAndTheNextLineIsSolved) {
  const ToolRun run = RunTactus({"solve", "-"}, Spoil(GetParam()) + "\n" + GoodProblem().dump() + "\n");
  EXPECT_EQ(run.exit_code, host::kSomeInvalid);
  const std::vector<std::string> lines = Lines(run.out);
  ASSERT_EQ(lines.size(), 2u);
  const json bad = json::parse(lines[0]), good = json::parse(lines[1]);
  EXPECT_EQ(bad["status"], "invalid");
  EXPECT_NE(bad["error"].get<std::string>().find(GetParam().error), std::string::npos) << bad["error"];
  EXPECT_EQ(good["status"], "solved");
  EXPECT_EQ(good["name"], "good");
}

INSTANTIATE_TEST_SUITE_P(Field, BadInput, testing::ValuesIn(kBadCases),
                         [](const testing::TestParamInfo<BadCase>& test) { return std::string(test.param.name); });

struct BrokenLine {
  const char* name;
  std::string line;
  const char* error;
};

void PrintTo(const BrokenLine& c, std::ostream* out) { *out << c.name; }

std::vector<BrokenLine> BrokenLines() {
  const std::string good = GoodProblem().dump();
  return {
      {"Truncated", good.substr(0, good.size() / 2), "line 1: not JSON: column"},
      {"OneBracketShort", good.substr(0, good.size() - 1), "line 1: not JSON: column"},
      {"OneBracketLong", good + "}", "line 1: not JSON: column"},
      {"TwoProblems", good + good, "line 1: not JSON: column"},
      {"Binary", std::string("\x00\x01\xFF\xFE{\x80", 6), "line 1: not JSON: column"},
      {"InvalidUtf8",
       R"({"format":"tactus.problem/1","name":")"
       "\xC3\x28"
       "\"}",
       "line 1: not JSON: column"},
      {"Nested", std::string(100000, '['), "line 1: nested deeper than 64 levels"},
      {"NestedClosed", "{\"x\":" + std::string(90000, '[') + std::string(90000, ']') + "}",
       "line 1: nested deeper than 64 levels"},
      {"Long", "{\"name\":\"" + std::string(17 << 20, 'x') + "\"}", "line 1: longer than 16777216 bytes"},
      {"Text", "hello", "line 1: not JSON: column"},
      {"Quote", "\"", "line 1: not JSON: column"},
  };
}

class Broken : public testing::TestWithParam<BrokenLine> {};

TEST_P(Broken, LineIsNamedByNumberAndTheNextLineIsSolved) {
  const ToolRun run = RunTactus({"solve", "-"}, GetParam().line + "\n" + GoodProblem().dump() + "\n");
  EXPECT_EQ(run.exit_code, host::kSomeInvalid);
  const std::vector<std::string> lines = Lines(run.out);
  ASSERT_EQ(lines.size(), 2u);
  const json bad = json::parse(lines[0]);
  EXPECT_EQ(bad["status"], "invalid");
  EXPECT_TRUE(bad["name"].is_null());
  EXPECT_NE(bad["error"].get<std::string>().find(GetParam().error), std::string::npos) << bad["error"];
  EXPECT_EQ(json::parse(lines[1])["status"], "solved");
}

INSTANTIATE_TEST_SUITE_P(Line, Broken, testing::ValuesIn(BrokenLines()),
                         [](const testing::TestParamInfo<BrokenLine>& test) { return std::string(test.param.name); });

TEST(OverCapacity, NamesTheListAndWhatFits) {
  for (const char* list : {"bodies", "contacts", "joints"}) {
    json problem = GoodProblem();
    for (int i = 0; i < 300; ++i) {
      problem[list].push_back(problem[list][0]);
      if (std::string(list) == "contacts") problem[list].back()["id"] = 100 + i;
    }
    const ToolRun run = RunTactus({"solve", "-"}, problem.dump());
    EXPECT_EQ(run.exit_code, host::kSomeInvalid);
    const std::string error = json::parse(run.out)["error"];
    EXPECT_EQ(error.find(std::string(list) + ": over capacity, must be at most "), 0u) << error;
  }
}

// Valid in double, not in float: infinite there; not positive definite when rounded (a rod's inertia along (1, 1, 0), 1e-9
// across); rows that differ by 1e-5, which float takes for the same row with another speed.
TEST(SinglePrecision, SolvesInDoubleWhatFloatCannotHold) {
  json heavy = GoodProblem(), rod = GoodProblem(), rows = GoodProblem();
  heavy["bodies"][0]["mass_kg"] = 1e300;
  rod["bodies"][0]["inertia_kgm2"] = {{0.5000000005, -0.4999999995, 0}, {-0.4999999995, 0.5000000005, 0}, {0, 0, 1}};
  rows["joints"].push_back(rows["joints"][0]);
  rows["joints"][1]["jacobian_a"] = {1e-5, 1, 0, 0, 0, 0};
  rows["joints"][1]["speed"] = 1e-6;
  for (const json& problem : {heavy, rod, rows}) {
    const json solution = json::parse(RunTactus({"solve", "--scalar", "float", "-"}, problem.dump()).out);
    EXPECT_EQ(solution["status"], "solved") << solution;
    EXPECT_EQ(solution["scalar"], "double");
    EXPECT_LE(solution["residual"], 1e-8);  // theory section 6
  }
}

TEST(SinglePrecision, IsRescuedWithEverySolver) {
  json rod = GoodProblem();
  rod["bodies"][0]["inertia_kgm2"] = {{0.5000000005, -0.4999999995, 0}, {-0.4999999995, 0.5000000005, 0}, {0, 0, 1}};
  for (json& contact : rod["contacts"]) contact["friction"] = 0;
  const ToolRun run = RunTactus({"solve", "--scalar", "float", "--solver", "dantzig", "-"}, rod.dump());
  EXPECT_EQ(json::parse(run.out)["status"], "solved") << run.out;
  EXPECT_EQ(json::parse(run.out)["scalar"], "double");
}

TEST(BadJoints, AreNotCalledAFaultOfSinglePrecision) {
  json problem = GoodProblem();
  problem["joints"].push_back(problem["joints"][0]);
  problem["joints"][1]["speed"] = 1;
  for (const char* scalar : {"double", "float"}) {
    const json solution = json::parse(RunTactus({"solve", "--scalar", scalar, "-"}, problem.dump()).out);
    EXPECT_EQ(solution["error"],
              "joints[1].speed: contradicts earlier joint rows: it depends on them and asks for another speed, is 1");
  }
}

// The row v_y = 0, scaled so that its square is no double. If it is called solved, it holds.
TEST(BadJoints, AreNeverIgnored) {
  for (const double scale : {1e200, 1e-200}) {
    json problem = GoodProblem();
    problem["bodies"][0]["velocity"] = {0, 0.1, 0, 0, 0, 0};
    problem["joints"][0]["jacobian_a"] = {0, scale, 0, 0, 0, 0};
    const json solution = json::parse(RunTactus({"solve", "-"}, problem.dump()).out);
    ASSERT_NE(solution["status"], "invalid");
    const double speed = solution["velocity"][0][1];
    EXPECT_EQ(solution["status"] == "solved", std::abs(speed) < 1e-8) << solution;  // 1e-7 of the 0.1 m/s before
  }
}

TEST(BadRange, NamesTheFieldAndWritesNoNull) {
  const struct {
    const char *where, *value, *error;
  } cases[] = {
      {"/bodies/0/mass_kg", "5e-324", "bodies[0].mass_kg: must be large enough"},
      {"/bodies/0/inertia_kgm2", "[[1e-320,0,0],[0,1e-320,0],[0,0,1e-320]]", "bodies[0].inertia_kgm2: must be large enough"},
      {"/step_s", "1e308", "bodies[0].wrench: times step_s must be finite"},
      {"/bodies/0/velocity", "[1e200,0,0,0,0,0]", "bodies[0].velocity: must be small enough for a finite energy"},
      {"/contacts/0/gap_m", "1e306", "contacts[0].gap_m: divided by step_s must be finite"},
      {"/contacts/1/point_m", "[1e200,0,0]", "contacts[1].point_m: must be nearer to the bodies"},
  };
  for (const auto& bad : cases) {
    json problem = GoodProblem();
    problem[json::json_pointer(bad.where)] = json::parse(bad.value);
    const json solution = json::parse(RunTactus({"solve", "-"}, problem.dump()).out);
    EXPECT_EQ(solution["status"], "invalid");
    EXPECT_EQ(solution["error"].get<std::string>().find(bad.error), 0u) << solution["error"];
  }
}

TEST(BadText, RefusesAKeyThatAppearsTwice) {
  std::string twice = GoodProblem().dump(), again = twice;
  twice.replace(twice.find("\"joints\":"), 0, "\"contacts\":[],");
  again.replace(again.find("\"gap_m\":"), 0, "\"friction\":NaN,");
  EXPECT_EQ(json::parse(RunTactus({"solve", "-"}, twice).out)["error"], "line 1: contacts: appears twice in one object");
  EXPECT_EQ(json::parse(RunTactus({"solve", "-"}, again).out)["error"], "line 1: friction: appears twice in one object");
}

TEST(BadText, IsNotEchoedAtLength) {
  std::string text = GoodProblem().dump();
  const std::string number = "1" + std::string(500, '0');
  text.replace(text.find("\"mass_kg\":1") + 10, 1, number);
  EXPECT_EQ(json::parse(RunTactus({"solve", "-"}, text).out)["error"],
            "bodies[0].mass_kg: must be a finite number, is " + number.substr(0, 40) + "...");
}

TEST(GoodNumbers, TakesEveryIntegerOf32Bits) {
  json problem = GoodProblem();
  problem["contacts"][0]["id"] = std::numeric_limits<std::int32_t>::min();
  problem["contacts"][1]["id"] = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(RunTactus({"solve", "-"}, problem.dump()).exit_code, host::kAllSolved);
}

}  // namespace
}  // namespace tactus::test
