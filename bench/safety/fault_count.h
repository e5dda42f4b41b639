#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace tactus::bench::safety {

/// What came of one injection.
struct Outcome {
  bool detected = false, safe = false, recovered = false;
  int ticks_to_zero = 0;
};

/// How often a case was injected, and what came of it.
struct FaultCount {
  std::string name;
  int injected = 0, detected = 0, safe = 0, recovered = 0;
  int failed = 0;         ///< injections in which one of the three is missing
  int ticks_to_zero = 0;  ///< largest
  int most_ticks = 0;     ///< bound

  void Add(const Outcome& outcome) {
    ++injected;
    detected += outcome.detected;
    safe += outcome.safe;
    recovered += outcome.recovered;
    failed += !(outcome.detected && outcome.safe && outcome.recovered);
    ticks_to_zero = std::max(ticks_to_zero, outcome.ticks_to_zero);
  }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FaultCount, name, injected, detected, safe, recovered, failed, ticks_to_zero, most_ticks)

}  // namespace tactus::bench::safety
