#include "tests/target/servo_script.h"

#include <algorithm>
#include <memory>

#include "firmware/servo/config_from_wire.h"
#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"
#include "tests/target/bit_cases.h"
#include "tests/target/hash.h"
#include "tests/target/scalars.h"
#include "tests/target/servo_room.h"

namespace tactus::target {
namespace {

constexpr double kAbove_m = 0.032;     // the peg's bottom 2 mm above the plate
constexpr double kOnFloor_m = -0.002;  // the handle 2 mm further down than the floor lets the peg
constexpr double kOnPlate_m = 0.0285;  // the same on the plate, 1.5 mm

/// From 0 at tick `begin` to 1 at tick `end`.
double Ramp(int tick, int begin, int end) {
  return Clamp(static_cast<double>(tick - begin) / static_cast<double>(end - begin), 0.0, 1.0);
}

wire::Sample SampleAt(int tick) {
  const double in = Ramp(tick, 100, 500) - Ramp(tick, 1200, 1500), across = Ramp(tick, 1500, 1650);
  const double lean = Ramp(tick, 600, 700) - Ramp(tick, 1100, 1200), phase = 0.02 * static_cast<double>(tick);
  const double x_m = 3e-5 + 0.0015 * lean * Sin(phase) + 0.03 * across, y_m = -2e-5 + 0.001 * lean * Cos(0.7 * phase);
  const double z_m = kAbove_m + (kOnFloor_m - kAbove_m) * in + (kOnPlate_m - kAbove_m) * Ramp(tick, 1650, 1800);
  const double tilt_rad = 0.03 * lean * Cos(phase), twist_rad = 0.4 * Sin(0.5 * phase) * lean;
  // Single precision: the board may have no square root in double.
  const double norm =
      static_cast<double>(Sqrt(static_cast<float>(1 + 0.25 * (tilt_rad * tilt_rad + twist_rad * twist_rad))));
  wire::Sample sample;
  sample.mutate_sequence(static_cast<std::uint32_t>(tick + 1));
  sample.mutable_position_m()->Mutate(0, static_cast<float>(x_m));
  sample.mutable_position_m()->Mutate(1, static_cast<float>(y_m));
  sample.mutable_position_m()->Mutate(2, static_cast<float>(z_m));
  sample.mutable_orientation_wxyz()->Mutate(0, static_cast<float>(1 / norm));
  sample.mutable_orientation_wxyz()->Mutate(1, static_cast<float>(0.5 * tilt_rad / norm));
  sample.mutable_orientation_wxyz()->Mutate(3, static_cast<float>(0.5 * twist_rad / norm));
  return sample;
}

/// Counts what the controller sent. Commands of zeros without a tick do not count.
void Collect(hal::ByteRing<4096>* written, wire::FrameDecoder* decoder, ScriptHost* host, Hash* hash, ServoRun* run) {
  std::uint8_t byte = 0;
  while (written->Pop(std::span(&byte, 1)) == 1) {
    if (decoder->Push(byte) != Status::kOk) continue;
    const wire::Frame& frame = decoder->frame();
    host->Learn(frame);
    hash->AddValue(frame.type);
    // What a controller has room for is its build's, and no result: a board with memory for a grid takes one shape more.
    if (frame.type != wire::MessageType::kHello) hash->Add(frame.payload);
    wire::Command command;
    wire::Telemetry telemetry;
    if (wire::ReadMessage(frame, &command) == Status::kOk && command.tick() != 0) ++run->commands;
    if (frame.type == wire::MessageType::kFault) run->faulted = true;
    if (wire::ReadMessage(frame, &telemetry) != Status::kOk) continue;
    ++run->telemetry;
    run->missed_deadlines = telemetry.missed_deadlines();
    if (telemetry.contacts() > 0) ++run->contact_ticks;
    if (telemetry.solve_status() != wire::SolveStatus::kSolved) ++run->unsolved_ticks;
  }
}

}  // namespace

Status ScriptLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = std::min(room.size(), next_.size());
  std::copy_n(next_.begin(), *count, room.begin());
  next_ = next_.subspan(*count);
  return Status::kOk;
}

Status ScriptLink::DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept {
  return written_.Push(frame) ? Status::kOk : Status::kWouldBlock;
}

ScriptHost& ScriptHost::Begin() {
  size_ = 0;
  return *this;
}

template <wire::Message M>
ScriptHost& ScriptHost::Say(const M& message) {
  const std::span<const std::uint8_t> frame = writer_.Write(message);
  TACTUS_CHECK(frame.size() <= bytes_.size() - size_);
  std::copy_n(frame.begin(), frame.size(), bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
  size_ += frame.size();
  return *this;
}

ScriptHost& ScriptHost::Hello() { return Say(wire::HelloRequest(wire::kProtocolVersion, 1)); }
ScriptHost& ScriptHost::Configure() { return Say(servo::ConfigToWire(Config<double>{})); }
ScriptHost& ScriptHost::Sample(int tick) { return Say(SampleAt(tick)); }

ScriptHost& ScriptHost::ConfigureBadly() {
  Config<double> config;
  config.limits.max_torque_Nm = -1;
  return Say(servo::ConfigToWire(config));
}

ScriptHost& ScriptHost::Tune(int step) {
  Config<double> config;
  config.coupling.stiffness_N_per_m *= step % 2 == 0 ? 2 : 0.5;
  config.scene.friction *= step % 2 == 0 ? 2 : 0.5;
  return Say(servo::TuneToWire(config));
}

ScriptHost& ScriptHost::Order(wire::Action action) {
  wire::Control control;
  control.mutate_action(action);
  return Say(control);
}

ScriptHost& ScriptHost::Arm() {
  return Say(wire::Arm(arm_nonce_, Crc32(wire::PayloadOf(servo::ConfigToWire(Config<double>{})))));
}

void ScriptHost::Learn(const wire::Frame& answer) {
  wire::Hello hello;
  wire::Ack ack;
  if (wire::ReadMessage(answer, &hello) == Status::kOk) arm_nonce_ = hello.arm_nonce();
  if (wire::ReadMessage(answer, &ack) == Status::kOk) arm_nonce_ = ack.arm_nonce();
}

ScriptHost& ScriptHost::Jump(int tick) {
  wire::Sample sample = SampleAt(tick);
  sample.mutable_position_m()->Mutate(0, 0.1F);
  return Say(sample);
}

ScriptHost& ScriptHost::Noise() {
  constexpr std::size_t kBytes = 640;  // ServoApp::kReceiveBytes
  for (; size_ + 1 < kBytes; ++size_) bytes_[size_] = static_cast<std::uint8_t>(1 + size_ % 255);
  bytes_[size_++] = 0;
  return *this;
}

std::span<const std::uint8_t> ScriptHost::Frame(int step) {
  Begin();
  switch (step) {
    case 0: return Hello().bytes();
    case 1: return Configure().bytes();
    case 2: return Arm().bytes();
    default: return Sample(step - kFramesBefore).bytes();
  }
}

template <class Scalar>
ServoRun RunServo() {
  static ScriptLink link;
  static ScriptClock clock;
  static ScriptHost host;
  static hal::NoWatchdog watchdog;
  servo::ServoApp<Scalar>& app = MakeServo<Scalar>({.board = "any", .build = "any"}, link, clock, watchdog);
  wire::FrameDecoder decoder;
  Hash hash;
  ServoRun run;
  for (int step = 0; step < ScriptHost::kFramesBefore + kServoTicks; ++step) {
    link.SetNext(host.Frame(step));
    clock.NextEdge();
    app.OnTick();
    app.DrainTelemetry();
    Collect(&link.written(), &decoder, &host, &hash, &run);
  }
  run.hash = hash.value();
  run.ticks = run.commands;
  return run;
}

#define TACTUS_RUN(Scalar) template ServoRun RunServo<Scalar>();
TACTUS_FOR_EACH_SCALAR(TACTUS_RUN)

}  // namespace tactus::target
