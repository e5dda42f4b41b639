#pragma once
#include <cmath>
#include <exception>
#include <random>

#include "board_run.h"
#include "host_tools/session/messages.h"

namespace tactus::host {

inline double ForceOf(const wire::Command& command) {
  return std::hypot(command.force_N()->Get(0), command.force_N()->Get(1), command.force_N()->Get(2));
}

/// A board with the simulated device on it, driven tick by tick.
class LiveBoard {
 public:
  LiveBoard(QemuLink link, wire::Pacing pacing) : LiveBoard(link, DemoConfig(pacing)) {}

  /// @param debugger  path for a socket; empty: none
  LiveBoard(QemuLink link, const wire::Config& config, const std::string& debugger = "")
      : qemu_(Emulated(link, debugger)), client(qemu_.transport(), nullptr) {
    client.set_patience(kPatience);
    client.set_listener([this](const wire::Frame& frame) {
      commands(frame);
      telemetry(frame);
      faults(frame);
      last_words(frame);
    });
    client.Hello();
    client.Configure(config);
    client.Arm();
  }

  LiveBoard(const LiveBoard&) = delete;
  LiveBoard& operator=(const LiveBoard&) = delete;

  /// Where an exception ends the test, the cause is with the board.
  ~LiveBoard() {
    if (std::uncaught_exceptions() == 0) return;
    const int exit_code = Wait();
    ADD_FAILURE() << "the board ended with " << exit_code << " and wrote: " << qemu_.Output();
  }

  /// One sample, its command, one millisecond of the device. Commands of ticks that the clock drove while this machine had
  /// no time for the test are passed over.
  const wire::Command& Tick() {
    const SensorFrame sample = device.Sample();
    client.Send(ToMessage(sample));
    client.ReceiveUntil([&] { return !commands.all.empty() && commands.all.back().sample_sequence() == sample.sequence; },
                        "a tick");
    return Advanced();
  }

  /// One tick in which the host says nothing. For FIFOs and the pacing by clock.
  const wire::Command& SilentTick() {
    const std::size_t before = commands.all.size();
    const std::uint8_t nothing[] = {0};
    client.SendRaw(nothing);
    client.ReceiveUntil([&] { return commands.all.size() > before; }, "a tick");
    return Advanced();
  }

  /// Reads on until the board's last word, as every host must: it cannot end while the socket is full, and that it is with
  /// 277 bytes, since each byte of the UART comes alone.
  void Stop() {
    client.Control(wire::Action::kStop);
    client.ReceiveUntil([this] { return !last_words.all.empty(); }, "Stopped");
    EXPECT_EQ(Wait(), 0) << qemu_.Output();
  }

  /// @returns the emulator's exit code
  int Wait() { return qemu_.Wait(std::chrono::seconds(10)); }

 private:
  const wire::Command& Advanced() {
    device.Advance(ToFrame(commands.all.back()));
    return commands.all.back();
  }

  QemuBoard qemu_;

 public:
  BoardClient client;
  hal::SimDevice device = SeededDevice();
  Heard<wire::Command> commands;
  Heard<wire::Telemetry> telemetry;
  Heard<wire::Fault> faults;
  Heard<wire::Stopped> last_words;
};

}  // namespace tactus::host
