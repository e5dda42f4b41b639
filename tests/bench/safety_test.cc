// `tactus bench safety`: what it writes, and that a promise which is not kept is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/report/report.h"
#include "bench/safety/boards.h"
#include "bench/safety/device_campaign.h"
#include "bench/safety/falcon_start_campaign.h"
#include "bench/safety/io_campaign.h"
#include "bench/safety/linux_campaign.h"
#include "bench/safety/safety_bench.h"
#include "host_tools/devices/real_devices.h"

namespace tactus::bench {
namespace {

using safety::Campaign;
using safety::FaultCase;
using safety::Period;

BenchOptions Quick() {
  BenchOptions options;
  options.out = std::filesystem::path(testing::TempDir()) / "tactus_bench_safety";
  options.quick = true;
  options.boards = false;
  return options;
}

nlohmann::ordered_json Written() {
  std::ifstream file(Quick().out / "safety.json");
  return nlohmann::ordered_json::parse(file);
}

std::vector<std::string> KeysOf(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

bool IsOnModels(const std::string& name) { return name.starts_with("stm32") || name.starts_with("b-g431b"); }

std::size_t RowsOnModels() {
  std::size_t rows = 0;
  for (const std::string& program : safety::ModelCampaigns()) rows += safety::RunOnModels(program, 0, 1).size();
  return rows;
}

TEST(SafetyBench, IsGoodAndWritesOneRowForEachFault) {
  EXPECT_EQ(RunSafety(Quick(), Campaign{.injections = 2}), kGood);
  const nlohmann::ordered_json report = Written();
  ASSERT_EQ(report["faults"].size(), safety::FaultCases().size() + safety::CountIoFaults({.injections = 0}).size() +
                                         safety::CountLinuxFaults({.injections = 0}).size() +
                                         safety::CountDeviceFaults({.injections = 0}).size() +
                                         safety::CountFalconStartFaults({.injections = 0}).size() + RowsOnModels());
  const std::vector<std::string> keys{"name", "injected", "detected", "safe", "ticks_to_zero", "recovered"};
  for (const auto& row : report["faults"]) {
    EXPECT_EQ(KeysOf(row), keys);
    const bool is_precise = !IsOnModels(row["name"]);  // a chip has one precision
    EXPECT_EQ(row["injected"], is_precise ? 4 : 2) << "twice in each precision";
    for (const char* counted : {"detected", "safe", "recovered"})
      EXPECT_EQ(row[counted], row["injected"]) << row["name"] << counted;
    EXPECT_GE(row["ticks_to_zero"], 1) << row["name"];
  }
}

std::vector<std::string> NamesOf(const std::vector<safety::FaultCount>& counts) {
  std::vector<std::string> names;
  for (const safety::FaultCount& count : counts) names.push_back(count.name);
  return names;
}

TEST(SafetyBench, HasARowForEachFaultOfEachDevicesLine) {
  const std::vector<std::string> rows = NamesOf(safety::CountDeviceFaults({.injections = 0}));
  for (const host::RealDevice& device : host::RealDevices()) {
    for (const char* fault : {"mute", "deaf", "silent", "unplug", "reset", "split", "merge", "shift", "garbage", "flip",
                              "cut-short", "repeat", "late", "creep"})
      EXPECT_THAT(rows, testing::Contains(std::string(device.name) + " " + fault));
  }
}

TEST(SafetyBench, HasARowForALowSupplyAtTheStartOfEachBoard) {
  for (const std::string& program : safety::ModelCampaigns())
    EXPECT_THAT(NamesOf(safety::RunOnModels(program, 0, 1)),
                testing::Contains(testing::EndsWith(" supply low at the start")));
}

TEST(SafetyBench, ReportsABoundThatIsNotKept) {
  EXPECT_EQ(RunSafety(Quick(), Campaign{.injections = 1, .bound_share = 0.5}), kWrong);
  const nlohmann::ordered_json report = Written();
  EXPECT_EQ(report["faults"][0]["name"], "S1 stop");
  EXPECT_EQ(report["faults"][0]["safe"], 0) << "a fade takes 20 ticks, 10 were allowed";
  const auto& checks = report["checks"];
  EXPECT_TRUE(std::any_of(checks.begin(), checks.end(), [](const auto& check) { return !check["met"]; }));
}

/// A fade from 4 N in 4 ticks, then zeros.
std::vector<Period> Fade() {
  std::vector<Period> log;
  for (const float force_N : {3.0f, 2.0f, 1.0f, 0.0f, 0.0f}) log.push_back({.written = true, .force_N = force_N});
  return log;
}

bool Safe(const std::vector<Period>& log, int most_ticks = 4, const FaultCase& fault = {}) {
  int ticks_to_zero = 0;
  return safety::IsSafe(log, 0, 4, fault, most_ticks, &ticks_to_zero);
}

TEST(SafetyJudge, TakesAFadeAndNothingElse) {
  EXPECT_TRUE(Safe(Fade()));
  EXPECT_FALSE(Safe(Fade(), 3)) << "too late";
  std::vector<Period> log = Fade();
  log[1].written = false;
  EXPECT_FALSE(Safe(log)) << "the last command stands";
  log = Fade();
  log[1].force_N = 3.97f;  // the line is at 4 · 100/101 = 3.960 N
  EXPECT_FALSE(Safe(log)) << "above the line";
  log[1].force_N = 3.95f;
  EXPECT_TRUE(Safe(log));
  log = Fade();
  log[4].force_N = 0.1f;
  EXPECT_FALSE(Safe(log)) << "force again";
  log[4] = {.written = true, .torque_Nm = 0.1f};
  EXPECT_FALSE(Safe(log)) << "torque again";
  log = Fade();
  log.resize(3);
  EXPECT_FALSE(Safe(log)) << "never zero";
}

TEST(SafetyJudge, LetsTheLastCommandHoldInThePatienceOnly) {
  std::vector<Period> log = Fade();
  log.insert(log.begin(), 2, Period{.written = false, .force_N = 4});
  EXPECT_TRUE(Safe(log, 6, {.patience_ticks = 2, .may_stand = true}));
  EXPECT_FALSE(Safe(log, 6, {.patience_ticks = 2})) << "a tick is due in each";
  EXPECT_FALSE(Safe(log, 6, {.patience_ticks = 1, .may_stand = true})) << "longer than allowed";
  log[0].fault_told = true;
  EXPECT_FALSE(Safe(log, 6, {.patience_ticks = 2, .may_stand = true})) << "the patience ends with the fault";
}

TEST(SafetyBoards, CountsWhatTheScriptsTell) {
  const std::vector<safety::BoardCampaign> campaigns = safety::BoardCampaigns(true);
  ASSERT_EQ(campaigns.size(), 4u);
  const safety::BoardCount corrupted =
      ReadCount(campaigns[0], R"({"corruptions": 50, "faults_raised": 49, "outputs_off": 48, "first_failure_seed": 3})");
  EXPECT_EQ(corrupted.injected, 50);
  EXPECT_EQ(corrupted.detected, 49);
  EXPECT_EQ(corrupted.safe, 48);
  EXPECT_EQ(corrupted.failed, 2);
  const safety::BoardCount ticks = ReadCount(campaigns[1], R"({"ticks": 500, "max": 1, "too_dear": 7})");
  EXPECT_EQ(ticks.safe, 493);
  EXPECT_EQ(ticks.failed, 7);
  EXPECT_THROW(ReadCount(campaigns[0], ""), BenchError);
}

}  // namespace
}  // namespace tactus::bench
