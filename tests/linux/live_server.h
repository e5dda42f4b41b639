#pragma once
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/serve/link_server.h"
#include "host_tools/serve/stop_order.h"
#include "host_tools/serve/waiting_hand.h"
#include "host_tools/session/board_client.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {

/// The simulated device, and each force that it was told while its drives were on.
class RecordingDevice final : public hal::Device {
 public:
  static constexpr std::size_t kMost = 60000;

  explicit RecordingDevice(std::uint32_t period_us = 1000, void (*on_first_read)() = nullptr)
      : inner_(1, period_us), on_first_read_(on_first_read), forces_N_(kMost) {}

  std::size_t count() const { return count_.load(std::memory_order_acquire); }
  float force_N(std::size_t i) const { return forces_N_[i]; }
  float last_N() const { return count() == 0 ? 0 : forces_N_[count() - 1]; }
  bool drives_on() const { return drives_on_.load(); }
  /// From now on its line has no room.
  void TakeNothing() { takes_nothing_.store(true); }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return inner_.capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    if (on_first_read_ != nullptr) on_first_read_();
    on_first_read_ = nullptr;
    return inner_.Read(now_us);
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    if (takes_nothing_.load()) return Status::kWouldBlock;
    const std::size_t at = count_.load(std::memory_order_relaxed);
    const float* const f = command.force_N;
    if (at < kMost) forces_N_[at] = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (at < kMost) count_.store(at + 1, std::memory_order_release);
    return inner_.Write(command, note);
  }
  void DoEnable() noexcept override {
    drives_on_ = true;
    inner_.Enable();
  }
  void DoDisable() noexcept override {
    drives_on_ = false;
    inner_.Disable();
  }

  WaitingHand inner_;
  void (*on_first_read_)();
  std::vector<float> forces_N_;
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> drives_on_{false}, takes_nothing_{false};
};

/// A time that passes while the loop sleeps, and as far as it wanted to: whatever this machine does beside, no period is
/// late. It sleeps to give the other threads their turn; nothing waits for something to happen meanwhile.
class PatientTime final : public hal::TimeSource {
 private:
  std::int64_t DoNowNs() const noexcept override { return ns_; }
  void DoSleepUntil(std::int64_t when_ns) noexcept override {
    std::this_thread::sleep_for(std::chrono::nanoseconds(when_ns - ns_));
    ns_ = when_ns;
  }
  std::int64_t ns_ = 0;  // the loop's thread only
};

/// Waits until `done`, at most 20 s of a busy machine.
template <class Done>
bool Eventually(Done done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// `tactus serve` in this process: loop, server and device, to be looked into from outside.
class LiveServer {
 public:
  struct Options {
    std::string token = "";
    std::chrono::milliseconds client_timeout{5000};  // this machine may be busy; the tests of hanging hosts give less
    std::uint32_t period_us = 1000;
    void (*on_loop_thread)() = nullptr;        ///< called by the loop's thread at its first Read
    std::span<const std::uint8_t> scene = {};  ///< that sessions begin with
  };

  LiveServer() : LiveServer(Options{}) {}
  explicit LiveServer(const Options& options)
      : device_(options.period_us, options.on_loop_thread),
        listener_("unix:" + Path(), !options.token.empty()),
        link_(order_),
        loop_({.period_us = options.period_us, .ticks = 0, .wish = {.priority = 0, .cpu = -1}, .scene = options.scene},
              &device_, link_, time_, 7),
        server_(listener_, loop_, link_, options.token, options.client_timeout),
        servo_([this] { loop_.Run(); }),
        beside_([this] { server_.Run(); }) {
    (void)signal(SIGPIPE, SIG_IGN);  // a server that has put its host out is an error of the host's write
  }
  ~LiveServer() { Stop(); }

  void Stop() {
    if (!servo_.joinable()) return;
    raise(SIGTERM);
    servo_.join();
    beside_.join();
  }

  std::string address() const { return listener_.address(); }
  const RecordingDevice& device() const { return device_; }
  RecordingDevice& device() { return device_; }
  const ServoLoop& loop() const { return loop_; }
  /// After Stop.
  const ServerCounts& counts() const { return server_.counts(); }
  /// After Stop.
  hal::LinkCounters link_counters() const { return link_.counters(); }

  /// The force reached zero, by no step larger than the rate limit, within the longest fade after `from`.
  void ExpectFade(std::size_t from) const {
    constexpr std::size_t kLongest = 101, kSlack = 400;  // docs/safety.md; until the server has looked, on a busy machine
    ASSERT_TRUE(Eventually([&] { return device_.count() > from + kLongest + kSlack; }));
    for (std::size_t i = from + kLongest + kSlack; i < device_.count(); ++i) ASSERT_EQ(device_.force_N(i), 0) << i - from;
    for (std::size_t i = from + 1; i < device_.count(); ++i)
      ASSERT_LE(device_.force_N(i - 1) - device_.force_N(i), 3.01f) << "the rate limit of the Config: 3 N a tick";
    EXPECT_FALSE(device_.drives_on());
  }

 private:
  static std::string Path() {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string name = std::string(test->test_suite_name()) + test->name();
    return (std::filesystem::path(testing::TempDir()) / ("tactus-" + std::to_string(std::hash<std::string>()(name))))
        .string();
  }

  StopSignal signal_;
  RecordingDevice device_;
  Listener listener_;
  const std::vector<std::uint8_t> order_ = StopOrder();
  PatientTime time_;
  hal::ThreadLink link_;
  ServoLoop loop_;
  LinkServer server_;
  std::thread servo_, beside_;
};

/// A host that has armed and feels something.
class TouchingHost {
 public:
  explicit TouchingHost(const LiveServer& server, const std::string& token = "", int telemetry_every = 1)
      : transport_(OpenTransport(server.address(), token)), client_(*transport_, nullptr) {
    client_.set_patience(std::chrono::milliseconds(10000));
    (void)client_.Hello();
    wire::Config config = servo::ConfigToWire(PegInHoleConfig());
    config.mutate_telemetry_every_ticks(telemetry_every);
    client_.Configure(config);
    client_.Arm();
    client_.ReceiveUntil([&] { return server.device().last_N() > 0.3f; }, "with a force");
  }
  BoardClient& client() { return client_; }
  Transport& transport() { return *transport_; }
  void Leave() { transport_.reset(); }

 private:
  std::unique_ptr<Transport> transport_;
  BoardClient client_;
};

}  // namespace tactus::host
