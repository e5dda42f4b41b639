#include "bench/safety/campaign.h"

#include <algorithm>

namespace tactus::bench::safety {
namespace {

/// The longest fade that a Config may have, 0.1 s, and one tick for its rounding: SupervisorLimits::fade_periods.
constexpr int kFadePeriods = 101;
/// A still hand's force moves by no more while the command may hold: the estimate of the handle settles within 1.5 counts of
/// the sample to either side (handle_estimate.h), so 2 · 1.5 D K for the default device.
constexpr float kStill_N = 2 * 1.5f * 4e-5f * 1500;

/// Periods from `from` on until the fade begins: the patience, or less if the fault is told earlier.
std::size_t Patience(const std::vector<Period>& log, std::size_t from, int patience_ticks) {
  std::size_t wait = 0;
  while (wait < static_cast<std::size_t>(patience_ticks) && from + wait < log.size() && !log[from + wait].fault_told) ++wait;
  return wait;
}

Outcome InjectOnce(const FaultCase& fault, int most_ticks, Rig* rig, Random* random) {
  Outcome outcome;
  if (!rig->PressTo(static_cast<float>(random->Uniform(0.5, 4.4)))) return outcome;
  rig->Run(random->Integer(20, 120));
  const float from_N = rig->Mark();
  const FaultCase::Injected injected = fault.inject(rig, random);
  outcome.detected = injected.detected;
  outcome.safe = IsSafe(rig->log, injected.from, from_N, fault, most_ticks, &outcome.ticks_to_zero);
  outcome.recovered = rig->Recover() && rig->PressTo(0.5f);
  return outcome;
}

}  // namespace

bool IsSafe(const std::vector<Period>& log, std::size_t from, float from_N, const FaultCase& fault, int most_ticks,
            int* ticks_to_zero) {
  const std::size_t wait = Patience(log, from, fault.patience_ticks);
  const auto first_zero = std::find_if(log.begin() + static_cast<std::ptrdiff_t>(std::min(from, log.size())), log.end(),
                                       [](const Period& period) { return period.zero(); });
  *ticks_to_zero = static_cast<int>(first_zero - log.begin()) - static_cast<int>(from) + (first_zero != log.end() ? 1 : 0);
  if (first_zero == log.end() || *ticks_to_zero > most_ticks) return false;
  float start_N = from_N;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const bool holds = i < from + wait;
    if (!log[i].written && !(holds && i >= from && fault.may_stand)) return false;
    if (holds && log[i].force_N > from_N + kStill_N) return false;
    if (i < from && log[i].force_N < from_N - kStill_N) return false;  // refused: nothing may happen to the force
    if (holds) start_N = log[i].force_N;
    const float line_N = start_N * (1 - static_cast<float>(i - from - wait) / kFadePeriods);
    if (!holds && log[i].force_N > line_N + 1e-6f) return false;
  }
  return std::all_of(first_zero, log.end(), [](const Period& period) { return period.zero(); });
}

FaultCount Count(const FaultCase& fault, const Campaign& campaign) {
  const int most_ticks = static_cast<int>(fault.most_ticks() * campaign.bound_share);
  FaultCount count{.name = fault.name, .most_ticks = most_ticks};
  Random random(campaign.seed);
  for (const Precision precision : {Precision::kDouble, Precision::kFloat}) {
    Setup setup = fault.setup;
    setup.precision = precision;
    Rig rig(setup);
    (void)rig.Recover();  // arms
    for (int i = 0; i < campaign.injections; ++i) count.Add(InjectOnce(fault, most_ticks, &rig, &random));
  }
  return count;
}

}  // namespace tactus::bench::safety
