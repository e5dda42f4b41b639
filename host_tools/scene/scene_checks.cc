#include "host_tools/scene/scene_checks.h"

#include <fmt/core.h>

#include <utility>

#include "host_tools/scene/timed_checks.h"

namespace tactus::host {
namespace {

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double Exact(const RunSummary& run, const SceneChecks&) {
  return Share(run.solve_status[static_cast<std::size_t>(SolveStatus::kSolved)] +
                   run.solve_status[static_cast<std::size_t>(SolveStatus::kJammed)],
               run.contact_ticks);
}

double Warm(const RunSummary& run, const SceneChecks&) {
  return Share(
      run.rungs[static_cast<std::size_t>(Rung::kWarmVerified)] + run.rungs[static_cast<std::size_t>(Rung::kWarmRepaired)],
      run.contact_ticks);
}

/// Given to the hands beyond what they took and beyond m g·Δx of the tools, which their weights gave [J].
double MadeEnergy(const RunSummary& run, const SceneChecks& checks) {
  double made_J = run.given_J - run.taken_J;
  for (std::size_t hand = 0; hand < run.tools.size(); ++hand) {
    for (std::size_t i = 0; i < 3; ++i) made_J -= checks.weight_N[hand][i] * run.tools[hand].way_m[i];
  }
  return made_J;
}

/// A number of the run, and whether the bound is its largest or its smallest.
struct Known {
  const char* name;
  bool is_most;
  double low, high;  // a bound outside of these no run can keep, or every run keeps
  double (*found)(const RunSummary& run, const SceneChecks& checks);
};

constexpr double kLeastForce_N = 1e-6;  // a tool's weight and inertia are felt in every run
constexpr double kMostForce_N = 1000, kMostTorque_Nm = 1000, kMostDepth_m = 100, kMostEnergy_J = 1e6;
constexpr double kMostCount = 1e9;

constexpr Known kKnown[] = {
    {"max_force_N", true, kLeastForce_N, kMostForce_N,
     [](const RunSummary& run, const SceneChecks&) { return run.largest_force_N; }},
    {"min_force_N", false, 0, kMostForce_N, [](const RunSummary& run, const SceneChecks&) { return run.largest_force_N; }},
    {"max_torque_Nm", true, 0, kMostTorque_Nm,
     [](const RunSummary& run, const SceneChecks&) { return run.largest_torque_Nm; }},
    {"max_penetration_m", true, 0, kMostDepth_m, [](const RunSummary& run, const SceneChecks&) { return run.deepest_m; }},
    {"max_energy_given_J", true, -kMostEnergy_J, kMostEnergy_J, MadeEnergy},
    {"min_contact_share", false, 0, 1,
     [](const RunSummary& run, const SceneChecks&) { return Share(run.contact_ticks, run.telemetry); }},
    {"min_exact_share", false, 0, 1, Exact},
    {"min_warm_share", false, 0, 1, Warm},
    {"max_contacts", true, 0, kMostCount,
     [](const RunSummary& run, const SceneChecks&) { return static_cast<double>(run.contacts_max); }},
    {"min_contacts", false, 0, kMostCount,
     [](const RunSummary& run, const SceneChecks&) { return static_cast<double>(run.contacts_max); }},
    {"max_missed_deadlines", true, 0, kMostCount,
     [](const RunSummary& run, const SceneChecks&) { return static_cast<double>(run.missed_deadlines); }},
};

}  // namespace

const std::vector<std::string>& CheckNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const Known& known : kKnown) made.emplace_back(known.name);
    return made;
  }();
  return names;
}

BoundRange RangeOf(const std::string& name) {
  for (const Known& known : kKnown) {
    if (name == known.name) return {known.low, known.high};
  }
  return {};
}

std::vector<CheckResult> Check(const SceneChecks& checks, const RunSummary& run, const std::string& log_path) {
  std::vector<CheckResult> results;
  for (const Known& known : kKnown) {
    const auto bound = checks.bounds.find(known.name);
    if (bound == checks.bounds.end()) continue;
    const double found = known.found(run, checks);
    results.push_back({known.name, known.is_most ? found <= bound->second : found >= bound->second,
                       fmt::format("{:.6g}, its bound is {:.6g}", found, bound->second)});
  }
  if (checks.timed.size() == 0) return results;
  const SceneTimeline timeline = ReadTimeline(log_path, run.tick_period_us * 1e-6);
  for (CheckResult& result : Check(checks.timed, timeline)) results.push_back(std::move(result));
  return results;
}

}  // namespace tactus::host
