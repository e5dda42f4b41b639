// Page faults that the kernel serves, forced in the loop of `tactus serve`: what serve's locked memory keeps away, for one
// who has not locked it. Time passes while the loop sleeps and while it waits for a page, so that a busy machine is not in
// it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "bench/safety/scripted_host.h"
#include "hal/linux/histogram.h"
#include "host_tools/serve/servo_loop.h"
#include "host_tools/serve/stop_order.h"
#include "host_tools/serve/waiting_hand.h"

namespace tactus::host {
namespace {

constexpr std::size_t kPage_B = 4096;
constexpr std::int64_t kMs = 1'000'000;  // ns

std::int64_t RealNow_ns() {
  timespec now{};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// One page that the loop's device keeps a number in.
class LostPage {
 public:
  LostPage() : page_(mmap(nullptr, kPage_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    EXPECT_NE(page_, MAP_FAILED);
  }
  ~LostPage() { (void)munmap(page_, kPage_B); }
  LostPage(const LostPage&) = delete;
  LostPage& operator=(const LostPage&) = delete;

  /// The next touch is a page fault.
  void Lose() { EXPECT_EQ(madvise(page_, kPage_B, MADV_DONTNEED), 0); }
  void Touch() noexcept { *static_cast<volatile unsigned char*>(page_) = 1; }
  void* data() const { return page_; }

 private:
  void* const page_;
};

/// A memory that is slow: the kernel gets the page `after` so long, as from a disk. userfaultfd(2).
class SlowMemory {
 public:
  explicit SlowMemory(const LostPage& page) : page_(page) {
    fd_ = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY));
    if (fd_ < 0) return;
    uffdio_api api{};
    api.api = UFFD_API;
    uffdio_register wish{};
    wish.range = {.start = reinterpret_cast<std::uintptr_t>(page.data()), .len = kPage_B};
    wish.mode = UFFDIO_REGISTER_MODE_MISSING;
    works_ = ioctl(fd_, UFFDIO_API, &api) == 0 && ioctl(fd_, UFFDIO_REGISTER, &wish) == 0;
    if (works_) pager_ = std::thread([this] { Serve(); });
  }
  ~SlowMemory() {
    end_ = true;
    if (pager_.joinable()) pager_.join();
    if (fd_ >= 0) (void)close(fd_);
  }
  bool works() const { return works_; }
  int served() const { return served_; }
  void set_delay(std::chrono::milliseconds delay) { delay_ms_ = static_cast<int>(delay.count()); }

 private:
  void Serve() {
    while (!end_) {
      pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0};
      uffd_msg message{};
      if (poll(&wait, 1, 20) <= 0 || read(fd_, &message, sizeof(message)) != sizeof(message)) continue;
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms_.load()));
      uffdio_zeropage zeros{};
      zeros.range = {.start = reinterpret_cast<std::uintptr_t>(page_.data()), .len = kPage_B};
      if (ioctl(fd_, UFFDIO_ZEROPAGE, &zeros) == 0) ++served_;
    }
  }

  const LostPage& page_;
  int fd_ = -1;
  bool works_ = false;
  std::atomic<int> delay_ms_{0}, served_{0};
  std::atomic<bool> end_{false};
  std::thread pager_;
};

/// The simulated device; each Read touches the page.
class PagingDevice final : public hal::Device {
 public:
  PagingDevice(LostPage& page, std::int64_t& time_ns) : page_(page), time_ns_(time_ns) {}
  float written_N() const { return written_N_; }
  bool enabled() const { return enabled_; }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return hand_.capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    const std::int64_t before_ns = RealNow_ns();
    page_.Touch();
    const std::int64_t waited_ns = RealNow_ns() - before_ns;
    if (waited_ns >= kLeastCounted_ns) time_ns_ += waited_ns;
    return hand_.Read(now_us);
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    const float* const f = command.force_N;
    written_N_ = std::hypot(f[0], f[1], f[2]);
    return hand_.Write(command, note);
  }
  void DoEnable() noexcept override { hand_.Enable(), enabled_ = true; }
  void DoDisable() noexcept override { hand_.Disable(), enabled_ = false; }

  static constexpr std::int64_t kLeastCounted_ns = 50 * kMs;  // shorter: this machine was busy
  LostPage& page_;
  std::int64_t& time_ns_;
  WaitingHand hand_{1, 1000};
  float written_N_ = 0;
  bool enabled_ = false;
};

/// The loop of `tactus serve` on this thread.
class PagingLoop final : public hal::TimeSource {
 public:
  explicit PagingLoop(LostPage& page)
      : page_(page),
        link_(order_),
        device(page, ns_),
        loop_({.period_us = 1000, .ticks = kTicks, .wish = {.priority = 0, .cpu = -1}}, &device, link_, *this, 7),
        host(link_) {
    forces_N.reserve(kTicks);
    loop_.NextSession();
  }
  void Run() { loop_.Run(); }
  const ServoLoop& loop() const { return loop_; }

  static constexpr int kTicks = 3000, kFirst = 500;
  int lose_from = kFirst, lose_to = kFirst;  ///< in these periods the page is lost
  int arm_at = -1;                           ///< the operator clears the fault and arms
  std::vector<float> forces_N;               ///< that the device got, by period

 private:
  std::int64_t DoNowNs() const noexcept override { return ns_; }
  void DoSleepUntil(std::int64_t when_ns) noexcept override {
    ns_ = std::max(ns_, when_ns);
    const int period = static_cast<int>(forces_N.size());
    forces_N.push_back(device.written_N());
    if (lose_from <= period && period < lose_to) page_.Lose();
    if (period == arm_at) host.ClearAndArm();
    if (loop_.session_runs()) host.Step();
  }

  LostPage& page_;
  std::int64_t ns_ = 0;
  const std::vector<std::uint8_t> order_ = StopOrder();
  hal::ThreadLink link_;

 public:
  PagingDevice device;

 private:
  ServoLoop loop_;

 public:
  bench::safety::ScriptedHost host;
};

// Source of the count: each touch of a page that is not there is one fault, getrusage(2).
TEST(ForcedPageFault, IsCountedAndAQuickOneLeavesTheForceAsItIs) {
  LostPage page;
  page.Touch();
  PagingLoop without(page), with(page);
  without.Run();
  with.lose_to = with.lose_from + 1000;
  with.Run();
  const auto& kernel = with.loop().kernel_counts();
  EXPECT_GE(kernel.minor_faults + kernel.major_faults, 1000);
  EXPECT_EQ(with.loop().counts().faults.load(), 0u);
  EXPECT_EQ(with.loop().counts().missed.load(), 0u);
  EXPECT_EQ(with.forces_N, without.forces_N) << "to the bit";
  EXPECT_GT(with.forces_N[PagingLoop::kFirst], 0.3f) << "there was a force to change";
}

// A page that comes from a disk, or from memory that is being made free. Bound: docs/safety.md, S10.
TEST(ForcedPageFault, ThatBlocksTheLoopIsNamedFadesAndForceComesBackByAnOrderAlone) {
  constexpr int kFade_ticks = 21, kWatched = 400;
  for (const int delay_ms : {60, 150, 400}) {
    LostPage page;
    SlowMemory memory(page);
    if (!memory.works()) GTEST_SKIP() << "userfaultfd is not to have here: " << std::strerror(errno);
    page.Touch();  // served at once
    memory.set_delay(std::chrono::milliseconds(delay_ms));
    PagingLoop run(page);
    run.lose_to = run.lose_from + 1;
    run.arm_at = run.lose_from + kWatched;
    run.Run();
    EXPECT_EQ(memory.served(), 2);
    const LoopCounts& counts = run.loop().counts();
    EXPECT_GE(counts.missed.load(), static_cast<std::uint64_t>(delay_ms - 2)) << "edges that had no period";
    EXPECT_GE(counts.compute.max_ns(), static_cast<std::uint32_t>(delay_ms) * kMs) << "in the histogram";
    EXPECT_EQ(counts.overruns.load(), 1u);
    EXPECT_EQ(counts.faults.load(), 1u);
    ASSERT_TRUE(run.host.last_fault);
    EXPECT_EQ(run.host.last_fault->external(), wire::ExternalCause::kDeadline);
    const auto force_N = [&](int periods) { return run.forces_N[static_cast<std::size_t>(run.lose_from + periods)]; };
    EXPECT_GT(force_N(0), 0.3f);
    for (int i = kFade_ticks + 1; i < kWatched; ++i)
      ASSERT_EQ(force_N(i), 0) << delay_ms << " ms, " << i << " periods after";
    EXPECT_GT(*std::max_element(run.forces_N.begin() + run.arm_at, run.forces_N.end()), 0.3f) << "armed again";
  }
}

}  // namespace
}  // namespace tactus::host
