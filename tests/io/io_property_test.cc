// Whatever frames, faults and times come: no current without a fresh valid command, none above a ceiling, none after the
// time-out. What a valid command is, the test decides by itself.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "io_board.h"

namespace tactus::io {
namespace {

enum class Event {
  kOn,
  kOff,
  kHello,
  kOtherVersion,
  kClearFault,
  kDisarm,
  kStop,
  kEStop,
  kReplay,
  kOldSession,
  kNotFinite,
  kTooLarge,
  kNoise,
  kTorn,
  kEdges,
  kSilence,
  kLateEdges,
  kStanding,
  kEStopInput,
  kDriveFault,
  kBrownOut,
  kJump,
  kRefusedWrites,
  kSense,
  kWell,
  kCount
};

/// A board, a host that does anything, and what may flow.
class Anything {
 public:
  explicit Anything(std::uint32_t period_us) : board(period_us) {}

  /// Some events a period: what a burst does is io_burst_test.cc's.
  void Do(Event event, std::uint32_t number) {
    One(event, number);
    if (++events_ % 6 == 0) Edge(1);
  }

  void Edges(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) Edge(1);
  }
  void Edge(std::uint32_t edges) {
    board.Edge(edges);
    if (pending_) taken_.emplace_back(board.clock.edge_count, *pending_);
    pending_.reset();
    board.Take();
    Check();
    const hal::MotorFaults& seen = board.faulty.faults;  // the inputs are read at edges
    RC_ASSERT(board.motors.Largest_A() == 0 || !(seen.e_stop || seen.drive_fault || seen.brown_out));
    flowed |= board.motors.Largest_A() > 0;
  }

  IoBoard board;
  bool flowed = false;

 private:
  void One(Event event, std::uint32_t number) {
    const float current_A = static_cast<float>(number % 2001) / 1000 - 1;  // -1 to 1 A, of 2 A
    hal::MotorFaults& faults = board.faulty.faults;
    switch (event) {
      case Event::kOn: return On(current_A);
      case Event::kOff: return board.Put(board.Off());
      case Event::kHello: return board.Put(wire::HelloRequest(wire::kProtocolVersion, number));
      case Event::kOtherVersion: return board.Put(wire::HelloRequest(wire::kProtocolVersion + 1, number));
      case Event::kClearFault: return board.Put(wire::Action::kClearFault);
      case Event::kDisarm: return board.Put(wire::Action::kDisarm);
      case Event::kStop: return board.Put(wire::Action::kStop);
      case Event::kEStop: return board.Put(wire::Action::kEStop);
      case Event::kReplay:  // fresh, if the noise took it the first time
        pending_ = std::max(pending_.value_or(0), tape_A_);
        return board.PutBytes(tape_);
      case Event::kOldSession: {
        wire::IoCommand command = board.On(current_A);
        command.mutate_session(command.session() + 1 + number % 3);
        return board.Put(command);
      }
      case Event::kNotFinite: return board.Put(board.On(std::numeric_limits<float>::infinity()));
      case Event::kTooLarge: return board.Put(board.On(2.5f, current_A));
      case Event::kNoise:
        return board.PutBytes({static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8), 0});
      case Event::kTorn: {
        std::vector<std::uint8_t> frame = board.Frame(board.On(current_A));
        frame.resize(number % frame.size());
        return board.PutBytes(frame);
      }
      case Event::kEdges: return Edges(1 + number % 4);
      case Event::kSilence: return Edges(number % 40);
      case Event::kLateEdges: return Edge(1 + number % 20);
      case Event::kStanding:
        for (std::uint32_t i = 0; i < number % 40; ++i) board.app.OnTick(), Check();
        return;
      case Event::kEStopInput: faults.e_stop = true; return;
      case Event::kDriveFault: faults.drive_fault = true; return;
      case Event::kBrownOut: faults.brown_out = true; return;
      case Event::kJump: board.motors.count[number % 2] += static_cast<std::int32_t>(number); return;
      case Event::kRefusedWrites: faults.refuses_writes = true; return;
      case Event::kSense: faults.current_saturated = true; return;
      case Event::kWell: faults = {}; return;
      case Event::kCount: return;
    }
  }

  void On(float current_A) {
    const wire::IoCommand command = board.On(current_A, current_A / 2);
    tape_ = board.Frame(command);
    tape_A_ = std::abs(current_A);
    board.PutBytes(tape_);
    pending_ = std::max(pending_.value_or(0), std::abs(current_A));
  }

  /// What flows now flows until the next edge.
  void Check() {
    const float flows_A = std::max(std::abs(board.motors.flowing_A[0]), std::abs(board.motors.flowing_A[1]));
    if (flows_A == 0) return;
    RC_ASSERT(std::abs(board.motors.flowing_A[0]) <= board.motors.can.max_current_A[0]);
    RC_ASSERT(std::abs(board.motors.flowing_A[1]) <= board.motors.can.max_current_A[1]);
    RC_ASSERT(flows_A <= LargestFresh_A() * (1 + 1e-6f));
    RC_ASSERT(board.motors.enabled);
    RC_ASSERT(board.app.fault() == wire::IoFault::kNone || board.app.fault() == wire::IoFault::kLatePeriods);
  }
  /// Of the commands that may have been taken, and will be younger than the time-out at the end of this period. 0: none.
  float LargestFresh_A() const {
    float largest_A = 0;
    for (const auto& [edge, current_A] : taken_) {
      const std::uint32_t age_us = (board.clock.edge_count + 1 - edge) * board.clock.period_us();
      if (age_us < kCommandTimeout_us) largest_A = std::max(largest_A, current_A);
    }
    return largest_A;
  }

  int events_ = 0;
  std::vector<std::uint8_t> tape_;  // the last command
  float tape_A_ = 0;
  std::optional<float> pending_;                        // of the valid commands that wait for an edge
  std::vector<std::pair<std::uint32_t, float>> taken_;  // edge and current of commands that could be valid
};

RC_GTEST_PROP(IoProperty, NeverLetsCurrentOutWithoutAFreshValidCommand, ()) {
  const auto period_us = *rc::gen::element(100u, 250u, 500u, 1000u);
  Anything anything(period_us);
  if (*rc::gen::arbitrary<bool>()) anything.board.Drive(*rc::gen::element(0.1f, 1.0f, 2.0f));
  // The time-out of Drive, before the test keeps the books.
  anything.board.Edges(static_cast<int>(kCommandTimeout_us / period_us) + 2);
  anything.board.Put(wire::Action::kClearFault);
  anything.Edges(2);
  const auto events = *rc::gen::container<std::vector<std::pair<int, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange(0, static_cast<int>(Event::kCount)), rc::gen::inRange(0u, 1u << 17)));
  for (const auto& [event, number] : events) anything.Do(static_cast<Event>(event), number);
  anything.Edges(kCommandTimeout_us / period_us);
  RC_ASSERT(anything.board.off());
}

/// The same with a host that mostly does as it should, so that there is current to be wrong about.
RC_GTEST_PROP(IoProperty, NeverLetsCurrentOutWithoutAFreshValidCommandFromABusyHost, ()) {
  Anything anything(250);
  anything.board.Connect();
  anything.Do(Event::kOff, 0);
  anything.Edges(1);
  const auto busy = [](int n) { return n < 12 ? 0 : n < 20 ? static_cast<int>(Event::kEdges) : n - 20; };
  const auto events = *rc::gen::container<std::vector<std::pair<int, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange(0, 20 + static_cast<int>(Event::kCount)), rc::gen::inRange(0u, 1u << 17)));
  for (const auto& [event, number] : events) anything.Do(static_cast<Event>(busy(event)), number);
  RC_CLASSIFY(anything.flowed);
  anything.Edges(kCommandTimeout_us / 250);
  RC_ASSERT(anything.board.off());
}

// A counter of what went out, over a million periods of a host that is wrong in everything but the frames.
TEST(IoCounter, NoCurrentInAMillionPeriodsWithoutAValidCommand) {
  IoBoard board;
  board.Connect();
  std::uint32_t random = 1;
  for (int i = 0; i < 1'000'000; ++i) {
    random = random * 1664525u + 1013904223u;
    wire::IoCommand command = board.On(1);
    if (random >> 31)
      command.mutate_session(command.session() ^ (1u << (random >> 8) % 32));
    else
      command.mutate_sequence(0x8000'0001u + (random >> 9) % 0x7FFF'0000u);
    if (i % 4 == 0) board.Put(command);
    if (i % 97 == 0) board.Put(wire::Action::kClearFault);
    board.Edge();
    if (i % 64 == 0) board.Take();
  }
  EXPECT_EQ(board.motors.writes, 0);
  EXPECT_EQ(board.motors.zeros, 1'000'001);
  EXPECT_TRUE(board.off());
}

}  // namespace
}  // namespace tactus::io
