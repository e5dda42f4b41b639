// ODrives whose line is late: questions beside the torques, and what their answers bound.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

#include "bench/safety/device_rig.h"
#include "hal/devices/odrive_port.h"
#include "tests/devices/odrive_bus.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using test::Bus;

TEST(ODrivePort, AsksOnlyBesideTorquesInTurn) {  // a question feeds the drives' watchdogs
  Bus bus;
  bus.Run();
  bus.asked.clear();
  bus.writes.clear();
  std::string questions;
  for (int i = 0; i < 400; ++i) {
    (void)bus.Write(0.01f, 0);
    questions += bus.asked;
    (void)bus.Poll(bus.Positions());
    if (i % 10 == 0) bus.motors().Disable(), bus.motors().Enable();  // two writes in one period
  }
  for (const std::string& write : bus.writes) {
    if (write.find('r') == write.npos) continue;
    EXPECT_LT(write.find("t00E4"), write.find("t02E4"));
    EXPECT_LT(write.find("t02E4"), write.find('r'));
    EXPECT_EQ(write.size(), write.find('r') + 6) << "one, at the end";
  }
  ASSERT_GE(questions.size(), 24u * 99);  // each drive each 2 ms
  for (const char* one : {"r0148\r", "r0178\r", "r0348\r", "r0378\r"}) EXPECT_LT(questions.find(one), 24u) << one;
  for (std::size_t at = 24; at < questions.size(); ++at) ASSERT_EQ(questions[at], questions[at - 24]) << at;
}

TEST(ODrivePort, TakesNoAnswerForThatToANewerQuestion) {
  Bus bus;
  bus.Run();
  bus.answers = false;
  (void)bus.Write(0, 0);
  for (int i = 0; i < 6; ++i) (void)bus.Poll(bus.Positions()), (void)bus.Write(0, 0);
  EXPECT_EQ(bus.asked.size(), 24u) << "of each drive one of each kind, and no more";
  const std::string first = bus.asked.substr(0, 12);
  const std::uint32_t answers = bus.port.counters().answers;
  (void)bus.Poll(Bus::Answers(first));
  EXPECT_EQ(bus.port.counters().answers, answers + 2);
  const std::uint32_t unasked = bus.port.counters().unasked;
  (void)bus.Poll(bus.Positions() + Bus::Answers(first));
  EXPECT_EQ(bus.port.counters().unasked, unasked + 2) << "repeated";
}

// Of a drive that answers nothing: not ready; and where it does no longer: 10 ms.
TEST(ODrivePort, PositionsAloneAreNotEnough) {
  Bus bus;
  bus.answers = false;
  bus.Start();
  EXPECT_EQ(bus.reading.state, DeviceState::kUninitialised);
  Bus ended;
  ended.Run();
  ended.answers = false;
  int periods = 0;
  for (; periods < 20 && ended.reading.cause == PortCause::kNone; ++periods) {
    (void)ended.Write(0, 0);
    (void)ended.Poll(ended.Positions());
  }
  EXPECT_EQ(ended.reading.cause, PortCause::kSilent);
  EXPECT_LE(periods, 10);
}

TEST(ODrivePort, AnAnswerThatIsLostIsNoSilence) {
  Bus bus;
  bus.Run();
  for (int i = 0; i < 500; ++i) {
    (void)bus.Write(0, 0);
    if (i % 5 == 0) bus.asked.clear();
    ASSERT_EQ(bus.Poll(bus.Positions() + (i % 100 == 0 ? bus.Hearts(8) : "")).cause, PortCause::kNone) << i;
    ASSERT_LE(bus.reading.age_us, 1000u) << i;
  }
}

/// A line that keeps its order, whose delay goes as it likes [periods].
class OrderedLine {
 public:
  void Put(const std::string& text, int now, int delay) {
    last_ = std::max(last_, now + delay);
    waiting_.push_back({last_, text});
  }
  std::string Take(int now) {
    std::string text;
    for (; !waiting_.empty() && waiting_.front().first <= now; waiting_.pop_front()) text += waiting_.front().second;
    return text;
  }

 private:
  std::deque<std::pair<int, std::string>> waiting_;
  int last_ = 0;
};

/// Drives whose counts are the period in which they were told, at the end of two lines.
struct LateBus {
  Bus bus;
  OrderedLine to_drives, to_host;
  int now = 0;
  LateBus() { bus.answers = false; }
  /// @returns how old the positions are [periods]
  int Period(int there, int back) {
    (void)bus.Zero();
    to_drives.Put(std::exchange(bus.asked, ""), now, there);
    const float turns = static_cast<float>(now) / 8192;
    to_host.Put(Bus::Answers(to_drives.Take(now)), now, back);
    to_host.Put(bus.Positions(turns, turns) + (now % 100 == 0 ? bus.Hearts(1) : ""), now, back);
    ++now;
    (void)bus.Poll(to_host.Take(now - 1));
    return now - bus.reading.count[0];
  }
};

// Source: what comes behind an answer was said behind its question, which is 10 ms old at most.
TEST(ODrivePort, NoPositionIsUsedThatIsOlderThanTenMilliseconds) {
  std::mt19937 random(5);
  for (int run = 0; run < 60; ++run) {
    LateBus late;
    int there = 0, back = 0, used = 0;
    const auto pace = 1 + random() % 20;  // how fast the line becomes late, and early again
    for (int i = 0; i < 3000; ++i) {
      if (random() % pace == 0) there = std::max(0, there + static_cast<int>(random() % 3) - 1);
      if (random() % pace == 0) back = std::max(0, back + static_cast<int>(random() % 3) - 1);
      const int age = late.Period(run % 3 == 0 ? 0 : there, run % 3 == 1 ? 0 : back);
      if (!late.bus.reading.valid) continue;
      ++used;
      ASSERT_LE(age, 10) << run << ' ' << i;
    }
    EXPECT_GT(used, 20) << run;
  }
}

TEST(ODrivePort, ALineThatIsLateFromItsFirstWordIsSaidToBe) {  // a period each way is usual, and 0.5 ms more
  for (const int late : {0, 1, 2, 5, 30, 90, 150}) {
    LateBus bus;
    bool used = false;
    for (int i = 0; i < 600; ++i) {
      const int age = bus.Period(0, late);
      if (!bus.bus.reading.valid) continue;
      used = true;
      ASSERT_GE(bus.bus.reading.age_us + 1500, 1000u * static_cast<unsigned>(age)) << late << ' ' << i;
    }
    EXPECT_EQ(used, late <= 5) << late;
  }
}

TEST(ODriveArms, ALineThatBecomesLateLittleByLittleIsNamed) {  // no gap of it is longer than 2 ms
  for (const int each : {2, 5, 20, 100}) {
    DeviceRig rig(*host::FindRealDevice("odrive"));
    rig.force_N[2] = 1;
    ASSERT_TRUE(rig.Drive());
    int late = 0, ticks = 0;
    for (; ticks < 2000 && !rig.off(); ++ticks) {
      if (ticks % each == each - 1) ++late;
      rig.wrong.line.late_periods = static_cast<std::uint32_t>(late);
      rig.Period();
    }
    EXPECT_EQ(rig.why, "no answer in time") << each;
    EXPECT_LE(late, 10) << each;
    rig.Periods(100);
    EXPECT_TRUE(rig.off()) << each;
  }
}

}  // namespace
}  // namespace tactus::hal
