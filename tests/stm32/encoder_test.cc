#include <gtest/gtest.h>

#include "hal/stm32/quadrature_encoder.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/timer_model.h"

// Source: RM0090 17 (advanced timers), 18 (general-purpose timers).

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;
using Encoder = QuadratureEncoder<ModelRegister>;

struct EncoderRig {
  explicit EncoderRig(const EncoderOptions& options = {}, bool used = false) : encoder(timer.regs(), options) {
    if (used) timer.LeaveUsed();
    encoder.Start();
  }
  model::Machine machine;
  model::TimerModel timer{machine, "TIM"};
  Encoder encoder;
};

TEST(QuadratureEncoder, CountsOverTheWrapOfBothWidthsInBothDirections) {
  for (const bool wide : {false, true}) {
    for (const std::int32_t step : {9'999, -9'999}) {
      EncoderRig rig({.is_32_bit = wide});
      for (int i = 1; i <= 100; ++i) {
        rig.timer.Turn(step);
        ASSERT_EQ(rig.encoder.Sample(), i * step);
      }
      EXPECT_EQ(rig.encoder.fault(), EncoderFault::kNone);
    }
  }
}

TEST(QuadratureEncoder, IsSetUpBeforeItRuns) {
  EncoderRig rig;
  const auto& log = rig.machine.log;
  ASSERT_FALSE(log.empty());
  const int runs = rig.machine.FirstWrite("TIM", TACTUS_AT(TimerRegisters, cr1), 1, 1);
  EXPECT_EQ(runs + 1, static_cast<int>(log.size()));  // nothing is written behind it
}

/// What an encoder on channels 1 and 2 with the index on 3 does, on a timer that a loader has used: true if all of it is so.
bool EncoderIsWell(bool wide, bool index) {
  EncoderRig rig({.is_32_bit = wide, .counts_per_index = index ? 4000 : 0}, true);
  rig.machine.EndStart();
  bool well = rig.encoder.Sample() == 0 && !rig.encoder.index_seen();
  std::int32_t at = 0;
  const auto turn = [&](std::int32_t edges) {
    rig.timer.Turn(edges, 42);  // half a microsecond each: 7 300 turns a minute, 4 096 counts a turn (DS8626: 84 MHz)
    at += edges;
    well = well && rig.encoder.Sample() == at;
  };
  turn(-1);
  for (int i = 0; i < 10; ++i) turn(9'001);
  for (int i = 0; i < 20; ++i) turn(-9'003);
  for (const int input : {1, 2, 3}) rig.timer.Glitch(input, 11);  // a clock less than six samples at half the timer's
  turn(0);
  well = well && !rig.encoder.index_seen();
  rig.timer.IndexEdge();
  turn(7);
  well = well && rig.encoder.index_seen() == index && rig.encoder.index_count() == (index ? at - 7 : 0);
  return well && rig.encoder.fault() == EncoderFault::kNone && rig.machine.violations.empty();
}

TEST(QuadratureEncoder, EachWriteOfItsStartCounts) {
  const std::vector<model::Unseen> kStop{
      {"TIM", TACTUS_AT(TimerRegisters, cr1), 0, 0, "stopping: what it counts while it is set up is cleared behind"}};
  for (const bool wide : {false, true}) {
    model::ExpectEachWriteCounts([&] { return EncoderIsWell(wide, true); }, kStop);
    auto without_index = kStop;
    without_index.push_back({"TIM", TACTUS_AT(TimerRegisters, sr), 0, 0, "no flag matters without an index"});
    without_index.push_back({"TIM", TACTUS_AT(TimerRegisters, ccmr2), 0, 0, "nor what channel 3 is for"});
    model::ExpectEachWriteCounts([&] { return EncoderIsWell(wide, false); }, without_index);
  }
}

TEST(QuadratureEncoder, FiltersGlitches) {
  model::Machine machine;
  model::TimerModel timer(machine, "TIM");
  Encoder encoder(timer.regs(), {});
  encoder.Start();
  for (const int input : {1, 2})
    for (int i = 0; i < 10; ++i) timer.Glitch(input, 11);
  EXPECT_EQ(encoder.Sample(), 0);
  for (const int input : {1, 2}) timer.Glitch(input, 12);  // six samples at half the clock
  EXPECT_EQ(encoder.Sample(), 2);
  Encoder without(timer.regs(), {.glitch_filter = 0});
  without.Start();
  for (const int input : {1, 2})
    for (int i = 0; i < 10; ++i) timer.Glitch(input, 1);
  EXPECT_EQ(without.Sample(), 20);
}

TEST(QuadratureEncoder, FiltersTheIndexToo) {
  EncoderRig rig({.counts_per_index = 4000});
  rig.timer.Glitch(3, 11);
  (void)rig.encoder.Sample();
  EXPECT_FALSE(rig.encoder.index_seen());
  rig.timer.Glitch(3, 12);
  (void)rig.encoder.Sample();
  EXPECT_TRUE(rig.encoder.index_seen());
}

TEST(QuadratureEncoder, TakesTheLastOfSeveralIndexPulses) {
  EncoderRig rig({.counts_per_index = 4000});
  rig.timer.Turn(5);
  rig.timer.IndexEdge();
  rig.timer.Turn(4000);
  rig.timer.IndexEdge();
  (void)rig.encoder.Sample();
  EXPECT_EQ(rig.encoder.index_count(), 4005);
  (void)rig.encoder.Sample();  // once
  EXPECT_EQ(rig.encoder.fault(), EncoderFault::kNone);
}

TEST(QuadratureEncoder,
     BeginsAnewAtItsCountBehindAStepBackwards) {  // RM0090 18.4.6: an update puts a falling counter at ARR
  EncoderRig rig;
  rig.timer.Turn(-30);
  EXPECT_EQ(rig.encoder.Sample(), -30);
  rig.encoder.Restart();
  EXPECT_EQ(rig.encoder.Sample(), -30);
}

TEST(QuadratureEncoder, StartsAgainAtZeroWithoutItsIndex) {
  EncoderRig rig({.counts_per_index = 4000});
  rig.timer.Turn(70);
  rig.timer.IndexEdge();
  (void)rig.encoder.Sample();
  ASSERT_TRUE(rig.encoder.index_seen());
  rig.encoder.Start();
  EXPECT_EQ(rig.encoder.Sample(), 0);
  EXPECT_FALSE(rig.encoder.index_seen());
}

TEST(QuadratureEncoder, LatchesAJumpAndKeepsTheCountBeforeIt) {
  EncoderRig rig({.most_step = 500});
  rig.timer.Turn(500);
  EXPECT_EQ(rig.encoder.Sample(), 500);
  rig.timer.Turn(501);
  EXPECT_EQ(rig.encoder.Sample(), 500);
  EXPECT_EQ(rig.encoder.fault(), EncoderFault::kJump);
  for (const std::int32_t back : {-501, -100}) {  // nor does it go on where the counter comes back
    rig.timer.Turn(back);
    EXPECT_EQ(rig.encoder.Sample(), 500);
    EXPECT_EQ(rig.encoder.fault(), EncoderFault::kJump);
  }
}

TEST(QuadratureEncoder, TakesTheIndexAtItsEdgeHoweverLateItIsRead) {
  EncoderRig rig({.counts_per_index = 4000});
  rig.timer.Turn(70);
  rig.timer.IndexEdge();
  rig.timer.Turn(130);
  EXPECT_EQ(rig.encoder.Sample(), 200);
  EXPECT_TRUE(rig.encoder.index_seen());
  EXPECT_EQ(rig.encoder.index_count(), 70);
  for (int turn = 0; turn < 40; ++turn) {  // ten times round a counter of 16 bits, backwards
    rig.timer.Turn(-2'000);
    (void)rig.encoder.Sample();
    rig.timer.Turn(-2'000 - 130);
    rig.timer.IndexEdge();
    rig.timer.Turn(130);
    (void)rig.encoder.Sample();
    ASSERT_EQ(rig.encoder.index_count(), 70 - 4000 * (turn + 1));
    ASSERT_EQ(rig.encoder.fault(), EncoderFault::kNone);
  }
}

TEST(QuadratureEncoder, BearsAnIndexWithinItsSlackInBothDirections) {
  for (const std::int32_t distance : {3998, 3999, 4001, 4002, -3998, -3999, -4001, -4002}) {
    EncoderRig rig({.counts_per_index = 4000});
    rig.timer.IndexEdge();
    (void)rig.encoder.Sample();
    rig.timer.Turn(distance);
    rig.timer.IndexEdge();
    (void)rig.encoder.Sample();
    EXPECT_EQ(rig.encoder.fault(), EncoderFault::kNone) << distance;
  }
}

TEST(QuadratureEncoder, SeesCountsThatAreLost) {
  for (const std::int32_t lost : {3, -3}) {
    EncoderRig rig({.counts_per_index = 4000});
    rig.timer.IndexEdge();
    (void)rig.encoder.Sample();
    rig.timer.Turn(4000 - lost);
    rig.timer.IndexEdge();
    (void)rig.encoder.Sample();
    EXPECT_EQ(rig.encoder.fault(), EncoderFault::kIndexSlip) << lost;
  }
}

// Each of these turns is within the slack, all of them are not.
TEST(QuadratureEncoder, SeesCountsThatAreLostOneByOne) {
  for (const std::int32_t lost : {1, -1}) {
    EncoderRig rig({.counts_per_index = 4000});
    int turns = -1;  // the first pulse is at none
    for (; turns < 10 && rig.encoder.fault() == EncoderFault::kNone; ++turns) {
      rig.timer.IndexEdge();
      (void)rig.encoder.Sample();
      rig.timer.Turn(4000 - lost);
    }
    EXPECT_EQ(rig.encoder.fault(), EncoderFault::kIndexSlip) << lost;
    EXPECT_EQ(turns, 3) << lost;
  }
}

TEST(TimerModel, FindsAnEncoderDriverThatForgetsTheModeOrTheWrap) {
  model::Machine machine;
  model::TimerModel timer(machine, "TIM");
  timer.regs().arr = 0xFFFFu;
  timer.regs().ccmr1 = timer::kBothInputs;
  timer.regs().cr1 = timer::kEnable;
  timer.Turn(10);  // no encoder mode
  EXPECT_EQ(static_cast<std::uint32_t>(timer.regs().cnt), 0u);
  timer.regs().smcr = timer::kEncoderBothEdges;
  timer.Turn(-1);
  const auto naive = static_cast<std::int32_t>(static_cast<std::uint32_t>(timer.regs().cnt) - 0u);
  EXPECT_EQ(naive, 65'535);  // a driver that subtracts in 32 bits
}

}  // namespace
}  // namespace tactus::hal::stm32
