// Replays of runs in which something happens: streamed contacts, a host that dies, a board that is late.
#include <gtest/gtest.h>

#include <algorithm>

#include "firmware/servo/servo_app.h"
#include "hal/sim/memory_link.h"
#include "host_tools/replay/replay.h"
#include "host_tools/session/messages.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

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

}  // namespace
}  // namespace tactus::host
