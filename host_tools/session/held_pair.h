#pragma once
#include <algorithm>

#include "hal/sim/held_device.h"
#include "host_tools/session/messages.h"

namespace tactus::host {

/// Two simulated devices, each in a hand of its own, for a scene with two tools: they are measured and commanded together.
class HeldPair {
 public:
  /// Both outlive it.
  HeldPair(hal::HeldDevice& first, hal::HeldDevice& second) : first_(first), second_(second) {}

  wire::SampleOfTwo Message() const { return ToMessage(first_.Sample(), second_.Sample()); }
  void Advance(const CommandFrame& first, const CommandFrame& second) {
    first_.Advance(first);
    second_.Advance(second);
  }
  const char* move() const { return first_.move(); }
  double given_J() const { return first_.given_J() + second_.given_J(); }
  double taken_J() const { return first_.taken_J() + second_.taken_J(); }
  double stopped_s() const { return std::max(first_.stopped_s(), second_.stopped_s()); }
  double hottest() const { return std::max(first_.hottest(), second_.hottest()); }

 private:
  hal::HeldDevice &first_, &second_;
};

}  // namespace tactus::host
