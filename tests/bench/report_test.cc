#include "bench/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/measure/statistics.h"

namespace tactus::bench {
namespace {

Table Small() {
  Table table("small", "A < B", {{"name"}, {"time", "us"}, {"count"}});
  table.AddRow({"plain", 0.1, 3});
  table.AddRow({"a, \"b\"", std::numeric_limits<double>::infinity(), {}});
  return table;
}

// Source: RFC 4180: fields with commas or quotes are quoted, quotes doubled.
TEST(Table, WritesCsv) { EXPECT_EQ(Small().Csv(), "name,time_us,count\nplain,0.1,3\n\"a, \"\"b\"\"\",,\n"); }

// Source: JSON has no infinity; nothing measured and nothing finite are both null.
TEST(Table, WritesJsonThatCanBeRead) {
  const nlohmann::json json = nlohmann::json::parse(Small().Json().dump());
  EXPECT_EQ(json["rows"][0]["time"], 0.1);
  EXPECT_EQ(json["rows"][0]["count"], 3);
  EXPECT_TRUE(json["rows"][1]["time"].is_null());
  EXPECT_TRUE(json["rows"][1]["count"].is_null());
  EXPECT_EQ(json["columns"][1]["unit"], "us");
}

// Source: by hand: two spaces between columns, the first 6 wide for a, "b", words to the left, numbers to the right.
TEST(Table, AlignsItsColumns) {
  EXPECT_EQ(Small().Text(), "A < B\n  name    time [us]  count\n  plain         0.1      3\n  a, \"b\"        inf      -\n");
}

TEST(Table, EscapesMarkup) { EXPECT_NE(Small().Html().find("A &lt; B"), std::string::npos); }

// A logarithm of zero or of NaN must not reach the picture.
TEST(Plot, LeavesOutWhatALogarithmicAxisCannotShow) {
  Plot plot("p", {"x", true}, {"y", true});
  plot.Add({"series", {{1, 1}, {2, 0}, {3, std::numeric_limits<double>::quiet_NaN()}, {4, 8}}});
  const std::string svg = plot.Svg();
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("<polyline"), std::string::npos);
}

/// The colour of the first series of a plot whose labels are these.
std::string ColourOfFirst(const std::vector<std::string>& labels) {
  Plot plot("p", {"x"}, {"y"});
  for (const std::string& label : labels) plot.Add({label, {{1, 1}, {2, 2}}, true, false});
  const std::string svg = plot.Svg();
  return svg.substr(svg.find("stroke=\"", svg.find("<polyline")), 16);
}

TEST(Plot, GivesAMethodOneColourInEveryPlot) {
  EXPECT_EQ(ColourOfFirst({"reduced cold", "dense"}), ColourOfFirst({"LCP0", "LCP2"}));
  EXPECT_NE(ColourOfFirst({"LCP2", "LCP0"}), ColourOfFirst({"LCP0", "LCP2"}));
  EXPECT_NE(ColourOfFirst({"something", "LCP0"}), ColourOfFirst({"LCP0"})) << "another's colour is not free";
}

TEST(Plot, DrawsNothingWithoutData) {
  const std::string svg = Plot("p", {"x"}, {"y", true}).Svg();
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("<polyline"), std::string::npos);
}

// Source: closed form, y = 3 x^1.7.
TEST(GrowthExponent, FindsThePower) {
  std::vector<std::pair<double, double>> points;
  for (const double x : {8.0, 11.0, 16.0, 32.0}) points.emplace_back(x, 3 * std::pow(x, 1.7));
  EXPECT_NEAR(GrowthExponent(points), 1.7, 1e-14);
}

TEST(Report, SaysWhichFolderCannotBeWritten) {
  const BenchOptions options{.out = "/proc/nowhere", .json = "", .seed = 1, .quick = true};
  try {
    const Report report("r", "t", options);
    FAIL() << "no error";
  } catch (const BenchError& error) {
    EXPECT_NE(std::string(error.what()).find("/proc/nowhere"), std::string::npos);
  }
}

TEST(Report, EndsWithAFaultAsWrong) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tactus_bench_report";
  Report report("r", "t", {.out = folder, .json = "", .seed = 1, .quick = true});
  report.AddTable("small", "s", {{"a"}}).AddRow({1});
  EXPECT_EQ(report.Finish(), kGood);
  report.Fault("wrong");
  EXPECT_EQ(report.Finish(), kWrong);
  EXPECT_TRUE(std::filesystem::exists(WriteIndex(folder, {"r", "not run"})));
  std::filesystem::remove_all(folder);
}

// Source: the format, {"checks": [{"name", "value", "unit", "goal", "met"}]}, and exit code 1 if one is not met.
TEST(Report, WritesItsChecks) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tactus_bench_checks";
  Report report("c", "t", {.out = folder, .json = (folder / "copy.json").string(), .seed = 1, .quick = true});
  report.Add(AtMost(5, "noise", 5, "mN"));
  report.Add(Stated("lag", 30, "deg"));
  EXPECT_EQ(report.Finish(), kGood);
  report.Add(Above(0, "damping", -1, "N·s/m"));
  report.Add(AtMost(5, "nothing measured", std::numeric_limits<double>::quiet_NaN(), "mN"));
  EXPECT_EQ(report.Finish(), kWrong);
  const nlohmann::json checks = nlohmann::json::parse(std::ifstream(folder / "copy.json"))["checks"];
  ASSERT_EQ(checks.size(), 4u);
  EXPECT_EQ(checks[0], nlohmann::json({{"name", "noise"}, {"value", 5}, {"unit", "mN"}, {"goal", "<= 5"}, {"met", true}}));
  EXPECT_EQ(checks[1]["goal"], "stated");
  EXPECT_EQ(checks[2]["met"], false);
  EXPECT_TRUE(checks[3]["value"].is_null());
  EXPECT_EQ(checks[3]["met"], false);
  std::filesystem::remove_all(folder);
}

// The page and the last lines of `bench all` begin with what is not met; a goal of speed is no failure.
TEST(Report, SumsUpWhatIsNotMet) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tactus_bench_summary";
  Report report("s", "t", {.out = folder, .json = "", .seed = 1, .quick = true});
  report.AddTable("small", "s", {{"a"}}).AddRow({1});
  report.Add(Speed(1, "too slow", 2, "us"));
  report.Add(AtMost(1, "small enough", 0.5, ""));
  EXPECT_EQ(report.Finish(), kGood);
  const Table summary = SummaryOf(folder, {"s", "not run"});
  EXPECT_EQ(summary.title(), "1 of 2 goals of 1 benches met");
  EXPECT_EQ(summary.rows(), 1u);
  EXPECT_NE(summary.Text().find("too slow"), std::string::npos);
  std::ifstream file(WriteIndex(folder, {"s"}));
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_LT(page.find("too slow"), page.find("<h2"));
  std::filesystem::remove_all(folder);
}

// By hand.
TEST(Check, ComparesWithItsBound) {
  EXPECT_TRUE(AtLeast(1, "", 1, "").met);
  EXPECT_FALSE(AtLeast(1, "", 0.99, "").met);
  EXPECT_FALSE(Above(0, "", 0, "").met);
  EXPECT_FALSE(Below(4, "", 4, "").met);
  EXPECT_FALSE(Below(4, "", -std::numeric_limits<double>::infinity(), "").met);
}

TEST(Table, WritesMarkdown) {
  EXPECT_EQ(Small().Markdown(),
            "A < B\n\n| name | time [us] | count |\n|---|---|---|\n| plain | 0.1 | 3 |\n| a, \"b\" | inf | - |\n");
}

}  // namespace
}  // namespace tactus::bench
