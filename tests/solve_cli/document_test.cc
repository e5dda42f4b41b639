// The worked example of docs/problem_format.md, run as it is printed there.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "host_tools/solve/solve_command.h"
#include "tests/solve_cli/run_tactus.h"

namespace tactus::test {
namespace {

using nlohmann::json;

// The fenced blocks of the page marked ```jsonl, in order.
std::vector<std::string> Examples() {
  std::ifstream page(TACTUS_PROBLEM_FORMAT);
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```jsonl";
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

// Equal but for rounding: the page prints few digits. Tolerance: 1e-12, far below any digit printed.
void ExpectSame(const json& got, const json& printed, const std::string& where) {
  if (printed.is_number() && got.is_number()) {
    EXPECT_NEAR(got.get<double>(), printed.get<double>(), 1e-12) << where;
  } else if (printed.is_array() && got.is_array()) {
    ASSERT_EQ(got.size(), printed.size()) << where;
    for (std::size_t i = 0; i < got.size(); ++i) ExpectSame(got[i], printed[i], where + "/" + std::to_string(i));
  } else if (printed.is_object() && got.is_object()) {
    ASSERT_EQ(got.size(), printed.size()) << where;
    for (const auto& [field, value] : printed.items()) ExpectSame(got[field], value, where + "/" + field);
  } else {
    EXPECT_EQ(got, printed) << where;
  }
}

TEST(ProblemFormatPage, ExampleGivesThePrintedSolution) {
  const std::vector<std::string> examples = Examples();
  ASSERT_EQ(examples.size(), 4u);
  for (std::size_t i = 0; i < examples.size(); i += 2) {
    const ToolRun run = RunTactus({"solve", "-"}, examples[i]);
    json printed = json::parse(examples[i + 1]), got = json::parse(run.out);
    ASSERT_EQ(got.size(), printed.size());
    for (const auto& [field, value] : printed.items()) {
      if (field != "solve_ns") ExpectSame(got[field], value, field);
    }
  }
}

TEST(ProblemFormatPage, ExampleIsTheClosedForm) {
  const json solution = json::parse(RunTactus({"solve", "-"}, Examples().at(0)).out);
  // Source: m = 2 kg, pushed with (3, 0, -10) N for 10 ms against a floor with μ = 0.2 that is under the centre of mass:
  // θ = 0.1, friction μθ = 0.02 against the push along direction 4 (-x), v_x = (0.03 - 0.02)/2. Tolerance: 1 ulp of 0.1.
  EXPECT_NEAR(solution["normal_impulse_Ns"][0], 0.1, 1.4e-17);
  EXPECT_NEAR(solution["friction_impulse_Ns"][0][4], 0.02, 1.4e-17);
  EXPECT_NEAR(solution["velocity"][0][0], 0.005, 1.4e-17);
}

}  // namespace
}  // namespace tactus::test
