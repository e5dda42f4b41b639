#include "host_tools/replay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "host_tools/link/host_error.h"
#include "host_tools/session/messages.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kTicks = 600;     // the peg touches the plate after 350
constexpr std::uint32_t kFadeTicks = 20;  // at the end the force fades: guard_ramp_down_s
constexpr std::uint32_t kAllTicks = kTicks + kFadeTicks;

constexpr std::size_t kWorkBudgetOffset = 28, kMaxContactsOffset = 16;  // in Hello, docs/wire.md

/// Why a replay fails; empty: it does not.
std::string Failure(const std::string& path) {
  try {
    return Replay(path).damage;
  } catch (const HostError& error) {
    return error.what();
  }
}

/// Whether this is the Command of a tick: one of zeros without a tick has the number 0.
bool IsTick(wire::MessageType type, std::span<const std::uint8_t> payload) {
  return type == wire::MessageType::kCommand && (payload[0] | payload[1] | payload[2] | payload[3]) != 0;
}

std::string FirstDifferenceIn(const std::string& path) { return Replay(path).first_difference; }

TEST(Replay, IsIdenticalForDoubleAndFloat) {
  for (const int bits : {64, 32}) {
    const TemporaryFile log("log");
    const RunSummary run = RecordLocalRun(log.path(), kTicks, bits);
    EXPECT_GT(run.contact_ticks, 100u);
    const ReplayResult result = Replay(log.path());
    EXPECT_EQ(result.ticks, kAllTicks);
    EXPECT_EQ(result.identical, kAllTicks) << result.first_difference;
    EXPECT_EQ(result.telemetry, kAllTicks);
  }
}

TEST(Replay, NamesTickAndFieldWhenOneBitOfACommandDiffers) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  int commands = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (IsTick(type, payload) && ++commands == 500) payload[20] ^= 1;  // force_N[1], docs/wire.md
  });
  const ReplayResult result = Replay(changed.path());
  EXPECT_EQ(result.identical, kAllTicks - 1);
  EXPECT_NE(result.first_difference.find("Command.force_N[1]"), std::string::npos) << result.first_difference;
}

TEST(Replay, NamesTheFieldWhenOneBitOfTelemetryDiffers) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  const std::size_t last = sizeof(wire::Telemetry) - 1;  // the hash of the state stands last
  int telemetry = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kTelemetry && ++telemetry == 300) payload[last] ^= 0x80;
  });
  const ReplayResult result = Replay(changed.path());
  EXPECT_EQ(result.identical, kAllTicks - 1);
  EXPECT_NE(result.first_difference.find("Telemetry.state_hash"), std::string::npos) << result.first_difference;
}

TEST(Replay, DiffersFromTheTickOnWhoseSampleWasChanged) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  int samples = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kSample && ++samples == 400) payload[8] ^= 1;  // the last bit of position_m[0]
  });
  const ReplayResult result = Replay(changed.path());
  EXPECT_GE(result.identical, 399u);
  EXPECT_LT(result.identical, kTicks);
}

// The budget decides which answer a tick has: a replay counts with the board's, whatever a Hello says it is.
TEST(Replay, CountsWithTheWorkThatTheBoardTells) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  for (const std::uint32_t told : {1u, 0xFFFFFFFFu}) {
    RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
      if (type == wire::MessageType::kHello) std::memcpy(&payload[kWorkBudgetOffset], &told, sizeof(told));
    });
    EXPECT_EQ(Replay(changed.path()).ok(), told != 1) << told;  // the run has not spent what it had
  }
}

// So do the contacts that it keeps: the run has more than 7 in its hole.
TEST(Replay, KeepsAsManyContactsAsTheBoardTells) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  for (const std::uint16_t told : {std::uint16_t{7}, std::uint16_t{24}, std::uint16_t{0xFFFF}}) {
    RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
      if (type == wire::MessageType::kHello) std::memcpy(&payload[kMaxContactsOffset], &told, sizeof(told));
    });
    EXPECT_EQ(Replay(changed.path()).ok(), told != 7) << told;
  }
}

TEST(Replay, ReplaysTheGoodPartOfATornRecordingAndSaysWhereItBreaksOff) {
  const TemporaryFile log("log");
  RecordLocalRun(log.path(), 50);
  std::vector<char> bytes = log.Bytes();
  bytes.resize(bytes.size() / 2);
  log.Write(bytes);
  const ReplayResult result = Replay(log.path());
  EXPECT_NE(result.damage.find("breaks off"), std::string::npos) << result.damage;
  EXPECT_GT(result.ticks, 20u);
  EXPECT_LT(result.ticks, 30u);
  EXPECT_EQ(result.identical, result.ticks);
  EXPECT_FALSE(result.ok());
}

TEST(Replay, ChecksTheNumberOfEachCommand) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  int commands = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (IsTick(type, payload) && ++commands == 500) std::fill_n(payload.begin(), 4, std::uint8_t{0xff});
  });
  EXPECT_FALSE(Replay(changed.path()).ok());
  EXPECT_NE(FirstDifferenceIn(changed.path()).find("tick 500, Command.tick: 4294967295 and 500"), std::string::npos)
      << FirstDifferenceIn(changed.path());
}

TEST(Replay, ChecksTheTicksDoneThatAnAckTells) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), 50);
  RewriteLog(log.path(), changed.path(), [](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kAck) std::fill_n(payload.begin(), 4, std::uint8_t{0xff});
  });
  EXPECT_FALSE(Replay(changed.path()).ok());
  EXPECT_NE(FirstDifferenceIn(changed.path()).find("Ack.tick: 4294967295 and 0"), std::string::npos)
      << FirstDifferenceIn(changed.path());
}

TEST(Replay, FindsEveryRecordTwice) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), 50);
  CopyLog(log.path(), changed.path(), [](const wire::Frame&) { return 2; });
  EXPECT_FALSE(Replay(changed.path()).ok());
  EXPECT_NE(FirstDifferenceIn(changed.path()).find("Command.tick: 1 and 2"), std::string::npos)
      << FirstDifferenceIn(changed.path());
}

TEST(Replay, FindsAMissingCommandInTheMiddleAndAtTheEnd) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), 50);
  for (const int missing : {20, 50}) {
    int commands = 0;
    CopyLog(log.path(), changed.path(),
            [&](const wire::Frame& frame) { return IsTick(frame.type, frame.payload) && ++commands == missing ? 0 : 1; });
    EXPECT_FALSE(Replay(changed.path()).ok()) << missing;
    EXPECT_NE(FirstDifferenceIn(changed.path()), "") << missing;
  }
}

TEST(Replay, FindsDamageInEveryRecordingWithAFlippedByte) {
  const TemporaryFile log("log");
  RecordLocalRun(log.path(), 20);
  const std::vector<char> good = log.Bytes();
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::vector<char> bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    log.Write(bad);
    EXPECT_NE(Failure(log.path()), "") << "byte " << at;
  }
}

TEST(Replay, RefusesWhatIsNoRecording) {
  const TemporaryFile file("file");
  EXPECT_NE(Failure(file.path()).find("there is no recording"), std::string::npos);
  file.Write({});
  EXPECT_NE(Failure(file.path()).find("breaks off"), std::string::npos);
  file.Write({'h', 'e', 'l', 'l', 'o'});
  EXPECT_NE(Failure(file.path()).find("not a Tactus recording"), std::string::npos);
  EXPECT_NE(Failure(testing::TempDir()).find("not a recording"), std::string::npos);
  EXPECT_NE(Failure("/dev/zero").find("not a recording"), std::string::npos);
}

TEST(Replay, RefusesARecordingWithoutHello) {
  const TemporaryFile file("file");
  LogFile log(file.path());
  log.Close();
  EXPECT_NE(Failure(file.path()).find("no Hello"), std::string::npos);
}

TEST(Replay, FollowsATune) {
  for (const int bits : {64, 32}) {
    const TemporaryFile path("log");
    LogFile log(path.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoard(bits);
    BoardClient board(*transport, &log);
    hal::SimDevice device = SeededDevice();
    board.Hello();
    board.Configure(QuietOptions(0).config);
    board.Arm();
    std::optional<wire::Command> command;
    board.set_listener([&](const wire::Frame& frame) {
      wire::Command heard;
      if (wire::ReadMessage(frame, &heard) == Status::kOk && heard.tick() != 0) command = heard;
    });
    for (int tick = 0; tick < 1200; ++tick) {
      command.reset();
      board.Send(ToMessage(device.Sample()));
      board.ReceiveUntil([&] { return command.has_value(); }, "a sample");
      device.Advance(ToFrame(*command));
      Config<double> tuned = PegInHoleConfig();
      tuned.coupling.stiffness_N_per_m = tick == 600 ? 3000 : 700;
      tuned.coupling.damping_Ns_per_m = tick == 600 ? 6 : 2;
      if (tick == 600 || tick == 900) board.Tune(servo::TuneToWire(tuned));
    }
    board.Control(wire::Action::kStop);
    board.ReceiveUntil([&] { return command->state() == wire::State::kStopped; }, "to stop");
    log.Close();
    const ReplayResult result = Replay(path.path());
    EXPECT_GT(result.ticks, 1200u);
    EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
  }
}

/// The device is the controller's own: Telemetry carries what the replay needs.
TEST(Replay, IsIdenticalForABoardWithItsOwnDevice) {
  for (const int bits : {64, 32}) {
    const TemporaryFile path("log");
    RunSummary run;
    LogFile log(path.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoard(bits, 1);
    BoardClient board(*transport, &log);
    Watch(board, QuietOptions(kTicks), &run);
    log.Close();
    EXPECT_GT(run.contact_ticks, 100u);
    EXPECT_EQ(run.ticks, kAllTicks + 1) << "one more at the edge of the Arm: such a board has a sample at each edge";
    const ReplayResult result = Replay(path.path());
    EXPECT_EQ(result.ticks, run.ticks);
    EXPECT_EQ(result.identical, run.ticks) << result.first_difference;
    EXPECT_TRUE(result.ok()) << result.first_difference;
  }
}

TEST(Replay, OfABoardWithItsOwnDeviceFindsOneChangedBit) {
  const TemporaryFile path("log"), changed("changed");
  RunSummary run;
  LogFile log(path.path());
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64, 1);
  BoardClient board(*transport, &log);
  Watch(board, QuietOptions(kTicks), &run);
  log.Close();
  int telemetry = 0;
  RewriteLog(path.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kTelemetry && ++telemetry == 500) payload[240] ^= 1;
  });
  EXPECT_FALSE(Replay(changed.path()).ok());
}

}  // namespace
}  // namespace tactus::host
