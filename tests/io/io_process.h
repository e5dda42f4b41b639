#pragma once
#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "hal/sim/sim_motor_io.h"
#include "host_tools/io/io_device.h"
#include "host_tools/link/host_error.h"
#include "host_tools/session/servo_config.h"
#include "tests/servo/controller.h"
#include "tests/support/become_program.h"

namespace tactus::host {

/// `tactus io-emulator` as a child, which ends with this object.
class EmulatorProcess {
 public:
  explicit EmulatorProcess(const std::vector<std::string>& options)
      : trace_(std::filesystem::temp_directory_path() / fmt::format("tactus_io_{}_{}.csv", getpid(), ++count_)) {
    int out[2];
    if (pipe(out) != 0) throw HostError("pipe");
    std::vector<std::string> words = {TACTUS_TOOL, "io-emulator", "--trace", trace_.string()};
    words.insert(words.end(), options.begin(), options.end());
    if (CanBeRealTime()) words.insert(words.end(), {"--priority", "20"});
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      BecomeProgram(std::move(words));
    }
    close(out[1]);
    std::string line;
    for (char c; read(out[0], &c, 1) == 1 && c != '\n';) line += c;
    close(out[0]);
    terminal_ = line.substr(line.rfind(' ') + 1);
  }
  ~EmulatorProcess() {
    Kill(SIGTERM);
    std::error_code error;
    std::filesystem::remove(trace_, error);
  }
  EmulatorProcess(const EmulatorProcess&) = delete;
  EmulatorProcess& operator=(const EmulatorProcess&) = delete;

  void Kill(int signal) {
    if (pid_ <= 0) return;
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  const std::string& terminal() const { return terminal_; }

  struct Line {
    double ms = 0, output_A = 0;
    std::string state, fault;
    bool enabled = false, wrong = false;
  };
  /// What the board did so far.
  std::vector<Line> Trace() const {
    std::ifstream file(trace_);
    std::vector<Line> lines;
    std::string text;
    std::getline(file, text);
    while (std::getline(file, text)) {
      char state[32], fault[32];
      Line line;
      int enabled = 0, wrong = 0;
      if (std::sscanf(text.c_str(), "%lf,%31[^,],%31[^,],%lf,%d,%d", &line.ms, state, fault, &line.output_A, &enabled,
                      &wrong) != 6)
        break;
      line.state = state, line.fault = fault, line.enabled = enabled != 0, line.wrong = wrong != 0;
      lines.push_back(line);
    }
    return lines;
  }

  /// Whether this user may have SCHED_FIFO; then this process takes it too, so that a busy machine does not stop the loop.
  static bool CanBeRealTime() {
    const sched_param parameter{.sched_priority = 10};
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) == 0;
  }

 private:
  static inline int count_ = 0;
  std::filesystem::path trace_;
  std::string terminal_;
  pid_t pid_ = 0;
};

/// A loop that waits for the board's answer, against a board that stands still while it has no command: each in step with
/// the other on a machine that has no time for either. What it opens it only looks at.
class InStep {
 public:
  explicit InStep(const std::string& terminal) : fd_(open(terminal.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
    if (fd_ < 0) throw HostError("cannot open " + terminal);
  }
  ~InStep() { close(fd_); }
  InStep(const InStep&) = delete;
  InStep& operator=(const InStep&) = delete;

  static std::vector<std::string> Options(long period_us = 1000) { return {"--patience-us", std::to_string(period_us)}; }
  void WaitForState() const {
    pollfd line{.fd = fd_, .events = POLLIN, .revents = 0};
    (void)poll(&line, 1, 1000);
  }

 private:
  const int fd_;
};

/// Wakes up each period of real time; says how late.
class Metronome {
 public:
  explicit Metronome(long period_us = 1000) : period_ns_(period_us * 1000) { clock_gettime(CLOCK_MONOTONIC, &next_); }
  void Wait() {
    next_.tv_nsec += period_ns_;
    if (next_.tv_nsec >= 1'000'000'000) ++next_.tv_sec, next_.tv_nsec -= 1'000'000'000;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next_, nullptr) == EINTR) {
    }
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double late_ms =
        static_cast<double>(now.tv_sec - next_.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec - next_.tv_nsec) * 1e-6;
    latest_ms = std::max(latest_ms, late_ms);
    if (late_ms > 1) next_ = now;  // a loop that has missed a millisecond does not run after it
  }
  double latest_ms = 0;

 private:
  const long period_ns_;
  timespec next_{};
};

/// Puts currents on a board without a controller.
class Driver {
 public:
  /// @param rate_Hz  of the commands
  /// @param in_step  with a board that has InStep's options
  explicit Driver(const std::string& terminal, long rate_Hz = 1000, bool in_step = false)
      : in_step_(in_step ? std::make_unique<InStep>(terminal) : nullptr),
        opened_(OpenIoDevice(terminal)),
        period_us_(1'000'000 / rate_Hz),
        metronome_(period_us_) {}

  IoDevice& device() { return *opened_; }
  void Tick(float force_N) {
    metronome_.Wait();
    if (in_step_) in_step_->WaitForState();
    (void)device().Read(now_us_ += static_cast<std::uint32_t>(period_us_));
    CommandFrame command;
    command.force_N[2] = force_N;
    (void)device().Write(command, {});
  }
  /// kOff until the board is idle and has no fault, then kOn. @returns whether current flows
  bool Drive() {
    device().Disable();
    for (int i = 0; i < 200 && (i < 30 || device().last().state() != wire::State::kIdle); ++i) Tick(0);
    device().Enable();
    for (int i = 0; i < 20; ++i) Tick(2);
    return device().last().state() == wire::State::kArmed && device().last().output_mA() > 0;
  }
  /// A busy machine may give the board's time-out first.
  bool DriveAtLast() {
    for (int attempt = 0; attempt < 10; ++attempt) {
      if (Drive()) return true;
    }
    return false;
  }
  /// As if this process were gone at once.
  void HangUp() { opened_.reset(); }

 private:
  std::unique_ptr<InStep> in_step_;
  std::unique_ptr<TtyIoDevice> opened_;
  long period_us_;
  Metronome metronome_;
  std::uint32_t now_us_ = 0;
};

/// What a run over the line was like.
struct LineRun {
  int ticks = 0;  ///< armed, without a fault
  int contact_ticks = 0;
  double largest_N = 0, rms_error_N = 0, largest_error_N = 0, latest_ms = 0;
  std::string fault = "none";  ///< of the board
  std::string controller;      ///< what it says at the end
  IoCounters counters;

  std::string Report() const {
    return fmt::format(
        "{} ticks, {} above 0.5 N, {:.2f} N at most; force error {:.4f} N rms, {:.3f} N at most; {} states, {} missing, {} "
        "periods without, {} late commands held back, {} unsent, {} refused; host at most {:.2f} ms late; board's fault: "
        "{}; controller: {}",
        ticks, contact_ticks, largest_N, rms_error_N, largest_error_N, counters.states, counters.missing_states,
        counters.empty_reads, counters.fades, counters.unsent, counters.refused, latest_ms, fault, controller);
  }
};

/// The servo application over a device on the line.
class LineLoop {
 public:
  explicit LineLoop(IoDevice& device) : device_(device), controller_(&device) {
    wire::Config config = servo::ConfigToWire(PegInHoleConfig());
    config.mutate_telemetry_every_ticks(1);
    controller_.Connect();
    const wire::Ack ack = controller_.Configure(config);
    EXPECT_EQ(ack.code(), wire::AckCode::kAccepted) << "field " << ack.field();
  }
  /// @returns whether force may go out now
  bool Arm() { return controller_.TellArm().code() == wire::AckCode::kAccepted; }
  /// What the tick and the supervisor say of a fault.
  std::string Fault() const {
    const Supervisor& supervisor = controller_.app->supervisor();
    return fmt::format("{}, cause {}, tick's fault {}", tactus::Name(supervisor.phase), tactus::Name(supervisor.cause),
                       fault_);
  }
  /// One millisecond.
  void Tick() {
    metronome.Wait();
    controller_.Edge();
    controller_.app->DrainTelemetry();
    telemetry = controller_.TakeAll<wire::Telemetry>();
    for (const wire::Telemetry& tick : telemetry) fault_ = wire::EnumNameFaultCode(tick.fault());
  }
  void Ticks(int count) {
    for (int i = 0; i < count; ++i) Tick();
  }
  /// Until the board says so. @returns milliseconds; `most` if it does not
  int TicksUntil(wire::State state, int most) {
    for (int i = 0; i < most; ++i) {
      if (device_.last().state() == state) return i;
      Tick();
    }
    return most;
  }
  servo::Controller& controller() { return controller_; }
  Metronome metronome;
  std::vector<wire::Telemetry> telemetry;  ///< of the last Tick

 private:
  IoDevice& device_;
  std::string fault_ = "none yet";
  servo::Controller controller_;
};

/// The force that the motors measured against the one that was commanded. The currents of an IoState are those that flowed
/// until its command was taken: of the command before.
class ForceError {
 public:
  /// @returns its magnitude
  double NoteCommand(std::uint32_t sequence, const wire::Telemetry& telemetry) {
    std::array<double, 3>& force_N = commanded_N_[sequence];
    for (std::uint16_t i = 0; i < 3; ++i) force_N[i] = telemetry.command_wrench_W()->Get(i);
    return std::hypot(force_N[0], force_N[1], force_N[2]);
  }
  void NoteState(const wire::IoState& state) {
    const auto commanded = commanded_N_.find(state.command_sequence() - 1);
    if (commanded == commanded_N_.end() || state.answer() != wire::IoAnswer::kAccepted) return;
    double error2 = 0;
    for (std::uint16_t i = 0; i < 3; ++i) {
      const double measured_N = state.current_mA()->Get(i) * 1e-3 * static_cast<double>(hal::SimMotors().N_per_A);
      error2 += (measured_N - commanded->second[i]) * (measured_N - commanded->second[i]);
    }
    largest_N = std::max(largest_N, std::sqrt(error2));
    sum2_ += error2;
    ++compared_;
  }
  double Rms_N() const { return compared_ == 0 ? 1e9 : std::sqrt(sum2_ / compared_); }
  double largest_N = 0;

 private:
  std::map<std::uint32_t, std::array<double, 3>> commanded_N_;
  double sum2_ = 0;
  int compared_ = 0;
};

/// Runs armed, in step with the board, until it faults or `ticks` are done.
inline LineRun RunOnLine(int ticks) {
  const EmulatorProcess emulator(InStep::Options());
  const InStep in_step(emulator.terminal());
  const auto opened = OpenIoDevice(emulator.terminal());
  IoDevice& device = *opened;
  LineLoop loop(device);
  loop.Ticks(50);  // the board has no command to wait for, and the loop no answer
  LineRun run;
  if (!loop.Arm()) run.controller = loop.Fault();
  if (!run.controller.empty()) return run;
  ForceError error;
  int quiet_from = 300;  // the board's soft start is over, also that after a late command
  std::uint32_t fades = 0;
  for (; run.ticks < ticks; ++run.ticks) {
    in_step.WaitForState();
    loop.Tick();
    if (loop.controller().app->supervisor().phase != Phase::kArmed) break;
    for (const wire::Telemetry& telemetry : loop.telemetry) {
      const double force_N = error.NoteCommand(device.counters().commands + device.counters().unsent, telemetry);
      run.largest_N = std::max(run.largest_N, force_N);
      run.contact_ticks += force_N > 0.5 ? 1 : 0;
    }
    if (device.counters().fades != fades) quiet_from = run.ticks + 20;
    fades = device.counters().fades;
    if (run.ticks > quiet_from) error.NoteState(device.last());
  }
  run.rms_error_N = error.Rms_N();
  run.largest_error_N = error.largest_N;
  run.fault = wire::EnumNameIoFault(device.last().fault());
  run.counters = device.counters();
  run.controller = loop.Fault();
  run.latest_ms = loop.metronome.latest_ms;
  return run;
}

}  // namespace tactus::host
