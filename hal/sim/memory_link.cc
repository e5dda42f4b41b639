#include "hal/sim/memory_link.h"

namespace tactus::hal {

Status MemoryLink::Ring::Push(std::span<const std::uint8_t> bytes) noexcept {
  if (bytes.size() > kCapacity_B - count_) return Status::kWouldBlock;
  for (const std::uint8_t byte : bytes) bytes_[(first_ + count_++) % kCapacity_B] = byte;
  return Status::kOk;
}

std::size_t MemoryLink::Ring::Pop(std::span<std::uint8_t> room, bool one_frame) noexcept {
  std::size_t moved = 0;
  bool at_end = false;
  while (moved < room.size() && count_ > 0 && !at_end) {
    const std::uint8_t byte = bytes_[first_];
    room[moved++] = byte;
    first_ = (first_ + 1) % kCapacity_B;
    --count_;
    at_end = one_frame && byte == 0;
  }
  return moved;
}

Status MemoryLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = to_controller_.Pop(room, true);
  counters_.received_bytes += static_cast<std::uint32_t>(*count);
  return Status::kOk;
}

Status MemoryLink::DoWrite(std::span<const std::uint8_t> frame, Lane) noexcept {
  const Status status = to_host_.Push(frame);
  if (status == Status::kOk) {
    counters_.sent_bytes += static_cast<std::uint32_t>(frame.size());
  } else {
    ++counters_.refused_frames;
  }
  return status;
}

}  // namespace tactus::hal
