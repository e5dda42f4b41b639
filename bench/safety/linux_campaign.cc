#include "bench/safety/linux_campaign.h"

#include <algorithm>

#include "bench/safety/scripted_host.h"
#include "host_tools/serve/servo_loop.h"
#include "host_tools/serve/stop_order.h"
#include "host_tools/serve/waiting_hand.h"

namespace tactus::bench::safety {
namespace {

constexpr std::int64_t kMs = 1'000'000;  // ns

/// The simulated device of `tactus serve`, which can fail, and keeps what is written.
class FailingDevice final : public hal::Device {
 public:
  explicit FailingDevice(std::uint64_t seed) : device_(seed, 1000) {}

  bool is_gone = false;      ///< unplugged: it takes nothing and has no sample
  std::int64_t back_ns = 0;  ///< until then it is gone too, and comes back by itself
  bool is_lost = false;      ///< takes commands; it homes anew and has no sample
  bool is_silent = false;    ///< takes commands; its samples are the last one, which grows old
  std::int64_t* time_ns = nullptr;
  std::int64_t blocks_ns = 0;  ///< the next read: a page that has to be fetched, a driver that waits
  float written_N = 0;         ///< last
  bool enabled = false;

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return device_.capabilities(); }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    *time_ns += std::exchange(blocks_ns, 0);
    const hal::DeviceReading now = device_.Read(now_us);
    hal::DeviceReading none;
    if (is_lost) none.state = hal::DeviceState::kHoming;
    if (gone() || is_lost) return none;
    if (!is_silent) {
      last_ = now;
      read_us_ = now_us;
      return last_;
    }
    last_.is_new = false;
    last_.sample.age_us = now_us - read_us_;
    return last_;
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    if (gone()) return Status::kClosed;
    written_N = Max(Abs(command.force_N[0]), Max(Abs(command.force_N[1]), Abs(command.force_N[2])));
    return device_.Write(command, note);
  }
  void DoEnable() noexcept override { device_.Enable(), enabled = true; }
  void DoDisable() noexcept override {
    device_.Disable();
    enabled = false;
    if (gone()) written_N = 0;  // its own time-out has let go, docs/io_firmware.md
  }

  bool gone() const { return is_gone || *time_ns < back_ns; }

  host::WaitingHand device_;
  hal::DeviceReading last_;
  std::uint32_t read_us_ = 0;
};

class LinuxRig;

struct LinuxCase {
  const char* name;
  int most_ticks;  ///< periods of the loop to zero
  void (*inject)(LinuxRig* rig, Random* random);
  wire::ExternalCause cause;  ///< kNone: the session ends without a fault, or `fault`
  wire::FaultCode fault = wire::FaultCode::kExternal;
  void (*mend)(LinuxRig* rig) = [](LinuxRig*) {};
};

/// The loop in virtual time. What happens is decided while it sleeps.
class LinuxRig final : public hal::TimeSource {
  const std::vector<std::uint8_t> order_ = host::StopOrder();  // before the link, which refers to it

 public:
  LinuxRig(const LinuxCase& wrong, Random* random)
      : device(random->Integer(1, 1 << 20)),
        link(order_),
        host(link),
        wrong_(wrong),
        random_(random),
        force_ticks_(random->Integer(1, 400)),
        loop_({.period_us = 1000, .ticks = 6000, .wish = {.priority = 0, .cpu = -1}}, &device, link, *this, 7) {
    device.time_ns = &ns;
    loop_.NextSession();
  }

  /// Until force has come back, or the ticks are over.
  void Run() { loop_.Run(); }

  FailingDevice device;
  hal::ThreadLink link;
  std::int64_t ns = 10'000'000 * kMs;  ///< hours after the machine has started
  ScriptedHost host;
  bool ends_session = false;  ///< the case ends it: the next one begins with a hello

  bool injected() const { return phase_ >= Phase::kWatch; }
  bool detected() const {
    if (ends_session) return sessions_ended_ > 0;
    return host.last_fault && host.last_fault->code() == wrong_.fault &&
           (wrong_.fault != wire::FaultCode::kExternal || host.last_fault->external() == wrong_.cause);
  }
  bool recovered() const { return phase_ == Phase::kRecovered; }
  int ticks_to_zero() const { return ticks_to_zero_; }

 private:
  enum class Phase { kTouch, kWatch, kRecover, kRecovered };
  static constexpr int kWatched = 60;
  static constexpr int kSeen = 5;  // periods until the operator has seen that the device is well
  static constexpr float kForce_N = 0.3f;

  std::int64_t DoNowNs() const noexcept override { return ns; }
  void DoSleepUntil(std::int64_t when_ns) noexcept override {
    ns = std::max(ns, when_ns);
    if (loop_.session_runs()) host.Step();
    switch (phase_) {
      case Phase::kTouch: return Touch();
      case Phase::kWatch: return Watch();
      case Phase::kRecover: return Recover();
      case Phase::kRecovered: return;
    }
  }

  void Touch() {
    if (!(device.enabled && device.written_N >= kForce_N) || --force_ticks_ > 0) return;
    phase_ = Phase::kWatch;
    wrong_.inject(this, random_);
  }
  void Watch() {
    ++watched_;
    if (device.written_N != 0) {
      ticks_to_zero_ = kWatched;
    } else if (ticks_to_zero_ == kWatched) {
      ticks_to_zero_ = watched_;
    }
    if (watched_ < kWatched) return;
    if (device.enabled) ticks_to_zero_ = kWatched;  // zeros and drives off
    sessions_ended_ = loop_.counts().sessions.load();
    wrong_.mend(this);
    phase_ = Phase::kRecover;
    if (!ends_session) return;
    host.BeginAnew();
    loop_.NextSession();
  }
  void Recover() {
    if (!ends_session && ++mended_ == kSeen) host.ClearAndArm();
    if (!(device.enabled && device.written_N >= kForce_N)) return;
    phase_ = Phase::kRecovered;
    link.OrderStop();
    loop_.Stop();
  }

  const LinuxCase& wrong_;
  Random* random_;
  int force_ticks_;
  Phase phase_ = Phase::kTouch;
  int mended_ = 0, watched_ = 0, ticks_to_zero_ = kWatched;
  std::uint64_t sessions_ended_ = 0;
  host::ServoLoop loop_;
};

// docs/safety.md: S1, S7 by clock, and the faults that cut.
constexpr int kFade = 21, kStale = 24, kCut = 1;

std::vector<LinuxCase> LinuxCases() {
  using wire::ExternalCause;
  return {
      {"Linux host dies", kFade, [](LinuxRig* rig, Random*) { rig->ends_session = true, rig->link.Close(); },
       ExternalCause::kNone},
      {"Linux host stops the session", kFade, [](LinuxRig* rig, Random*) { rig->ends_session = true, rig->host.Stop(); },
       ExternalCause::kNone},
      {"Linux hog above the loop", kFade, [](LinuxRig* rig, Random* random) { rig->ns += random->Integer(20, 500) * kMs; },
       ExternalCause::kDeadline},
      {"Linux clock jumps ahead", kFade,
       [](LinuxRig* rig, Random* random) { rig->ns += random->Integer(1, 3600) * 1000 * kMs; }, ExternalCause::kDeadline},
      {"Linux clock jumps back", kFade,
       [](LinuxRig* rig, Random* random) { rig->ns -= random->Integer(10, 3'600'000) * kMs; }, ExternalCause::kDeadline},
      {"Linux page fault, or a device that blocks", kFade,
       [](LinuxRig* rig, Random* random) { rig->device.blocks_ns = random->Integer(20, 500) * kMs; },
       ExternalCause::kDeadline},
      {"Linux device unplugged", kCut, [](LinuxRig* rig, Random*) { rig->device.is_gone = true; },
       ExternalCause::kDeviceFault, wire::FaultCode::kExternal, [](LinuxRig* rig) { rig->device.is_gone = false; }},
      {"Linux USB reset: the device is gone, and back by itself", kCut,
       [](LinuxRig* rig, Random* random) { rig->device.back_ns = rig->ns + random->Integer(3, 40) * kMs; },
       ExternalCause::kDeviceFault},
      {"Linux device loses its reference", kCut, [](LinuxRig* rig, Random*) { rig->device.is_lost = true; },
       ExternalCause::kDeviceFault, wire::FaultCode::kExternal, [](LinuxRig* rig) { rig->device.is_lost = false; }},
      {"Linux device silent", kStale, [](LinuxRig* rig, Random*) { rig->device.is_silent = true; }, ExternalCause::kNone,
       wire::FaultCode::kSampleStale, [](LinuxRig* rig) { rig->device.is_silent = false; }},
  };
}

FaultCount CountLinux(const LinuxCase& wrong, const Campaign& campaign) {
  const int most_ticks = static_cast<int>(wrong.most_ticks * campaign.bound_share);
  FaultCount count{.name = wrong.name, .most_ticks = most_ticks};
  Random random(campaign.seed);
  for (int i = 0; i < 2 * campaign.injections; ++i) {
    LinuxRig rig(wrong, &random);
    rig.Run();
    count.Add({.detected = rig.detected(),
               .safe = rig.injected() && rig.ticks_to_zero() <= most_ticks,
               .recovered = rig.recovered(),
               .ticks_to_zero = rig.ticks_to_zero()});
  }
  return count;
}

}  // namespace

std::vector<FaultCount> CountLinuxFaults(const Campaign& campaign) {
  std::vector<FaultCount> counts;
  for (const LinuxCase& wrong : LinuxCases()) counts.push_back(CountLinux(wrong, campaign));
  return counts;
}

}  // namespace tactus::bench::safety
