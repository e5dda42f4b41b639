// What the I/O board sees of its hardware, and what the host hears of it.
#include <gtest/gtest.h>

#include "io_board.h"

namespace tactus::io {
namespace {

using wire::IoFault;

/// Something that the hardware says, and what the host must hear of it.
struct Seen {
  const char* name;
  void (*happen)(IoBoard& board);
  IoFault fault;
  int periods;  ///< from the reading to zeros
};

const Seen kSeen[] = {
    {"e-stop", [](IoBoard& b) { b.faulty.faults.e_stop = true; }, IoFault::kEStop, 1},
    {"drive fault", [](IoBoard& b) { b.faulty.faults.drive_fault = true; }, IoFault::kDriveFault, 1},
    {"brown-out", [](IoBoard& b) { b.faulty.faults.brown_out = true; }, IoFault::kBrownOut, 1},
    {"encoder's own check", [](IoBoard& b) { b.faulty.faults.encoder_fault = true; }, IoFault::kEncoderFault, 1},
    {"encoder jump", [](IoBoard& b) { b.motors.count[1] += 101; }, IoFault::kEncoderJump, 1},
    {"encoder jump back", [](IoBoard& b) { b.motors.count[0] -= 0x8000; }, IoFault::kEncoderJump, 1},
    {"drives that take nothing", [](IoBoard& b) { b.faulty.faults.refuses_writes = true; }, IoFault::kLatePeriods, 1},
    {"current sense saturated", [](IoBoard& b) { b.faulty.faults.current_saturated = true; }, IoFault::kCurrentSense, 8},
    {"current sense NaN", [](IoBoard& b) { b.faulty.faults.current_not_finite = true; }, IoFault::kCurrentSense, 8},
};

TEST(IoApp, EndsTheCurrentForWhatItSeesAndNamesIt) {
  for (const Seen& seen : kSeen) {
    SCOPED_TRACE(seen.name);
    IoBoard board;
    board.Drive(1);
    seen.happen(board);
    int periods = 0;
    for (; periods < 20 && board.motors.flowing_A[0] != 0; ++periods) board.Tell(board.On(1));
    EXPECT_LE(periods, seen.periods);
    for (int i = 0; i < 20; ++i) board.Tell(board.On(1));
    EXPECT_EQ(board.last.fault(), seen.fault);
    EXPECT_EQ(board.last.state(), wire::State::kFaulted);
    EXPECT_EQ(board.last.output_mA(), 0);
    EXPECT_TRUE(board.off());
  }
}

TEST(IoApp, FindsACurrentSenseThatStandsWhenTheCurrentChanges) {
  IoBoard board;
  board.Drive(0.1f);
  board.faulty.faults.current_stuck = true;
  for (int i = 0; i < 9; ++i) board.Tell(board.On(1.5f));
  EXPECT_EQ(board.app.fault(), IoFault::kCurrentSense);
}

TEST(IoApp, SaysZeroWhenTheDrivesTakeNothing) {
  IoBoard board;
  board.Drive(2);
  board.faulty.faults.refuses_writes = true;
  EXPECT_EQ(board.Tell(board.On(2)).output_mA(), 0);
  for (int i = 0; i < 20; ++i) board.Tell(board.On(2));
  EXPECT_EQ(board.app.fault(), IoFault::kLatePeriods);  // and not the current sense, which measures these zeros
}

// Open inputs of an amplifier: 0.3 A that are not there are below the quarter of 2 A that is wrong at once. Source: the mean
// m = 0.3 (1 - exp(-t/50 ms)) is a tenth of 2 A after 54.9 ms, and wrong for 2 ms.
TEST(IoApp, FindsACurrentThatIsNotThereByItsMean) {
  IoBoard board;
  board.Drive(0.3f);
  board.faulty.faults.current_absent = true;
  int periods = 0;
  for (; periods < 400 && board.motors.flowing_A[0] != 0; ++periods) board.Tell(board.On(0.3f));
  EXPECT_NEAR(0.25 * periods, 57, 3);
  for (int i = 0; i < 20; ++i) board.Tell(board.On(0.3f));
  EXPECT_EQ(board.app.fault(), IoFault::kCurrentSense);
  EXPECT_TRUE(board.off());
}

}  // namespace
}  // namespace tactus::io
