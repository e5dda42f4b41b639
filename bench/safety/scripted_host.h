#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/servo/config_from_wire.h"
#include "hal/linux/thread_link.h"
#include "host_tools/session/servo_config.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::bench::safety {

/// A host of few words, in the loop's own thread: says hello, configures, arms, and keeps each force that Telemetry tells.
class ScriptedHost {
 public:
  explicit ScriptedHost(hal::ThreadLink& link) : link_(link) { forces_N.reserve(100'000); }

  /// Once a period, while a session runs.
  void Step() {
    if (!begun_) Send(wire::HelloRequest(wire::kProtocolVersion, 1));
    begun_ = true;
    std::array<std::uint8_t, 4096> bytes;
    std::span<const std::uint8_t> left = std::span(bytes).first(link_.HostRead(bytes));
    while (!left.empty()) {
      std::size_t used = 0;
      const Status status = decoder_.Push(left, &used);
      left = left.subspan(used);
      if (status == Status::kOk) Hear(decoder_.frame());
    }
  }
  /// For the next session.
  void BeginAnew() { begun_ = false; }
  void Stop() {
    wire::Control stop;
    stop.mutate_action(wire::Action::kStop);
    Send(stop);
  }
  /// What an operator does after a fault: the Config again, whose answer has the nonce to arm with.
  void ClearAndArm() {
    wire::Control clear;
    clear.mutate_action(wire::Action::kClearFault);
    Send(clear);
    Send(config_);
  }

  std::vector<double> forces_N;  ///< of each period that was armed
  std::uint32_t period_us = 0;
  std::uint32_t faults = 0;
  std::optional<wire::Fault> last_fault;

 private:
  void Hear(const wire::Frame& frame) {
    wire::Hello hello;
    wire::Ack ack;
    wire::Telemetry telemetry;
    wire::Fault fault;
    if (wire::ReadMessage(frame, &hello) == Status::kOk) {
      period_us = hello.tick_period_us();
      Send(config_);
    }
    if (wire::ReadMessage(frame, &ack) == Status::kOk && ack.of_type() == wire::MessageType::kConfig)
      Send(wire::Arm(ack.arm_nonce(), Crc32(wire::PayloadOf(config_))));
    if (wire::ReadMessage(frame, &fault) == Status::kOk) {
      ++faults;
      last_fault = fault;
    }
    if (wire::ReadMessage(frame, &telemetry) != Status::kOk || telemetry.state() != wire::State::kArmed) return;
    const auto& wrench = *telemetry.command_wrench_W();
    forces_N.push_back(std::hypot(wrench.Get(0), wrench.Get(1), wrench.Get(2)));
  }
  template <wire::Message M>
  void Send(const M& message) {
    (void)link_.HostWrite(writer_.Write(message));
  }

  hal::ThreadLink& link_;
  wire::Config config_ = servo::ConfigToWire(host::PegInHoleConfig());
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  bool begun_ = false;
};

}  // namespace tactus::bench::safety
