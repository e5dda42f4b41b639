#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/serve/servo_loop.h"
#include "host_tools/serve/stop_order.h"
#include "host_tools/serve/waiting_hand.h"
#include "host_tools/session/servo_config.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::host {

/// A host of few words, in the loop's own thread: says hello, configures, arms, and keeps each force that Telemetry tells.
class ScriptedHost {
 public:
  explicit ScriptedHost(hal::ThreadLink& link) : link_(link) { forces_N.reserve(100'000); }

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

  std::vector<double> forces_N;
  std::uint32_t period_us = 0;
  std::uint32_t faults = 0;

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
    if (wire::ReadMessage(frame, &fault) == Status::kOk) ++faults;
    if (wire::ReadMessage(frame, &telemetry) != Status::kOk || telemetry.state() != wire::State::kArmed) return;
    const auto& wrench = *telemetry.command_wrench_W();
    forces_N.push_back(std::hypot(wrench.Get(0), wrench.Get(1), wrench.Get(2)));
  }
  template <wire::Message M>
  void Send(const M& message) {
    (void)link_.HostWrite(writer_.Write(message));
  }

  hal::ThreadLink& link_;
  wire::Config config_ = servo::ConfigToWire(PegInHoleConfig());
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  bool begun_ = false;
};

/// The loop of `tactus serve` in virtual time: no thread, no wall clock, the same every time. The host steps while the loop
/// sleeps.
class ScriptedLoop final : public hal::TimeSource {
 public:
  ScriptedLoop(std::uint32_t period_us, std::uint64_t ticks)
      : link_(order_),
        device_(1, period_us),
        loop_({.period_us = period_us, .ticks = ticks, .wish = {.priority = 0, .cpu = -1}}, &device_, link_, *this, 7),
        host(link_) {
    loop_.NextSession();
  }
  void Run() { loop_.Run(); }
  const ServoLoop& loop() const { return loop_; }

 private:
  std::int64_t DoNowNs() const noexcept override { return ns_; }
  void DoSleepUntil(std::int64_t when_ns) noexcept override {
    ns_ = when_ns;
    if (loop_.session_runs()) host.Step();
  }

  std::int64_t ns_ = 0;
  const std::vector<std::uint8_t> order_ = StopOrder();
  hal::ThreadLink link_;
  WaitingHand device_;
  ServoLoop loop_;

 public:
  ScriptedHost host;
};

}  // namespace tactus::host
