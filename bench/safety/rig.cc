#include "bench/safety/rig.h"

#include <cmath>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/servo_app.h"

namespace tactus::bench::safety {
namespace {

constexpr float kStep_m = 10e-6f;     // 10 mm/s
constexpr float kSurface_m = 0.031f;  // a millimetre above the handle's height in contact: half the peg's length
constexpr float kDeepest_m = 5e-3f;
constexpr int kSoftStart = 260;      // periods: limits_soft_start_s is 0.25 s
constexpr int kMostPressing = 3000;  // periods

template <class Scalar>
class ApplicationOf final : public Application {
 public:
  ApplicationOf(const servo::Identity& identity, Rig* rig, const servo::BoardParts& parts)
      : app_(identity, rig->link, rig->clock, rig->watchdog, parts) {}
  void OnTick() override { app_.OnTick(); }
  void DrainTelemetry() override { app_.DrainTelemetry(); }
  bool stopped() const override { return app_.stopped(); }
  const Supervisor& supervisor() const override { return app_.supervisor(); }

 private:
  servo::ServoApp<Scalar> app_;
};

float Magnitude(float x, float y, float z) { return std::hypot(x, y, z); }

template <wire::Message M>
M As(const wire::Frame& frame) {
  M message;
  (void)wire::ReadMessage(frame,
                          &message);  // its size was checked with its checksum; else zeros, which fail what reads them
  return message;
}

}  // namespace

Rig::Rig(const Setup& setup) : setup_(setup) { Start(); }

void Rig::Start() {
  link.incoming.clear();
  link.sent.clear();
  link.closed = false;
  disturbance = {};
  decoder_ = {};
  const servo::Identity identity{.board = "bench", .build = "0", .boot_seed = ++boots_};
  const servo::BoardParts parts{.device = setup_.device == DeviceAt::kBoard ? &device : nullptr};
  if (setup_.precision == Precision::kDouble) {
    application_ = std::make_unique<ApplicationOf<double>>(identity, this, parts);
  } else {
    application_ = std::make_unique<ApplicationOf<float>>(identity, this, parts);
  }
  Connect();
}

void Rig::Connect() {
  Put(wire::HelloRequest(wire::kProtocolVersion, 7));
  RunPeriod();
  if (supervisor().phase != Phase::kUnconfigured) return;
  config_crc_ = Crc32(wire::PayloadOf(config()));
  (void)Tell(config());
}

wire::Config Rig::config() const {
  wire::Config config = servo::ConfigToWire(Config<double>{});
  config.mutate_pacing(setup_.pacing);
  return config;
}

bool Rig::Recover() {
  disturbance = {};
  device.reading.e_stop = false;
  device.reading.state = hal::DeviceState::kReady;
  if (stopped() || link.closed) Start();
  for (; depth_m_ > 0; depth_m_ -= 2 * kStep_m) RunPeriod();
  Run(200);  // a fade is over, the estimate of the hand has settled
  Connect();
  if (supervisor().phase == Phase::kFaulted && TellOrder(wire::Action::kClearFault) != wire::AckCode::kAccepted)
    return false;
  used_arm_ = NextArm();
  if (Tell(used_arm_) != wire::AckCode::kAccepted) return false;
  Run(kSoftStart);
  return supervisor().phase == Phase::kArmed;
}

bool Rig::PressTo(float force_N) {
  for (int i = 0; i < kMostPressing && period_.force_N < force_N; ++i) {
    depth_m_ = std::min(depth_m_ + kStep_m, kDeepest_m);
    RunPeriod();
  }
  return period_.force_N >= force_N;
}

float Rig::Mark() {
  log.clear();
  answers.clear();
  faults.clear();
  return period_.force_N;
}

void Rig::Run(int periods) {
  for (int i = 0; i < periods; ++i) RunPeriod();
}

void Rig::RunPeriod() {
  if (!disturbance.clock_stands) ++clock.edge_count, clock.us_in_period = 0;
  period_.written = period_.fault_told = false;
  if (!disturbance.silent) PlaceHand();
  application_->OnTick();
  link.in_next_write = nullptr;
  application_->DrainTelemetry();
  TakeFrames();
  TakeDevice();
  log.push_back(period_);
}

void Rig::PlaceHand() {
  const float p_m[3] = {0.05f + disturbance.offset_m[0], disturbance.offset_m[1],
                        kSurface_m - depth_m_ + disturbance.offset_m[2]};
  SensorFrame& frame = device.reading.sample;
  frame.sequence = ++samples_;
  std::copy(p_m, p_m + 3, frame.p_WH_m);
  if (setup_.device == DeviceAt::kBoard) return;
  wire::Sample sample(samples_, 0);
  for (std::uint16_t i = 0; i < 3; ++i) sample.mutable_position_m()->Mutate(i, p_m[i]);
  sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
  Put(sample);
}

void Rig::PutOrder(wire::Action action) {
  wire::Control control;
  control.mutate_action(action);
  Put(control);
}

std::optional<wire::AckCode> Rig::TellOrder(wire::Action action) {
  wire::Control control;
  control.mutate_action(action);
  return Tell(control);
}

void Rig::TakeFrames() {
  for (const std::vector<std::uint8_t>& bytes : std::exchange(link.sent, {})) {
    for (const std::uint8_t byte : bytes) {
      if (decoder_.Push(byte) == Status::kOk) Learn(decoder_.frame());
    }
  }
}

void Rig::TakeDevice() {
  for (const CommandFrame& command : std::exchange(device.written, {})) {
    period_.written = true;
    period_.force_N = Magnitude(command.force_N[0], command.force_N[1], command.force_N[2]);
    period_.torque_Nm = Magnitude(command.torque_Nm[0], command.torque_Nm[1], command.torque_Nm[2]);
  }
}

void Rig::Note(const wire::Command& command) {
  const auto *force_N = command.force_N(), *torque_Nm = command.torque_Nm();
  period_.written = true;
  period_.force_N = Magnitude(force_N->Get(0), force_N->Get(1), force_N->Get(2));
  period_.torque_Nm = Magnitude(torque_Nm->Get(0), torque_Nm->Get(1), torque_Nm->Get(2));
}

void Rig::Learn(const wire::Frame& frame) {
  switch (frame.type) {
    case wire::MessageType::kHello: nonce_ = As<wire::Hello>(frame).arm_nonce(); break;
    case wire::MessageType::kAck:
      answers.push_back({As<wire::Ack>(frame), log.size()});
      nonce_ = answers.back().ack.arm_nonce();
      break;
    case wire::MessageType::kCommand: Note(As<wire::Command>(frame)); break;
    case wire::MessageType::kTelemetry: bad_frames = As<wire::Telemetry>(frame).bad_frames(); break;
    case wire::MessageType::kFault:
      faults.push_back(As<wire::Fault>(frame));
      period_.fault_told = true;
      break;
    default: break;
  }
}

}  // namespace tactus::bench::safety
