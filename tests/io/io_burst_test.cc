// Many frames in one piece, as a host that has stood still writes them, or one that means it: they are as old as their
// arrival, the last command counts, and an order to stop counts wherever it stands.
#include <gtest/gtest.h>

#include "io_board.h"

namespace tactus::io {
namespace {

constexpr int kRing = 44;     // Source: 2048 bytes of a UART's buffer (hal/stm32/uart_link_base.h) in commands of 46
constexpr int kTooMany = 56;  // Source: 2560 bytes of a call (IoApp) in commands of 46
constexpr int kPeriods = 12;  // Source: 3 ms in periods of 250 us
constexpr float kCurrent_A = 1;

void PutCommands(IoBoard* board, int count) {
  for (int i = 0; i < count; ++i) board->Put(board->On(kCurrent_A));
}

TEST(IoBurst, KeepsItsCurrentForTheTimeOutFromItsArrivalOn) {
  IoBoard board;
  board.Drive(kCurrent_A);
  PutCommands(&board, kRing);
  EXPECT_LE(board.EdgesToZero(), kPeriods);
  board.Edge();
  EXPECT_EQ(board.app.fault(), wire::IoFault::kCommandTimeout);
  EXPECT_TRUE(board.off());
}

TEST(IoBurst, CountsByItsLastCommand) {
  IoBoard board;
  board.Drive(kCurrent_A);
  PutCommands(&board, kRing - 1);
  board.Put(board.On(0.25f));
  board.Edge();
  EXPECT_EQ(board.motors.flowing_A[0], 0.25f);
}

TEST(IoBurst, ObeysAnOrderToStopWhereverItStands) {
  for (const wire::Action action : {wire::Action::kDisarm, wire::Action::kStop, wire::Action::kEStop}) {
    for (const int before : {0, 1, 9, kRing / 2, kRing - 1}) {
      SCOPED_TRACE(testing::Message() << wire::EnumNameAction(action) << " behind " << before);
      IoBoard board;
      board.Drive(kCurrent_A);
      PutCommands(&board, before);
      board.Put(action);
      PutCommands(&board, kRing - 1 - before);
      board.Edge();
      const float first_step_A = kCurrent_A * 11 / 12;  // Source: a fade of 12 periods (io_firmware.md, 4)
      EXPECT_LE(board.motors.flowing_A[0], action == wire::Action::kEStop ? 0 : first_step_A + 1e-6f);
      EXPECT_LE(board.EdgesToZero(), kPeriods);
      board.Edges(2);
      EXPECT_TRUE(board.off());
    }
  }
}

TEST(IoBurst, LetsNothingOutWhileMoreWaitsThanItLooksAt) {
  IoBoard board;
  board.Drive(kCurrent_A);
  PutCommands(&board, kTooMany);
  board.Put(wire::Action::kEStop);  // not seen in this period
  board.Edge();
  EXPECT_EQ(board.motors.Largest_A(), 0);
  EXPECT_EQ(board.app.fault(), wire::IoFault::kCommandTimeout);
}

TEST(IoBurst, EndlessOneLetsNothingOut) {
  IoBoard board;
  board.Drive(kCurrent_A);
  for (int i = 0; i < 100; ++i) {
    PutCommands(&board, kTooMany);
    board.Edge();
    ASSERT_EQ(board.motors.Largest_A(), 0) << i;
  }
}

TEST(IoBurst, OfABoardWithoutCurrentIsNoFault) {
  IoBoard board;
  board.Connect();
  for (int i = 0; i < kTooMany; ++i) board.Put(board.Off());
  board.Edges(4);
  EXPECT_EQ(board.app.fault(), wire::IoFault::kNone);
  EXPECT_EQ(board.app.supervisor().phase, Phase::kIdle);
}

}  // namespace
}  // namespace tactus::io
