// The I/O firmware as a process on a pseudo terminal, the servo application of this process on the other end, a tick each
// millisecond of real time.
#include <gtest/gtest.h>

#include "count_allocations.h"
#include "io_process.h"

namespace tactus::host {
namespace {

TEST(IoLine, TellsTheBoundsOfTheBoard) {
  const EmulatorProcess emulator({});
  const auto opened = OpenIoDevice(emulator.terminal());
  EXPECT_EQ(opened->hello().motors(), 6);
  EXPECT_EQ(opened->hello().command_timeout_us(), 3000u);
  EXPECT_EQ(opened->capabilities().peak_force_N, 8.0f);  // Source: parameters.h, FalconClass
}

TEST(IoLine, RefusesWhatIsNoBoard) {
  EXPECT_THROW((void)OpenIoDevice("/dev/null"), HostError);
  EXPECT_THROW((void)OpenIoDevice("/does/not/exist"), HostError);
}

// The demo's hand finds the hole, goes in and presses: the force that the board's motors measured is the one that was
// commanded, tick by tick. Board and loop wait for each other: the time-out of a loop that comes late is io_faults_test's.
TEST(IoLine, FeelsThePegAtOneKilohertz) {
  constexpr int kTicks = 4000;  // of the script's 10 s: into the hole and its floor
  const LineRun run = RunOnLine(kTicks);
  std::printf("%s\n", run.Report().c_str());
  ASSERT_EQ(run.ticks, kTicks) << run.Report();
  EXPECT_GT(run.largest_N, 2.0);  // Source: the demo in process presses with 8 N at most, 3 N on the floor
  EXPECT_GT(run.contact_ticks, 200);
  EXPECT_LT(run.rms_error_N, 0.05);  // Tolerance: 1 mA of 4 N/A is 4 mN a motor; fades and soft starts on top
  EXPECT_EQ(run.counters.refused, 0u);
  EXPECT_EQ(run.counters.missing_states, 0u);
}

// With a host that is gone its time goes on after two seconds, and so its time-out comes.
TEST(IoLine, WaitsOnceForAHostThatIsGone) {
  const EmulatorProcess emulator(InStep::Options());
  Driver driver(emulator.terminal(), 1000, true);
  ASSERT_TRUE(driver.DriveAtLast());
  std::string fault;
  for (int i = 0; i < 60 && fault != "kCommandTimeout"; ++i, usleep(100'000)) fault = emulator.Trace().back().fault;
  EXPECT_EQ(fault, "kCommandTimeout") << "in 6 s: 2 s, and then 3 ms of the board's time";
  EXPECT_EQ(emulator.Trace().back().output_A, 0);
}

TEST(IoLine, AllocatesNothingInTheLoop) {
  const EmulatorProcess emulator({});
  Driver driver(emulator.terminal());
  driver.Drive();
  const long before = Allocations();
  for (int i = 0; i < 200; ++i) driver.Tick(1);
  EXPECT_EQ(Allocations(), before);
  EXPECT_GT(before, 0);  // they are counted
}

// At the highest rate that the board tells: one command for each of its periods.
TEST(IoLine, KeepsUpAtFourKilohertz) {
  constexpr long kRate_Hz = 4000;
  const EmulatorProcess emulator(InStep::Options(1'000'000 / kRate_Hz));
  Driver driver(emulator.terminal(), kRate_Hz, true);
  ASSERT_TRUE(driver.Drive());
  const IoCounters before = driver.device().counters();
  for (int i = 0; i < 4000; ++i) driver.Tick(1);
  const IoCounters& after = driver.device().counters();
  std::printf("4000 commands, %u states, %u missing, %u unsent, %u refused, board's fault %s\n",
              after.states - before.states, after.missing_states, after.unsent, after.refused,
              wire::EnumNameIoFault(driver.device().last().fault()));
  EXPECT_EQ(driver.device().last().fault(), wire::IoFault::kNone);
  EXPECT_EQ(after.missing_states + after.unsent + after.refused, before.missing_states + before.unsent + before.refused);
  EXPECT_GT(after.states - before.states, 3000u);  // two commands that meet in one period of the board have one answer
}

}  // namespace
}  // namespace tactus::host
