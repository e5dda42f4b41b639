#include "bench/feel/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bench/feel/noise.h"
#include "bench/scenes/random.h"

namespace tactus::bench::feel {
namespace {

constexpr double kLate_s = 0.25;
constexpr double kPullLength_m = 0.5;  // a soft spring so long draws with a force that changes by a percent over the fall

/// No hand: a weight, as a spring that is long and soft. A hand: its own spring.
Pull DrawPull(std::uint64_t seed, hal::HandParameters* hand) {
  Random random(seed);
  const double angle_rad = random.Uniform(0, 2 * std::numbers::pi), away_m = random.Uniform(0.025, 0.060);
  const double height_m = random.LogUniform(0.0003, 0.004), force_N = random.Uniform(0.5, 1);
  if (hand->stiffness_N_per_m == 0) hand->stiffness_N_per_m.value = force_N / kPullLength_m;
  const Vec3 start_m(away_m * std::cos(angle_rad), away_m * std::sin(angle_rad), RestHeight_m() + height_m);
  return {.start_m = start_m, .target_m = start_m - Vec3(0, 0, force_N / hand->stiffness_N_per_m), .move_s = 0.05};
}

/// Pools adjacent violators: the falling sequence nearest to the shares.
void MakeFalling(std::vector<Rung>* rungs) {
  struct Pool {
    double sum = 0;
    std::size_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const Rung& rung : *rungs) {
    pools.push_back({.sum = rung.at_rest, .count = 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() < pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  auto rung = rungs->begin();
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.count; ++i) (rung++)->at_rest = pool.mean();
  }
}

/// Largest speed in the last quarter of a second; infinite if the loop faulted.
double LateSpeed_mps(const std::vector<Period>& periods, double period_s) {
  if (EndOf(periods) < periods.size()) return std::numeric_limits<double>::infinity();
  double late_mps = 0;
  for (std::size_t k = periods.size() - static_cast<std::size_t>(Ticks(kLate_s, period_s)); k < periods.size(); ++k) {
    late_mps = std::max(late_mps, periods[k].v_WH_mps.norm());
  }
  return late_mps;
}

}  // namespace

std::vector<Period> DropPeriods(const Drop& drop, const Config<double>& config, std::uint64_t seed, double duration_s) {
  hal::HandParameters hand = drop.hand;
  const Pull pull = DrawPull(seed, &hand);
  SimHandle handle(drop.setup.device, hand, pull, seed, drop.setup.period_us);
  TickController controller(config);
  return Loop(&handle, &controller, drop.setup.late_ticks).Run(duration_s, drop.setup.period_s());
}

Ending DropOnce(const Drop& drop, std::uint64_t seed, double duration_s) {
  const std::vector<Period> periods = DropPeriods(drop, ConfigFor(drop.setup), seed, duration_s);
  const Noise noise = MeasureNoise(periods, SimHandle::kWait_s);
  return {.late_mps = LateSpeed_mps(periods, drop.setup.period_s()), .active = noise.active, .added_N = noise.added_N};
}

double ShareAtRest(const Drop& drop, std::uint64_t seed, int starts) {
  int at_rest = 0;
  for (int start = 0; start < starts; ++start) {
    const std::vector<Period> periods =
        DropPeriods(drop, ConfigFor(drop.setup), 1'000'000 * seed + static_cast<std::uint64_t>(start), kDrop_s);
    at_rest += LateSpeed_mps(periods, drop.setup.period_s()) < Ending::kRest_mps ? 1 : 0;
  }
  return static_cast<double>(at_rest) / starts;
}

std::vector<Rung> ClimbLadder(Drop drop, std::uint64_t seed, int starts, double lowest_N_per_m, double ratio) {
  constexpr int kLostInARow = 3;
  constexpr double kHighest_N_per_m = 1e6;
  std::vector<Rung> rungs;
  int lost = 0;
  for (double k_N_per_m = lowest_N_per_m; lost < kLostInARow && k_N_per_m < kHighest_N_per_m; k_N_per_m *= ratio) {
    drop.setup.stiffness_N_per_m = k_N_per_m;
    rungs.push_back({.stiffness_N_per_m = k_N_per_m, .at_rest = ShareAtRest(drop, seed, starts)});
    lost = rungs.back().at_rest <= 0.5 ? lost + 1 : 0;
  }
  return rungs;
}

double LargestStable_N_per_m(std::vector<Rung> rungs) {
  MakeFalling(&rungs);
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const Rung& high = rungs[i];
    if (high.at_rest >= kGoodShare) continue;
    if (i == 0) return 0;
    const Rung& low = rungs[i - 1];
    const double share = (low.at_rest - kGoodShare) / (low.at_rest - high.at_rest);
    return low.stiffness_N_per_m * std::pow(high.stiffness_N_per_m / low.stiffness_N_per_m, share);
  }
  return rungs.empty() ? 0 : rungs.back().stiffness_N_per_m;
}

}  // namespace tactus::bench::feel
