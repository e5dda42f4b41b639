// Edge k is at t_k = t_0 + k h. At time t the newest edge is floor((t - t_0) / h). A waiter that has been told edge k is
// told next: the newest edge, if that is above k; else edge k + 1, after sleeping until t_0 + (k + 1) h. Where t < t_0 + k h
// time has gone back: t_0 becomes t - (k + n) h, with n the whole periods that it went back.
#include "hal/linux/periodic_clock.h"

#include <time.h>

#include <cerrno>

namespace tactus::hal {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr int kInterruptions = 1000;  // signals in one sleep; the servo's thread blocks them all

}  // namespace

std::int64_t MonotonicTime::DoNowNs() const noexcept {
  timespec now{};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);  // cannot fail with these arguments
  return kSecond_ns * now.tv_sec + now.tv_nsec;
}

void MonotonicTime::DoSleepUntil(std::int64_t when_ns) noexcept {
  const timespec when{.tv_sec = when_ns / kSecond_ns, .tv_nsec = when_ns % kSecond_ns};
  for (int i = 0; i < kInterruptions; ++i) {
    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) != EINTR) return;
  }
}

void PeriodicClock::Start() noexcept {
  start_ns_ = time_.now_ns();
  last_edge_ = 0;
}

std::int64_t PeriodicClock::EdgeNow() const noexcept {
  const std::int64_t newest = (time_.now_ns() - start_ns_) / period_ns();
  return newest > last_edge_ ? newest : last_edge_;
}

void PeriodicClock::FollowTimeBack() noexcept {
  constexpr std::int64_t kMostMissed = 1000;  // far more than any loop forgives
  const std::int64_t last_edge_ns = start_ns_ + last_edge_ * period_ns(), back_ns = last_edge_ns - time_.now_ns();
  if (back_ns <= 0) return;
  const std::int64_t missed = back_ns / period_ns() < kMostMissed ? back_ns / period_ns() : kMostMissed;
  start_ns_ -= back_ns + missed * period_ns();
}

PeriodicClock::Wake PeriodicClock::WaitForEdge() noexcept {
  FollowTimeBack();
  if (EdgeNow() == last_edge_) time_.SleepUntil(start_ns_ + (last_edge_ + 1) * period_ns());
  const std::int64_t now_ns = time_.now_ns();
  const std::int64_t due = last_edge_ + 1;
  last_edge_ = EdgeNow();
  return {.now_ns = now_ns,
          .late_ns = now_ns - (start_ns_ + due * period_ns()),
          .missed = last_edge_ > due ? static_cast<std::uint32_t>(last_edge_ - due) : 0};
}

std::uint32_t PeriodicClock::DoNowUs() const noexcept {
  return static_cast<std::uint32_t>((time_.now_ns() - start_ns_) / 1000);
}

}  // namespace tactus::hal
