// Every sequence of events: the output is zero within its bound, and was written, whatever came in whatever order. Not one
// by one: sequences that end in the same state are one from there on.
#include <gtest/gtest.h>

#include <cstdio>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "loop_model.h"

namespace tactus {
namespace {

/// All that the future depends on, to the last bit.
auto Key(const LoopModel& m) {
  const Supervisor& s = m.supervisor;
  return std::make_tuple(s.phase, s.after_fade, s.waiting, s.cause, s.fault_told, s.silent_periods, s.fade_ticks,
                         s.fade_from_N, s.last_N, s.unsafe, s.had_sample, s.fade_is_over, s.late.bits(), m.tick, m.force_N,
                         m.edges_since_off, m.broken);
}

/// The same, but windows of late periods with equal counts are taken for one: so there are finitely many.
auto CountedKey(const LoopModel& m) {
  auto key = Key(m);
  std::get<std::uint64_t>(key) = 0;
  return std::make_pair(key, m.supervisor.late.count());
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

/// Sequences that have led to the same state have the same future: each such state is gone on from once.
struct Arrivals {
  LoopModel model;
  std::uint64_t sequences = 0;
};
using Layer = std::map<decltype(Key(LoopModel{})), Arrivals>;

/// Every event from every state. @returns false: a promise was broken
bool Advance(const Layer& from, Layer* to) {
  for (const auto& [key, arrivals] : from) {
    for (int event = 0; event < kEvents; ++event) {
      LoopModel model = arrivals.model;
      model.Do(static_cast<Event>(event));
      if (model.broken) return false;
      Arrivals& there = to->try_emplace(Key(model), Arrivals{model}).first->second;
      there.sequences += arrivals.sequences;
    }
  }
  return true;
}

class EachPacing : public testing::TestWithParam<TickPacing> {};

TEST_P(EachPacing, NoSequenceOfEventsLeavesForceOn) {
  constexpr int kDepth = 8;
  Layer layer;
  for (const std::vector<Event>& way : WaysIn()) {
    LoopModel model = PowerUp(GetParam());
    for (const Event event : way) model.Do(event);
    ASSERT_FALSE(model.broken);
    ++layer.try_emplace(Key(model), Arrivals{model}).first->second.sequences;
  }
  std::uint64_t expected = WaysIn().size();
  for (int depth = 1; depth <= kDepth; ++depth, expected *= kEvents) {
    Layer next;
    ASSERT_TRUE(Advance(layer, &next)) << "at depth " << depth;
    layer = std::move(next);
  }
  std::uint64_t sequences = 0;
  for (const auto& [key, arrivals] : layer) sequences += arrivals.sequences;
  std::printf("%llu sequences, %zu states at their ends\n", static_cast<unsigned long long>(sequences), layer.size());
  EXPECT_EQ(sequences, expected);
}

/// The model has finitely many states. All that can be reached, by sequences of any length, and every event from each.
TEST_P(EachPacing, NoReachableStateLeavesForceOn) {
  std::set<decltype(CountedKey(LoopModel{}))> known;
  std::deque<LoopModel> next{PowerUp(GetParam())};
  known.insert(CountedKey(next.front()));
  std::uint64_t steps = 0;
  for (; !next.empty(); next.pop_front()) {
    for (int event = 0; event < kEvents; ++event, ++steps) {
      LoopModel model = next.front();
      model.Do(static_cast<Event>(event));
      ASSERT_FALSE(model.broken) << "event " << event << " from " << Name(next.front().supervisor.phase);
      if (known.insert(CountedKey(model)).second) next.push_back(model);
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
