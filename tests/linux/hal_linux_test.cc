#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <thread>
#include <vector>

#include "hal/linux/histogram.h"
#include "hal/linux/periodic_clock.h"
#include "hal/linux/realtime_thread.h"
#include "hal/linux/thread_link.h"

namespace tactus::hal {
namespace {

/// A time that the test moves. Sleeping takes as long as the test wants it to take too long.
class FakeTime final : public TimeSource {
 public:
  std::int64_t ns = 5'000'000'000;
  std::int64_t oversleep_ns = 0;
  int sleeps = 0;

 private:
  std::int64_t DoNowNs() const noexcept override { return ns; }
  void DoSleepUntil(std::int64_t when_ns) noexcept override {
    ++sleeps;
    if (when_ns > ns) ns = when_ns;
    ns += oversleep_ns;
  }
};

TEST(Histogram, PutsEachValueIntoTheBucketThatEndsAtItOrAbove) {
  for (std::uint32_t ns : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 1000u, 65535u, 65536u, 4294967295u}) {
    const std::size_t at = Histogram::BucketOf(ns);
    ASSERT_LT(at, Histogram::kBuckets) << ns;
    EXPECT_GE(Histogram::UpperEnd_ns(at), ns);
    EXPECT_TRUE(at == 0 || Histogram::UpperEnd_ns(at - 1) < ns);
    EXPECT_LE(Histogram::UpperEnd_ns(at) - ns, ns / 16) << "6.25 %, a sixteenth of an octave";
  }
}

TEST(Histogram, LosesNoValueAndKeepsTheLargest) {
  Histogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.Record(1000 * i);
  histogram.Record(-5);
  histogram.Record(std::int64_t{1} << 40);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < Histogram::kBuckets; ++i) sum += histogram.bucket(i);
  EXPECT_EQ(sum, 1002u);
  EXPECT_EQ(histogram.count(), 1002u);
  EXPECT_EQ(histogram.max_ns(), 4294967295u);
  EXPECT_NEAR(histogram.Quantile(0.5), 500e3, 500e3 / 16);  // Tolerance: a bucket.
}

TEST(PeriodicClock, WakesAtAbsoluteTimesSoThatLatenessDoesNotAddUp) {
  FakeTime time;
  PeriodicClock clock(250, time);
  clock.Start();
  time.oversleep_ns = 40'000;
  for (int i = 1; i <= 1000; ++i) {
    const PeriodicClock::Wake wake = clock.WaitForEdge();
    ASSERT_EQ(wake.late_ns, 40'000);
    ASSERT_EQ(wake.missed, 0u);
    ASSERT_EQ(clock.edges(), static_cast<std::uint32_t>(i));
  }
  EXPECT_EQ(time.ns, 5'000'000'000 + 1000 * 250'000 + 40'000);
}

TEST(PeriodicClock, SeesTheNextEdgeComeWhileATickRunsTooLong) {
  FakeTime time;
  PeriodicClock clock(1000, time);
  clock.Start();
  (void)clock.WaitForEdge();
  time.ns += 1'200'000;  // the tick
  EXPECT_EQ(clock.edges(), 2u);
  const int sleeps = time.sleeps;
  const PeriodicClock::Wake wake = clock.WaitForEdge();
  EXPECT_EQ(time.sleeps, sleeps) << "an edge that has passed is not waited for";
  EXPECT_EQ(wake.late_ns, 200'000);
  EXPECT_EQ(wake.missed, 0u);
}

TEST(PeriodicClock, NeverCatchesUpInABurst) {
  FakeTime time;
  PeriodicClock clock(1000, time);
  clock.Start();
  (void)clock.WaitForEdge();
  time.ns += 100'300'000;  // stopped for 100 periods
  const PeriodicClock::Wake wake = clock.WaitForEdge();
  EXPECT_EQ(wake.missed, 99u);
  EXPECT_EQ(clock.edges(), 101u);
  const int sleeps = time.sleeps;
  (void)clock.WaitForEdge();
  EXPECT_EQ(time.sleeps, sleeps + 1) << "one tick for all the edges that were missed";
  EXPECT_EQ(clock.edges(), 102u);
}

TEST(PeriodicClock, TakesNoEdgeBackWhenTimeGoesBack) {
  FakeTime time;
  PeriodicClock clock(1000, time);
  clock.Start();
  for (int i = 0; i < 10; ++i) (void)clock.WaitForEdge();
  time.ns -= 5'000'000;
  EXPECT_EQ(clock.edges(), 10u);
}

TEST(PeriodicClock, GoesOnWhenTimeGoesBackAndTellsThePeriodsAsMissed) {
  for (const std::int64_t back_ns : {400'000ll, 5'000'000ll, 3'600'000'000'000ll}) {
    FakeTime time;
    PeriodicClock clock(1000, time);
    clock.Start();
    for (int i = 0; i < 10; ++i) (void)clock.WaitForEdge();
    time.ns -= back_ns;
    const std::int64_t then_ns = time.ns;
    const std::uint32_t missed = back_ns < 1'000'000 ? 0 : back_ns < 1'000'000'000 ? 5 : 1000;
    const PeriodicClock::Wake wake = clock.WaitForEdge();
    EXPECT_EQ(clock.edges(), missed == 0 ? 11u : 10u + missed);
    EXPECT_EQ(wake.missed, missed == 0 ? 0u : missed - 1) << "the edge that is told was not";
    (void)clock.WaitForEdge();
    EXPECT_LE(time.ns - then_ns, 2'000'000) << "a loop that waits leaves the last command at the device";
  }
}

TEST(MonotonicTime, SleepsNoShorterThanAsked) {
  MonotonicTime time;
  const std::int64_t when_ns = time.now_ns() + 2'000'000;
  time.SleepUntil(when_ns);
  EXPECT_GE(time.now_ns(), when_ns);
}

constexpr std::array<std::uint8_t, 3> kLastOrder = {0, 7, 0};

TEST(ThreadLink, TakesAFrameWholeOrNotAtAllAndKeepsRoomForCommands) {
  ThreadLink link(kLastOrder);
  const std::vector<std::uint8_t> frame(1000, 1);
  int telemetry = 0, commands = 0;
  while (link.Write(frame, Lane::kTelemetry) == Status::kOk) ++telemetry;
  while (link.Write(frame, Lane::kCommand) == Status::kOk) ++commands;
  EXPECT_EQ(telemetry, static_cast<int>((ThreadLink::kOut_B - ThreadLink::kReserve_B) / 1000));
  EXPECT_EQ(telemetry + commands, static_cast<int>(ThreadLink::kOut_B / 1000));
  EXPECT_EQ(link.counters().refused_frames, 2u);
  std::vector<std::uint8_t> out(ThreadLink::kOut_B);
  EXPECT_EQ(link.HostRead(out), static_cast<std::size_t>(telemetry + commands) * 1000);
}

TEST(ThreadLink, ReadsTheLastOrderOnceWhateverTheHostSends) {
  ThreadLink link(kLastOrder);
  const std::vector<std::uint8_t> flood(ThreadLink::kIn_B, 9);
  EXPECT_EQ(link.HostWrite(flood), flood.size());
  EXPECT_EQ(link.HostWrite(flood), 0u);
  link.OrderStop();
  std::array<std::uint8_t, 64> room{};
  std::size_t count = 0;
  ASSERT_EQ(link.Read(room, &count), Status::kOk);
  ASSERT_EQ(count, kLastOrder.size());
  EXPECT_TRUE(std::equal(kLastOrder.begin(), kLastOrder.end(), room.begin()));
  ASSERT_EQ(link.Read(room, &count), Status::kOk);
  EXPECT_EQ(count, 0u);
}

TEST(ThreadLink, IsClosedAtOnceAndForgetsWhatWasUnderWay) {
  ThreadLink link(kLastOrder);
  const std::array<std::uint8_t, 2> bytes = {1, 2};
  EXPECT_EQ(link.HostWrite(bytes), 2u);
  link.Close();
  std::array<std::uint8_t, 64> room{};
  std::size_t count = 9;
  EXPECT_EQ(link.Read(room, &count), Status::kClosed);
  EXPECT_EQ(link.Write(bytes, Lane::kCommand), Status::kClosed);
  link.Open();
  EXPECT_EQ(link.Read(room, &count), Status::kOk);
  EXPECT_EQ(count, 0u);
}

TEST(ThreadLink, LosesNoByteBetweenTwoThreads) {
  ThreadLink link(kLastOrder);
  constexpr std::uint32_t kBytes = 2'000'000;
  std::thread host([&] {
    std::uint32_t sent = 0;
    std::array<std::uint8_t, 251> bytes;
    while (sent < kBytes) {
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>((sent + i) % 253);
      const std::size_t count = link.HostWrite(bytes);
      sent += static_cast<std::uint32_t>(count);
      if (count == 0) std::this_thread::yield();
    }
  });
  std::uint32_t received = 0, wrong = 0;
  std::array<std::uint8_t, 640> room;
  while (received < kBytes) {
    std::size_t count = 0;
    ASSERT_EQ(link.Read(room, &count), Status::kOk);
    for (std::size_t i = 0; i < count; ++i) wrong += room[i] != (received + i) % 253;
    received += static_cast<std::uint32_t>(count);
    if (count == 0) std::this_thread::yield();
  }
  host.join();
  EXPECT_EQ(wrong, 0u);
}

constexpr int kNotAllowed = 77;

/// As a user whose limit is what the process has now and `more_B`. @returns 0: as LockMemory should; else what was wrong
int LockAsUser(std::size_t more_B, int wanted) {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages;
  const rlimit limit{.rlim_cur = pages * 4096 + more_B, .rlim_max = pages * 4096 + more_B};
  if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 || (geteuid() == 0 && setuid(65534) != 0)) return kNotAllowed;
  if (LockMemory() != wanted) return 2;
  pthread_t thread{};
  if (StartThread([](void*) -> void* { return nullptr; }, nullptr, &thread) != 0) return 3;
  return pthread_join(thread, nullptr) == 0 ? 0 : 4;
}

// Linux locks what there is if that is below the limit, and refuses later what goes beyond it: a thread, a buffer.
TEST(RealtimeThread, LocksNothingWhenTheLimitHasNoRoomForWhatWillBe) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer has terabytes that would be locked";
#endif
  for (const std::size_t more_B : {kLockedRoom_B / 4, 4 * kLockedRoom_B}) {
    const pid_t child = fork();
    if (child == 0) _exit(LockAsUser(more_B, more_B < kLockedRoom_B ? ENOMEM : 0));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    const int result = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (result == kNotAllowed) GTEST_SKIP() << "this machine lets nobody raise the limit of locked memory";
    EXPECT_EQ(result, 0) << more_B;
  }
}

TEST(RealtimeThread, SaysWhatItDidNotGet) {
  RealtimeGrant grant;
  std::thread([&] { EnterRealtime({.priority = 0, .cpu = 1023}, &grant); }).join();
  EXPECT_EQ(grant.cpu, EINVAL) << "this machine has no processor 1023";
  EXPECT_EQ(grant.priority, 0);
}

}  // namespace
}  // namespace tactus::hal
