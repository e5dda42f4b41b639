#include <fmt/format.h>

#include <algorithm>

#include "bench/feel/noise.h"
#include "bench/feel/rooms.h"
#include "bench/scenes/random.h"

namespace tactus::bench::feel {
namespace {

hal::HandParameters CalmHand() {
  hal::HandParameters hand = hal::RelaxedHand();
  hand.tremor_N.value = hand.tremor_Nm.value = 0;
  return hand;
}

/// A tense arm: four times the stiffness, twice the damping of the relaxed one, and calm.
hal::HandParameters StiffHand() {
  hal::HandParameters hand = CalmHand();
  hand.stiffness_N_per_m.value *= 4;
  hand.damping_Ns_per_m.value *= 2;
  return hand;
}

struct Held {
  std::string hand;
  hal::HandParameters parameters;
  int holds = 0, faults = 0;
  double earliest_s = 0;  // of the faults; 0: none
};

/// @returns when the loop faulted [s]; 0: never
double FaultTime_s(const LoopSetup& setup, const hal::HandParameters& hand, std::uint64_t seed, double duration_s) {
  SimHandle handle(setup.device, hand, DrawPress(seed, hand.stiffness_N_per_m).pull, seed);
  TickController controller(ConfigFor(setup));
  Loop loop(&handle, &controller);
  for (int k = 0; k < Ticks(duration_s); ++k) {
    if (loop.Step().answer.faulted) return k * kPeriod_s;
  }
  return 0;
}

}  // namespace

void ReportHolds(const BenchOptions& options, Report* report) {
  const int holds = options.quick ? 20 : 1000;
  const double duration_s = options.quick ? 4 : 10;
  constexpr double kEncoders_m[] = {10e-6, 38e-6, 100e-6}, kCoulombs_N[] = {0.05, 0.3};
  report->Progress(fmt::format("{} holds of {:g} s", holds, duration_s));
  Held held[] = {{"relaxed, with tremor", hal::RelaxedHand()}, {"relaxed, calm", CalmHand()}, {"tense, calm", StiffHand()}};
  Random random(options.seed);
  int faults = 0;
  for (int i = 0; i < holds; ++i) {
    Held& hand = held[random.Integer(0, 2)];
    LoopSetup setup;
    setup.device.resolution_m.value = kEncoders_m[random.Integer(0, 2)];
    setup.device.coulomb_N.value = kCoulombs_N[random.Integer(0, 1)];
    const double fault_s = FaultTime_s(setup, hand.parameters, random.Bits(), duration_s);
    ++hand.holds;
    if (fault_s == 0) continue;
    ++faults;
    hand.earliest_s = ++hand.faults == 1 ? fault_s : std::min(hand.earliest_s, fault_s);
  }
  Table& table = report->AddTable(
      "holds", fmt::format("Holds of {:g} s: places, 1-3 N, f_c 0.05 and 0.3 N, encoders of 10, 38, 100 um", duration_s),
      {{"hand"}, {"holds"}, {"faults"}, {"earliest", "s"}});
  for (const Held& hand : held) {
    table.AddRow({hand.hand, hand.holds, hand.faults, hand.faults > 0 ? Table::Cell(hand.earliest_s) : Table::Cell()});
  }
  report->Add(AtMost(0, "holds: faults", faults, fmt::format("of {}", holds)));
}

}  // namespace tactus::bench::feel
