#include "hal/devices/falcon_codec.h"

#include <algorithm>

namespace tactus::hal::falcon {
namespace {

constexpr std::uint8_t kBegin = '<', kEnd = '>', kZero = 'A';
constexpr std::size_t kUnknown = 14;  // a byte whose use nobody knows

using Packet = std::array<std::uint8_t, kPacketSize>;

Packet Frame(const std::array<std::int16_t, 3>& numbers, unsigned bits) {
  Packet packet{};
  packet.front() = kBegin;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = static_cast<std::uint16_t>(numbers[i]);
    for (std::size_t k = 0; k < 4; ++k) packet[1 + 4 * i + k] = static_cast<std::uint8_t>(kZero + (value >> 4 * k & 0xF));
  }
  packet[13] = static_cast<std::uint8_t>(kZero + bits);
  packet[14] = kZero;
  packet.back() = kEnd;
  return packet;
}

/// @param most_bits  that byte 13 can have
Status Unframe(std::span<const std::uint8_t> bytes, unsigned most_bits, std::array<std::int16_t, 3>* numbers,
               unsigned* bits) {
  if (bytes.size() != kPacketSize || bytes.front() != kBegin || bytes.back() != kEnd) return Status::kCorrupt;
  std::array<std::uint16_t, 3> read{};
  for (std::size_t i = 0; i < 12; ++i) {
    const unsigned nibble = static_cast<unsigned>(bytes[1 + i]) - kZero;
    if (nibble > 0xF) return Status::kCorrupt;
    read[i / 4] = static_cast<std::uint16_t>(read[i / 4] | nibble << 4 * (i % 4));
  }
  const unsigned found = static_cast<unsigned>(bytes[13]) - kZero;
  if (found > most_bits) return Status::kCorrupt;
  for (std::size_t i = 0; i < 3; ++i) (*numbers)[i] = static_cast<std::int16_t>(read[i]);
  *bits = found;
  return Status::kOk;
}

}  // namespace

std::array<std::uint8_t, kPacketSize> Write(const Request& request) noexcept {
  std::array<std::int16_t, 3> motor{};
  for (std::size_t i = 0; i < 3; ++i) {
    motor[i] = std::clamp<std::int16_t>(request.motor[i], static_cast<std::int16_t>(-kMostMotor), kMostMotor);
  }
  return Frame(motor, request.bits & 0xFu);
}

std::array<std::uint8_t, kPacketSize> Write(const Answer& answer) noexcept {
  unsigned bits = answer.buttons & 0xFu;
  for (std::size_t i = 0; i < 3; ++i) bits |= answer.homed[i] ? 0x10u << i : 0u;
  return Frame(answer.count, bits);
}

Status Read(std::span<const std::uint8_t> bytes, Answer* answer) noexcept {
  unsigned bits = 0;
  if (const Status status = Unframe(bytes, 0x7F, &answer->count, &bits); status != Status::kOk) return status;
  for (std::size_t i = 0; i < 3; ++i) answer->homed[i] = (bits & 0x10u << i) != 0;
  answer->buttons = static_cast<std::uint8_t>(bits & 0xF);
  return Status::kOk;
}

Status Read(std::span<const std::uint8_t> bytes, Request* request) noexcept {
  unsigned bits = 0;
  if (const Status status = Unframe(bytes, 0x0F, &request->motor, &bits); status != Status::kOk) return status;
  request->bits = static_cast<std::uint8_t>(bits);
  return Status::kOk;
}

bool PacketFinder::Push(std::uint8_t byte) noexcept {
  const bool may_be_anything = size_ == kUnknown;
  if (byte == kBegin && !may_be_anything) {
    skipped_ += static_cast<std::uint32_t>(size_);
    size_ = 0;
  } else if (size_ == 0) {
    ++skipped_;
    return false;
  }
  bytes_[size_++] = byte;
  if (size_ < kPacketSize) return false;
  size_ = 0;
  if (byte == kEnd) return true;
  if (bytes_[kUnknown] == kBegin) {  // it was the next one's
    skipped_ += kUnknown;
    bytes_[0] = kBegin;
    bytes_[1] = byte;
    size_ = 2;
    return false;
  }
  skipped_ += kPacketSize;
  return false;
}

}  // namespace tactus::hal::falcon
