#include "host_tools/report/run_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "host_tools/report/length.h"
#include "host_tools/report/percentile.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/supervise/phase.h"

namespace tactus::host {
namespace {

double Length(const ::flatbuffers::Array<float, 3>& v) {
  return host::Length(double{v.Get(0)}, double{v.Get(1)}, double{v.Get(2)});
}

/// Of the three numbers from `first` on.
double Length(const ::flatbuffers::Array<double, 6>& v, std::uint16_t first) {
  const auto at = [&](int i) { return v.Get(static_cast<std::uint16_t>(first + i)); };
  return host::Length(at(0), at(1), at(2));
}

std::array<double, 3> Place(const ::flatbuffers::Array<double, 3>& p) { return {p.Get(0), p.Get(1), p.Get(2)}; }

/// The larger one; what is no number is above all: no bound lets it pass.
double Most(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

}  // namespace

std::optional<InstructionCount> CountInstructions(std::vector<std::uint64_t> per_tick, std::uint32_t per_us) {
  if (per_tick.empty()) return std::nullopt;
  std::sort(per_tick.begin(), per_tick.end());
  return InstructionCount{.ticks = per_tick.size(),
                          .p50 = Percentile(per_tick, 0.50),
                          .p99 = Percentile(per_tick, 0.99),
                          .max = per_tick.back(),
                          .per_us = per_us};
}

void RunSummary::Add(const wire::Command& command) {
  ++ticks;
  largest_force_N = Most(largest_force_N, Length(*command.force_N()));
  largest_torque_Nm = Most(largest_torque_Nm, Length(*command.torque_Nm()));
}

void RunSummary::Add(const wire::SecondCommand& command) {
  largest_force_N = Most(largest_force_N, Length(*command.force_N()));
  largest_torque_Nm = Most(largest_torque_Nm, Length(*command.torque_Nm()));
}

void ToolWay::Add(const std::array<double, 3>& p_WT_m) {
  if (!has_begun) start_m = p_WT_m;
  has_begun = true;
  for (std::size_t i = 0; i < 3; ++i) way_m[i] = p_WT_m[i] - start_m[i];
}

void RunSummary::Add(const wire::Telemetry& tick) {
  ++telemetry;
  tools[0].Add(Place(*tick.p_WT_m()));
  if (local_device) {
    ++ticks;
    largest_force_N = Most(largest_force_N, Length(*tick.command_wrench_W(), 0));
    largest_torque_Nm = Most(largest_torque_Nm, Length(*tick.command_wrench_W(), 3));
  }
  missed_deadlines = tick.missed_deadlines();
  bad_frames = tick.bad_frames();
  dropped_telemetry = tick.dropped_telemetry();
  buttons.Note(tick.buttons());
  const std::uint32_t status = tick.status();
  stale_ticks += (status & status_bit::kSampleStale) != 0;
  clamped_ticks += (status & (status_bit::kForceClamped | status_bit::kTorqueClamped)) != 0;
  const bool waits_inside = (status & status_bit::kPlacedInside) != 0;
  placed_inside_ticks += waits_inside;
  if (tick.mode() == wire::Mode::kActive) ends_inside = waits_inside;
  passivity_ticks += (status & status_bit::kPassivityActive) != 0;
  if (tick.mode() == wire::Mode::kActive)
    largest_coupling_N = Most(largest_coupling_N, Length(*tick.coupling_wrench_W(), 0));
  largest_stored_J = Most(largest_stored_J, tick.stored_J());
  least_credit_J = std::min(least_credit_J, tick.dissipated_J());
  const bool is_solved = tick.contacts() > 0 && !waits_inside;  // a scene that waits is not solved
  const bool inexact = is_solved && tick.solve_status() != wire::SolveStatus::kSolved;
  inexact_now_ = inexact ? inexact_now_ + 1 : 0;
  inexact_in_a_row = std::max(inexact_in_a_row, inexact_now_);
  if (is_solved) AddSolve(tick);
}

void RunSummary::Add(const wire::SecondTelemetry& tick) {
  tools[1].Add(Place(*tick.p_WT_m()));
  least_credit_J = std::min(least_credit_J, tick.dissipated_J());
  if (!local_device) return;
  largest_force_N = Most(largest_force_N, Length(*tick.command_wrench_W(), 0));
  largest_torque_Nm = Most(largest_torque_Nm, Length(*tick.command_wrench_W(), 3));
}

void RunSummary::Add(const wire::Stopped& last_word) {
  missed_deadlines = last_word.missed_deadlines();
  bad_frames = last_word.bad_frames();
  dropped_telemetry = last_word.dropped_telemetry();
}

void RunSummary::AddSolve(const wire::Telemetry& tick) {
  ++contact_ticks;
  contacts_sum += tick.contacts();
  contacts_max = std::max<int>(contacts_max, tick.contacts());
  pivots_sum += tick.pivots();
  pivots_max = std::max<int>(pivots_max, tick.pivots());
  deepest_m = Most(deepest_m, -tick.min_gap_m());
  const auto rung = static_cast<std::size_t>(tick.rung());
  const auto status = static_cast<std::size_t>(tick.solve_status());
  if (rung < rungs.size()) ++rungs[rung];
  if (status < solve_status.size()) ++solve_status[status];
  const bool work_spent = (tick.status() & status_bit::kWorkSpent) != 0;
  const bool opposed = (tick.status() & status_bit::kOverlapsOpposed) != 0;
  const bool is_budget = tick.solve_status() == wire::SolveStatus::kBudget;
  deadline_ticks += work_spent && is_budget;
  opposed_ticks += opposed;
  given_up_ticks += is_budget && !work_spent && !opposed;
  if (tick.solve_status() == wire::SolveStatus::kSolved) worst_residual = Most(worst_residual, tick.residual());
}

void RunSummary::Add(const wire::Fault& fault) {
  const auto code = static_cast<Fault>(fault.code());
  const auto cause = static_cast<Cause>(fault.external());
  const bool is_cut = code != Fault::kExternal && cause != Cause::kNone;  // of the force that a fault before it has left
  std::string text = fmt::format("tick {}: {}", fault.tick(), Name(is_cut ? Fault::kExternal : code));
  if (cause != Cause::kNone) text += fmt::format(": {}{}", Name(cause), is_cut ? ", cuts what is left of the force" : "");
  faults.push_back(text);
}

}  // namespace tactus::host
