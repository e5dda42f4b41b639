#pragma once
#include <functional>
#include <memory>
#include <utility>

#include "hal/sim/sim_motor_io.h"
#include "host_tools/io/io_device.h"
#include "tests/io/io_board.h"

namespace tactus::host {

/// The host's end of a line in memory.
class HostEnd final : public hal::ByteLink {
 public:
  std::deque<std::uint8_t> incoming;
  std::vector<std::uint8_t> sent;
  bool closed = false;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    for (*count = 0; *count < room.size() && !incoming.empty(); incoming.pop_front()) room[(*count)++] = incoming.front();
    return closed ? Status::kClosed : Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept override {
    if (closed) return Status::kClosed;
    sent.insert(sent.end(), frame.begin(), frame.end());
    return Status::kOk;
  }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }
};

/// The firmware's application, a line that may be slow or lie, and the host's device: a millisecond each Period(), of which
/// nothing waits.
class SlowLine {
 public:
  io::IoBoard board{250};
  HostEnd end;
  IoDevice device{end, hal::SimMotors(), {}};
  hal::DeviceReading reading;
  float force_N = 1;
  bool writes = true;                         ///< the loop commands
  std::uint32_t delay_us = 0;                 ///< of what the board says
  int copies = 1;                             ///< of each state on the line
  bool breaks_frames = false;                 ///< a bit is wrong in each state
  std::function<void(wire::IoState*)> lie;    ///< changes each state
  std::function<void(wire::IoHello*)> claim;  ///< changes each hello

  void Period() {
    now_us += 1000;
    Deliver();
    reading = device.Read(now_us);
    CommandFrame command;
    command.force_N[0] = force_N;
    if (writes) (void)device.Write(command, {});
    for (int edge = 1; edge <= 4; ++edge) {
      board.PutBytes(std::exchange(end.sent, {}));
      board.Edge();
      Carry(now_us + static_cast<std::uint32_t>(edge) * 250);
    }
  }
  void Periods(int count) {
    for (int i = 0; i < count; ++i) Period();
  }
  void Connect() {
    device.AskForSession(77);
    Periods(30);
  }
  /// Connected, and past the board's soft start with current in its first motor.
  void Drive() {
    if (!device.connected()) Connect();
    device.Enable();
    Periods(30);
  }
  bool drives() const { return board.motors.Largest_A() > 0; }
  bool failed() const { return reading.state == hal::DeviceState::kFaulted; }
  std::string why() const { return device.why(); }
  bool SaysWhy(const char* part) const { return why().find(part) != std::string::npos; }

  std::uint32_t now_us = 0;

 private:
  void Carry(std::uint32_t time_us) {
    for (const std::uint8_t byte : std::exchange(board.link.sent, {})) {
      if (decoder_.Push(byte) != Status::kOk) continue;
      wire::IoState state;
      wire::IoHello hello;
      if (wire::ReadMessage(decoder_.frame(), &state) == Status::kOk) {
        if (lie) lie(&state);
        for (int i = 0; i < copies; ++i) Queue(time_us, writer_.Write(state), breaks_frames);
      }
      if (wire::ReadMessage(decoder_.frame(), &hello) == Status::kOk) {
        if (claim) claim(&hello);
        Queue(time_us, writer_.Write(hello), false);
      }
    }
  }
  void Queue(std::uint32_t time_us, std::span<const std::uint8_t> frame, bool broken) {
    std::vector<std::uint8_t> bytes(frame.begin(), frame.end());
    if (broken) bytes[bytes.size() - 3] = bytes[bytes.size() - 3] == 4 ? 8 : 4;
    under_way_.emplace_back(time_us + delay_us, std::move(bytes));
  }
  void Deliver() {
    for (; !under_way_.empty() && under_way_.front().first <= now_us; under_way_.pop_front()) {
      const std::vector<std::uint8_t>& bytes = under_way_.front().second;
      end.incoming.insert(end.incoming.end(), bytes.begin(), bytes.end());
    }
  }

  wire::FrameDecoder decoder_;
  wire::FrameWriter writer_;
  std::deque<std::pair<std::uint32_t, std::vector<std::uint8_t>>> under_way_;
};

}  // namespace tactus::host
