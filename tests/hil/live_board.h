#pragma once
#include <cmath>
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
  explicit LiveBoard(QemuLink link, wire::Pacing pacing) : qemu_(Emulated(link)), client(qemu_.transport(), nullptr) {
    client.set_patience(std::chrono::seconds(20));  // far more than a tick takes on a loaded machine
    client.set_listener([this](const wire::Frame& frame) {
      commands(frame);
      telemetry(frame);
      faults(frame);
    });
    client.Hello();
    client.Configure(DemoConfig(pacing));
    client.Control(wire::Action::kArm);
  }

  /// One sample, one command, one millisecond of the device.
  const wire::Command& Tick() {
    const std::size_t before = commands.all.size();
    client.Send(ToMessage(device.Sample()));
    return Next(before);
  }

  /// One tick in which the host says nothing. For FIFOs and the pacing by clock.
  const wire::Command& SilentTick() {
    const std::size_t before = commands.all.size();
    const std::uint8_t nothing[] = {0};
    client.SendRaw(nothing);
    return Next(before);
  }

  void Stop() {
    client.Control(wire::Action::kStop);
    EXPECT_EQ(qemu_.Wait(std::chrono::seconds(10)), 0) << qemu_.Output();
  }

 private:
  const wire::Command& Next(std::size_t before) {
    client.ReceiveUntil([&] { return commands.all.size() > before; }, "a tick");
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
};

}  // namespace tactus::host
