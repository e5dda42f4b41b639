#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/safety/fault_count.h"
#include "bench/safety/rig.h"
#include "bench/scenes/random.h"

namespace tactus::bench::safety {

/// One thing that goes wrong while force is on the hand, and what must come of it.
struct FaultCase {
  std::string name = {};
  /// From the period in which the force must begin to go, as `Inject` tells: so many periods in which the last command may
  /// hold, then so many to zero.
  int patience_ticks = 0, fade_ticks = 0;
  /// In the patience nothing need be written: no tick is due, or time stands still.
  bool may_stand = false;
  Setup setup = {};
  /// Makes it go wrong and runs periods until the output is zero, and some more.
  struct Injected {
    bool detected = false;  ///< the right status, fault or answer came
    std::size_t from = 0;   ///< index into Rig::log: the force must begin to go
  };
  Injected (*inject)(Rig* rig, Random* random) = nullptr;

  int most_ticks() const { return patience_ticks + fade_ticks; }
};

/// All cases that run in this program.
std::vector<FaultCase> FaultCases();

struct Campaign {
  int injections = 20;  ///< of each case in each precision
  std::uint64_t seed = 1;
  double bound_share = 1;  ///< of each case's bound: below 1 the promise is one that nobody made. For the test
};

/// Whether what was written keeps the promise of `fault`: zero within its bound, below the straight line of docs/safety.md,
/// written in every period, and zero ever after.
///
/// @param[in]  from_N  the force before the fault
/// @param[out] ticks_to_zero  from log[from] on; the log's length if it never was zero
bool IsSafe(const std::vector<Period>& log, std::size_t from, float from_N, const FaultCase& fault, int most_ticks,
            int* ticks_to_zero);

/// Injects it with both precisions, at random ticks and forces.
FaultCount Count(const FaultCase& fault, const Campaign& campaign);

}  // namespace tactus::bench::safety
