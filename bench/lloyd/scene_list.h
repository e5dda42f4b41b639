#pragma once
#include <string>
#include <vector>

#include "bench/bench_options.h"
#include "bench/lloyd/measure.h"

namespace tactus::bench {

enum class SceneKind { kPeg, kSituation, kStack };

/// One point of Lloyd's figures.
struct Scene {
  std::string name;
  SceneKind kind;
  int bodies, contacts;
  std::vector<TickPair> problems;  ///< one for each random wrench
};

/// Figs. 5 to 10: pegs, ten situations, ten stacks.
std::vector<Scene> LloydScenes(const BenchOptions& options);

}  // namespace tactus::bench
