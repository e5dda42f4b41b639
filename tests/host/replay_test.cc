#include "host_tools/replay/replay.h"

#include <gtest/gtest.h>

#include "host_tools/link/host_error.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kTicks = 600;  // the peg touches the plate after 350

/// Why a replay fails; empty: it does not.
std::string Failure(const std::string& path) {
  try {
    static_cast<void>(Replay(path));  // its result is of no interest when it does not fail
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(Replay, IsIdenticalForDoubleAndFloat) {
  for (const int bits : {64, 32}) {
    const TemporaryFile log("log");
    const RunSummary run = RecordLocalRun(log.path(), kTicks, bits);
    EXPECT_GT(run.contact_ticks, 100u);
    const ReplayResult result = Replay(log.path());
    EXPECT_EQ(result.ticks, kTicks);
    EXPECT_EQ(result.identical, kTicks) << result.first_difference;
    EXPECT_EQ(result.telemetry, kTicks);
  }
}

TEST(Replay, NamesTickAndFieldWhenOneBitOfACommandDiffers) {
  const TemporaryFile log("log"), changed("changed");
  RecordLocalRun(log.path(), kTicks);
  int commands = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kCommand && ++commands == 500) payload[20] ^= 1;  // force_N[1], docs/wire.md
  });
  const ReplayResult result = Replay(changed.path());
  EXPECT_EQ(result.identical, kTicks - 1);
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
  EXPECT_EQ(result.identical, kTicks - 1);
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

TEST(Replay, SaysThatTheRecordingBreaksOffWhenItIsTorn) {
  const TemporaryFile log("log");
  RecordLocalRun(log.path(), 50);
  std::vector<char> bytes = log.Bytes();
  bytes.resize(bytes.size() - 7);
  log.Write(bytes);
  EXPECT_NE(Failure(log.path()).find("breaks off"), std::string::npos) << Failure(log.path());
}

TEST(Replay, RefusesEveryRecordingWithAFlippedByte) {
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
  EXPECT_NE(Failure(testing::TempDir()).find("there is no recording"), std::string::npos);
}

TEST(Replay, RefusesARecordingWithoutHello) {
  const TemporaryFile file("file");
  LogFile log(file.path());
  log.Close();
  EXPECT_NE(Failure(file.path()).find("no Hello"), std::string::npos);
}

TEST(LocalRun, GivesTheSameBytesTwice) {
  const TemporaryFile first("first"), second("second");
  RecordLocalRun(first.path(), kTicks);
  RecordLocalRun(second.path(), kTicks);
  EXPECT_TRUE(first.Bytes() == second.Bytes());
}

TEST(LocalRun, FeelsThePlateWithoutFaults) {
  const TemporaryFile log("log");
  const RunSummary run = RecordLocalRun(log.path(), 1000);
  EXPECT_EQ(run.ticks, 1000u);
  EXPECT_EQ(run.telemetry, 1000u);
  EXPECT_TRUE(run.faults.empty());
  EXPECT_EQ(run.stale_ticks, 0u);
  EXPECT_EQ(run.solve_status[0], run.contact_ticks);  // every problem was solved exactly
  EXPECT_GT(run.largest_force_N, 0.5);
  EXPECT_LE(run.largest_force_N, 8.0 * (1 + 1e-6));  // the limit of the Falcon class, in single precision
}

}  // namespace
}  // namespace tactus::host
