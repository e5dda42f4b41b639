#include "bench/safety/safety_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/report.h"
#include "bench/safety/boards.h"
#include "bench/safety/device_campaign.h"
#include "bench/safety/falcon_start_campaign.h"
#include "bench/safety/io_campaign.h"
#include "bench/safety/linux_campaign.h"

namespace tactus::bench {
namespace {

using safety::BoardCount;
using safety::Campaign;
using safety::FaultCount;

void AddFault(const FaultCount& count, Report* report, Table* table) {
  table->AddRow({count.name, count.injected, count.detected, count.safe, count.ticks_to_zero, count.recovered});
  report->Add(AtMost(0, count.name + ", not detected, safe and recovered", count.failed, "times"));
  report->Add(AtMost(count.most_ticks, count.name + ", until zero", count.ticks_to_zero, "ticks"));
}

void AddBoard(const BoardCount& count, Report* report, Table* table) {
  const Table::Cell detected = count.detected < 0 ? Table::Cell() : Table::Cell(count.detected);
  table->AddRow({count.name, count.injected, detected, count.safe, {}, {}});
  report->Add(AtMost(0, count.name + ", not detected and safe", static_cast<double>(count.failed), "times"));
}

void ReportBoards(const BenchOptions& options, Report* report, Table* table) {
  if (!options.boards.value_or(!options.quick)) {
    report->Note("S6 and S9, the boards' campaigns, were not run: --boards runs them.");
    return;
  }
  for (const safety::BoardCampaign& campaign : safety::BoardCampaigns(options.quick)) {
    report->Progress(campaign.name);
    if (const std::optional<BoardCount> count = safety::RunOnBoard(campaign, options.seed)) {
      AddBoard(*count, report, table);
    } else {
      report->Note(fmt::format("{}: skipped, its image is not built: {}", campaign.name, campaign.how_to_build));
    }
  }
}

void ReportModels(const Campaign& campaign, Report* report, Table* table) {
  const std::vector<std::string> programs = safety::ModelCampaigns();
  if (programs.empty()) report->Note("Boards on register models: skipped, not built: cmake --build build/host");
  for (const std::string& program : programs) {
    for (const FaultCount& count : safety::RunOnModels(program, campaign.injections, campaign.seed))
      AddFault(count, report, table);
  }
}

void AddNotes(Report* report) {
  report->Note(
      "Each fault was injected into the real servo application, as often with double as with float, at random ticks and "
      "forces of 0.5 to 4.4 N. Detected: the right fault, refusal or answer came. Safe: zero within the bound, below the "
      "straight line, written in every period, and zero ever after. Recovered: clear fault and arm (after a stop and a "
      "closed "
      "link: a new run), and force again.");
  report->Note(
      "What is refused (absurd Config and Tune, garbage, the second host) leaves the force as it is for ten periods and "
      "more; the ticks to zero are those of the disarm that follows. S4: a tick is a call of the loop in which no time "
      "passes.");
  report->Note(
      "I/O: the I/O firmware at 1 kHz, at random currents of 0.1 to 2 A. Recovered: another session, clear fault, off, on. "
      "The "
      "same over a pseudo terminal in real time: build/host/tests/io/io_line_test");
  report->Note(
      "Linux: the loop of `tactus serve` in virtual time, with its own link, clock and simulated device; a tick is a period "
      "that it runs. While it is held up nothing can be written: there an I/O board lets go by itself after 3 ms. A real "
      "kernel, hogs and hang-ups: tests/linux.");
  report->Note(
      "Devices: the driver of each real device against its emulator (docs/devices.md), on a line in memory, at random "
      "forces. "
      "Detected: the driver names the cause. Safe: no current in any motor of the emulated device within the bound; where "
      "the "
      "device no longer hears, that is its own time-out. A device without one (Haply; Falcon, as far as is known) keeps its "
      "current, and no other, until it hears again: the bound is from there. What leaves all answers whole (split, merge, "
      "most repeats, noise between lines) must be named by nothing and leave the force; the bound is from where it is let "
      "go. At most 100 injections each.");
  report->Note(
      "Boards on register models: the board's own source, on models of its chip (tests/stm32/boards). A stuck flag of the "
      "clock ends the start with nothing switched on; a lost crystal cuts without software, so does a falling supply where "
      "the chip can; the break and the DMA fail under the I/O firmware on the chip's own drivers, a tick is its period of 1 "
      "ms. None of this was run on silicon.");
  report->Note("Every sequence of events to depth 8: build/host/tests/supervise/supervise_test");
  report->Note("S11 is tested by Target.S11… on the boards, F1 to F3 are measured by `tactus bench feel`.");
}

}  // namespace

int RunSafety(const BenchOptions& options, const Campaign& campaign) {
  Report report("safety", "Safety: force off means force off", options);
  Table& table = report.AddTable("faults", "Injected faults",
                                 {{"name"}, {"injected"}, {"detected"}, {"safe"}, {"ticks_to_zero"}, {"recovered"}});
  report.ListInJson("faults", table);
  for (const safety::FaultCase& fault : safety::FaultCases()) {
    report.Progress(fault.name);
    AddFault(safety::Count(fault, campaign), &report, &table);
  }
  report.Progress("I/O boards");
  for (const FaultCount& count : safety::CountIoFaults(campaign)) AddFault(count, &report, &table);
  report.Progress("Linux");
  for (const FaultCount& count : safety::CountLinuxFaults(campaign)) AddFault(count, &report, &table);
  report.Progress("devices");
  const safety::Campaign of_devices{
      .injections = std::min(campaign.injections, 100), .seed = campaign.seed, .bound_share = campaign.bound_share};
  for (const FaultCount& count : safety::CountDeviceFaults(of_devices)) AddFault(count, &report, &table);
  for (const FaultCount& count : safety::CountFalconStartFaults(of_devices)) AddFault(count, &report, &table);
  report.Progress("boards on register models");
  ReportModels(campaign, &report, &table);
  ReportBoards(options, &report, &table);
  AddNotes(&report);
  return report.Finish();
}

int RunSafety(const BenchOptions& options) {
  return RunSafety(options, {.injections = options.quick ? 20 : 1000, .seed = options.seed});
}

}  // namespace tactus::bench
