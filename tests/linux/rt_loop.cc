// The loop of `tactus serve` with the simulated device, in real time, as the first program of a machine: what a PREEMPT_RT
// kernel makes of it (rt_kernel.py). A host arms through the link, in the loop's own thread while that would sleep; beside
// it runs a thread of no priority that keeps the processor busy. Prints what was granted, the counts and the histograms.
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

#include "firmware/servo/build_id.h"
#include "tactus/core/check.h"
#include "tests/linux/scripted_loop.h"

namespace tactus {

void CheckFailed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace tactus

namespace tactus::servo {

extern const char kBuildId[] = "rt";

}  // namespace tactus::servo

namespace tactus::host {
namespace {

constexpr std::uint64_t kTicks = 10'000;

/// Real time. The host steps before the loop sleeps.
class HostedTime final : public hal::TimeSource {
 public:
  std::function<void()> step;

 private:
  std::int64_t DoNowNs() const noexcept override { return monotonic_.now_ns(); }
  void DoSleepUntil(std::int64_t when_ns) noexcept override {
    step();
    monotonic_.SleepUntil(when_ns);
  }
  hal::MonotonicTime monotonic_;
};

struct Run {
  std::vector<std::uint8_t> order = StopOrder();
  HostedTime time;
  hal::ThreadLink link{order};
  WaitingHand device{1, 1000};
  ServoLoop loop{{.period_us = 1000, .ticks = kTicks, .wish = {.priority = 80, .cpu = -1}}, &device, link, time, 7};
  ScriptedHost host{link};
};

std::atomic<bool> over{false};
std::atomic<std::uint64_t> burnt{0};

/// Computes, and asks the kernel for things, without end.
void* Load(void*) {
  while (!over.load(std::memory_order_relaxed)) {
    for (int i = 0; i < 1000; ++i) burnt.fetch_add(1, std::memory_order_relaxed);
    struct stat file {};
    (void)stat("/proc/self/status", &file);
  }
  return nullptr;
}

void* RunLoop(void* run) {
  static_cast<Run*>(run)->loop.Run();
  over.store(true);
  return nullptr;
}

void Print(const char* name, const hal::Histogram& histogram) {
  std::printf("histogram %s:", name);
  for (std::size_t i = 0; i < hal::Histogram::kBuckets; ++i) {
    if (histogram.bucket(i) != 0)
      std::printf(" %u:%llu", hal::Histogram::UpperEnd_ns(i), static_cast<unsigned long long>(histogram.bucket(i)));
  }
  std::printf("\n%s: p50 %.1f us, p99 %.1f us, max %.1f us\n", name, 1e-3 * histogram.Quantile(0.5),
              1e-3 * histogram.Quantile(0.99), 1e-3 * histogram.max_ns());
}

void Report(const Run& run, int memory) {
  utsname kernel{};
  (void)uname(&kernel);
  const LoopCounts& counts = run.loop.counts();
  const hal::ThreadCounters& thread = run.loop.kernel_counts();
  double largest_N = 0;
  for (const double force_N : run.host.forces_N) largest_N = force_N > largest_N ? force_N : largest_N;
  std::printf("kernel: %s %s\n", kernel.release, kernel.version);
  std::printf("realtime: %s\n", access("/sys/kernel/realtime", R_OK) == 0 ? "yes" : "no");
  std::printf("granted: priority %d, memory %d\n", run.loop.grant().priority, memory);
  std::printf("periods %llu, overrun %llu, missed %llu, faults %llu, page faults %ld, zeros %d\n",
              static_cast<unsigned long long>(counts.periods.load()),
              static_cast<unsigned long long>(counts.overruns.load()), static_cast<unsigned long long>(counts.missed.load()),
              static_cast<unsigned long long>(counts.faults.load()), thread.minor_faults + thread.major_faults,
              run.loop.zeros_written() ? 1 : 0);
  std::printf("host: %zu forces, at most %.3f N; beside it: %s\n", run.host.forces_N.size(), largest_N,
              burnt.load() > 0 ? "busy" : "nothing");
  Print("wake-up", counts.wake_up);
  Print("compute", counts.compute);
}

int Main() {
  (void)mount("proc", "/proc", "proc", 0, nullptr);
  (void)mount("sysfs", "/sys", "sysfs", 0, nullptr);
  const auto run = std::make_unique<Run>();
  run->time.step = [&] {
    if (run->loop.session_runs()) run->host.Step();
  };
  run->loop.NextSession();
  const int memory = hal::LockMemory();
  pthread_t loop{}, load{};
  if (hal::StartThread(Load, nullptr, &load) != 0 || hal::StartThread(RunLoop, run.get(), &loop) != 0) return 1;
  pthread_join(loop, nullptr);
  pthread_join(load, nullptr);
  Report(*run, memory);
  std::printf("end\n");
  (void)std::fflush(stdout);
  if (getpid() == 1) (void)reboot(RB_POWER_OFF);
  return 0;
}

}  // namespace
}  // namespace tactus::host

int main() { return tactus::host::Main(); }
