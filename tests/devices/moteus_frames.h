#pragma once
// Frames of moteus drives for tests, as text and as bytes.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "hal/devices/moteus_port.h"

namespace tactus::hal {

using canfd_text::Way;
using Bytes = std::vector<std::uint8_t>;

inline Bytes Of(const std::string& text) { return {text.begin(), text.end()}; }
inline std::string TextOf(const CanFdFrame& frame, Way way = Way::kSend) {
  std::array<std::uint8_t, canfd_text::kMostSize> room{};
  const std::size_t size = canfd_text::Write(way, frame, room);
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size)};
}
inline Status ReadText(const std::string& text, CanFdFrame* frame, Way way = Way::kReceived) {
  const Bytes bytes = Of(text);
  return canfd_text::Read(way, bytes, frame);
}
inline CanFdFrame FrameOf(std::uint32_t id, const Bytes& data) {
  CanFdFrame frame{.id = id, .size = static_cast<std::uint8_t>(data.size())};
  std::copy(data.begin(), data.end(), frame.data.begin());
  return frame;
}

/// An answer: mode, position, home state, voltage, temperature, fault.
inline Bytes AnswerData(int mode, float turns, int fault = 0, int home = 1) {
  Bytes data = {
      0x21, 0x00, static_cast<std::uint8_t>(mode), 0x2D, 0x01, 0, 0, 0, 0, 0x20, 0x04, 0x0C, static_cast<std::uint8_t>(home),
      48,   30,   static_cast<std::uint8_t>(fault)};
  std::memcpy(data.data() + 5, &turns, 4);  // this machine is little endian, as the drive
  return data;
}

}  // namespace tactus::hal
