// The age of answers on a line that keeps its order and knows no numbers: the true one is known here.
#include "hal/devices/answer_clock.h"

#include <algorithm>
#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace tactus::hal {
namespace {

constexpr std::uint32_t kPatience_us = 5'000, kSilence_us = 20'000;

/// A driver's loop at 1 kHz: what has come is read, then asked for more. A position is of the time when it was asked for.
struct Line {
  AnswerClock clock{kPatience_us, kSilence_us};
  struct Answer {
    std::uint32_t due_us = 0, asked_us = 0;
  };
  std::deque<Answer> under_way;
  std::uint32_t now_us = 0, last_due_us = 0, position_us = 0, unasked = 0;
  bool has_position = false;

  /// @param late_us  how long an answer to what is asked now takes, behind those before it
  /// @param lost     there is none  @returns whether something was asked
  bool Period(std::uint32_t late_us, bool lost = false, bool twice = false) {
    clock.SetNow(now_us += 1000);
    for (; !under_way.empty() && under_way.front().due_us <= now_us; under_way.pop_front()) {
      if (!clock.NoteAnswer() && ++unasked > 0) continue;
      position_us = under_way.front().asked_us;
      has_position = true;
    }
    if (!clock.MayAsk()) return false;
    clock.NoteRequest();
    if (!lost) {
      last_due_us = std::max(last_due_us, now_us + late_us);
      under_way.push_back({last_due_us, now_us});
    }
    if (twice) under_way.push_back({last_due_us += 1000, now_us});
    return true;
  }
  std::uint32_t true_age_us() const { return now_us - position_us; }
  /// What the clock tells, and what it calls usual.
  std::uint32_t most_age_us() const { return clock.age_us() + 1500; }
};

TEST(AnswerClock, TellsNoAgeOfALineThatAnswersInItsPeriod) {
  Line line;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(line.Period(700));
    EXPECT_EQ(line.clock.age_us(), 0u);
  }
}

// Constant, from the first word: 6 ms were told as 0 and 3.5 ms in turn, 30 ms as 3.5.
TEST(AnswerClock, TellsTheAgeOfALineThatIsLateFromItsFirstWord) {
  for (std::uint32_t late_us = 500; late_us <= 70'000; late_us += 500) {
    Line line;
    for (int i = 0; i < 1000; ++i) {
      (void)line.Period(late_us);
      if (!line.has_position) continue;
      ASSERT_GE(line.most_age_us(), line.true_age_us()) << late_us << ' ' << i;
      ASSERT_LE(line.clock.age_us(), line.true_age_us()) << late_us << ' ' << i;
      ASSERT_EQ(line.clock.silent(), late_us > 19'000) << late_us << ' ' << i;
    }
    EXPECT_EQ(line.unasked, 0u);
  }
}

// Creeping, early again, and standing still for a while.
TEST(AnswerClock, TellsTheAgeOfALineWhoseDelayWalks) {
  std::mt19937 random(1);
  for (int run = 0; run < 300; ++run) {
    Line line;
    int late_us = 700;
    const int step_us = 1 + static_cast<int>(random() % 125);  // 1 ms in 8 periods
    for (int i = 0; i < 3000; ++i) {
      late_us = std::clamp(late_us + static_cast<int>(random() % static_cast<unsigned>(2 * step_us)) - step_us, 100, 60'000);
      (void)line.Period(static_cast<std::uint32_t>(late_us));
      if (!line.has_position) continue;
      ASSERT_GE(line.most_age_us(), line.true_age_us()) << run << ' ' << i;
    }
  }
}

// A line that stands still now and then, and then brings all that waits.
TEST(AnswerClock, TellsTheAgeOfALineThatStandsStillForAWhile) {
  std::mt19937 random(2);
  Line line;
  for (int i = 0; i < 100'000; ++i) {
    (void)line.Period(random() % 100 == 0 ? static_cast<std::uint32_t>(5000 + random() % 14'000) : 700u);
    if (!line.has_position) continue;
    ASSERT_GE(line.most_age_us(), line.true_age_us()) << i;
  }
}

// Source: 5 ms of patience, one answer that may be that to the lost request, one that is early, 3 ms of pause.
TEST(AnswerClock, IsAsBeforeSoonBehindAnAnswerThatIsLost) {
  for (int losses = 1; losses <= 2; ++losses) {
    Line line;
    for (int i = 0; i < 100; ++i) (void)line.Period(700);
    for (int lost = 0; lost < losses;) lost += line.Period(700, true);
    int last = 0;
    for (int i = 1; i <= 60; ++i) {
      (void)line.Period(700);
      ASSERT_GE(line.most_age_us(), line.true_age_us()) << i;
      ASSERT_LE(line.clock.age_us(), losses == 1 ? 10'000u : 15'000u) << i;
      if (line.clock.age_us() > 0 || line.clock.waits() != 1) last = i;
    }
    EXPECT_LE(last, losses == 1 ? 9 : 25);
    EXPECT_FALSE(line.clock.silent());
  }
}

TEST(AnswerClock, IsAsBeforeSoonBehindALongSilence) {  // of a device that was off
  Line line;
  for (int i = 0; i < 100; ++i) (void)line.Period(700);
  for (int i = 0; i < 5000; ++i) (void)line.Period(700, true);
  EXPECT_TRUE(line.clock.silent());
  for (int i = 0; i < 100; ++i) (void)line.Period(700);  // source: 16 requests, 5 ms apart, would have been answered
  EXPECT_FALSE(line.clock.silent());
  EXPECT_EQ(line.clock.age_us(), 0u);
  EXPECT_EQ(line.clock.waits(), 1);
}

// The bound of what is not seen (docs/devices.md): how often, and how much older than is told.
TEST(AnswerClock, IsDeceivedByALineThatIsUnevenOrRepeatsWhatIsLate) {
  for (const bool twice : {false, true}) {
    std::mt19937 random(3);
    Line line;
    int used = 0, deceived = 0;
    std::uint32_t most_us = 0;
    for (int i = 0; i < 200'000; ++i) {
      (void)line.Period(twice ? 6000u : static_cast<std::uint32_t>(2000 + random() % 6000), false, twice);
      if (!line.has_position || line.clock.silent() || line.clock.age_us() > 10'000) continue;
      ++used;
      if (line.true_age_us() <= line.most_age_us()) continue;
      ++deceived;
      most_us = std::max(most_us, line.true_age_us() - line.most_age_us());
    }
    EXPECT_NEAR(static_cast<double>(deceived) / used, twice ? 1 : 0.35, 0.02);
    EXPECT_LE(most_us, 6500u);
  }
}

TEST(AnswerClock, TakesNoAnswerThatNobodyAwaits) {
  AnswerClock clock(kPatience_us, kSilence_us);
  clock.SetNow(1000);
  EXPECT_FALSE(clock.NoteAnswer());
  clock.NoteRequest();
  clock.SetNow(2000);
  EXPECT_TRUE(clock.NoteAnswer());
  EXPECT_FALSE(clock.NoteAnswer()) << "repeated";
}

}  // namespace
}  // namespace tactus::hal
