#include "host_tools/session/play.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/report/progress.h"
#include "host_tools/session/messages.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {
namespace {

/// A name that fills a fixed array, up to its first zero.
template <class Array>
std::string Text(const Array& bytes) {
  std::string text;
  for (flatbuffers::uoffset_t i = 0; i < bytes.size() && bytes.Get(i) != 0; ++i) text += static_cast<char>(bytes.Get(i));
  return text;
}

/// What the board says while the run goes on.
class Listener {
 public:
  Listener(RunSummary* run, EventFile* events) : run_(run), events_(events) {}

  void operator()(const wire::Frame& frame) {
    wire::Command command;
    wire::Telemetry telemetry;
    wire::Fault fault;
    wire::Stopped last_word;
    wire::SecondCommand of_second;
    if (wire::ReadMessage(frame, &of_second) == Status::kOk) second_ = of_second;
    if (wire::ReadMessage(frame, &command) == Status::kOk && command.tick() != 0) Take(command);
    if (wire::ReadMessage(frame, &fault) == Status::kOk) run_->Add(fault);
    if (wire::ReadMessage(frame, &last_word) == Status::kOk) {
      run_->Add(last_word);
      stopped = true;
    }
    wire::Ack ack;
    if (wire::ReadMessage(frame, &ack) == Status::kOk && ack.of_type() == wire::MessageType::kControl &&
        ack.code() == wire::AckCode::kOutOfRange)
      run_->problems.emplace_back("the board knows of no clutch: flash an image of this release");
    wire::ContactEvent event;
    if (events_ != nullptr && wire::ReadMessage(frame, &event) == Status::kOk) events_->Add(event);
    wire::ConfigHighest bounds;
    if (wire::ReadMessage(frame, &bounds) == Status::kOk) highest = bounds.config();
    wire::SecondTelemetry second;
    if (wire::ReadMessage(frame, &second) == Status::kOk) run_->Add(second);
    if (wire::ReadMessage(frame, &telemetry) == Status::kOk) {
      run_->Add(telemetry);
      contacts = telemetry.contacts();
      const auto& wrench = *telemetry.command_wrench_W();
      force_N = std::hypot(wrench.Get(0), wrench.Get(1), wrench.Get(2));
    }
  }

  struct Heard {
    wire::Command command;
    CommandFrame second;  ///< of the same tick; zeros: none came with it
  };
  std::deque<Heard> commands;
  std::optional<wire::Config> highest;  // that the board takes
  int contacts = 0;
  double force_N = 0;
  bool stopped = false;

 private:
  void Take(const wire::Command& command) {
    Heard heard{.command = command, .second = {.sequence = command.sample_sequence()}};
    if (second_ && second_->tick() == command.tick()) {
      heard.second = ToFrame(*second_, command.sample_sequence());
      run_->Add(*second_);
    }
    second_.reset();  // it goes with one Command
    commands.push_back(heard);
  }

  std::optional<wire::SecondCommand> second_;  // that came last
  RunSummary* run_;
  EventFile* events_;
};

void Introduce(const wire::Hello& hello, RunSummary* run) {
  run->board = Text(*hello.board());
  run->build = Text(*hello.build());
  run->scalar_bits = hello.scalar_bits();
  run->tick_period_us = hello.tick_period_us();
  run->core_clock_Hz = hello.core_clock_Hz();
}

const char* MoveOf(const hal::HeldDevice& device) { return device.move(); }
const char* MoveOf(const HeldPair& devices) { return devices.move(); }
const char* MoveOf(const hal::SimDevice& device) { return device.script().count == 0 ? "" : device.move().name; }

bool HoldsClutch(const hal::HeldDevice& device) { return device.clutch(); }
bool HoldsClutch(const hal::SimDevice& device) { return device.script().count > 0 && device.move().clutch; }
bool HoldsClutch(const HeldPair&) { return false; }  // there is none with two tools

template <class Device>
void SendSampleOf(const Device& device, BoardClient& board) {
  SendSample(device.Sample(), board);
}
void SendSampleOf(const HeldPair& devices, BoardClient& board) { board.Send(devices.Message()); }

template <class Device>
bool Counts(const Device& device) {
  return device.Sample().counts.motors > 0;
}
bool Counts(const HeldPair&) { return false; }

template <class Device>
void Advance(const CommandFrame& command, const CommandFrame&, Device* device) {
  device->Advance(command);
}
void Advance(const CommandFrame& command, const CommandFrame& second, HeldPair* devices) {
  devices->Advance(command, second);
}

/// The device's next sample, and the clutch as the hand has it now. Where each frame is a tick, the clutch has the sample's
/// place: one more would leave the loop a period late.
template <class Device>
void Answer(BoardClient& board, const Device& device, const PlayOptions& options, bool* clutch) {
  const bool holds = HoldsClutch(device);
  if (std::exchange(*clutch, holds) != holds) {
    wire::Control control;
    control.mutate_action(holds ? wire::Action::kPressClutch : wire::Action::kReleaseClutch);
    board.Send(control);
    if (board.frame_per_tick() && options.config.pacing() == wire::Pacing::kClock) return;
  }
  SendSampleOf(device, board);
}

/// @throws HostError  none comes. A board of an older release counts what tells the steps of motors as a bad frame.
template <class Device>
void AwaitCommand(BoardClient& board, const Device& device, Listener& heard, std::uint64_t ticks) {
  try {
    board.ReceiveUntil([&] { return !heard.commands.empty(); }, "a sample", BoardClient::Time::kStandsStill);
  } catch (const HostError& error) {
    if (ticks > 0 || !Counts(device)) throw;
    throw HostError(
        fmt::format("{}; if its image is of a release before CountedSample (docs/wire.md), flash one of this release",
                    error.what()),
        error.code());
  }
}

template <class Device>
void Loop(BoardClient& board, Device& device, const PlayOptions& options, Listener& heard, RunSummary* run) {
  Progress progress(options.ticks, options.quiet);
  while (heard.commands.size() > 1) heard.commands.pop_front();  // of empty frames while a slow board was being armed
  bool clutch = false;
  SendSampleOf(device, board);
  while (run->ticks < options.ticks && StopSignal::Raised() == 0) {
    AwaitCommand(board, device, heard, run->ticks);
    const auto [command, second] = heard.commands.front();
    heard.commands.pop_front();
    const CommandFrame frame = ToFrame(command);
    run->Add(command);
    Advance(frame, second, &device);
    if (run->ticks < options.ticks && StopSignal::Raised() == 0) Answer(board, device, options, &clutch);
    progress.Update(run->ticks, heard.contacts, std::hypot(frame.force_N[0], frame.force_N[1], frame.force_N[2]),
                    MoveOf(device));
  }
  run->given_J = device.given_J();
  run->taken_J = device.taken_J();
}

/// One Telemetry a tick. A board whose time goes on with our frames gets an empty one for each.
void WatchLoop(BoardClient& board, const PlayOptions& options, Listener& heard, RunSummary* run) {
  constexpr std::uint8_t kEmptyFrame[] = {0};
  Progress progress(options.ticks, options.quiet);
  while (run->ticks < options.ticks && StopSignal::Raised() == 0) {
    const std::uint64_t before = run->telemetry;
    if (board.frame_per_tick()) board.SendRaw(kEmptyFrame);
    board.ReceiveUntil([&] { return run->telemetry > before; }, "with telemetry");
    progress.Update(run->ticks, heard.contacts, heard.force_N, "");
  }
}

/// @returns whether one of its limits was above what the board takes
bool NarrowLimits(const wire::Config& highest, wire::Config* config) {
  const double force_N = std::min(config->limits_max_force_N(), highest.limits_max_force_N()),
               torque_Nm = std::min(config->limits_max_torque_Nm(), highest.limits_max_torque_Nm()),
               force_rate = std::min(config->limits_max_force_rate_N_per_s(), highest.limits_max_force_rate_N_per_s()),
               torque_rate = std::min(config->limits_max_torque_rate_Nm_per_s(), highest.limits_max_torque_rate_Nm_per_s());
  const bool narrows = force_N < config->limits_max_force_N() || torque_Nm < config->limits_max_torque_Nm() ||
                       force_rate < config->limits_max_force_rate_N_per_s() ||
                       torque_rate < config->limits_max_torque_rate_Nm_per_s();
  config->mutate_limits_max_force_N(force_N);
  config->mutate_limits_max_torque_Nm(torque_Nm);
  config->mutate_limits_max_force_rate_N_per_s(force_rate);
  config->mutate_limits_max_torque_rate_Nm_per_s(torque_rate);
  return narrows;
}

/// Configures; a device that can do less than the Config asks for is asked for what it can.
void ConfigureWithin(BoardClient& board, wire::Config config, const Listener& heard) {
  try {
    board.Configure(config);
  } catch (const HostError&) {
    if (!heard.highest) throw;
    if (!NarrowLimits(*heard.highest, &config)) throw;
    board.Configure(config);
  }
}

/// The image that is played.
std::vector<std::uint8_t> SceneOf(BoardClient& board, const PlayOptions& options, RunSummary* run) {
  if (!options.scene.empty() || !options.takes_scene_in_force) return options.scene;
  std::vector<std::uint8_t> in_force = board.ReadScene();
  if (!in_force.empty()) run->scene = "the one that the controller had";
  return in_force;
}

/// Waits until the controller's device has its place. @throws HostError(kExitFailed): it has no home pose; it was not still
void Home(BoardClient& board, bool quiet) {
  constexpr std::chrono::seconds kPatience{35};  // the device gives up after 30
  constexpr std::chrono::milliseconds kFrom{20};
  board.Control(wire::Action::kHome);
  if (!quiet) PrintError("homing: hold the handle still in its home pose");
  const auto end = std::chrono::steady_clock::now() + kPatience;
  wire::Hello hello = board.Hello();
  while (hello.device_state() == wire::DeviceState::kHoming && std::chrono::steady_clock::now() < end &&
         StopSignal::Raised() == 0) {
    if (!board.frame_per_tick()) (void)board.Receive(kFrom);
    hello = board.Hello();
  }
  if (hello.device_state() == wire::DeviceState::kReady) {
    if (hello.state() == wire::State::kFaulted) board.Control(wire::Action::kClearFault);  // for its samples were lost
    return;
  }
  throw HostError("not homed: the handle was not held still, or its device has failed; try again", kExitFailed);
}

/// Hello, configuration, arm; `loop`; then stop.
template <class LoopOnce>
void Session(BoardClient& board, const PlayOptions& options, wire::DeviceKind device, RunSummary* run, LoopOnce loop) {
  const auto start = std::chrono::steady_clock::now();
  Listener heard(run, options.events);
  board.set_listener([&](const wire::Frame& frame) { heard(frame); });
  const wire::Hello hello = board.Hello();
  Introduce(hello, run);
  if (hello.device() != device) {
    throw HostError(device == wire::DeviceKind::kLocal
                        ? std::string("the board has no device of its own: leave out --device local")
                        : fmt::format("the board has a device of its own: {}", options.without_own_device),
                    kExitFailed);
  }
  if (hello.tick_period_us() != options.period_us) {
    throw HostError(fmt::format("the board's period is {} us, the device's here {}: give --rate {}", hello.tick_period_us(),
                                options.period_us, 1'000'000 / std::max(1u, hello.tick_period_us())),
                    kExitFailed);
  }
  if (options.homes) Home(board, options.quiet);
  board.SendScene(SceneOf(board, options, run));  // one that was read too: the recording is to have it
  if (options.events != nullptr) board.Subscribe(true);
  ConfigureWithin(board, options.config, heard);
  if (options.workspace) board.SendWorkspace(*options.workspace);
  board.Arm();
  loop(heard);
  run->stopped_by = StopSignal::Raised();
  if (run->stopped_by != 0) board.Control(wire::Action::kDisarm);
  board.Control(wire::Action::kStop);
  board.ReceiveUntil([&] { return heard.stopped; }, "to stop");
  for (const auto& [command, second] : heard.commands) run->Add(command);  // of ticks while it was being stopped
  board.set_listener({});
  if (options.events != nullptr && options.events->missed() > 0)
    run->problems.push_back(fmt::format("{} contact events found no room on the link", options.events->missed()));
  run->wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (board.bad_frames() > 0)
    run->problems.push_back(fmt::format("{} frames from the board were damaged", board.bad_frames()));
}

}  // namespace

namespace {

/// How the devices themselves fared.
template <class Device>
void TellDevice(const Device& device, RunSummary* run) {
  if (device.stopped_s() > 0)
    run->device.push_back(fmt::format("stood at an end of its reach for {:.3f} s", device.stopped_s()));
  if (device.hottest() > 0)
    run->device.push_back(fmt::format("hottest motor at {:.0f} % of its thermal budget", 100 * device.hottest()));
}

}  // namespace

void Play(BoardClient& board, hal::HeldDevice& device, const PlayOptions& options, RunSummary* run) {
  Session(board, options, wire::DeviceKind::kAtHost, run,
          [&](Listener& heard) { Loop(board, device, options, heard, run); });
  TellDevice(device, run);
}

void Play(BoardClient& board, HeldPair& devices, const PlayOptions& options, RunSummary* run) {
  Session(board, options, wire::DeviceKind::kAtHost, run,
          [&](Listener& heard) { Loop(board, devices, options, heard, run); });
  TellDevice(devices, run);
}

void Play(BoardClient& board, hal::SimDevice& device, const PlayOptions& options, RunSummary* run) {
  Session(board, options, wire::DeviceKind::kAtHost, run,
          [&](Listener& heard) { Loop(board, device, options, heard, run); });
}

void Watch(BoardClient& board, const PlayOptions& options, RunSummary* run) {
  run->local_device = true;
  Session(board, options, wire::DeviceKind::kLocal, run, [&](Listener& heard) { WatchLoop(board, options, heard, run); });
}

}  // namespace tactus::host
