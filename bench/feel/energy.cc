#include "bench/feel/energy.h"

namespace tactus::bench::feel {
namespace {

double Spring_J(double stiffness_N_per_m, double way_m, double limit_N) {
  const double corner_m = limit_N / stiffness_N_per_m;
  if (way_m <= corner_m) return stiffness_N_per_m * way_m * way_m / 2;
  return limit_N * (way_m - corner_m / 2);
}

/// `tool` is what the answer before left of the tool: the state at this sample.
double Stored_J(const Vec3& p_WH_m, const Answer& tool, const Config<double>& config) {
  return config.tool.mass_kg * tool.tool_mps.squaredNorm() / 2 +
         Spring_J(config.coupling.stiffness_N_per_m, (p_WH_m - tool.tool_m).norm(), config.limits.max_force_N);
}

}  // namespace

std::vector<Balance> Balances(const std::vector<Period>& periods, const Config<double>& config) {
  // The observer begins one tick after the soft start's last one.
  const std::size_t first = static_cast<std::size_t>(Ticks(config.limits.soft_start_s)) + 2;
  std::vector<Balance> balances;
  if (periods.size() <= first) return balances;
  const double stored_J = Stored_J(periods[first].p_WH_m, periods[first - 1].answer, config);
  double work_J = 0;
  for (std::size_t k = first; k < periods.size() && !periods[k].answer.faulted; ++k) {
    const double now_J = Stored_J(periods[k].p_WH_m, periods[k - 1].answer, config);
    balances.push_back({.true_J = -work_J - (now_J - stored_J),
                        .seen_J = periods[k].answer.dissipated_J - periods[first].answer.dissipated_J});
    work_J += periods[k].work_J;
  }
  return balances;
}

Generation LargestGeneration(const std::vector<Balance>& balances, double enough_J) {
  Generation largest;
  Balance highest = balances.empty() ? Balance() : balances.front();
  for (const Balance& now : balances) {
    if (largest.true_J >= enough_J) break;
    if (now.true_J > highest.true_J) highest = now;
    if (highest.true_J - now.true_J > largest.true_J) {
      largest = {.true_J = highest.true_J - now.true_J, .seen_J = highest.seen_J - now.seen_J};
    }
  }
  return largest;
}

}  // namespace tactus::bench::feel
