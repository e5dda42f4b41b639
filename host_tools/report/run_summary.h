#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hal/api/button_counts.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/solve/rung.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// Work of each tick on the emulated core.
struct InstructionCount {
  std::uint64_t ticks = 0;
  std::uint64_t p50 = 0, p99 = 0, max = 0;
  std::uint32_t per_us = 0;  ///< that the emulator runs in 1 µs of the board's time; 0: its time is not made of them
};

/// The counts' order statistics; nothing when there are none.
std::optional<InstructionCount> CountInstructions(std::vector<std::uint64_t> per_tick, std::uint32_t per_us);

/// The longest jam over overlaps: no motion undoes them all, and they stay.
struct LongestJam {
  double duration_s = 0;
  double overlap_m = 0;  ///< of its deepest rigid contact
  double past_stop = 0;  ///< farthest that a joint was past its stop [m], of angles [rad]
};

/// How a replay of the run on this machine came out.
struct ReplayResult {
  std::uint64_t ticks = 0;       ///< in the recording
  std::uint64_t identical = 0;   ///< with the same bits in the Command, and in the Telemetry where there is one
  std::uint64_t telemetry = 0;   ///< ticks with Telemetry
  std::string first_difference;  ///< of a tick, or of what the board said between ticks; empty: none
  std::string damage;            ///< how and where the recording is damaged or breaks off; empty: it is whole
  double joint_drift_m = 0;      ///< largest in any tick (scene/joint_drift.h)
  LongestJam jam = {};

  bool ok() const { return ticks > 0 && identical == ticks && first_difference.empty() && damage.empty(); }
};

/// How far a tool has come since its first tick, in the scene's metres.
struct ToolWay {
  std::array<double, 3> start_m{}, way_m{};
  bool has_begun = false;

  void Add(const std::array<double, 3>& p_WT_m);
};

/// What happened in a run, gathered from its telemetry as it arrives.
struct RunSummary {
  std::string board, build, link;
  std::string scene = "peg in hole";  ///< what was touched
  int scalar_bits = 64;
  std::uint32_t tick_period_us = 1000;
  std::uint32_t core_clock_Hz = 0;  ///< as the board states it; 0: it does not
  std::vector<std::string> device;  ///< what to expect of it with this Config, LimitCycleReport()

  bool local_device = false;    ///< the device is the controller's own: Telemetry stands for the commands
  std::uint64_t ticks = 0;      ///< commands received
  std::uint64_t telemetry = 0;  ///< telemetry received; what follows down to the energies is from it
  std::uint32_t missed_deadlines = 0, bad_frames = 0, dropped_telemetry = 0;
  std::uint64_t stale_ticks = 0, clamped_ticks = 0, passivity_ticks = 0;
  std::uint64_t placed_inside_ticks = 0;  ///< without force, for the tool was placed inside an obstacle
  bool ends_inside = false;               ///< it still was in the last tick that was active
  std::vector<std::string> faults;        ///< each that the controller reported, in words
  std::uint64_t contact_ticks = 0;        ///< ticks with at least one contact, without placed_inside_ticks
  std::uint64_t contacts_sum = 0, pivots_sum = 0;
  int contacts_max = 0, pivots_max = 0;
  std::array<std::uint64_t, kRungCount> rungs{};
  std::array<std::uint64_t, 4> solve_status{};
  /// Of the ticks with SolveStatus::kBudget those that spent the tick's work (kWorkBudget): the deadline at work. In the
  /// others the solver ran out of attempts.
  std::uint64_t deadline_ticks = 0;
  std::uint64_t opposed_ticks = 0;                    ///< undoing overlaps would have flung a body (kOverlapsOpposed)
  std::uint64_t given_up_ticks = 0;                   ///< SolveStatus::kBudget for neither reason
  std::uint64_t inexact_in_a_row = 0;                 ///< most ticks one after another whose answer is not exact
  double worst_residual = 0;                          ///< over the ticks that were solved
  double deepest_m = 0;                               ///< largest penetration, ≥ 0
  double largest_force_N = 0, largest_torque_Nm = 0;  ///< of both hands, where there are two
  double largest_coupling_N = 0;                      ///< before the limits, of ticks that are active
  double largest_stored_J = 0;                        ///< in the tool and the coupling
  double least_credit_J = 0;  ///< passivity observer, lowest value; < 0: the loop gave energy that it had not taken
  double given_J = 0,
         taken_J = 0;  ///< to and from the hand through the handle, as a simulated device at the host measures it

  std::array<ToolWay, 2> tools;  ///< the second stands where there is one hand

  hal::ButtonCounts buttons;  ///< of the controller's own device, a Telemetry each

  int stopped_by = 0;  ///< the signal that ended the run before its time; 0: none
  double wall_s = 0;
  std::optional<InstructionCount> instructions;
  std::optional<ReplayResult> replay;
  std::vector<std::string> problems;  ///< what makes the run fail, in words

  void Add(const wire::Command& command);
  void Add(const wire::SecondCommand& command);
  void Add(const wire::Telemetry& tick);
  void Add(const wire::SecondTelemetry& tick);
  void Add(const wire::Fault& fault);
  void Add(const wire::Stopped& last_word);

 private:
  void AddSolve(const wire::Telemetry& tick);

  std::uint64_t inexact_now_ = 0;
};

}  // namespace tactus::host
