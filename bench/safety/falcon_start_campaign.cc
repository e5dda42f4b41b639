#include "bench/safety/falcon_start_campaign.h"

#include "bench/safety/falcon_program_bytes.h"
#include "bench/safety/falcon_start_rig.h"

namespace tactus::bench::safety {
namespace {

using hal::falcon::StartFault;

struct StartCase {
  const char* name;
  StartFault called;
  void (*inject)(FalconStartRig* rig, std::size_t at);  ///< at a byte of the program
};

constexpr StartCase kCases[] = {
    {"falcon start, loader silent", StartFault::kNoLoader,
     [](FalconStartRig* rig, std::size_t) { rig->board.boot().faults.ignored_knocks = 1'000'000; }},
    {"falcon start, rate not found", StartFault::kNoPace,
     [](FalconStartRig* rig, std::size_t) { rig->board.boot().faults.deaf_to_pace = true; }},
    {"falcon start, echo stops", StartFault::kEchoStops,
     [](FalconStartRig* rig, std::size_t at) { rig->board.boot().faults.stops_at = at; }},
    {"falcon start, echo differs", StartFault::kEchoDiffers,
     [](FalconStartRig* rig, std::size_t at) { rig->board.boot().faults.differs_at = at; }},
    {"falcon start, echo doubled", StartFault::kEchoDiffers,
     [](FalconStartRig* rig, std::size_t at) { rig->board.boot().faults.doubles_at = at; }},
    {"falcon start, program dead", StartFault::kProgramSilent,
     [](FalconStartRig* rig, std::size_t) { rig->board.boot().faults.dead_program = true; }},
    {"falcon start, unplugged", StartFault::kClosed, [](FalconStartRig* rig, std::size_t at) { rig->unplug_at = at; }},
};

std::vector<std::uint8_t> AnyProgram(Random* random) {
  std::vector<unsigned> blocks(static_cast<std::size_t>(random->Integer(1, 4)));
  for (unsigned& words : blocks) words = static_cast<unsigned>(random->Integer(1, 300));
  return FalconProgramBytes(blocks);
}

constexpr int kTick = 1;  // no current at any time: the period that sees it has none

Outcome InjectOnce(const StartCase& wrong, int most_ticks, Random* random) {
  FalconStartRig rig(AnyProgram(random));
  rig.delay = random->Integer(1, 30);
  rig.pieces_B = static_cast<std::size_t>(random->Integer(1, 64));
  const auto last = static_cast<int>(rig.program.size()) - 2;  // behind the last byte another is the program's
  wrong.inject(&rig, static_cast<std::size_t>(random->Integer(0, last)));
  const bool ran = rig.Run();
  const bool detected = !ran && !rig.never_ended && rig.start.fault() == wrong.called;
  rig.board.boot().faults = {};
  rig.unplug_at = SIZE_MAX;
  rig.start = hal::falcon::Start(rig.program);
  const bool recovered = rig.Run() && rig.board.runs();
  return {.detected = detected, .safe = !rig.flowed && kTick <= most_ticks, .recovered = recovered, .ticks_to_zero = kTick};
}

}  // namespace

std::vector<FaultCount> CountFalconStartFaults(const Campaign& campaign) {
  std::vector<FaultCount> counts;
  for (const StartCase& wrong : kCases) {
    FaultCount count{.name = wrong.name, .most_ticks = static_cast<int>(kTick * campaign.bound_share)};
    Random random(campaign.seed);
    for (int i = 0; i < 2 * campaign.injections; ++i) count.Add(InjectOnce(wrong, count.most_ticks, &random));
    counts.push_back(count);
  }
  return counts;
}

}  // namespace tactus::bench::safety
