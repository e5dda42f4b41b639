// The emulated board gives the same bytes every time, and the bits that this machine computes.
#include <cstdio>

#include "../host/temporary_file.h"
#include "board_run.h"
#include "firmware/servo/board_work.h"
#include "host_tools/link/local_board.h"
#include "host_tools/replay/compare.h"
#include "host_tools/replay/replay.h"

namespace tactus::host {
namespace {

constexpr std::chrono::milliseconds kExit{10000};
constexpr std::uint32_t kFadeTicks = 20;  // at the end the force fades: guard_ramp_down_s

void RecordBoard(const std::string& log_path, std::uint32_t ticks, QemuLink link, wire::Pacing pacing) {
  QemuBoard qemu(Emulated(link));
  const RunSummary run = RecordRun(qemu.transport(), log_path, ticks, pacing);
  EXPECT_EQ(run.ticks, ticks + kFadeTicks);
  EXPECT_TRUE(run.faults.empty());
  EXPECT_EQ(qemu.Wait(kExit), 0) << qemu.Output();
}

/// Commands of ticks; those of zeros without a tick are left out.
std::vector<wire::Command> TicksIn(const std::string& log_path) {
  std::vector<wire::Command> commands = MessagesIn<wire::Command>(log_path);
  std::erase_if(commands, [](const wire::Command& command) { return command.tick() == 0; });
  return commands;
}

void ExpectSameBytesTwice(std::uint32_t ticks) {
  const TemporaryFile first("first"), second("second");
  RecordBoard(first.path(), ticks, QemuLink::kFifo, wire::Pacing::kClock);
  RecordBoard(second.path(), ticks, QemuLink::kFifo, wire::Pacing::kClock);
  EXPECT_GT(first.Bytes().size(), ticks * sizeof(wire::Telemetry));
  EXPECT_TRUE(first.Bytes() == second.Bytes());
  const ReplayResult replay = Replay(first.path());
  EXPECT_EQ(replay.ticks, ticks + kFadeTicks);
  EXPECT_EQ(replay.identical, ticks + kFadeTicks) << replay.first_difference;
  EXPECT_EQ(replay.telemetry, ticks + kFadeTicks);
}

struct M7 {  // as its board.h has it
  static constexpr std::int64_t kWorkPerSecond = servo::kM7WorkPerSecond;
};

class SameBits : public OnBoard {};
class SameBitsFull : public OnBoard {};
class OverUart : public OnBoard {};

TEST_F(SameBits, GivesTheSameBytesTwiceAndThoseOfTheReplay) { ExpectSameBytesTwice(500); }

TEST_F(SameBitsFull, GivesTheSameBytesTwiceAndThoseOfTheReplay) { ExpectSameBytesTwice(10000); }

TEST_F(SameBits, GivesTheTelemetryOfTheSameRunInThisProcess) {
  constexpr std::uint32_t kTicks = 500;
  const TemporaryFile board("board"), local("local");
  RecordBoard(board.path(), kTicks, QemuLink::kFifo, wire::Pacing::kClock);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64, std::nullopt, 1000, WorkBudget());
  RecordRun(*transport, local.path(), kTicks, wire::Pacing::kClock);
  const auto on_board = MessagesIn<wire::Telemetry>(board.path());
  auto here = MessagesIn<wire::Telemetry>(local.path());
  ASSERT_EQ(on_board.size(), kTicks + kFadeTicks);
  ASSERT_EQ(here.size(), on_board.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    here[i].mutate_missed_deadlines(on_board[i].missed_deadlines());  // only a board with a clock can miss one
    ASSERT_EQ(FirstDifference(on_board[i], here[i]), "") << "tick " << i;
  }
}

TEST_F(SameBits, GivesTheSameForcesAtTwoKilohertz) {
  constexpr std::uint32_t kTicks = 500, kPeriod_us = 500, kFade = kFadeTicks * 1000 / kPeriod_us;
  const TemporaryFile board("board"), local("local");
  QemuOptions options = Emulated(QemuLink::kFifo);
  options.period_us = kPeriod_us;
  QemuBoard qemu(options);
  const RunSummary run = RecordRun(qemu.transport(), board.path(), kTicks, wire::Pacing::kClock, kPeriod_us);
  EXPECT_EQ(run.ticks, kTicks + kFade);
  EXPECT_EQ(qemu.Wait(kExit), 0) << qemu.Output();
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64, std::nullopt, kPeriod_us, servo::WorkOf<M7>(kPeriod_us));
  RecordRun(*transport, local.path(), kTicks, wire::Pacing::kClock, kPeriod_us);
  const auto on_board = MessagesIn<wire::Command>(board.path()), here = MessagesIn<wire::Command>(local.path());
  ASSERT_EQ(on_board.size(), here.size());
  for (std::size_t i = 0; i < here.size(); ++i) ASSERT_EQ(FirstDifference(on_board[i], here[i]), "") << "tick " << i;
  const ReplayResult replay = Replay(board.path());
  EXPECT_EQ(replay.identical, kTicks + kFade) << replay.first_difference;
}

/// Over the UART the board's time goes on while this machine has none for the emulator or for its host. The board then
/// rightly faults or bites: such a run is recorded again. @returns whether one had no fault
bool RecordOverUart(const std::string& log_path, std::uint32_t ticks) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    QemuBoard qemu(Emulated(QemuLink::kUart));
    try {
      const RunSummary run = RecordRun(qemu.transport(), log_path, ticks, wire::Pacing::kSample);
      if (run.ticks == ticks + kFadeTicks && run.faults.empty() && qemu.Wait(kExit) == 0) return true;
      std::printf("recorded again: %zu ticks, %zu faults\n", static_cast<std::size_t>(run.ticks), run.faults.size());
    } catch (const HostError& error) {
      std::printf("recorded again: %s: %s\n", error.what(), qemu.Output().c_str());
    }
  }
  return false;
}

TEST_F(OverUart, GivesTheSameForces) {  // By sample: the host's timing does not matter, and none is asserted.
  constexpr std::uint32_t kTicks = 450;
  const TemporaryFile uart("uart"), local("local");
  ASSERT_TRUE(RecordOverUart(uart.path(), kTicks));
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64, std::nullopt, 1000, WorkBudget());
  RecordRun(*transport, local.path(), kTicks, wire::Pacing::kSample);
  const auto over_uart = TicksIn(uart.path()), here = TicksIn(local.path());
  ASSERT_GE(over_uart.size(), kTicks);
  ASSERT_GE(here.size(), kTicks);
  for (std::size_t i = 0; i < kTicks; ++i) {
    wire::Command command = over_uart[i];
    command.mutate_sample_age_us(here[i].sample_age_us());  // the time since its arrival is the emulator's
    ASSERT_EQ(FirstDifference(command, here[i]), "") << "tick " << i;
  }
  const ReplayResult replay = Replay(uart.path());
  EXPECT_EQ(replay.identical, replay.ticks) << replay.first_difference;
}

}  // namespace
}  // namespace tactus::host
