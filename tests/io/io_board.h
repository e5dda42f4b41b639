#pragma once
#include <cmath>
#include <cstdlib>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "firmware/io/io_app.h"
#include "hal/sim/faulty_motor_io.h"

namespace tactus::io {

/// A link in memory.
class FakeLink final : public hal::ByteLink {
 public:
  std::deque<std::uint8_t> incoming;
  std::vector<std::uint8_t> sent;
  bool full = false, closed = false;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    for (*count = 0; *count < room.size() && !incoming.empty(); incoming.pop_front()) room[(*count)++] = incoming.front();
    return closed ? Status::kClosed : Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept override {
    if (full) return Status::kWouldBlock;
    sent.insert(sent.end(), frame.begin(), frame.end());
    return Status::kOk;
  }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }
};

class FakeClock final : public hal::Clock {
 public:
  explicit FakeClock(std::uint32_t period_us) : period_us_(period_us) {}
  std::uint32_t edge_count = 0, us_in_period = 0;

 private:
  std::uint32_t DoEdges() const noexcept override { return edge_count; }
  std::uint32_t DoNowUs() const noexcept override { return edge_count * period_us_ + us_in_period; }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }
  std::uint32_t period_us_;
};

class FakeWatchdog final : public hal::Watchdog {
 public:
  int fed = 0;

 private:
  void DoStart(std::uint32_t) noexcept override {}
  void DoFeed() noexcept override { ++fed; }
};

/// Two motors of 2 A and 1 A that measure what they were told; their counts are the test's.
class FakeMotors final : public hal::MotorIo {
 public:
  hal::MotorTraits can{
      .motors = 2, .counts_per_turn = {4096, 4096}, .max_current_A = {2, 1}, .max_step_counts = 100, .senses_current = true};
  std::int32_t count[hal::kMaxMotors] = {};
  float flowing_A[hal::kMaxMotors] = {};
  bool enabled = false;
  int writes = 0, zeros = 0;  ///< since the test set them to 0
  bool enabled_with_current = false;

  float Largest_A() const { return enabled ? std::max(std::abs(flowing_A[0]), std::abs(flowing_A[1])) : 0.0f; }

 private:
  const hal::MotorTraits& DoTraits() const noexcept override { return can; }
  hal::MotorReading DoRead() noexcept override {
    hal::MotorReading reading;
    for (int i = 0; i < hal::kMaxMotors; ++i) reading.count[i] = count[i], reading.current_A[i] = flowing_A[i];
    return reading;
  }
  Status DoWrite(const float (&current_A)[hal::kMaxMotors]) noexcept override {
    ++writes;
    std::copy(std::begin(current_A), std::end(current_A), flowing_A);
    return Status::kOk;
  }
  Status DoZero() noexcept override {
    ++zeros;
    std::fill(std::begin(flowing_A), std::end(flowing_A), 0.0f);
    return Status::kOk;
  }
  void DoSetEnable(bool on) noexcept override {
    enabled_with_current |= Largest_A() != 0 || (flowing_A[0] != 0 || flowing_A[1] != 0);
    enabled = on;
  }
};

/// An I/O board and the host's end of its link.
class IoBoard {
 public:
  FakeLink link;
  FakeWatchdog watchdog;
  FakeMotors motors;
  hal::FaultyMotorIo faulty;
  FakeClock clock;
  IoApp app;

  /// @param other  motors in place of the fake ones
  explicit IoBoard(std::uint32_t period_us = 250, hal::MotorIo* other = nullptr)
      : faulty(other != nullptr ? *other : motors),
        clock(period_us),
        app({.board = "test", .build = "0"}, link, clock, watchdog, faulty) {}

  void Edge(std::uint32_t edges = 1) {
    clock.edge_count += edges;
    app.OnTick();
  }
  void Edges(int count) {
    for (int i = 0; i < count; ++i) Edge();
  }
  template <wire::Message M>
  std::vector<std::uint8_t> Frame(const M& message) {
    const std::span<const std::uint8_t> frame = writer_.Write(message);
    return {frame.begin(), frame.end()};
  }
  void PutBytes(const std::vector<std::uint8_t>& bytes) {
    link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end());
  }
  template <wire::Message M>
  void Put(const M& message) {
    PutBytes(Frame(message));
  }
  void Put(wire::Action action) {
    wire::Control control;
    control.mutate_action(action);
    Put(control);
  }
  wire::IoCommand Command(wire::IoOutputs outputs, float a_A = 0, float b_A = 0) {
    wire::IoCommand command;
    command.mutate_session(session);
    command.mutate_sequence(++sequence);
    command.mutate_outputs(outputs);
    command.mutable_current_A()->Mutate(0, a_A);
    command.mutable_current_A()->Mutate(1, b_A);
    return command;
  }
  wire::IoCommand On(float a_A, float b_A = 0) { return Command(wire::IoOutputs::kOn, a_A, b_A); }
  wire::IoCommand Off() { return Command(wire::IoOutputs::kOff); }

  /// Everything since the last call; learns the session.
  std::vector<wire::IoState> Take() {
    std::vector<wire::IoState> states;
    for (const std::uint8_t byte : std::exchange(link.sent, {})) {
      if (decoder_.Push(byte) != Status::kOk) continue;
      wire::IoState state;
      if (wire::ReadMessage(decoder_.frame(), &state) == Status::kOk) states.push_back(last = state);
      if (wire::ReadMessage(decoder_.frame(), &hello) == Status::kOk) session = hello.session(), sequence = 0;
    }
    return states;
  }
  /// Puts a message, lets an edge pass, and hears the answer to it.
  template <class M>
  wire::IoState Tell(const M& message) {
    Take();
    Put(message);
    Edge();
    const std::vector<wire::IoState> states = Take();
    return states.empty() ? wire::IoState() : states.back();
  }
  void Connect(std::uint32_t version = wire::kProtocolVersion) {
    Put(wire::HelloRequest(version, 7));
    Edge();
    Take();
  }
  /// Connected, armed, and past the soft start with `a_A` in the first motor.
  void Drive(float a_A = 1, float b_A = 0) {
    Connect();
    Tell(Off());
    for (std::uint32_t i = 0; i < kSoftStart_us / clock.period_us() + 2; ++i) Tell(On(a_A, b_A));
  }
  /// Edges until no current flows, at most 100.
  int EdgesToZero() {
    for (int i = 0; i < 100; ++i) {
      if (motors.Largest_A() == 0) return i;
      Edge();
    }
    return 100;
  }
  bool off() const { return motors.flowing_A[0] == 0 && motors.flowing_A[1] == 0 && !motors.enabled; }

  wire::IoHello hello;
  wire::IoState last;
  std::uint32_t session = 0, sequence = 0;

 private:
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
};

}  // namespace tactus::io
