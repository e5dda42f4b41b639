#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "host_tools/link/host_error.h"
#include "host_tools/report/percentile.h"
#include "host_tools/report/print_report.h"
#include "host_tools/scene/scene_checks.h"
#include "host_tools/session/finish.h"
#include "tactus/haptic/telemetry.h"

namespace tactus::host {
namespace {

TEST(Percentile, IsTheNearestRank) {  // Source: definition, the value of rank ⌈share · n⌉.
  const std::vector<int> values{15, 20, 35, 40, 50};
  EXPECT_EQ(Percentile(values, 0.05), 15);
  EXPECT_EQ(Percentile(values, 0.30), 20);
  EXPECT_EQ(Percentile(values, 0.40), 20);
  EXPECT_EQ(Percentile(values, 0.50), 35);
  EXPECT_EQ(Percentile(values, 1.00), 50);
  EXPECT_EQ(Percentile(values, 0.00), 15);
}

TEST(CountInstructions, OrdersTheTicks) {
  std::vector<std::uint64_t> counts;
  for (std::uint64_t i = 1000; i > 0; --i) counts.push_back(i);
  const std::optional<InstructionCount> count = CountInstructions(counts, 500);
  ASSERT_TRUE(count.has_value());
  EXPECT_EQ(count->p50, 500u);
  EXPECT_EQ(count->p99, 990u);
  EXPECT_EQ(count->max, 1000u);
  EXPECT_EQ(count->per_us, 500u);
  EXPECT_FALSE(CountInstructions({}, 500).has_value());
}

TEST(ProblemsOf, TellsAJointThatCameApartAndAReplayThatDiffers) {
  ReplayResult replay;
  replay.ticks = replay.identical = 10;
  replay.joint_drift_m = 0.9e-3;
  EXPECT_TRUE(ProblemsOf(replay).empty());
  replay.joint_drift_m = 2e-3;
  ASSERT_EQ(ProblemsOf(replay).size(), 1u);
  EXPECT_NE(ProblemsOf(replay)[0].find("bodies came 2 mm apart at a joint"), std::string::npos);
  replay.identical = 9;
  EXPECT_EQ(ProblemsOf(replay).size(), 2u);
}

TEST(RunSummary, GathersTelemetryOfTicksWithContacts) {
  RunSummary run;
  wire::Telemetry tick;
  run.Add(tick);
  tick.mutate_contacts(4);
  tick.mutate_pivots(3);
  tick.mutate_rung(wire::Rung::kWarmRepaired);
  tick.mutate_residual(1e-12);
  tick.mutate_min_gap_m(-2e-6);
  run.Add(tick);
  tick.mutate_solve_status(wire::SolveStatus::kBudget);
  tick.mutate_residual(0.5);  // of an answer that is not exact: does not count as the largest of the exact ones
  run.Add(tick);
  EXPECT_EQ(run.telemetry, 3u);
  EXPECT_EQ(run.contact_ticks, 2u);
  EXPECT_EQ(run.pivots_max, 3);
  EXPECT_EQ(run.rungs[2], 2u);
  EXPECT_EQ(run.solve_status[0], 1u);
  EXPECT_EQ(run.solve_status[2], 1u);
  EXPECT_EQ(run.worst_residual, 1e-12);
  EXPECT_EQ(run.deepest_m, 2e-6);
}

TEST(RunSummary, TakesNoHandThatStoodInsideForAPenetration) {
  RunSummary run;
  wire::Telemetry tick;
  tick.mutate_contacts(1);
  tick.mutate_min_gap_m(-5e-3);
  tick.mutate_status(status_bit::kPlacedInside);
  run.Add(tick);
  EXPECT_EQ(run.deepest_m, 0);
  EXPECT_EQ(run.placed_inside_ticks, 1u);
  EXPECT_EQ(run.contact_ticks, 0u);  // nor for a contact: the scene waits
  tick.mutate_status(0);
  run.Add(tick);
  EXPECT_EQ(run.deepest_m, 5e-3);
}

TEST(RunSummary, DoesNotForgetWhatIsNoNumber) {  // Source: IEEE 754: no comparison of a NaN is true
  wire::Telemetry tick;
  tick.mutate_contacts(1);
  RunSummary run;
  for (const double gap_m : {-2e-6, std::nan(""), -1e-6}) {
    tick.mutate_min_gap_m(gap_m);
    run.Add(tick);
  }
  EXPECT_TRUE(std::isnan(run.deepest_m));
  wire::Command command;
  for (const float force_N : {1.0f, std::nanf(""), 2.0f}) {
    command.mutable_force_N()->Mutate(1, force_N);
    command.mutable_torque_Nm()->Mutate(1, force_N);
    run.Add(command);
  }
  EXPECT_TRUE(std::isnan(run.largest_force_N));
  EXPECT_TRUE(std::isnan(run.largest_torque_Nm));
  SceneChecks checks;
  checks.bounds = {{"max_force_N", 1000}, {"min_force_N", 0}, {"max_penetration_m", 100}, {"max_torque_Nm", 1000}};
  for (const CheckResult& result : Check(checks, run, "")) EXPECT_FALSE(result.passed) << result.name;
}

/// A tick whose tool is at that height.
wire::Telemetry TickAt(double z_m) {
  wire::Telemetry tick;
  tick.mutable_p_WT_m()->Mutate(2, z_m);
  return tick;
}

// Source: a tool of 50 g that sinks by 20 mm gives m g z = 9.81 mJ; it is none of the loop's.
TEST(SceneChecks, DoNotTakeTheToolsWeightForMadeEnergy) {
  RunSummary run;
  for (const double z_m : {0.1, 0.2, 0.08}) run.Add(TickAt(z_m));
  run.taken_J = 0.005;
  run.given_J = 0.0158;
  SceneChecks checks;
  checks.bounds = {{"max_energy_given_J", 0.001}};
  checks.weight_N[0] = {0, 0, -0.05 * 9.81};
  EXPECT_TRUE(Check(checks, run, "")[0].passed) << Check(checks, run, "")[0].what;
  run.given_J = 0.016;
  EXPECT_FALSE(Check(checks, run, "")[0].passed);
  checks.weight_N[0] = {};
  run.given_J = 0.0061;
  EXPECT_FALSE(Check(checks, run, "")[0].passed);
}

/// A tick with contacts that ended so.
wire::Telemetry TickThat(wire::SolveStatus status, std::uint32_t bits = 0) {
  wire::Telemetry tick;
  tick.mutate_contacts(4);
  tick.mutate_solve_status(status);
  tick.mutate_status(bits);
  return tick;
}

TEST(RunSummary, TellsTicksOutOfWorkFromASolverThatGaveUp) {
  RunSummary run;
  run.Add(TickThat(wire::SolveStatus::kBudget, status_bit::kWorkSpent));
  run.Add(TickThat(wire::SolveStatus::kSolved));
  run.Add(TickThat(wire::SolveStatus::kBudget, status_bit::kWorkSpent));
  run.Add(TickThat(wire::SolveStatus::kBudget));
  EXPECT_EQ(run.deadline_ticks, 2u);
  EXPECT_EQ(run.solve_status[2], 3u);
  EXPECT_EQ(run.inexact_in_a_row, 2u);
}

TEST(RunSummary, TakesTheLastCountsFromStopped) {
  RunSummary run;
  run.Add(wire::Stopped(100, 7, 120, 2, 1, 0));
  EXPECT_EQ(run.missed_deadlines, 7u);
  EXPECT_EQ(run.bad_frames, 2u);
  EXPECT_EQ(run.dropped_telemetry, 1u);
}

RunSummary SmallRun() {
  RunSummary run;
  run.board = "mps2-an500";
  run.ticks = 10000;
  run.replay = ReplayResult{.ticks = 10000, .identical = 10000, .telemetry = 10000, .first_difference = "", .damage = ""};
  return run;
}

TEST(ReportTable, TellsHowTheReplayWent) {
  EXPECT_NE(ReportTable(SmallRun()).find("host replay: 10000/10000 ticks bit-identical"), std::string::npos);
}

/// A run on an emulator that runs so many instructions in a microsecond, of a board that states a clock of 25 MHz.
RunSummary CountedRun(std::uint32_t per_us) {
  RunSummary run = SmallRun();
  run.core_clock_Hz = 25'000'000;
  run.instructions = InstructionCount{.ticks = 10000, .p50 = 50000, .p99 = 100000, .max = 477374, .per_us = per_us};
  return run;
}

// Source: 50 000 instructions are a tenth of 500 µs⁻¹ · 1000 µs, and a fifth of 250 µs⁻¹ · 1000 µs; 477 374 of them in
// 1000 µs need 477.374 MHz.
TEST(ReportTable, ScalesInstructionsByTheRateOfTheEmulator) {
  const std::string fast = ReportTable(CountedRun(500)), slow = ReportTable(CountedRun(250));
  EXPECT_NE(fast.find("of the period     10.0 %    20.0 %    95.5 %"), std::string::npos) << fast;
  EXPECT_NE(fast.find("500 000 instructions in the period of 1 ms"), std::string::npos) << fast;
  EXPECT_NE(slow.find("of the period     20.0 %    40.0 %   190.9 %"), std::string::npos) << slow;
  EXPECT_NE(slow.find("250 000 instructions in the period of 1 ms"), std::string::npos) << slow;
}

TEST(ReportTable, SaysWhatClockTheInstructionsNeedAndWhatTheBoardStates) {
  RunSummary run = CountedRun(500);
  const std::string needs = "At one instruction a cycle the largest needs 478 MHz";
  EXPECT_NE(ReportTable(run).find(needs + "; the board itself states 25 MHz."), std::string::npos) << ReportTable(run);
  EXPECT_NE(ReportTable(run).find("Instructions, not cycles"), std::string::npos);
  run.core_clock_Hz = 0;
  EXPECT_NE(ReportTable(run).find(needs + ".\n"), std::string::npos) << ReportTable(run);
}

TEST(ReportTable, TellsNoShareWhereTheEmulatedClockIsThisMachines) {
  const std::string table = ReportTable(CountedRun(0));
  EXPECT_NE(table.find("No share of the period"), std::string::npos) << table;
  EXPECT_EQ(table.find('%'), std::string::npos) << table;
}

TEST(ReportTable, NotesTicksOutOfWork) {
  RunSummary run;
  run.ticks = 2;
  run.Add(TickThat(wire::SolveStatus::kBudget, status_bit::kWorkSpent));
  run.Add(TickThat(wire::SolveStatus::kSolved));
  const std::string note = "1 tick out of the tick's budget of work: answered safely";
  EXPECT_NE(ReportTable(run).find(note + ", the next tick exactly"), std::string::npos) << ReportTable(run);
  EXPECT_EQ(ReportTable(SmallRun()).find("out of the tick's budget"), std::string::npos);
}

// Source: 200 kg that hang on a tool draw its coupling with 200 · 9.81 = 1 962 N, and the device gives 8.
TEST(ReportTable, SaysWhereTheHandCannotHoldTheTool) {
  RunSummary run;
  wire::Telemetry tick;
  tick.mutate_mode(wire::Mode::kActive);
  tick.mutable_coupling_wrench_W()->Mutate(2, 1962);
  tick.mutate_status(status_bit::kForceClamped);
  run.Add(tick);
  run.largest_force_N = 8;
  EXPECT_NE(ReportTable(run).find("wanted up to 1962 N"), std::string::npos) << ReportTable(run);
  run.largest_coupling_N = 40;  // a hand that presses
  EXPECT_EQ(ReportTable(run).find("wanted up to"), std::string::npos) << ReportTable(run);
}

TEST(Finish, FailsForASolverThatGaveUpButNotForTheDeadline) {
  RunSummary deadline;
  deadline.Add(TickThat(wire::SolveStatus::kBudget, status_bit::kWorkSpent));
  EXPECT_EQ(Finish({.log = "", .json = "", .replay = false}, "", &deadline), kExitOk);
  RunSummary opposed;
  opposed.Add(TickThat(wire::SolveStatus::kBudget, status_bit::kOverlapsOpposed));
  EXPECT_EQ(Finish({.log = "", .json = "", .replay = false}, "", &opposed), kExitFailed);
  ASSERT_EQ(opposed.problems.size(), 1u);
  EXPECT_NE(opposed.problems[0].find("in 1 ticks undoing overlaps"), std::string::npos) << opposed.problems[0];
  RunSummary jammed;  // one island opposes, another is jammed: the status is the worse one's
  jammed.Add(TickThat(wire::SolveStatus::kJammed, status_bit::kOverlapsOpposed));
  EXPECT_EQ(Finish({.log = "", .json = "", .replay = false}, "", &jammed), kExitFailed);
  EXPECT_EQ(jammed.problems.size(), 1u) << jammed.problems.back();
  RunSummary gave_up;
  gave_up.Add(TickThat(wire::SolveStatus::kBudget));
  EXPECT_EQ(Finish({.log = "", .json = "", .replay = false}, "", &gave_up), kExitFailed);
}

TEST(ReportTable, SaysThatNothingWasCountedOnTheHost) {
  EXPECT_NE(ReportTable(SmallRun()).find("not counted"), std::string::npos);
}

TEST(ReportJson, HasTheSameFacts) {
  RunSummary run = SmallRun();
  run.core_clock_Hz = 25'000'000;
  run.instructions = InstructionCount{.ticks = 10000, .p50 = 1, .p99 = 2, .max = 50000, .per_us = 500};
  const nlohmann::json json = nlohmann::json::parse(ReportJson(run));
  EXPECT_EQ(json["format"], "tactus.run/1");
  EXPECT_EQ(json["ticks"], 10000);
  EXPECT_EQ(json["core_clock_Hz"], 25'000'000);
  EXPECT_EQ(json["instructions"]["p99"], 2);
  EXPECT_EQ(json["instructions"]["per_period"], 500'000);
  EXPECT_EQ(json["instructions"]["max_percent_of_period"], 10.0);
  EXPECT_EQ(json["instructions"]["needed_clock_Hz"], 50e6);
  EXPECT_EQ(json["replay"]["identical"], 10000);
}

}  // namespace
}  // namespace tactus::host
