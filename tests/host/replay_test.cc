#include "host_tools/replay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "firmware/servo/servo_app.h"
#include "hal/sim/memory_link.h"
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

/// Plays a hand that presses on a streamed plane at 60 Hz, and leaves the recording at `log_path`. Two of the sets are
/// replayed.
void RecordStreamedRun(const std::string& log_path, int ticks, int scalar_bits) {
  LogFile log(log_path);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(scalar_bits);
  BoardClient board(*transport, &log);
  std::uint32_t commands = 0, refused = 0;
  wire::Telemetry telemetry;
  double force_N = 0;
  bool stopped = false;
  board.set_listener([&](const wire::Frame& frame) {
    wire::Command command;
    wire::Ack ack;
    wire::Stopped last_word;
    if (wire::ReadMessage(frame, &command) == Status::kOk && command.tick() != 0) {
      ++commands;
      force_N = std::max(force_N, static_cast<double>(command.force_N()->Get(2)));
    }
    if (wire::ReadMessage(frame, &ack) == Status::kOk && ack.code() == wire::AckCode::kNotNewer) ++refused;
    if (wire::ReadMessage(frame, &last_word) == Status::kOk) stopped = true;
    static_cast<void>(wire::ReadMessage(frame, &telemetry));
  });
  static_cast<void>(board.Hello());
  wire::Config config = servo::ConfigToWire(PegInHoleConfig());
  config.mutate_pacing(wire::Pacing::kSample);
  config.mutate_telemetry_every_ticks(1);
  board.Configure(config);
  wire::StreamOpen open;
  open.mutate_session(5);
  open.mutate_turns(1);
  board.OpenStream(open);
  board.Arm();
  wire::ContactSet set;
  for (int i = 0; i < ticks; ++i) {
    if (i % 16 == 1) {
      set = wire::ContactSet{};
      set.mutate_session(5);
      set.mutate_sequence(static_cast<std::uint32_t>(i));
      set.mutate_tick(telemetry.tick());
      const double z_m = telemetry.p_WT_m()->Get(2);
      for (std::uint16_t k = 0; k < 3; ++k) set.mutable_p_WT_m()->Mutate(k, telemetry.p_WT_m()->Get(k));
      for (std::uint16_t k = 0; k < 4; ++k) set.mutable_q_WT()->Mutate(k, telemetry.q_WT()->Get(k));
      set.mutate_radius_m(0.02f);
      set.mutate_age_limit_ticks(100);
      set.mutate_contacts(1);
      wire::StreamedContact& contact = set.mutable_contact_0();
      contact.mutable_point_m()->Mutate(2, static_cast<float>(z_m - 0.03));
      contact.mutable_normal()->Mutate(2, 1);
      contact.mutate_gap_m(static_cast<float>(z_m - 0.03));
      contact.mutate_friction(0.25f);
      contact.mutate_body(-1);
      set.mutate_contacts_crc(Crc32({reinterpret_cast<const std::uint8_t*>(&contact), sizeof(contact)}));
    }
    const bool host_is_dead = i > 600 && i < 800;
    if ((i % 16 == 1 && !host_is_dead) || i == 205 || i == 405) static_cast<void>(board.Send(set));
    wire::Sample sample(static_cast<std::uint32_t>(i + 1), 0);
    sample.mutable_position_m()->Mutate(2, std::max(0.04f - 4e-5f * static_cast<float>(i), 0.028f));
    sample.mutable_orientation_wxyz()->Mutate(0, 1);
    const std::uint32_t before = commands;
    static_cast<void>(board.Send(sample));
    board.ReceiveUntil([&] { return commands > before; }, "a sample", BoardClient::Time::kStandsStill);
  }
  board.Control(wire::Action::kStop);
  board.ReceiveUntil([&] { return stopped; }, "to stop");
  log.Close();
  EXPECT_EQ(refused, 2u);
  EXPECT_GT(force_N, 2.0);
}

TEST(Replay, OfStreamedContactsIsIdenticalForDoubleAndFloat) {  // refused sets and a host that dies among them
  for (const int bits : {64, 32}) {
    const TemporaryFile log("log"), changed("changed");
    RecordStreamedRun(log.path(), 1000, bits);
    const ReplayResult result = Replay(log.path());
    EXPECT_GE(result.ticks, 1000u);
    EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
    EXPECT_GE(result.telemetry, 990u);
    int sets = 0;
    RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
      if (type == wire::MessageType::kContactSet && ++sets == 20) payload[74] ^= 1;  // radius_m, in its middle
    });
    EXPECT_TRUE(Replay(changed.path()).ok()) << "a radius that is not reached changes nothing";
    sets = 0;
    RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
      if (type == wire::MessageType::kContactSet && ++sets == 20) payload[16 + 16 + 5] ^= 1;  // p_WT_m[2], 2^-12 of it
    });
    EXPECT_FALSE(Replay(changed.path()).ok());
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

/// A board in this process that misses its deadlines when told so.
class LateBoard final : public Transport {
 public:
  bool late = false;

  void Write(std::span<const std::uint8_t> bytes) override {
    ASSERT_EQ(link_.HostWrite(bytes), Status::kOk);
    pending_frames_ += std::count(bytes.begin(), bytes.end(), std::uint8_t{0});
  }
  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds) override {
    clock_.late = late;
    for (; pending_frames_ > 0; --pending_frames_) {
      clock_.edge_us += 1000;
      app_.OnTick();
      app_.DrainTelemetry();
    }
    return link_.HostRead(room);
  }

 private:
  /// Each reading takes two periods when it is late.
  struct LateClock final : hal::Clock {
    std::uint32_t DoEdges() const noexcept override { return edge_us / 1000; }
    std::uint32_t DoNowUs() const noexcept override { return edge_us + (late ? 2000 * ++readings : 0); }
    std::uint32_t DoPeriodUs() const noexcept override { return 1000; }
    bool late = false;
    std::uint32_t edge_us = 0;
    mutable std::uint32_t readings = 0;
  };

  hal::MemoryLink link_;
  LateClock clock_;
  hal::NoWatchdog watchdog_;
  servo::ServoApp<double> app_{{.board = "late", .build = "0"}, link_, clock_, watchdog_};
  std::ptrdiff_t pending_frames_ = 0;
};

TEST(Replay, FollowsAFaultOfTheDeadlineAndItsEnd) {
  const TemporaryFile file("log");
  LogFile log(file.path());
  LateBoard transport;
  BoardClient board(transport, &log);
  std::vector<wire::Fault> faults;
  board.set_listener([&](const wire::Frame& frame) {
    wire::Fault fault;
    if (wire::ReadMessage(frame, &fault) == Status::kOk) faults.push_back(fault);
  });
  hal::SimDevice device = SeededDevice();
  const auto run_ticks = [&](int count) {
    for (; count > 0; --count) {
      board.Send(ToMessage(device.Sample()));
      while (board.Receive(std::chrono::milliseconds(0))) continue;
      device.Advance({});
    }
  };
  board.Hello();
  board.Configure(QuietOptions(0).config);
  board.Control(wire::Action::kClearFault);  // nothing to clear, and nothing changes
  board.Arm();
  run_ticks(400);
  board.Control(wire::Action::kDisarm);
  board.Control(wire::Action::kClearFault);  // waits for zero output
  run_ticks(1);                              // nobody arms on an old sample
  board.Arm();
  run_ticks(300);
  transport.late = true;
  run_ticks(40);
  transport.late = false;
  ASSERT_EQ(faults.size(), 1u);
  ASSERT_EQ(faults[0].external(), wire::ExternalCause::kDeadline);
  board.Control(wire::Action::kClearFault);
  run_ticks(1);
  board.Arm();
  run_ticks(300);
  log.Close();
  const ReplayResult result = Replay(file.path());
  EXPECT_GT(result.ticks, 1000u);
  EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
  EXPECT_EQ(result.first_difference, "");
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

TEST(LocalRun, GivesTheSameBytesTwice) {
  const TemporaryFile first("first"), second("second");
  RecordLocalRun(first.path(), kTicks);
  RecordLocalRun(second.path(), kTicks);
  EXPECT_TRUE(first.Bytes() == second.Bytes());
}

TEST(LocalRun, FeelsThePlateWithoutFaults) {
  const TemporaryFile log("log");
  const RunSummary run = RecordLocalRun(log.path(), 1000);
  EXPECT_EQ(run.ticks, 1000u + kFadeTicks);
  EXPECT_EQ(run.telemetry, 1000u + kFadeTicks);
  EXPECT_TRUE(run.faults.empty());
  EXPECT_EQ(run.stale_ticks, kFadeTicks) << "after its stop the host sends none";
  EXPECT_EQ(run.solve_status[0] + run.deadline_ticks, run.contact_ticks);  // exact, but where the tick ran out of work
  EXPECT_GT(run.largest_force_N, 0.5);
  EXPECT_LE(run.largest_force_N, 8.0 * (1 + 1e-6));  // the limit of the Falcon class, in single precision
}

}  // namespace
}  // namespace tactus::host
