#include "host_tools/devices/emulate_command.h"

#include <fmt/core.h>
#include <poll.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "host_tools/devices/device_faults.h"
#include "host_tools/devices/device_side.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/io/emulator_clock.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"

namespace tactus::host {
namespace {

struct EmulateOptions {
  std::string device, pty, unix_path, scene, set, trace;
  std::vector<std::string> faults, presses;
  std::uint64_t seed = 1;
  double seconds = 0;  // of the device's time; 0: until a signal
  bool in_step = false, unprogrammed = false, second_hand = false;
};

/// "BUTTON@MS" or "BUTTON@MS+LENGTH", the button by its number from 1.
EmulatedFault ParsePress(const std::string& text, const std::string& device, int buttons) {
  if (buttons == 0) throw HostError(fmt::format("--press: {} has no buttons", device));
  EmulatedFault press = ParseFaultTime(text);
  if (press.name.size() != 1 || press.name[0] < '1' || press.name[0] >= '1' + buttons)
    throw HostError(fmt::format("{} has no button '{}': give 1 to {}, as 2@1500+200", device, press.name, buttons));
  return press;
}

/// One line whenever the output or what is wrong changes.
class OutputTrace {
 public:
  explicit OutputTrace(const std::string& path) : file_(path.empty() ? nullptr : std::fopen(path.c_str(), "w")) {
    if (!path.empty() && file_ == nullptr) throw HostError(fmt::format("cannot write '{}'", path));
    if (file_ != nullptr) (void)std::fprintf(file_, "ms,output,wrong,taken,refused\n");
  }
  ~OutputTrace() {
    if (file_ != nullptr) (void)std::fclose(file_);
  }
  OutputTrace(const OutputTrace&) = delete;
  OutputTrace& operator=(const OutputTrace&) = delete;

  void Note(double ms, const hal::EmulatedBoard& board, bool wrong) {
    const float output = board.largest_A();
    if (file_ == nullptr || (output == output_ && wrong == wrong_)) return;
    output_ = output;
    wrong_ = wrong;
    (void)std::fprintf(file_, "%.3f,%.6f,%d,%u,%u\n", ms, static_cast<double>(output), wrong, board.taken(),
                       board.refused());
    (void)std::fflush(file_);
  }

 private:
  std::FILE* file_;
  float output_ = -1;
  bool wrong_ = false;
};

/// The board, its line, and what goes wrong with both.
class DeviceEmulator {
 public:
  DeviceEmulator(const EmulateOptions& options, hal::EmulatedBoard& board)
      : options_(options),
        board_(board),
        side_(options.pty, options.unix_path),
        clock_(board.period_us()),
        trace_(options.trace) {
    for (const std::string& text : options.faults) {
      faults_.push_back(ParseDeviceFault(text));
      CheckHas(board, options.device, faults_.back());
    }
    for (const std::string& text : options.presses) presses_.push_back(ParsePress(text, options.device, board.buttons()));
  }
  const std::string& place() const { return side_.place(); }
  double now_ms() const { return clock_.now_ms(); }

  /// One period: what the host says is answered as it comes; then the device's time goes on.
  void Period() {
    if (options_.in_step) {
      WaitForHost();
    } else {
      clock_.WaitForEdge();
    }
    Hear();
    if (options_.in_step) clock_.Skip();
    Break();
    board_.Hold(HeldAt(clock_.now_ms()));
    board_.Advance();
    Tell();
    if (!first_output_ms_ && board_.largest_A() > 0) first_output_ms_ = clock_.now_ms();
    trace_.Note(clock_.now_ms(), board_, wrong_now_);
  }

 private:
  /// The device's time stands until the host says something; while nobody does, it goes on slowly.
  void WaitForHost() const {
    pollfd line{.fd = side_.fd(), .events = POLLIN, .revents = 0};
    constexpr int kPatience_ms = 20;
    const bool nobody = poll(&line, 1, kPatience_ms) > 0 && (line.revents & POLLIN) == 0;
    if (nobody) (void)poll(nullptr, 0, kPatience_ms);  // a terminal that nobody has open says so at once, for ever
  }

  /// All that has come is one piece: where a line cuts, the device's own buffer does not.
  void Hear() {
    std::size_t size = 0;
    while (size < heard_.size()) {
      const std::size_t count = side_.Read(std::span(heard_).subspan(size));
      if (count == 0) break;
      size += count;
    }
    if (size > 0) board_.SetRate(side_.rate());
    if (size > 0 && !wrong_.deaf) board_.Receive(std::span(heard_).first(size));
  }

  void Break() {
    const double step_ms = clock_.period_us() / 1000.0;
    wrong_ = first_output_ms_ ? DeviceFaultsAt(faults_, clock_.now_ms() - *first_output_ms_, step_ms) : DeviceFaults{};
    wrong_now_ = first_output_ms_ && !faults_.empty() && clock_.now_ms() >= *first_output_ms_ + faults_[0].start_ms;
    board_.faults = wrong_.board;
    line_.faults = wrong_.line;
    side_.SetPlugged(!wrong_.unplugged);
    if (wrong_.reset) board_.PowerUp();
  }

  std::uint8_t HeldAt(double now_ms) const {
    unsigned held = 0;
    for (const EmulatedFault& press : presses_) {
      const double since_ms = now_ms - press.start_ms;
      if (since_ms >= 0 && (press.length_ms <= 0 || since_ms < press.length_ms)) held |= 1u << (press.name[0] - '1');
    }
    return static_cast<std::uint8_t>(held);
  }

  void Tell() { side_.Write(line_.Pass(board_.Say())); }

  const EmulateOptions& options_;
  hal::EmulatedBoard& board_;
  DeviceSide side_;
  EmulatorClock clock_;
  OutputTrace trace_;
  hal::FaultyLine line_;
  std::array<std::uint8_t, 4096> heard_{};
  DeviceFaults wrong_;
  std::vector<EmulatedFault> faults_, presses_;
  std::optional<double> first_output_ms_;
  bool wrong_now_ = false;
};

/// @throws HostError: there is no second hand
hal::HandScript HandOf(const SceneFile& scene, bool second) {
  if (!second) return scene.Hand();
  if (!scene.has_second_hand()) throw HostError(fmt::format("{} has no second hand: leave out --second-hand", scene.path));
  return *scene.SecondHand();
}

int Emulate(const EmulateOptions& options) {
  CheckEmulatedTime(options.seconds);
  const RealDevice* const real = FindRealDevice(options.device);
  if (real == nullptr) throw HostError(fmt::format("no device '{}'; there is: {}", options.device, RealDeviceNames()));
  if (options.unprogrammed && real->start == nullptr)
    throw HostError(fmt::format("{} keeps its program: --unprogrammed is not for it", real->name));
  const SceneFile scene = LoadScene(options.scene.empty() ? real->scene : options.scene);
  const hal::HandScript hand = HandOf(scene, options.second_hand);
  const std::unique_ptr<hal::EmulatedBoard> board =
      real->emulate({.script = hand, .seed = options.seed, .set = options.set, .unprogrammed = options.unprogrammed});
  const StopSignal stop_signal;
  DeviceEmulator emulator(options, *board);
  fmt::print("{} on {}\n", real->name, emulator.place());
  if (std::fflush(stdout) != 0) throw HostError("cannot write to standard output");
  while (StopSignal::Raised() == 0 && (options.seconds <= 0 || emulator.now_ms() < options.seconds * 1000))
    emulator.Period();
  return StopSignal::Raised() == 0 ? 0 : kExitSignal + StopSignal::Raised();
}

}  // namespace

void AddEmulateCommand(CLI::App& app) {
  const auto options = std::make_shared<EmulateOptions>();
  CLI::App* const command = app.add_subcommand(
      "emulate",
      "Be a haptic device: the bytes of its line on a pseudo terminal or a socket, its mechanics and a hand behind");
  command->add_option("device", options->device, "which: " + RealDeviceNames())->required();
  CLI::Option* const pty =
      command->add_option("--pty", options->pty, "name for the terminal, a symbolic link that goes when the emulator does");
  command->add_option("--unix", options->unix_path, "a socket instead of a terminal")->excludes(pty);
  command->add_option("--fault", options->faults,
                      "what goes wrong, as NAME@MS[+LENGTH] after current first flowed: " + DeviceFaultNames());
  command->add_option("--scene", options->scene, "whose hand holds the handle (default: the device's own)");
  command->add_flag("--second-hand", options->second_hand, "the hand of the scene's second tool holds it");
  command->add_option("--set", options->set, "a file with the numbers of its mechanism and motors (docs/devices.md)");
  command->add_option("--trace", options->trace, "write each change of the largest current to this file, as CSV");
  command->add_option("--seconds", options->seconds, "end after so long (default: at a signal)");
  command->add_option("--seed", options->seed, "of the hand's tremor")->capture_default_str();
  command->add_option("--press", options->presses,
                      "a button that is held, as BUTTON@MS[+LENGTH] after the start: 1 to 4 of a falcon");
  command->add_flag("--unprogrammed", options->unprogrammed,
                    "falcon: it waits for its program, and loses it with its supply");
  command->add_flag("--in-step", options->in_step,
                    "a period passes with each message of the host, or 20 ms without one: for a host without real time");
  command->callback([options] {
    if (const int code = Emulate(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
