#include "host_tools/rig/controller_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/local_board.h"
#include "host_tools/report/length.h"
#include "host_tools/session/board_client.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

/// Sees what the controller does to a device; can fall silent.
class Tap final : public hal::Device {
 public:
  Tap(hal::Device& device, std::uint32_t now_us) : device_(device), shift_us_(now_us) {}

  bool silent = false;
  bool enabled() const { return enabled_; }
  double last_N() const { return last_N_; }
  std::uint32_t now_us() const { return now_us_; }
  /// Most periods in a row, since the last Forget, in which the device itself had no new sample.
  int longest_wait() const { return longest_wait_; }
  void Forget() { wait_ = longest_wait_ = 0; }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return device_.capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    const std::uint32_t before_us = now_us_;
    now_us_ = now_us + shift_us_;
    const hal::DeviceReading reading = device_.Read(now_us_);
    wait_ = reading.is_new ? 0 : wait_ + 1;
    longest_wait_ = std::max(longest_wait_, wait_);
    if (!silent) {
      last_ = reading;
      return last_;
    }
    last_.is_new = false;
    last_.sample.age_us += now_us_ - before_us;
    return last_;
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    last_N_ = Length(double{command.force_N[0]}, double{command.force_N[1]}, double{command.force_N[2]});
    return device_.Write(command, note);
  }
  void DoEnable() noexcept override {
    enabled_ = true;
    device_.Enable();
  }
  void DoDisable() noexcept override {
    enabled_ = false;
    device_.Disable();
  }
  const char* DoWhy() const noexcept override { return device_.why(); }

  hal::Device& device_;
  const std::uint32_t shift_us_;
  std::uint32_t now_us_ = 0;
  hal::DeviceReading last_;
  bool enabled_ = false;
  double last_N_ = 0;
  int wait_ = 0, longest_wait_ = 0;
};

void Ticks(BoardClient& board, int count) {
  constexpr std::uint8_t kEmptyFrame[] = {0};
  for (int i = 0; i < count; ++i) {
    board.SendRaw(kEmptyFrame);
    while (board.Receive(std::chrono::milliseconds(0))) {
    }
  }
}

/// A controller in this process, armed on the device.
struct Armed {
  Armed(Tap& tap, const Config<double>& config, std::uint32_t period_us)
      : transport(MakeLocalBoardWith(64, tap, period_us)), board(*transport, nullptr) {
    board.Hello();
    board.Configure(servo::ConfigToWire(config));
    board.Arm();
    Ticks(board, 20);
  }
  std::unique_ptr<Transport> transport;
  BoardClient board;
};

/// This process has no real time: where it is held up for `hold_ticks`, or the line is, the controller does what it is for
/// and takes the force away by itself, before the check has begun. Then it is armed anew, a few times.
/// @returns nullptr: never armed; tap.longest_wait() says whether samples were late
std::unique_ptr<Armed> ArmOn(Tap& tap, std::uint32_t period_us) {
  constexpr int kTries = 5;
  Config<double> config = ConfigOf(tap.capabilities());
  const double all_in_a_period = config.limits.max_force_N * 1e6 / period_us;  // more no Config takes
  config.limits.max_force_rate_N_per_s = std::min(config.limits.max_force_rate_N_per_s, 0.9 * all_in_a_period);
  for (int i = 0; i < kTries; ++i) {
    tap.Forget();
    auto armed = std::make_unique<Armed>(tap, config, period_us);
    if (tap.enabled()) return armed;
    if (tap.longest_wait() < config.guard.hold_ticks) break;
  }
  return nullptr;
}

/// Arms the controller on the device, lets `end` happen, and looks. @param[in] ticks  within which the drives must be off
SelfTestLine EndsOff(const std::string& name, Tap& tap, std::uint32_t period_us, int ticks,
                     const std::function<void(BoardClient&)>& end) {
  try {
    const std::unique_ptr<Armed> armed = ArmOn(tap, period_us);
    if (!armed && tap.longest_wait() > 1)
      return {name, Verdict::kFail,
              fmt::format("the drives go off before it: no sample for {} periods", tap.longest_wait())};
    if (!armed) return {name, Verdict::kFail, "the controller did not switch the drives on"};
    end(armed->board);
    int passed = 0;
    while (passed < ticks && (tap.enabled() || tap.last_N() != 0)) {
      Ticks(armed->board, 1);
      ++passed;
    }
    if (tap.enabled() || tap.last_N() != 0)
      return {name, Verdict::kFail, fmt::format("drives still on after {} periods", ticks)};
    return {name, Verdict::kPass, fmt::format("zeros and drives off within {} periods", passed + 1)};
  } catch (const HostError& error) {
    return {name, Verdict::kFail, error.what()};
  }
}

}  // namespace

std::vector<SelfTestLine> CheckController(hal::Device& device, std::uint32_t now_us, std::uint32_t period_us) {
  std::vector<SelfTestLine> lines;
  const Config<double> config = ConfigOf(device.capabilities());
  Tap first(device, now_us);
  lines.push_back(EndsOff("the controller's e-stop", first, period_us, 2,
                          [](BoardClient& board) { board.Control(wire::Action::kEStop); }));
  first.Disable();
  Tap second(device, first.now_us() + period_us);
  const int held = config.guard.hold_ticks + static_cast<int>(std::ceil(config.guard.ramp_down_s * 1e6 / period_us)) + 2;
  lines.push_back(EndsOff("time-out of samples", second, period_us, held, [&](BoardClient&) { second.silent = true; }));
  second.Disable();
  (void)second.Write({}, {});
  return lines;
}

}  // namespace tactus::host
