// A SecondCommand that is lost on its way: the second device is given zeros in that tick, and nothing old.
#include <deque>

#include "host_tools/devices/simulated.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/session/held_pair.h"
#include "local_run.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kFirst = 3000, kEnd = 3010;  // ticks whose SecondCommand is lost, while the hands hold the box

/// Passes all on but those.
class LossyTransport final : public Transport {
 public:
  explicit LossyTransport(Transport& inner) : inner_(inner) {}

  void Write(std::span<const std::uint8_t> bytes) override { inner_.Write(bytes); }
  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds timeout) override {
    if (kept_.empty()) Take(inner_.Read(buffer_, timeout));
    const std::size_t count = std::min(room.size(), kept_.size());
    std::copy_n(kept_.begin(), count, room.begin());
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  int lost = 0;

 private:
  void Take(std::size_t count) {
    for (std::size_t at = 0; at < count;) {
      std::size_t used = 0;
      const Status status = decoder_.Push(std::span(buffer_).subspan(at, count - at), &used);
      at += used;
      if (status != Status::kOk) continue;
      const wire::Frame& frame = decoder_.frame();
      wire::SecondCommand command;
      if (wire::ReadMessage(frame, &command) == Status::kOk && command.tick() >= kFirst && command.tick() < kEnd) {
        ++lost;
        continue;
      }
      std::array<std::uint8_t, wire::kMaxEncodedSize> bytes;
      std::size_t size = 0;
      ASSERT_EQ(wire::EncodeFrame(frame.type, frame.sequence, frame.payload, bytes, &size), Status::kOk);
      kept_.insert(kept_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    }
  }
  Transport& inner_;
  wire::FrameDecoder decoder_;
  std::array<std::uint8_t, 4096> buffer_{};
  std::deque<std::uint8_t> kept_;
};

/// A simulated device that notes the force along x of each command.
class NotingDevice final : public hal::HeldDevice {
 public:
  explicit NotingDevice(std::unique_ptr<hal::HeldDevice> device) : device_(std::move(device)) {}

  SensorFrame Sample() const override { return device_->Sample(); }
  void Advance(const CommandFrame& command) override {
    force_N.push_back(command.force_N[0]);
    device_->Advance(command);
  }
  const char* move() const override { return device_->move(); }
  bool clutch() const override { return device_->clutch(); }
  double given_J() const override { return device_->given_J(); }
  double taken_J() const override { return device_->taken_J(); }
  double stopped_s() const override { return device_->stopped_s(); }
  double hottest() const override { return device_->hottest(); }
  Vec<double, 3> motor_force_N() const override { return device_->motor_force_N(); }
  Vec<double, 3> p_WH_m() const override { return device_->p_WH_m(); }
  Vec<double, 3> v_WH_mps() const override { return device_->v_WH_mps(); }

  std::vector<float> force_N;

 private:
  std::unique_ptr<hal::HeldDevice> device_;
};

TEST(SecondCommand, ThatIsLostIsZerosForTheSecondDevice) {
  SceneChoice scene;
  scene.set_place("carry");
  scene.Load("host");
  const SimulatedChoice sim;
  const std::unique_ptr<Transport> board_side = MakeLocalBoard(64, std::nullopt, 1000, WorkOfTick(scene.work()));
  LossyTransport transport(*board_side);
  BoardClient board(transport, nullptr);
  PlayOptions play{.ticks = 4000, .config = servo::ConfigToWire(sim.ConfigOf(1000)), .quiet = true};
  scene.Tell(&play);
  NotingDevice first(sim.Make(scene.Script(), 1, play.period_us)),
      second(sim.Make(*scene.SecondScript(), 2, play.period_us));
  HeldPair pair(first, second);
  RunSummary run;
  Play(board, pair, play, &run);

  EXPECT_EQ(transport.lost, static_cast<int>(kEnd - kFirst));
  EXPECT_TRUE(run.faults.empty());
  ASSERT_EQ(first.force_N.size(), second.force_N.size());
  std::vector<std::size_t> zeros;
  for (std::size_t i = 2500; i < 3500; ++i) {
    EXPECT_LT(first.force_N[i], -0.5f) << i;
    if (second.force_N[i] == 0) zeros.push_back(i);
  }
  ASSERT_EQ(zeros.size(), kEnd - kFirst);
  EXPECT_EQ(zeros.back() - zeros.front(), kEnd - kFirst - 1);
}

}  // namespace
}  // namespace tactus::host
