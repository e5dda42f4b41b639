#include "host_tools/session/play.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <deque>

#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/report/progress.h"
#include "host_tools/session/messages.h"

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
  explicit Listener(RunSummary* run) : run_(run) {}

  void operator()(const wire::Frame& frame) {
    wire::Command command;
    wire::Telemetry telemetry;
    wire::Fault fault;
    wire::Stopped last_word;
    if (wire::ReadMessage(frame, &command) == Status::kOk && command.tick() != 0) commands.push_back(command);
    if (wire::ReadMessage(frame, &fault) == Status::kOk) run_->Add(fault);
    if (wire::ReadMessage(frame, &last_word) == Status::kOk) {
      run_->Add(last_word);
      stopped = true;
    }
    if (wire::ReadMessage(frame, &telemetry) == Status::kOk) {
      run_->Add(telemetry);
      contacts = telemetry.contacts();
    }
  }

  std::deque<wire::Command> commands;
  int contacts = 0;
  bool stopped = false;

 private:
  RunSummary* run_;
};

void Introduce(const wire::Hello& hello, RunSummary* run) {
  run->board = Text(*hello.board());
  run->build = Text(*hello.build());
  run->scalar_bits = hello.scalar_bits();
  run->tick_period_us = hello.tick_period_us();
  run->core_clock_Hz = hello.core_clock_Hz();
}

void Loop(BoardClient& board, hal::SimDevice& device, const PlayOptions& options, Listener& heard, RunSummary* run) {
  Progress progress(options.ticks, options.quiet);
  const hal::HandScript& script = device.script();
  board.Send(ToMessage(device.Sample()));
  while (run->ticks < options.ticks && StopSignal::Raised() == 0) {
    board.ReceiveUntil([&] { return !heard.commands.empty(); }, "a sample");
    const wire::Command command = heard.commands.front();
    heard.commands.pop_front();
    const CommandFrame frame = ToFrame(command);
    run->Add(command);
    device.Advance(frame);
    if (run->ticks < options.ticks && StopSignal::Raised() == 0) board.Send(ToMessage(device.Sample()));
    progress.Update(run->ticks, heard.contacts, std::hypot(frame.force_N[0], frame.force_N[1], frame.force_N[2]),
                    script.count == 0 ? "" : script.MoveAt(device.time_s()).name);
  }
  run->given_J = device.given_J();
  run->taken_J = device.taken_J();
}

}  // namespace

void Play(BoardClient& board, hal::SimDevice& device, const PlayOptions& options, RunSummary* run) {
  const auto start = std::chrono::steady_clock::now();
  Listener heard(run);
  board.set_listener([&](const wire::Frame& frame) { heard(frame); });
  Introduce(board.Hello(), run);
  board.Configure(options.config);
  board.Arm();
  Loop(board, device, options, heard, run);
  run->stopped_by = StopSignal::Raised();
  if (run->stopped_by != 0) board.Control(wire::Action::kDisarm);
  board.Control(wire::Action::kStop);
  board.ReceiveUntil([&] { return heard.stopped; }, "to stop");
  for (const wire::Command& command : heard.commands) run->Add(command);  // of ticks while it was being stopped
  board.set_listener({});
  run->wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (board.bad_frames() > 0)
    run->problems.push_back(fmt::format("{} frames from the board were damaged", board.bad_frames()));
}

}  // namespace tactus::host
