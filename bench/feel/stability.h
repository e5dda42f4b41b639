#pragma once
#include <cstdint>
#include <vector>

#include "bench/feel/loop.h"
#include "bench/feel/setup.h"

namespace tactus::bench::feel {

/// A handle that falls on the plate under a constant pull and shall come to rest.
struct Drop {
  LoopSetup setup;
  hal::HandParameters hand = hal::NoHand();  ///< moves along; its own spring draws the handle down
};

/// What the handle does in the end.
struct Ending {
  double late_mps = 0;  ///< largest speed in the last quarter of a second; infinite if the loop faulted
  double active = 0;    ///< share of the ticks in which the passivity controller worked
  double added_N = 0;   ///< largest step of what it added

  bool at_rest() const { return late_mps < kRest_mps; }
  /// Issue: late bounces end below it. One count of 38 µm in 9 ms.
  static constexpr double kRest_mps = 0.004;
};

/// One drop from a height, at a place, with a pull that the seed draws: 0.3 to 4 mm, 0.5 to 1 N.
Ending DropOnce(const Drop& drop, std::uint64_t seed, double duration_s);
/// The same loop, period by period, with another Config.
std::vector<Period> DropPeriods(const Drop& drop, const Config<double>& config, std::uint64_t seed, double duration_s);
inline constexpr double kDrop_s = 2.0;
/// … of the first impact alone.
inline constexpr double kImpact_s = 0.6;

/// Shares of starts that come to rest, at ever larger stiffness.
struct Rung {
  double stiffness_N_per_m = 0;
  double at_rest = 0;  ///< 0 … 1
};

double ShareAtRest(const Drop& drop, std::uint64_t seed, int starts);

/// Climbs a ladder of stiffness from `lowest_N_per_m` in steps of `ratio` until at most half of the starts come to rest on
/// three rungs one after the other.
std::vector<Rung> ClimbLadder(Drop drop, std::uint64_t seed, int starts, double lowest_N_per_m, double ratio);

/// The share of starts that LargestStable_N_per_m asks for.
inline constexpr double kGoodShare = 0.9;

/// The stiffness up to which 90 % of the starts come to rest: of the falling curve that fits the shares best (least squares,
/// by pooling adjacent violators), the place where it crosses 90 %, linear in the logarithm of K. 0: not even the first
/// rung; the last rung: it never falls so low.
double LargestStable_N_per_m(std::vector<Rung> rungs);

}  // namespace tactus::bench::feel
