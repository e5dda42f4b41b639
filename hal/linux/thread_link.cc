#include "hal/linux/thread_link.h"

#include <algorithm>

namespace tactus::hal {

void ThreadLink::Open() noexcept {
  std::array<std::uint8_t, 256> dropped;
  for (std::size_t i = 0; i < kIn_B / dropped.size(); ++i) (void)to_controller_.Pop(dropped);
  ordered_ = false;
  closed_.store(false, std::memory_order_relaxed);
}

std::size_t ThreadLink::HostWrite(std::span<const std::uint8_t> bytes) noexcept {
  const std::size_t count = std::min(bytes.size(), to_controller_.room());
  return to_controller_.Push(bytes.first(count)) ? count : 0;
}

Status ThreadLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = 0;
  if (stop_.load(std::memory_order_acquire)) {
    if (ordered_ || room.size() < last_order_.size()) return Status::kOk;
    std::copy(last_order_.begin(), last_order_.end(), room.begin());
    *count = last_order_.size();
    ordered_ = true;
    return Status::kOk;
  }
  if (closed_.load(std::memory_order_acquire)) return Status::kClosed;
  *count = to_controller_.Pop(room);
  counters_.received_bytes += static_cast<std::uint32_t>(*count);
  return Status::kOk;
}

Status ThreadLink::DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept {
  if (closed_.load(std::memory_order_acquire)) return Status::kClosed;
  const std::size_t needed = frame.size() + (lane == Lane::kTelemetry ? kReserve_B : 0);
  if (needed > to_host_.room() || !to_host_.Push(frame)) {
    ++counters_.refused_frames;
    return Status::kWouldBlock;
  }
  counters_.sent_bytes += static_cast<std::uint32_t>(frame.size());
  return Status::kOk;
}

}  // namespace tactus::hal
