#include "hal/devices/can_text.h"

#include "hal/devices/hex_text.h"

namespace tactus::hal::can_text {

using hex_text::kNoDigit;
using hex_text::NumberAt;
using hex_text::Text;

std::size_t Write(const CanFrame& frame, std::span<std::uint8_t> room) noexcept {
  std::size_t size = 0;
  room[size++] = frame.is_request ? 'r' : 't';
  for (int shift = 8; shift >= 0; shift -= 4) room[size++] = Text((frame.id >> shift) & 0xFu);
  room[size++] = Text(frame.size);
  for (std::size_t i = 0; i < frame.size && !frame.is_request; ++i) {
    room[size++] = Text(frame.data[i] >> 4);
    room[size++] = Text(frame.data[i] & 0xFu);
  }
  room[size++] = kEnd;
  return size;
}

Status Read(std::span<const std::uint8_t> line, CanFrame* frame) noexcept {
  *frame = {};
  std::size_t begin = line.size();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == 't' || line[i] == 'r') begin = i;
  }
  if (begin == line.size()) {
    const bool is_answer = line.empty() || (line.size() == 1 && (line[0] == 'z' || line[0] == 'Z'));
    return is_answer ? Status::kNotReady : Status::kCorrupt;
  }
  const std::span<const std::uint8_t> text = line.subspan(begin);
  const int id = NumberAt(text, 1, 3), size = NumberAt(text, 4, 1);
  frame->is_request = text[0] == 'r';
  const std::size_t digits = frame->is_request || size == kNoDigit ? 0 : 2 * static_cast<std::size_t>(size);
  if (id == kNoDigit || id > 0x7FF || size == kNoDigit || size > 8 || text.size() != 5 + digits) return Status::kCorrupt;
  frame->id = static_cast<std::uint16_t>(id);
  frame->size = static_cast<std::uint8_t>(size);
  for (std::size_t i = 0; 2 * i < digits; ++i) {
    const int byte = NumberAt(text, 5 + 2 * i, 2);
    if (byte == kNoDigit) return Status::kCorrupt;
    frame->data[i] = static_cast<std::uint8_t>(byte);
  }
  return Status::kOk;
}

}  // namespace tactus::hal::can_text
