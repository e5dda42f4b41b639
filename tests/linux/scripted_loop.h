#pragma once
#include <cstdint>
#include <vector>

#include "bench/safety/scripted_host.h"
#include "host_tools/serve/servo_loop.h"
#include "host_tools/serve/stop_order.h"
#include "host_tools/serve/waiting_hand.h"

namespace tactus::host {

using bench::safety::ScriptedHost;

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
