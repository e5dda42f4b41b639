// Bytes that are no frames, in the middle of a run: discarded, counted, and the loop goes on.
#include "host_tools/link/host_error.h"
#include "live_board.h"

namespace tactus::host {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Bytes from a fixed seed, none of them zero, with a zero behind them.
Bytes Junk(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size + 1, 0);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(1 + random() % 255);
  return bytes;
}

Bytes SampleFrame() {
  wire::FrameWriter writer;
  const std::span<const std::uint8_t> frame = writer.Write(ToMessage(SensorFrame{}));
  return {frame.begin(), frame.end()};
}

/// One of each kind of bad frame. The longest is longer than a frame may be, and than the controller takes in one tick.
std::vector<Bytes> BadFrames() {
  Bytes torn = SampleFrame(), corrupted = SampleFrame();
  torn.erase(torn.begin() + 10, torn.end() - 1);
  corrupted[corrupted.size() - 3] ^= 0x55;
  if (corrupted[corrupted.size() - 3] == 0) corrupted[corrupted.size() - 3] = 1;
  Bytes misdirected, unknown;
  std::array<std::uint8_t, wire::kMaxEncodedSize> room;
  std::size_t size = 0;
  EXPECT_EQ(wire::EncodeFrame(wire::MessageType::kCommand, 9, wire::PayloadOf(wire::Command()), room, &size), Status::kOk);
  misdirected.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size));
  EXPECT_EQ(wire::EncodeFrame(static_cast<wire::MessageType>(77), 9, Bytes(20, 5), room, &size), Status::kOk);
  unknown.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size));
  return {torn, corrupted, misdirected, unknown, Junk(3, 1), Junk(50, 2), Junk(700, 3)};
}

void ExpectTheLoopGoesOn(QemuLink link) {
  LiveBoard board(link, wire::Pacing::kSample);
  for (int tick = 0; tick < 50; ++tick) board.Tick();
  std::uint32_t sent = 0;
  for (int round = 0; round < 3; ++round) {
    for (const Bytes& bad : BadFrames()) {
      board.client.SendRaw(bad);
      ++sent;
      board.Tick();
    }
  }
  for (int tick = 0; tick < 50; ++tick) board.Tick();
  EXPECT_EQ(board.telemetry.all.back().bad_frames(), sent);
  EXPECT_EQ(board.telemetry.all.back().state(), wire::State::kArmed);
  EXPECT_TRUE(board.faults.all.empty());
  board.Stop();
}

class HostileLink : public OnBoard {};

TEST_F(HostileLink, IsCountedAndIgnoredOverTheFifos) { ExpectTheLoopGoesOn(QemuLink::kFifo); }

TEST_F(HostileLink, IsCountedAndIgnoredOverTheUart) { ExpectTheLoopGoesOn(QemuLink::kUart); }

// A frame's end asks for a tick. One that comes while the board starts must find the servo ready, or wait.
TEST_F(HostileLink, MaySpeakBeforeTheBoardHasStarted) {
  constexpr int kStarts = 5;
  for (int start = 0; start < kStarts; ++start) {
    QemuBoard qemu(Emulated(QemuLink::kUart));
    const Bytes ends(100, 0);
    qemu.transport().Write(ends);
    BoardClient client(qemu.transport(), nullptr);
    client.set_patience(kPatience);
    EXPECT_EQ(client.Hello().state(), wire::State::kUnconfigured) << qemu.Output();
  }
}

TEST_F(HostileLink, IsRefusedWithTheFieldWhenAConfigurationIsBad) {
  LiveBoard board(QemuLink::kFifo, wire::Pacing::kSample);
  board.client.Control(wire::Action::kDisarm);
  wire::Config config = DemoConfig(wire::Pacing::kSample);
  config.mutate_scene_friction(-0.1);
  try {
    board.client.Configure(config);
    ADD_FAILURE() << "the board took a negative friction";
  } catch (const HostError& error) {
    EXPECT_NE(std::string(error.what()).find("scene_friction"), std::string::npos) << error.what();
  }
  board.client.Configure(DemoConfig(wire::Pacing::kSample));
  board.Tick();
  board.Stop();
}

}  // namespace
}  // namespace tactus::host
