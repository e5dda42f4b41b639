#include "bench/bench_registry.h"

#include <algorithm>

#include "bench/anitescu_hart/anitescu_hart_bench.h"
#include "bench/baraff/baraff_bench.h"
#include "bench/feel/feel_bench.h"
#include "bench/lloyd/lloyd_bench.h"
#include "bench/motion/motion_bench.h"
#include "bench/peers/peers_bench.h"
#include "bench/presets/presets_bench.h"
#include "bench/round/round_bench.h"
#include "bench/safety/safety_bench.h"

namespace tactus::bench {
namespace {

constexpr Bench kBenches[] = {
    {"lloyd", "Lloyd 2004: peg in hole, ten situations of one body, stacks; every form of Lemke's algorithm", RunLloyd},
    {"anitescu-hart", "Anitescu and Hart 2004: piles of 21, 136 and 210 disks by LCP0, LCP1, LCP2; the pyramid",
     RunAnitescuHart},
    {"baraff", "Baraff 1994: Dantzig's algorithm against Gaussian elimination; static friction", RunBaraff},
    {"motion", "Baraff and Mattikalli: the three formulations of impending motion agree", RunMotion},
    {"peers", "Siconos, Bullet, DART, where installed: time, failures, wrong answers", RunPeers},
    {"round", "Friction on the round cone beside the polygon: a block on a plate, sequences, cold problems", RunRound},
    {"feel", "What a hand feels of the whole tick: noise, delay, damping, stability, energy, holds", RunFeel},
    {"presets", "The simulated devices with dynamics: delay, noise of force, rest, faults, of each with each hand",
     RunPresets},
    {"safety", "Force off means force off: every fault at random ticks and forces; with boards their campaigns", RunSafety},
};

}  // namespace

std::span<const Bench> Benches() { return kBenches; }

const Bench* FindBench(std::string_view name) {
  const Bench* bench =
      std::find_if(std::begin(kBenches), std::end(kBenches), [&](const Bench& b) { return b.name == name; });
  return bench == std::end(kBenches) ? nullptr : bench;
}

std::vector<std::string> BenchNames() {
  std::vector<std::string> names;
  for (const Bench& bench : kBenches) names.emplace_back(bench.name);
  return names;
}

}  // namespace tactus::bench
