#include "host_tools/report/print_report.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tactus/haptic/config.h"

namespace tactus::host {
namespace {

std::string Row(const char* label, const std::string& text) { return fmt::format("  {:<13}{}\n", label, text); }
std::string More(const std::string& text) { return Row("", text); }

/// 12345 → "12 345"
std::string Grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3) text.insert(static_cast<std::size_t>(i), " ");
  return text;
}

std::string Count(std::uint64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", Grouped(number), number == 1 ? one : many);
}

double Mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

std::uint64_t InstructionsPerPeriod(const RunSummary& run) {
  return std::uint64_t{run.instructions->per_us} * run.tick_period_us;
}

double PeriodPercent(std::uint64_t instructions, const RunSummary& run) {
  return 100 * static_cast<double>(instructions) / static_cast<double>(InstructionsPerPeriod(run));
}

/// The clock at which the dearest tick just ends within its period, at one instruction a cycle.
double NeededClock_MHz(const RunSummary& run) { return static_cast<double>(run.instructions->max) / run.tick_period_us; }

std::string DeviceRows(const RunSummary& run) {
  std::string rows;
  for (const std::string& sentence : run.device) rows += rows.empty() ? Row("device", sentence) : More(sentence);
  return rows;
}

std::string LoopRows(const RunSummary& run) {
  return Row("loop",
             fmt::format("{}, {}, {} without a new sample", Count(run.ticks, "tick", "ticks"),
                         Count(run.missed_deadlines, "missed deadline", "missed deadlines"), Grouped(run.stale_ticks))) +
         Row("link", fmt::format("{}, {} lost for want of room", Count(run.bad_frames, "bad frame", "bad frames"),
                                 Count(run.dropped_telemetry, "telemetry frame", "telemetry frames")));
}

std::string PeriodRows(const RunSummary& run) {
  const InstructionCount& n = *run.instructions;
  if (n.per_us == 0) return More("No share of the period: the emulated clock is this machine's.");
  return More(fmt::format("{:<14}{:>8.1f} %{:>8.1f} %{:>8.1f} %", "of the period", PeriodPercent(n.p50, run),
                          PeriodPercent(n.p99, run), PeriodPercent(n.max, run))) +
         More(fmt::format("The emulator runs {} instructions in the period of {:g} ms.", Grouped(InstructionsPerPeriod(run)),
                          1e-3 * run.tick_period_us));
}

/// What the count says about a processor, and what it does not.
std::string ClockRows(const RunSummary& run) {
  const std::string needed = fmt::format("the largest needs {:.0f} MHz", std::ceil(NeededClock_MHz(run)));
  const std::string stated =
      run.core_clock_Hz == 0 ? "" : fmt::format("; the board itself states {:g} MHz", 1e-6 * run.core_clock_Hz);
  return More(fmt::format("At one instruction a cycle {}{}.", needed, stated)) +
         More("Instructions, not cycles: the emulator models no caches or wait states.");
}

std::string WorkRows(const RunSummary& run) {
  if (!run.instructions) return Row("work", "not counted: instructions are counted on the emulated board only");
  const InstructionCount& n = *run.instructions;
  return Row("work", fmt::format("{:<14}{:>10}{:>10}{:>10}", "per tick", "p50", "p99", "max")) +
         More(fmt::format("{:<14}{:>10}{:>10}{:>10}", "instructions", Grouped(n.p50), Grouped(n.p99), Grouped(n.max))) +
         PeriodRows(run) + ClockRows(run);
}

/// Ticks that the deadline cut short are no error: what they gave is safe.
std::string DeadlineRow(const RunSummary& run) {
  if (run.deadline_ticks == 0) return "";
  const bool every_tick_told = run.telemetry == run.ticks;
  const std::string next = !every_tick_told            ? ""
                           : run.inexact_in_a_row == 1 ? ", the next tick exactly"
                                                       : fmt::format(", at most {} in a row", Grouped(run.inexact_in_a_row));
  return More(fmt::format("{} out of the tick's budget of work: answered safely{}",
                          Count(run.deadline_ticks, "tick", "ticks"), next));
}

std::string SolverRows(const RunSummary& run) {
  std::string rungs;
  for (std::size_t i = 0; i < run.rungs.size(); ++i) {
    if (run.rungs[i] == 0) continue;
    std::string name = Name(static_cast<Rung>(i));
    for (char& c : name) c = c == '_' ? ' ' : c;
    rungs += fmt::format("{}{} {}", rungs.empty() ? "" : ", ", name, Grouped(run.rungs[i]));
  }
  return Row("contacts", fmt::format("in {}, mean {:.1f}, at most {}; deepest penetration {:.1f} µm",
                                     Count(run.contact_ticks, "tick", "ticks"), Mean(run.contacts_sum, run.contact_ticks),
                                     run.contacts_max, 1e6 * run.deepest_m)) +
         Row("solver", rungs.empty() ? "not needed" : rungs) +
         More(fmt::format("exact {}, jammed {}, out of budget {}", Grouped(run.solve_status[0]),
                          Grouped(run.solve_status[1]), Grouped(run.solve_status[2]))) +
         More(fmt::format("pivots mean {:.2f}, max {}; largest complementarity residual {:.1e}",
                          Mean(run.pivots_sum, run.contact_ticks), run.pivots_max, run.worst_residual)) +
         DeadlineRow(run);
}

std::string ButtonRow(const RunSummary& run) { return run.buttons.any() ? Row("buttons", ButtonText(run.buttons)) : ""; }

/// The handle's own account, where the device is at the host and can be asked.
std::string HandleEnergy(const RunSummary& run) {
  if (run.local_device) return "the device is the board's own and keeps its account";
  return fmt::format("{:.1f} mJ taken from the hand, {:.1f} mJ given back", 1e3 * run.taken_J, 1e3 * run.given_J);
}

/// A hand that feels nothing although it is in a wall has to hear why.
std::string PlacedRow(const RunSummary& run) {
  if (run.placed_inside_ticks == 0) return "";
  return More(
      fmt::format("the handle stood inside an obstacle when the force began: none for {}, until the hand drew it out",
                  Count(run.placed_inside_ticks, "tick", "ticks")));
}

/// A tool that the hand cannot hold, or not follow, draws the coupling out.
std::string CouplingRow(const RunSummary& run) {
  constexpr double kFar = 10;  // a hand that presses into a wall draws it to a few times what the device gives
  if (run.clamped_ticks == 0 || !(run.largest_coupling_N > kFar * run.largest_force_N)) return "";
  return More(fmt::format("the coupling wanted up to {:.0f} N: the hand could not hold the tool, or not follow it",
                          run.largest_coupling_N));
}

std::string ForceRows(const RunSummary& run) {
  return Row("force", fmt::format("at most {:.2f} N and {:.3f} N·m; clamped in {}", run.largest_force_N,
                                  run.largest_torque_Nm, Count(run.clamped_ticks, "tick", "ticks"))) +
         CouplingRow(run) + PlacedRow(run) +
         Row("energy", fmt::format("{}; at most {:.2f} mJ stored", HandleEnergy(run), 1e3 * run.largest_stored_J)) +
         More(fmt::format("passivity: observer never below {:.2f} mJ, damping added in {}", 1e3 * run.least_credit_J,
                          Count(run.passivity_ticks, "tick", "ticks")));
}

std::string Verdict(const RunSummary& run) {
  std::string text;
  if (run.replay) {
    text += fmt::format("  host replay: {}/{} ticks bit-identical\n", run.replay->identical, run.replay->ticks);
    if (!run.replay->first_difference.empty()) text += fmt::format("  {}\n", run.replay->first_difference);
    if (!run.replay->damage.empty()) text += fmt::format("  {}\n", run.replay->damage);
  }
  if (run.stopped_by != 0) text += fmt::format("  stopped by signal {}: this is what was run until then\n", run.stopped_by);
  for (const std::string& fault : run.faults) text += fmt::format("  fault at {}\n", fault);
  for (const std::string& problem : run.problems) text += fmt::format("  problem: {}\n", problem);
  return text;
}

}  // namespace

std::string ButtonText(const hal::ButtonCounts& buttons) {
  std::string text;
  for (std::size_t i = 0; i < buttons.presses.size(); ++i) {
    if (buttons.presses[i] == 0) continue;
    text += fmt::format("{}{} pressed {}", text.empty() ? "" : ", ", i + 1, Count(buttons.presses[i], "time", "times"));
  }
  return text;
}

std::string ReportTable(const RunSummary& run) {
  return fmt::format("\n  Tactus: {} at {:g} kHz, {:.1f} s of touch in {:.1f} s\n\n", run.scene, 1e3 / run.tick_period_us,
                     1e-6 * run.tick_period_us * static_cast<double>(run.ticks), run.wall_s) +
         Row("board", fmt::format("{}, {}, {} bit numbers, build {}", run.board, run.link, run.scalar_bits, run.build)) +
         DeviceRows(run) + LoopRows(run) + WorkRows(run) + SolverRows(run) + ForceRows(run) + ButtonRow(run) + "\n" +
         Verdict(run) + "\n";
}

std::string ReportJson(const RunSummary& run) {
  nlohmann::ordered_json json{
      {"format", "tactus.run/1"},
      {"board", run.board},
      {"build", run.build},
      {"link", run.link},
      {"scalar_bits", run.scalar_bits},
      {"core_clock_Hz", run.core_clock_Hz},
      {"device", run.device},
      {"ticks", run.ticks},
      {"missed_deadlines", run.missed_deadlines},
      {"stale_ticks", run.stale_ticks},
      {"bad_frames", run.bad_frames},
      {"dropped_telemetry", run.dropped_telemetry},
      {"contact_ticks", run.contact_ticks},
      {"contacts_mean", Mean(run.contacts_sum, run.contact_ticks)},
      {"contacts_max", run.contacts_max},
      {"pivots_mean", Mean(run.pivots_sum, run.contact_ticks)},
      {"pivots_max", run.pivots_max},
      {"out_of_work_ticks", run.deadline_ticks},
      {"opposed_ticks", run.opposed_ticks},
      {"largest_residual", run.worst_residual},
      {"deepest_penetration_m", run.deepest_m},
      {"largest_force_N", run.largest_force_N},
      {"largest_torque_Nm", run.largest_torque_Nm},
      {"clamped_ticks", run.clamped_ticks},
      {"largest_coupling_N", run.largest_coupling_N},
      {"placed_inside_ticks", run.placed_inside_ticks},
      {"passivity_ticks", run.passivity_ticks},
      {"taken_from_hand_J", run.taken_J},
      {"given_to_hand_J", run.given_J},
      {"passivity_least_J", run.least_credit_J},
      {"largest_stored_J", run.largest_stored_J},
      {"button_presses", run.buttons.presses},
      {"faults", run.faults},
      {"problems", run.problems},
      {"stopped_by_signal", run.stopped_by},
      {"wall_s", run.wall_s},
  };
  for (std::size_t i = 0; i < run.rungs.size(); ++i) json["rungs"][Name(static_cast<Rung>(i))] = run.rungs[i];
  for (std::size_t i = 0; i < run.solve_status.size(); ++i) {
    json["solve_status"][Name(static_cast<SolveStatus>(i))] = run.solve_status[i];
  }
  if (run.instructions) {
    json["instructions"] = {{"ticks", run.instructions->ticks},
                            {"p50", run.instructions->p50},
                            {"p99", run.instructions->p99},
                            {"max", run.instructions->max},
                            {"needed_clock_Hz", 1e6 * NeededClock_MHz(run)}};
    if (run.instructions->per_us != 0) {
      json["instructions"]["per_period"] = InstructionsPerPeriod(run);
      json["instructions"]["max_percent_of_period"] = PeriodPercent(run.instructions->max, run);
    }
  }
  if (run.replay) {
    json["replay"] = {{"ticks", run.replay->ticks},
                      {"identical", run.replay->identical},
                      {"telemetry", run.replay->telemetry},
                      {"first_difference", run.replay->first_difference},
                      {"joint_drift_m", run.replay->joint_drift_m},
                      {"jam",
                       {{"duration_s", run.replay->jam.duration_s},
                        {"overlap_m", run.replay->jam.overlap_m},
                        {"past_stop", run.replay->jam.past_stop}}}};
  }
  return json.dump(2) + "\n";
}

}  // namespace tactus::host
