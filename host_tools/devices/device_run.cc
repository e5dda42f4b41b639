#include "host_tools/devices/device_run.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "host_tools/devices/forwarding_device.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/io/tty_link.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

/// A driver whose Read waits for its device.
class PatientDevice final : public ForwardingDevice {
 public:
  /// @param many  it says several messages in a period: drives on a bus
  PatientDevice(std::unique_ptr<hal::Device> device, int fd, bool many)
      : ForwardingDevice(std::move(device)), fd_(fd), many_(many) {}

 private:
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    constexpr int kPatience_ms = 50, kQuietPatience_ms = 1, kQuietPeriods = 3;
    pollfd line{.fd = fd_, .events = POLLIN, .revents = 0};
    const bool is_quiet =
        quiet_periods_ >= kQuietPeriods;  // a device that says nothing shall not be waited for in each period
    if (asked_)
      quiet_periods_ = poll(&line, 1, is_quiet ? kQuietPatience_ms : kPatience_ms) > 0 ? 0 : quiet_periods_ + !is_quiet;
    if (asked_ && many_) WaitForQuiet();
    return ReadOn(now_us);
  }
  /// Until nothing more comes: a part of the answers would make all that follow a period older.
  void WaitForQuiet() const {
    constexpr int kMostLooks = 20;
    for (int look = 0, before = -1, now = 0; look < kMostLooks && now != before; ++look) {
      before = now;
      usleep(150);
      if (ioctl(fd_, FIONREAD, &now) != 0) return;
    }
  }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override {
    const Status status = driver().Write(command, note);
    asked_ = status == Status::kOk;
    return status;
  }

  const int fd_;
  const bool many_;
  bool asked_ = false;
  int quiet_periods_ = 0;  ///< in a row in which it was asked and said nothing; stops at kQuietPeriods
};

/// `tactus emulate` as a child. @returns the terminal it says it is on.
std::string Spawn(std::vector<std::string> words, int* pid) {
  int out[2];
  if (pipe(out) != 0) throw HostError("no pipe to an emulator");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  *pid = fork();
  if (*pid < 0) throw HostError("cannot start an emulator");
  if (*pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)setpgid(
        0, 0);  // Ctrl-C is for the run, which ends it: of a device that goes first the driver would say that it failed
    dup2(out[1], STDOUT_FILENO);
    close(out[0]);
    close(out[1]);
    execv("/proc/self/exe", argv.data());
    _exit(127);
  }
  close(out[1]);
  std::string line;
  for (char c; read(out[0], &c, 1) == 1 && c != '\n';) line += c;
  close(out[0]);
  return line.empty() ? line : line.substr(line.rfind(' ') + 1);
}

/// Until it measures, and one round of the hand's movements longer: then the hand is where they begin, wherever its user has
/// held the device to start it. @returns false: it never did.
bool Start(hal::Device& device, std::uint32_t period_us, double round_s) {
  constexpr std::uint32_t kPatience = 2000;  // periods
  const auto round = static_cast<std::uint32_t>(round_s * 1e6 / period_us);
  std::uint32_t measured = 0;
  for (std::uint32_t i = 1; measured < round && (measured > 0 || i < kPatience); ++i) {
    const hal::DeviceReading reading = device.Read(i * period_us);
    if (reading.valid && reading.state == hal::DeviceState::kReady) ++measured;
    (void)device.Write({}, {});
  }
  return measured > 0;
}

}  // namespace

EmulatedRun::EmulatedRun(const std::string& name, const std::string& scene, std::uint64_t seed,
                         const std::vector<std::string>& faults, std::uint32_t period_us) {
  const RealDevice* const real = FindRealDevice(name);
  if (real == nullptr) throw HostError(fmt::format("no device '{}'; there is: {}", name, RealDeviceNames()));
  std::vector<std::string> words = {"tactus", "emulate", name, "--in-step", "--seed", std::to_string(seed)};
  if (!scene.empty()) words.insert(words.end(), {"--scene", scene});
  for (const std::string& fault : faults) words.insert(words.end(), {"--fault", fault});
  terminal_ = Spawn(words, &pid_);
  if (terminal_.empty()) {
    (void)waitpid(pid_, nullptr, 0);
    throw HostError(fmt::format("the emulator of {} did not start", name));
  }
  const int fd = OpenTty(terminal_, real->baud);
  DriverRequest request{.link = std::make_unique<TtyLink>(fd), .period_us = period_us};
  auto device = std::make_unique<PatientDevice>(real->drive(std::move(request)), fd, real->can.has_value());
  PatientDevice& started = *device;
  device_ = std::move(device);
  if (!Start(*device_, period_us, LoadScene(scene.empty() ? real->scene : scene).Hand().duration_s())) {
    const std::string why = device_->why();
    Stop();
    throw HostError(fmt::format("the emulated {} does not measure: {}", name, why), kExitFailed);
  }
  started.ChangeClock();
}

EmulatedRun::~EmulatedRun() { Stop(); }

void EmulatedRun::Stop() {
  (void)kill(pid_, SIGTERM);
  (void)waitpid(pid_, nullptr, 0);
}

Config<double> ConfigOf(const hal::DeviceCapabilities& device) {
  Config<double> config = PegInHoleConfig();
  const auto set = [](float known, double* value) {
    if (known > 0) *value = static_cast<double>(known);
  };
  set(device.effector_mass_kg, &config.device.mass_kg);
  set(device.effector_inertia_kgm2, &config.device.inertia_kgm2);
  set(device.resolution_m, &config.device.resolution_m);
  config.device.command_delay_ticks = device.command_delay_ticks;
  set(device.peak_force_N, &config.limits.max_force_N);
  set(device.peak_torque_Nm, &config.limits.max_torque_Nm);
  // A controller takes no rate above the whole force in a millisecond (ceilings.h).
  auto& limits = config.limits;
  limits.max_force_rate_N_per_s = std::min(limits.max_force_rate_N_per_s, 1000 * limits.max_force_N);
  limits.max_torque_rate_Nm_per_s = std::min(limits.max_torque_rate_Nm_per_s, 1000 * limits.max_torque_Nm);
  return config;
}

}  // namespace tactus::host
