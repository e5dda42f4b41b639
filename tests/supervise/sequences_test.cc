// Every sequence of events: the output is zero within its bound, and was written, whatever came in whatever order.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "loop_model.h"

namespace tactus {
namespace {

/// All that the future depends on. `late` counts by its bits; two windows of the same bits act alike.
auto Key(const LoopModel& m) {
  const Supervisor& s = m.supervisor;
  return std::make_tuple(s.phase, s.after_fade, s.waiting, s.cause, s.fault_told, s.silent_periods, s.fade_ticks,
                         s.fade_from_N, s.last_N, s.unsafe, s.fade_is_over, s.late.count(), m.tick, m.force_N, m.edges_since_off, m.broken);
}

LoopModel PowerUp(TickPacing pacing) {
  LoopModel model;
  model.supervisor.pacing = pacing;
  model.supervisor.silent_limit = 2;
  return model;
}

/// From power-up to each phase.
std::vector<std::vector<Event>> WaysIn() {
  using enum Event;
  return {{},
          {kHello},
          {kHello, kConfig, kNothing},
          {kHello, kConfig, kArm, kNothing, kNothing, kNothing},
          {kHello, kConfig, kArm, kNothing, kNothing, kTickFault, kNothing, kNothing, kNothing},
          {kHello, kConfig, kArm, kNothing, kNothing, kNothing, kDisarm},
          {kHello, kConfig, kArm, kNothing, kNothing, kNothing, kTickFault},
          {kHello, kConfig, kArm, kNothing, kNothing, kNothing, kStop}};
}

std::uint64_t RunAll(const LoopModel& from, int depth, bool* broken) {
  if (depth == 0) return 1;
  std::uint64_t sequences = 0;
  for (int event = 0; event < kEvents && !*broken; ++event) {
    LoopModel next = from;
    next.Do(static_cast<Event>(event));
    *broken |= next.broken;
    sequences += RunAll(next, depth - 1, broken);
  }
  return sequences;
}

class EachPacing : public testing::TestWithParam<TickPacing> {};

/// Depth 5 from each way in here; TACTUS_DEPTH=8 asks for more, as the notes of `tactus bench safety` say.
TEST_P(EachPacing, NoSequenceOfEventsLeavesForceOn) {
  const char* const depth_text = std::getenv("TACTUS_DEPTH");
  const int depth = depth_text != nullptr ? std::atoi(depth_text) : 5;
  std::uint64_t sequences = 0;
  for (const std::vector<Event>& way : WaysIn()) {
    LoopModel model = PowerUp(GetParam());
    for (const Event event : way) model.Do(event);
    bool broken = model.broken;
    sequences += RunAll(model, depth, &broken);
    ASSERT_FALSE(broken) << "from " << Name(model.supervisor.phase);
  }
  RecordProperty("sequences", std::to_string(sequences));
  std::printf("%llu sequences\n", static_cast<unsigned long long>(sequences));
  std::uint64_t expected = WaysIn().size();
  for (int i = 0; i < depth; ++i) expected *= kEvents;
  EXPECT_EQ(sequences, expected);
}

/// The model has finitely many states. All that can be reached, by sequences of any length, and every event from each.
TEST_P(EachPacing, NoReachableStateLeavesForceOn) {
  std::set<decltype(Key(LoopModel{}))> known;
  std::deque<LoopModel> next{PowerUp(GetParam())};
  known.insert(Key(next.front()));
  std::uint64_t steps = 0;
  for (; !next.empty(); next.pop_front()) {
    for (int event = 0; event < kEvents; ++event, ++steps) {
      LoopModel model = next.front();
      model.Do(static_cast<Event>(event));
      ASSERT_FALSE(model.broken) << "event " << event << " from " << Name(next.front().supervisor.phase);
      if (known.insert(Key(model)).second) next.push_back(model);
    }
    ASSERT_LT(known.size(), 2'000'000u);
  }
  RecordProperty("states", static_cast<int>(known.size()));
  EXPECT_GT(known.size(), 500u) << "the model moves";
}

INSTANTIATE_TEST_SUITE_P(Pacing, EachPacing, testing::Values(TickPacing::kClock, TickPacing::kSample),
                         [](const auto& pacing) { return pacing.param == TickPacing::kClock ? "Clock" : "Sample"; });

}  // namespace
}  // namespace tactus
