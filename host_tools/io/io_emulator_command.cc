#include "host_tools/io/io_emulator_command.h"

#include <fmt/core.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "firmware/io/io_app.h"
#include "firmware/servo/build_id.h"
#include "hal/sim/sim_motor_io.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/io/emulated_faults.h"
#include "host_tools/io/emulator_clock.h"
#include "host_tools/io/io_mechanism.h"
#include "host_tools/io/pseudo_terminal.h"
#include "host_tools/io/tty_link.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/scene/scene_file.h"

namespace tactus::host {
namespace {

struct EmulatorOptions {
  std::string pty;    // name for the terminal; empty: none but /dev/pts/N
  std::string trace;  // file; empty: none
  std::string set;    // what stands behind its motors; empty: the simulated device
  std::string scene;  // whose hand holds that; empty: wall_tap
  std::vector<std::string> faults;
  std::uint64_t seed = 1;
  std::uint32_t period_us = 250;
  double seconds = 0;             // 0: until a signal
  int priority = 0;               // 0: as any program
  std::uint32_t patience_us = 0;  // 0: none
};

/// A line that can be cut off on its way out, and that knows when something last came in.
class WatchedLink final : public hal::ByteLink {
 public:
  WatchedLink(hal::ByteLink& link, const hal::Clock& clock) : link_(link), clock_(clock) {}
  bool mute = false;
  /// Nobody is waited for until the next byte.
  void ForgetHost() { heard_us_.reset(); }
  /// Of the board's time; nothing before the first byte.
  std::optional<std::uint32_t> Silence_us() const {
    return heard_us_ ? std::optional(clock_.now_us() - *heard_us_) : std::nullopt;
  }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    const Status status = link_.Read(room, count);
    if (status == Status::kOk && *count > 0) heard_us_ = clock_.now_us();
    return status;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override {
    return mute ? Status::kWouldBlock : link_.Write(frame, lane);
  }
  hal::LinkCounters DoCounters() const noexcept override { return link_.counters(); }

  hal::ByteLink& link_;
  const hal::Clock& clock_;
  std::optional<std::uint32_t> heard_us_;
};

/// One line whenever state, fault or output changes: what the board knows when no host can ask it.
class Trace {
 public:
  explicit Trace(const std::string& path) : file_(path.empty() ? nullptr : std::fopen(path.c_str(), "w")) {
    if (!path.empty() && file_ == nullptr) throw HostError(fmt::format("cannot write '{}'", path));
    if (file_ != nullptr) (void)std::fprintf(file_, "ms,state,fault,output_A,enabled,wrong\n");
  }
  ~Trace() {
    if (file_ != nullptr) (void)std::fclose(file_);
  }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  void Note(double ms, const io::IoApp& app, const hal::EmulatedMotors& motors, bool wrong) {
    if (file_ == nullptr) return;
    const Line line{app.supervisor().phase, app.fault(), motors.largest_A(), motors.enabled(), wrong};
    if (line == last_) return;
    last_ = line;
    (void)std::fprintf(file_, "%.3f,%s,%s,%.6f,%d,%d\n", ms, tactus::Name(line.phase), wire::EnumNameIoFault(line.fault),
                       static_cast<double>(line.output_A), line.enabled, line.wrong);
    (void)std::fflush(file_);
  }

 private:
  struct Line {
    Phase phase = Phase::kStopped;
    wire::IoFault fault = wire::IoFault::kNone;
    float output_A = 0;
    bool enabled = false, wrong = false;
    bool operator==(const Line&) const = default;
  };
  std::FILE* file_;
  Line last_;
};

/// The board: the firmware's application and what is around it.
class Emulator {
 public:
  Emulator(const EmulatorOptions& options, int master, std::unique_ptr<hal::EmulatedMotors> motors)
      : clock_(options.period_us),
        master_(master),
        patience_us_(options.patience_us),
        tty_(master, true),
        link_(tty_, clock_),
        sim_(std::move(motors)),
        trace_(options.trace) {
    for (const std::string& text : options.faults) faults_.push_back(ParseFault(text, sim_->traits().motors));
    Start();
  }

  void Period() {
    WaitForTheHost();
    clock_.WaitForEdge();
    const double step_ms = clock_.period_us() / 1000.0;
    const bool has_run = first_current_ms_.has_value();
    const EmulatedState wrong =
        has_run ? FaultsAt(faults_, clock_.now_ms() - *first_current_ms_, step_ms, sim_->traits().motors) : EmulatedState{};
    motors_.faults = wrong.motors;
    link_.mute = wrong.mute;
    if (wrong.reset) Start();
    app_->OnTick();
    if (!has_run && sim_->largest_A() > 0) first_current_ms_ = clock_.now_ms();
    trace_.Note(clock_.now_ms(), *app_, *sim_,
                has_run && !faults_.empty() && clock_.now_ms() >= *first_current_ms_ + faults_[0].start_ms);
  }
  double now_ms() const { return clock_.now_ms(); }

 private:
  /// As after a reset: the drives without current, the line off, nothing remembered. The device itself goes on.
  void Start() {
    (void)sim_->Zero();
    sim_->SetEnable(false);
    const io::Identity identity{.board = "emulator",
                                .build = servo::kBuildId,
                                .link = wire::Link::kUart,
                                .boot_seed = static_cast<std::uint32_t>(getpid()) + 0x10000u * ++starts_};
    app_.emplace(identity, link_, clock_, watchdog_, motors_);
  }

  /// The board's time stands while a host without real time owes a command: for two seconds at most, then it goes on until
  /// the next byte.
  void WaitForTheHost() {
    if (patience_us_ == 0 || link_.Silence_us().value_or(0) < patience_us_) return;
    pollfd line{.fd = master_, .events = POLLIN, .revents = 0};
    if (poll(&line, 1, 2000) == 0) link_.ForgetHost();
  }

  EmulatorClock clock_;
  const int master_;
  const std::uint32_t patience_us_;
  TtyLink tty_;
  WatchedLink link_;
  hal::NoWatchdog watchdog_;
  const std::unique_ptr<hal::EmulatedMotors> sim_;
  hal::FaultyMotorIo motors_{*sim_};
  Trace trace_;
  std::vector<EmulatedFault> faults_;
  std::optional<double> first_current_ms_;
  std::uint32_t starts_ = 0;
  std::optional<io::IoApp> app_;
};

/// @param hand  outlives it
std::unique_ptr<hal::EmulatedMotors> MotorsOf(const EmulatorOptions& options, const hal::HandScript& hand) {
  if (options.set.empty()) return std::make_unique<hal::SimMotorIo<double>>(options.period_us, options.seed);
  return EmulateIoSet(
      options.set,
      {.hand = HandNamed(SimulatedChoice().hand), .script = hand, .seed = options.seed, .period_us = options.period_us});
}

int Emulate(const EmulatorOptions& options) {
  CheckEmulatedTime(options.seconds);
  if (!options.scene.empty() && options.set.empty())
    throw HostError("--scene: the simulated device has the peg's hand; a --set has the scene's");
  const SceneFile scene = LoadScene(options.scene.empty() ? SimulatedChoice::kScene : options.scene);
  const hal::HandScript hand = scene.Hand();
  std::unique_ptr<hal::EmulatedMotors> motors = MotorsOf(options, hand);
  if (options.priority > 0) {
    const sched_param parameter{.sched_priority = options.priority};
    if (sched_setscheduler(0, SCHED_FIFO, &parameter) != 0) {
      fmt::print(stderr, "tactus: no real-time priority ({}): going on without\n", std::strerror(errno));
    }
  }
  const StopSignal stop_signal;
  const Pty pty = OpenPty();
  Emulator emulator(options, pty.master, std::move(motors));
  const TerminalName name(options.pty, pty.name);
  fmt::print("I/O board on {}\n", pty.name);
  if (std::fflush(stdout) != 0) throw HostError("cannot write to standard output");
  while (StopSignal::Raised() == 0 && (options.seconds <= 0 || emulator.now_ms() < options.seconds * 1000))
    emulator.Period();
  return StopSignal::Raised() == 0 ? 0 : kExitSignal + StopSignal::Raised();
}

}  // namespace

void AddIoEmulatorCommand(CLI::App& app) {
  const auto options = std::make_shared<EmulatorOptions>();
  CLI::App* const command = app.add_subcommand(
      "io-emulator", "Be an I/O board: its firmware on a pseudo terminal, the simulated device behind it");
  command->add_option("--pty", options->pty, "name for the terminal, a symbolic link that goes when the emulator does");
  command->add_option("--set", options->set,
                      "what stands behind its motors: " + IoSetNames() +
                          ", or a file (docs/io_firmware.md); default: the simulated device with its six motors");
  command->add_option("--scene", options->scene, "whose hand holds the handle of a --set (default: wall_tap)");
  command->add_option("--fault", options->faults,
                      "what goes wrong, as NAME@MS[+LENGTH] after current is first let out: " + FaultNames());
  command->add_option("--trace", options->trace, "write each change of state, fault and output to this file, as CSV");
  command->add_option("--period-us", options->period_us, "of the board's loop")
      ->capture_default_str()
      ->check(CLI::IsMember({50, 100, 125, 250, 500, 1000}));
  command->add_option("--seconds", options->seconds, "end after so long (default: at a signal)");
  command->add_option("--seed", options->seed, "of the hand's tremor")->capture_default_str();
  command->add_option("--patience-us", options->patience_us,
                      "stand still while no command has come for so long: for a host without real time; the board's "
                      "time-out then only comes if the host is silent for two seconds (default: never stand)");
  command->add_option("--priority", options->priority, "of SCHED_FIFO, 1 to 99 (default: none)")->check(CLI::Range(1, 99));
  command->callback([options] {
    if (const int code = Emulate(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
