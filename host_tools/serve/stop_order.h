#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tactus/wire/frame.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// What hal::ThreadLink::OrderStop gives the controller: a 0x00 that ends what the host has begun, and the order to stop.
inline std::vector<std::uint8_t> StopOrder() {
  wire::Control stop;
  stop.mutate_action(wire::Action::kStop);
  std::array<std::uint8_t, wire::kMaxEncodedSize> frame;
  std::size_t size = 0;
  const Status status = wire::EncodeFrame(wire::MessageType::kControl, 0, wire::PayloadOf(stop), frame, &size);
  TACTUS_CHECK(status == Status::kOk);
  std::vector<std::uint8_t> order(1 + size);
  std::copy_n(frame.begin(), size, order.begin() + 1);
  return order;
}

}  // namespace tactus::host
