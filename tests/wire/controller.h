#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "bytes.h"
#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/servo_app.h"
#include "tactus/wire/frame.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::wire {

/// A clock that goes when it is told to.
class ManualClock final : public hal::Clock {
 public:
  std::uint32_t edge_count = 0;

 private:
  std::uint32_t DoEdges() const noexcept override { return edge_count; }
  std::uint32_t DoNowUs() const noexcept override { return 1000 * edge_count; }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }
};

/// A link whose both ends are the test's: bytes in, bytes out, as many as there are.
class ManualLink final : public hal::ByteLink {
 public:
  std::deque<std::uint8_t> to_controller;
  Bytes from_controller;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    for (*count = 0; *count < room.size() && !to_controller.empty(); to_controller.pop_front()) {
      room[(*count)++] = to_controller.front();
    }
    return Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept override {
    from_controller.insert(from_controller.end(), frame.begin(), frame.end());
    return Status::kOk;
  }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }
};

/// The servo application with a host that sees everything: Period() lets one clock edge pass and decodes what was sent.
class Controller {
 public:
  Controller()
      : app_(std::make_unique<servo::ServoApp<double>>(servo::Identity{.board = "test"}, link_, clock_, watchdog_)) {}

  /// @returns the sequence of its frame
  template <Message M>
  std::uint16_t Send(const M& message) {
    const std::uint16_t sequence = writer_.next_sequence();
    SendBytes(writer_.Write(message));
    return sequence;
  }
  void SendBytes(std::span<const std::uint8_t> bytes) {
    link_.to_controller.insert(link_.to_controller.end(), bytes.begin(), bytes.end());
  }

  void Period() {
    ++clock_.edge_count;
    app_->OnTick();
    app_->DrainTelemetry();
    Decode();
  }
  void Periods(int count) {
    for (int i = 0; i < count; ++i) Period();
  }

  /// Commands of ticks since the last Forget; those of zeros without a tick are left out.
  std::vector<Command> TickCommands() const {
    std::vector<Command> commands = All<Command>();
    std::erase_if(commands, [](const Command& command) { return command.tick() == 0; });
    return commands;
  }

  /// All messages of this kind since the last Forget, oldest first.
  template <Message M>
  std::vector<M> All() const {
    std::vector<M> all;
    for (const auto& [type, payload] : received_) {
      M message;
      if (ReadMessage(Frame{type, 0, payload}, &message) == Status::kOk) all.push_back(message);
    }
    return all;
  }
  template <Message M>
  std::optional<M> Last() const {
    const std::vector<M> all = All<M>();
    return all.empty() ? std::nullopt : std::optional<M>(all.back());
  }
  void Forget() { received_.clear(); }

  /// Sends one message and lets a period pass. @returns its Ack
  template <Message M>
  std::optional<Ack> Ask(const M& message) {
    Forget();
    const std::uint16_t sequence = Send(message);
    Period();
    const std::optional<Ack> ack = Last<Ack>();
    return ack && ack->of_sequence() == sequence && ack->of_type() == kTypeOf<M> ? ack : std::nullopt;
  }
  std::optional<Ack> Do(Action action) {
    Control control;
    control.mutate_action(action);
    return Ask(control);
  }
  std::optional<Ack> Configure(const Config& config) {
    config_crc_ = Crc32(PayloadOf(config));
    return Ask(config);
  }
  std::optional<Ack> DoArm() { return Ask(Arm(arm_nonce_, config_crc_)); }
  std::optional<Hello> SayHello(std::uint32_t version = kProtocolVersion) {
    Forget();
    Send(HelloRequest(version, 77));
    Period();
    return Last<Hello>();
  }
  /// As the next zero Command or the next Hello tells it.
  State state() { return SayHello()->state(); }

  /// A good sample at `height_m` over W's origin, one after the other.
  void SendSample(float height_m) {
    Sample sample;
    sample.mutate_sequence(++sample_sequence_);
    sample.mutable_position_m()->Mutate(0, 0.05f);
    sample.mutable_position_m()->Mutate(2, height_m);
    sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    Send(sample);
  }

  static Config StartConfig(Pacing pacing) {
    Config config = servo::ConfigToWire(tactus::Config<double>{});
    config.mutate_pacing(pacing);
    return config;
  }

  /// From power-up to `state`, on the way of docs/wire.md.
  void GoTo(State state, Pacing pacing = Pacing::kClock) {
    if (state == State::kConnecting) return;
    SayHello();
    if (state == State::kUnconfigured) return;
    Configure(StartConfig(pacing));
    if (state == State::kIdle) return;
    SendSample(0.05f);
    DoArm();
    if (state == State::kArmed) return;
    if (state == State::kFading || state == State::kStopped) {
      for (int i = 0; i < 100; ++i) SendSample(0.05f), Period();  // a gain of 0.4: eight ticks to fade
      Do(state == State::kFading ? Action::kDisarm : Action::kStop);
      if (state == State::kStopped) Periods(30);
      return;
    }
    SendSample(0.09f);  // a jump of 40 mm in one period
    Periods(30);
  }

 private:
  void Decode() {
    for (const std::uint8_t byte : link_.from_controller) {
      if (decoder_.Push(byte) != Status::kOk) continue;
      const Frame& frame = decoder_.frame();
      received_.emplace_back(frame.type, Bytes(frame.payload.begin(), frame.payload.end()));
      Hello hello;
      Ack ack;
      if (ReadMessage(frame, &hello) == Status::kOk) arm_nonce_ = hello.arm_nonce();
      if (ReadMessage(frame, &ack) == Status::kOk) arm_nonce_ = ack.arm_nonce();
    }
    link_.from_controller.clear();
  }

  ManualLink link_;
  ManualClock clock_;
  hal::NoWatchdog watchdog_;
  std::unique_ptr<servo::ServoApp<double>> app_;
  FrameWriter writer_;
  FrameDecoder decoder_;
  std::vector<std::pair<MessageType, Bytes>> received_;
  std::uint32_t sample_sequence_ = 0, arm_nonce_ = 0, config_crc_ = 0;
};

}  // namespace tactus::wire
