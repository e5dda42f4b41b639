#include "host_tools/session/board_client.h"

#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "host_tools/link/host_error.h"
#include "local_run.h"

namespace tactus::host {
namespace {

/// Says what it is told to, whatever it hears.
class ScriptedBoard final : public Transport {
 public:
  template <wire::Message M>
  void Say(const M& message) {
    const std::span<const std::uint8_t> frame = writer_.Write(message);
    Say(frame);
  }
  void Say(std::span<const std::uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  void Write(std::span<const std::uint8_t>) override {}
  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds) override {
    std::size_t count = 0;
    for (; count < room.size() && !bytes_.empty(); bytes_.pop_front()) room[count++] = bytes_.front();
    return count;
  }

 private:
  wire::FrameWriter writer_;
  std::deque<std::uint8_t> bytes_;
};

std::string FailureOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

wire::Hello HelloOfVersion(std::uint32_t version) {
  wire::Hello hello;
  hello.mutate_protocol_version(version);
  hello.mutate_compatible(version == wire::kProtocolVersion ? 1 : 0);
  return hello;
}

TEST(BoardClient, SaysThatTheBoardDoesNotAnswerWhenItIsSilent) {
  ScriptedBoard silent;
  BoardClient client(silent, nullptr);
  client.set_patience(std::chrono::milliseconds(30));
  EXPECT_NE(FailureOf([&] { client.Hello(); }).find("does not answer"), std::string::npos);
}

TEST(BoardClient, SaysWhyAnIdleControllerDoesNotArm) {  // an e-stop or a failed device would be a fault
  ScriptedBoard homes;
  BoardClient client(homes, nullptr);
  homes.Say(
      wire::Ack(0, 0, wire::MessageType::kArm, wire::AckCode::kWrongState, wire::State::kIdle, 0, wire::kNoField, 0, 0));
  EXPECT_NE(FailureOf([&] { client.Arm(); }).find("its device homes: hold it still in its home pose"), std::string::npos);
}

TEST(BoardClient, NamesBothVersionsWhenTheyDiffer) {
  ScriptedBoard other;
  other.Say(HelloOfVersion(wire::kProtocolVersion + 41));
  BoardClient client(other, nullptr);
  const std::string failure = FailureOf([&] { client.Hello(); });
  EXPECT_NE(failure.find("version " + std::to_string(wire::kProtocolVersion + 41)), std::string::npos) << failure;
}

TEST(BoardClient, FindsTheHelloBehindGarbageAndCountsIt) {
  ScriptedBoard noisy;
  const std::uint8_t garbage[] = {1, 2, 3, 0, 0xFF, 7, 0, 9, 9, 9, 0};
  noisy.Say(garbage);
  noisy.Say(HelloOfVersion(wire::kProtocolVersion));
  BoardClient client(noisy, nullptr);
  EXPECT_EQ(client.Hello().compatible(), 1u);
  EXPECT_EQ(client.bad_frames(), 3u);
}

TEST(BoardClient, NamesTheFieldOfARefusedConfiguration) {
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient client(*transport, nullptr);
  client.Hello();
  wire::Config config = servo::ConfigToWire(PegInHoleConfig());
  config.mutate_limits_max_force_N(std::numeric_limits<double>::quiet_NaN());
  const std::string failure = FailureOf([&] { client.Configure(config); });
  EXPECT_NE(failure.find("limits_max_force_N"), std::string::npos) << failure;
  EXPECT_NE(failure.find("not finite"), std::string::npos) << failure;
  client.Configure(servo::ConfigToWire(PegInHoleConfig()));  // the board goes on
}

TEST(BoardClient, SaysThatArmingIsNotAllowedBeforeAConfiguration) {
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient client(*transport, nullptr);
  client.Hello();
  const std::string failure = FailureOf([&] { client.Arm(); });
  EXPECT_NE(failure.find("not allowed now"), std::string::npos) << failure;
}

TEST(BoardClient, SaysWhyABoardIsFaultedThatRefuses) {
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient client(*transport, nullptr);
  client.Hello();
  client.Configure(servo::ConfigToWire(PegInHoleConfig()));
  client.Control(wire::Action::kEStop);
  const std::string failure = FailureOf([&] { client.Arm(); });
  EXPECT_NE(failure.find("(it is faulted: emergency stop)"), std::string::npos) << failure;
}

/// A board in this process that now and then says nothing for a while, as an emulator does that has no processor.
class SluggishBoard final : public Transport {
 public:
  void Write(std::span<const std::uint8_t> bytes) override {
    board_->Write(bytes);
    ++writes_;
    if (writes_ % kEvery == 0) silent_until_ = std::chrono::steady_clock::now() + kSilence;
  }
  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds timeout) override {
    return std::chrono::steady_clock::now() < silent_until_ ? 0 : board_->Read(room, timeout);
  }

 private:
  static constexpr int kEvery = 60;
  static constexpr std::chrono::milliseconds kSilence{150};  // the client takes 100 ms for quiet

  std::unique_ptr<Transport> board_ = MakeLocalBoard(64);
  std::chrono::steady_clock::time_point silent_until_{};
  int writes_ = 0;
};

// Each tick too many would leave an answer under way, and the loop a period later: with a hundred of them the simulated hand
// got 42 J from a board that was short of time.
TEST(Play, GivesASlowBoardTheTicksOfAFastOne) {
  constexpr std::uint32_t kTicks = 300;
  const std::unique_ptr<Transport> fast = MakeLocalBoard(64);
  SluggishBoard slow;
  RunSummary runs[2];
  Transport* const boards[] = {fast.get(), &slow};
  for (int i = 0; i < 2; ++i) {
    BoardClient board(*boards[i], nullptr);
    hal::SimDevice device = SeededDevice();
    Play(board, device, QuietOptions(kTicks), &runs[i]);
  }
  EXPECT_EQ(runs[0].stale_ticks, 20u);  // while the force fades
  EXPECT_EQ(runs[1].stale_ticks, runs[0].stale_ticks);
  EXPECT_EQ(runs[1].ticks, runs[0].ticks);
  EXPECT_EQ(runs[1].given_J, runs[0].given_J);
}

}  // namespace
}  // namespace tactus::host
