#pragma once
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/servo_app.h"

namespace tactus::servo {

/// A link in memory whose every misbehaviour can be asked for.
class FakeLink final : public hal::ByteLink {
 public:
  std::deque<std::uint8_t> incoming;
  std::vector<std::vector<std::uint8_t>> sent;  ///< whole frames
  bool full = false, closed = false, one_frame_per_tick = false;
  std::function<void()> before_lock;   ///< stands for an interrupt just before the background takes the lock
  std::function<void()> after_unlock;  ///< and for one just after it has given it back
  std::function<void()> during_write;  ///< time that sending takes

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    for (*count = 0; *count < room.size() && !incoming.empty(); incoming.pop_front()) room[(*count)++] = incoming.front();
    return closed && *count == 0 ? Status::kClosed : Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept override {
    if (during_write) during_write();
    if (full) return Status::kWouldBlock;
    sent.emplace_back(frame.begin(), frame.end());
    return Status::kOk;
  }
  void DoLock() noexcept override {
    if (before_lock) std::exchange(before_lock, nullptr)();
  }
  void DoUnlock() noexcept override {
    if (after_unlock) std::exchange(after_unlock, nullptr)();
  }
  bool DoFramePerTick() const noexcept override { return one_frame_per_tick; }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }
};

class FakeClock final : public hal::Clock {
 public:
  std::uint32_t edge_count = 0, us_in_period = 0;

 private:
  std::uint32_t DoEdges() const noexcept override { return edge_count; }
  std::uint32_t DoNowUs() const noexcept override { return edge_count * 1000 + us_in_period; }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }
};

/// Counts how often it is fed.
class FakeWatchdog final : public hal::Watchdog {
 public:
  int fed = 0;

 private:
  void DoStart(std::uint32_t) noexcept override {}
  void DoFeed() noexcept override { ++fed; }
};

/// The board's own device: it holds what it was told last, if it takes it.
class FakeDevice final : public hal::Device {
 public:
  hal::DeviceReading reading{.sample = {}, .valid = true, .is_new = true, .state = hal::DeviceState::kReady};
  hal::DeviceCapabilities can;
  bool takes_commands = true, enabled = false, has_home_pose = true;
  int homings = 0;
  CommandFrame held;

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return can; }
  hal::DeviceReading DoReadSample(std::uint32_t) noexcept override { return reading; }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote&) noexcept override {
    if (!takes_commands) return Status::kWouldBlock;
    held = command;
    return Status::kOk;
  }
  void DoEnable() noexcept override { enabled = true; }
  void DoDisable() noexcept override { enabled = false; }
  Status DoHome() noexcept override {
    if (!has_home_pose) return Status::kNotReady;
    ++homings;
    return Status::kOk;
  }
};

/// A message as it was sent, with the number of its frame.
struct Received {
  wire::MessageType type;
  std::uint16_t sequence;
  std::vector<std::uint8_t> payload;

  template <wire::Message M>
  M As() const {
    M message;
    const wire::Frame frame{type, sequence, payload};
    if (wire::ReadMessage(frame, &message) != Status::kOk) std::abort();
    return message;
  }
};

inline wire::Control Order(wire::Action action) {
  wire::Control control;
  control.mutate_action(action);
  return control;
}

/// A controller and the host's end of its link.
class Controller {
 public:
  FakeLink link;
  FakeClock clock;
  FakeWatchdog watchdog;
  std::unique_ptr<ServoApp<double>> app;

  /// @param device  the board's own; nullptr: the device is at this end of the link
  explicit Controller(hal::Device* device = nullptr, std::uint32_t most_silence_us = 0)
      : app(std::make_unique<ServoApp<double>>(Identity{.board = "test", .build = "0"}, link, clock, watchdog,
                                               BoardParts{.device = device, .most_silence_us = most_silence_us})) {}

  /// One period of the clock.
  void Edge() {
    ++clock.edge_count;
    app->OnTick();
  }
  template <wire::Message M>
  void Put(const M& message) {
    const std::span<const std::uint8_t> frame = writer_.Write(message);
    link.incoming.insert(link.incoming.end(), frame.begin(), frame.end());
  }
  void PutSample(float z_m = 0.1f) {
    wire::Sample sample;
    sample.mutate_sequence(++samples_);
    sample.mutable_position_m()->Mutate(2, z_m);
    sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    Put(sample);
  }
  wire::Ack Tell(wire::Action action) { return Answer(Order(action)); }
  template <wire::Message M>
  wire::Ack Answer(const M& message) {
    Take();
    Put(message);
    app->OnTick();
    return TakeAck().value();
  }
  /// The first Ack since the last call.
  std::optional<wire::Ack> TakeAck() {
    for (const Received& frame : Take()) {
      if (frame.type == wire::MessageType::kAck) return frame.As<wire::Ack>();
    }
    return std::nullopt;
  }
  wire::Ack TellArm() { return Answer(wire::Arm(nonce_, config_crc_)); }
  /// Everything that was sent since the last call.
  std::vector<Received> Take() {
    std::vector<Received> frames;
    for (const std::vector<std::uint8_t>& bytes : std::exchange(link.sent, {})) {
      for (const std::uint8_t byte : bytes) {
        if (decoder_.Push(byte) != Status::kOk) continue;
        const wire::Frame& frame = decoder_.frame();
        frames.push_back({frame.type, frame.sequence, {frame.payload.begin(), frame.payload.end()}});
        Learn(frames.back());
      }
    }
    return frames;
  }
  template <wire::Message M>
  std::vector<M> TakeAll() {
    std::vector<M> messages;
    for (const Received& frame : Take()) {
      if (frame.type == wire::kTypeOf<M>) messages.push_back(frame.As<M>());
    }
    return messages;
  }
  /// Commands of ticks since the last call; those of zeros without a tick are left out.
  std::vector<wire::Command> TakeTickCommands() {
    std::vector<wire::Command> commands = TakeAll<wire::Command>();
    std::erase_if(commands, [](const wire::Command& command) { return command.tick() == 0; });
    return commands;
  }
  /// Frames of the controller that are missing, by their numbers.
  std::uint32_t missing_frames() const { return decoder_.counters().missing; }

  static wire::Config DefaultConfig(wire::Pacing pacing) {
    wire::Config config = ConfigToWire(Config<double>{});
    config.mutate_pacing(pacing);
    return config;
  }
  void Connect() { Put(wire::HelloRequest(wire::kProtocolVersion, 7)), app->OnTick(), Take(); }
  wire::Ack Configure(const wire::Config& config) {
    config_crc_ = Crc32(wire::PayloadOf(config));
    return Answer(config);
  }
  void Configure(wire::Pacing pacing = wire::Pacing::kClock) { Connect(), (void)Configure(DefaultConfig(pacing)); }
  void ArmIt(wire::Pacing pacing = wire::Pacing::kClock) { Configure(pacing), (void)TellArm(); }

  /// Arms and presses the peg on the plate beside the hole, 2 µm a tick, until the last command is of 3 mm · 1500 N/m = 4.5
  /// N.
  /// @returns that force, of which 4.275 N are left after a Disarm's first tick: 20 ms to zero.
  float Press(wire::Pacing pacing = wire::Pacing::kClock) {
    ArmIt(pacing);
    float force_N = 0;
    for (int i = 0; i < 2600 && force_N < 4.4f; ++i) {
      PutPressingSample();
      Edge();
      app->DrainTelemetry();
      for (const wire::Command& command : TakeAll<wire::Command>()) force_N = Force(command);
    }
    return force_N;
  }
  void PutPressingSample() {
    const SensorFrame pressing = PressingSample();
    wire::Sample sample(pressing.sequence, 0);
    for (std::uint16_t i = 0; i < 3; ++i) sample.mutable_position_m()->Mutate(i, pressing.p_WH_m[i]);
    sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    Put(sample);
  }
  /// The next one of Press.
  SensorFrame PressingSample() {
    pressed_m_ = std::min(pressed_m_ + 2e-6f, 4e-3f);
    return {.sequence = ++samples_, .p_WH_m = {0.05f, 0, 0.031f - pressed_m_}, .q_WH = {1, 0, 0, 0}};
  }
  static float Force(const wire::Command& command) {
    return std::hypot(command.force_N()->Get(0), command.force_N()->Get(1), command.force_N()->Get(2));
  }
  std::uint32_t nonce() const { return nonce_; }
  std::uint32_t config_crc() const { return config_crc_; }

 private:
  void Learn(const Received& frame) {
    if (frame.type == wire::MessageType::kHello) nonce_ = frame.As<wire::Hello>().arm_nonce();
    if (frame.type == wire::MessageType::kAck) nonce_ = frame.As<wire::Ack>().arm_nonce();
  }

  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  std::uint32_t samples_ = 0, nonce_ = 0, config_crc_ = 0;
  float pressed_m_ = 0;
};

}  // namespace tactus::servo
