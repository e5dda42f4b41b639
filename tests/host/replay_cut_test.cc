// What cuts the rest of a faulted state's force, in the middle of its fade, and whether a replay follows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "firmware/servo/servo_app.h"
#include "hal/sim/memory_link.h"
#include "host_tools/replay/replay.h"
#include "host_tools/session/messages.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// A handle that goes down on the plate at 100 mm/s and rests 2 mm deep, as the controller's own device or as samples.
class Handle final : public hal::Device {
 public:
  bool e_stop = false, failed = false, jumped = false;

  SensorFrame Sample() {
    ++sequence_;
    SensorFrame sample;
    sample.sequence = sequence_;
    sample.p_WH_m[0] = jumped ? 0.09f : 0.05f;
    sample.p_WH_m[2] = std::max(0.04f - 1e-4f * static_cast<float>(sequence_), 0.028f);
    sample.q_WH[0] = 1;
    return sample;
  }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return can_; }
  hal::DeviceReading DoReadSample(std::uint32_t) noexcept override {
    return {.sample = Sample(),
            .valid = true,
            .is_new = true,
            .e_stop = e_stop,
            .state = failed ? hal::DeviceState::kFaulted : hal::DeviceState::kEnabled};
  }
  Status DoWriteCommand(const CommandFrame&, const hal::CommandNote&) noexcept override { return Status::kOk; }

  hal::DeviceCapabilities can_;
  std::uint32_t sequence_ = 0;
};

struct Clock final : hal::Clock {
  std::uint32_t edge = 0;
  std::uint32_t DoEdges() const noexcept override { return edge; }
  std::uint32_t DoNowUs() const noexcept override { return edge * 1000; }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }
};

/// A controller in this process; each frame of the host's is a period, unless its clock stands.
template <class Scalar>
class Board final : public Transport {
 public:
  explicit Board(bool local) { parts_.device = local ? &handle : nullptr; }
  Handle handle;
  bool clock_stands = false;

  /// As a flipped bit in the supervisor's memory: it holds the fade for one that began at no force.
  void SpoilTheFade() { const_cast<Supervisor&>(app().supervisor()).fade_from_N = 0; }

  void Write(std::span<const std::uint8_t> bytes) override {
    ASSERT_EQ(link_.HostWrite(bytes), Status::kOk);
    frames_ += std::count(bytes.begin(), bytes.end(), std::uint8_t{0});
  }
  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds) override {
    for (; frames_ > 0; --frames_) {
      clock_.edge += clock_stands ? 0 : 1;
      app().OnTick();
      app().DrainTelemetry();
    }
    return link_.HostRead(room);
  }

 private:
  servo::ServoApp<Scalar>& app() {
    if (!app_) {
      const servo::Identity identity{.board = "cut", .build = "0"};
      app_ = std::make_unique<servo::ServoApp<Scalar>>(identity, link_, clock_, watchdog_, parts_);
    }
    return *app_;
  }

  hal::MemoryLink link_;
  Clock clock_;
  hal::NoWatchdog watchdog_;
  servo::BoardParts parts_;
  std::unique_ptr<servo::ServoApp<Scalar>> app_;
  std::ptrdiff_t frames_ = 0;
};

wire::Sample ToMessage(const SensorFrame& frame) {
  wire::Sample sample(frame.sequence, 0);
  for (std::uint16_t i = 0; i < 3; ++i) sample.mutable_position_m()->Mutate(i, frame.p_WH_m[i]);
  for (std::uint16_t i = 0; i < 4; ++i) sample.mutable_orientation_wxyz()->Mutate(i, frame.q_WH[i]);
  return sample;
}

/// A run whose handle jumps, and what cuts the fade that follows; then it is cleared and runs on.
template <class Scalar>
class CutRun {
 public:
  CutRun(const std::string& log_path, bool local) : log_(log_path), local_(local), board_(local), client_(board_, &log_) {
    client_.set_listener([this](const wire::Frame& frame) {
      wire::Fault fault;
      wire::Command command;
      wire::Telemetry telemetry;
      if (wire::ReadMessage(frame, &fault) == Status::kOk) faults.push_back(fault);
      if (wire::ReadMessage(frame, &command) == Status::kOk) force_N = static_cast<double>(command.force_N()->Get(2));
      if (local_ && wire::ReadMessage(frame, &telemetry) == Status::kOk) force_N = telemetry.command_wrench_W()->Get(2);
    });
    client_.Hello();
    wire::Config config = QuietOptions(0).config;
    config.mutate_telemetry_every_ticks(1);
    client_.Configure(config);
    Periods(1);
    client_.Arm();
    Periods(400);
    EXPECT_GT(force_N, 2.0) << "1500 N/m times 2 mm are 3 N";
    board_.handle.jumped = true;
    Periods(8);
    EXPECT_GT(force_N, 0.5) << "8 of 20 ms of the fade";
  }

  void Periods(int count) {
    for (; count > 0; --count) {
      if (local_) client_.SendRaw(std::array<std::uint8_t, 1>{0});
      if (!local_) client_.Send(ToMessage(board_.handle.Sample()));
      while (client_.Receive(std::chrono::milliseconds(0))) continue;
    }
  }

  /// Ends the recording with a run that has nothing wrong.
  void ClearAndGoOn() {
    board_.handle.e_stop = board_.handle.failed = board_.handle.jumped = board_.clock_stands = false;
    Periods(30);
    client_.Control(wire::Action::kClearFault);
    Periods(1);
    client_.Arm();
    End();
  }

  void End() {
    Periods(300);
    log_.Close();
  }

  Board<Scalar>& board() { return board_; }
  BoardClient& client() { return client_; }
  std::vector<wire::Fault> faults;
  double force_N = 0;

 private:
  LogFile log_;
  const bool local_;
  Board<Scalar> board_;
  BoardClient client_;
};

/// Two faults are told, the second of them with `cause`; after it there is no force; the replay has the same bits.
template <class Scalar, class Cut>
void ExpectFollowed(bool local, wire::ExternalCause cause, Cut cut) {
  const TemporaryFile log("log");
  CutRun<Scalar> run(log.path(), local);
  cut(run);
  EXPECT_EQ(run.force_N, 0.0) << "cut, not faded";
  ASSERT_EQ(run.faults.size(), 2u);
  EXPECT_EQ(run.faults[0].code(), wire::FaultCode::kHandleJump);
  EXPECT_EQ(run.faults[0].external(), wire::ExternalCause::kNone);
  EXPECT_EQ(run.faults[1].code(), wire::FaultCode::kHandleJump) << "the first cause stays";
  EXPECT_EQ(run.faults[1].external(), cause);
  run.ClearAndGoOn();
  EXPECT_EQ(run.faults.size(), 2u) << "told once, however long the cause is there";
  const ReplayResult result = Replay(log.path());
  EXPECT_GT(result.ticks, 700u);
  EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
  EXPECT_EQ(result.first_difference, "");
}

template <class Scalar>
class ReplayOfACut : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(ReplayOfACut, Scalars);

TYPED_TEST(ReplayOfACut, ByTheEStopInput) {
  ExpectFollowed<TypeParam>(
      true, wire::ExternalCause::kEStop, +[](CutRun<TypeParam>& run) {
        run.board().handle.e_stop = true;
        run.Periods(1);
      });
}

TYPED_TEST(ReplayOfACut, ByADeviceThatFails) {
  ExpectFollowed<TypeParam>(
      true, wire::ExternalCause::kDeviceFault, +[](CutRun<TypeParam>& run) {
        run.board().handle.failed = true;
        run.Periods(1);
      });
}

TYPED_TEST(ReplayOfACut, ByTheHostsEStop) {
  for (const bool local : {true, false}) {
    ExpectFollowed<TypeParam>(
        local, wire::ExternalCause::kEStop, +[](CutRun<TypeParam>& run) {
          run.client().Control(wire::Action::kEStop);
          run.Periods(1);
        });
  }
}

TYPED_TEST(ReplayOfACut, ByAClockThatStands) {
  for (const bool local : {true, false}) {
    ExpectFollowed<TypeParam>(
        local, wire::ExternalCause::kClockLost, +[](CutRun<TypeParam>& run) {
          run.board().clock_stands = true;
          run.Periods(20);
          run.board().clock_stands = false;
          run.Periods(1);
        });
  }
}

TYPED_TEST(ReplayOfACut, ByAFadeThatBreaksItsPromise) {
  for (const bool local : {true, false}) {
    ExpectFollowed<TypeParam>(
        local, wire::ExternalCause::kOutputWrong, +[](CutRun<TypeParam>& run) {
          run.board().SpoilTheFade();
          run.Periods(1);
        });
  }
}

/// Three orders between two ticks: what the first of them cuts is met by no tick, for the last begins the count anew. Fewer
/// calls than make the clock stand.
TYPED_TEST(ReplayOfACut, ThatNoTickMeetsBeforeTheCountBeginsAnew) {
  for (const bool local : {true, false}) {
    const TemporaryFile log("log");
    CutRun<TypeParam> run(log.path(), local);
    run.Periods(30);
    run.board().handle.jumped = false;
    run.board().clock_stands = true;
    run.client().Control(wire::Action::kEStop);
    ASSERT_EQ(run.faults.size(), 2u) << "the last force was held behind the fade";
    run.client().Control(wire::Action::kClearFault);
    run.client().Control(wire::Action::kReset);
    run.board().clock_stands = false;
    run.Periods(1);
    run.client().Arm();
    run.End();
    const ReplayResult result = Replay(log.path());
    EXPECT_GT(result.ticks, 700u);
    EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
    EXPECT_EQ(result.first_difference, "");
  }
}

}  // namespace
}  // namespace tactus::host
