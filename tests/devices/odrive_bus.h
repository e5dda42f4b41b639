#pragma once
// Two ODrives on a bus, scripted: what the driver says to them, and what they answer.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/safety/parts.h"
#include "hal/devices/odrive_port.h"

namespace tactus::hal::test {

using bench::safety::MemoryLink;
using Bytes = std::vector<std::uint8_t>;

inline Bytes Of(const std::string& text) { return {text.begin(), text.end()}; }
inline std::string TextOf(const CanFrame& frame) {
  std::array<std::uint8_t, can_text::kMostSize> room{};
  const std::size_t size = can_text::Write(frame, room);
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size)};
}
/// An estimate: position and no velocity.
inline std::string Estimates(int node, float turns, std::uint8_t size = 8) {
  CanFrame frame{.id = odrive::IdOf(node, odrive::Command::kEstimates), .size = size};
  std::memcpy(frame.data.data(), &turns, 4);  // this machine is little endian, as the drive
  return TextOf(frame);
}
inline std::string Heartbeat(int node, std::uint32_t error, std::uint8_t state) {
  CanFrame frame{.id = odrive::IdOf(node, odrive::Command::kHeartbeat), .size = 8};
  std::memcpy(frame.data.data(), &error, 4);
  frame.data[4] = state;
  return TextOf(frame);
}

struct Bus {
  MemoryLink link;
  ODrivePort port{link};
  std::uint32_t now_us = 0;
  PortReading reading;
  std::string asked;    ///< questions that have not been answered
  bool answers = true;  ///< they are, at once
  std::vector<std::string> writes;

  MotorPort& motors() { return port; }
  PortReading Poll(const std::string& text = "") {
    const std::string all = text + (answers ? Answers(std::exchange(asked, "")) : "");
    link.incoming.insert(link.incoming.end(), all.begin(), all.end());
    return reading = motors().Poll(now_us += 1000);
  }
  /// What was sent, without the questions.
  std::string Sent() {
    std::string sent;
    for (const Bytes& bytes : std::exchange(link.sent, {})) {
      writes.emplace_back(bytes.begin(), bytes.end());
      const std::size_t at = std::min(writes.back().find('r'), writes.back().size());
      sent += writes.back().substr(0, at);
      asked += writes.back().substr(at);
    }
    return sent;
  }
  /// What drives answer to questions.
  static std::string Answers(const std::string& questions) {
    std::string text;
    for (std::size_t at = 0; at < questions.size(); at += 6)
      text += "t" + questions.substr(at + 1, 4) + "0000000000000000\r";
    return text;
  }
  std::string Zero() { return (void)motors().Zero(), Sent(); }
  std::string Write(float a, float b) {
    const float torque_Nm[kMaxMotors] = {a, b};
    status = motors().Write(torque_Nm);
    return Sent();
  }
  std::string Positions(float a = 0.1f, float b = -0.1f) const { return Estimates(0, a) + Estimates(1, b); }
  std::string Hearts(std::uint8_t state, std::uint32_t error = 0) const {
    return Heartbeat(0, 0, state) + Heartbeat(1, error, state);
  }
  void Start() {
    (void)Poll();
    (void)Zero();
    (void)Poll(Positions() + Hearts(1));
    (void)Zero();
    (void)Poll(Positions());
    (void)Zero();
  }
  void Run() {
    Start();
    motors().Enable();
    (void)Write(0, 0);
    (void)Poll(Positions() + Hearts(8));
  }
  Status status = Status::kOk;
};

}  // namespace tactus::hal::test
