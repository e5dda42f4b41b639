#include "hal/devices/falcon_port.h"

namespace tactus::hal {
namespace {

constexpr float kMost_A = falcon::kMostMotor / FalconPort::kCountsPerA;
constexpr PortTraits kTraits{
    .name = "Falcon",
    .motors = 3,
    .max_current_A = {kMost_A, kMost_A, kMost_A},
    .max_joint_radps = {51, 51, 51},  // of a crank: 3 m/s at its end
    .max_age_us = 10'000,
    .has_home_pose = false,  // its cranks have marks, and no stop to be held at
};
constexpr int kReadsPerPoll = 4;
constexpr double kTurn_rad = 6.283185307179586;

}  // namespace

const PortTraits& FalconPort::DoTraits() const noexcept { return kTraits; }

PortReading FalconPort::DoPoll(std::uint32_t now_us) noexcept {
  clock_.SetNow(now_us);
  is_new_ = false;
  Receive();
  const PortCause wrong = Wrong();
  const bool runs = counters_.answers > 0 && homed();
  PortReading reading;
  for (std::size_t i = 0; i < 3; ++i) reading.count[i] = answer_.count[i];
  reading.age_us = clock_.age_us();
  reading.valid = runs && wrong == PortCause::kNone;
  reading.is_new = is_new_ && reading.valid;
  reading.cause = wrong;
  reading.missing = Missing();
  reading.buttons = answer_.buttons;
  reading.homings = homings_;
  if (wrong != PortCause::kNone) {
    reading.state = DeviceState::kFaulted;
  } else if (runs) {
    reading.state = enabled_ ? DeviceState::kEnabled : DeviceState::kReady;
  } else if (counters_.answers > 0) {
    reading.state = DeviceState::kHoming;
    reading.cause = PortCause::kNotHomed;
  }
  return reading;
}

void FalconPort::Receive() {
  for (int i = 0; i < kReadsPerPoll; ++i) {
    std::array<std::uint8_t, 64> room;
    std::size_t count = 0;
    closed_ = link_.Read(room, &count) == Status::kClosed;
    if (closed_) finder_.Forget();
    if (count == 0) return;
    for (std::size_t k = 0; k < count; ++k) {
      if (finder_.Push(room[k])) Take(finder_.packet());
    }
  }
}

void FalconPort::Take(std::span<const std::uint8_t> packet) {
  falcon::Answer answer;
  if (falcon::Read(packet, &answer) != Status::kOk) {
    ++counters_.corrupt;
    bad_since_answer_ = true;
    return;
  }
  const bool asked = clock_.NoteAnswer();
  ++(asked ? counters_.answers : counters_.unasked);
  if (!asked && !is_new_) return;  // what comes behind an answer, in one look at the line, is as new as that or newer
  answer_ = answer;
  skipped_ = finder_.skipped();
  bad_since_answer_ = false;
  is_new_ = true;
  restarted_ = was_homed_ && !homed();  // its supply was gone: it counts from anywhere
  homings_ += !was_homed_ && homed();
  was_homed_ = homed();
}

PortCause FalconPort::Wrong() const {
  if (closed_) return PortCause::kClosed;
  if (restarted_ && enabled_) return PortCause::kRestarted;
  return clock_.silent() ? Missing() : PortCause::kNone;
}

PortCause FalconPort::Missing() const {
  const bool nonsense = bad_since_answer_ || finder_.skipped() != skipped_ || finder_.in_packet();
  return nonsense ? PortCause::kCorrupt : PortCause::kSilent;
}

std::uint8_t FalconPort::Lights() const {
  if (!homed()) return falcon::kHomeBit | falcon::kRedBit;
  return enabled_ ? falcon::kBlueBit : falcon::kGreenBit;
}

Status FalconPort::Send(const std::array<std::int16_t, 3>& motor) {
  if (closed_) return Status::kClosed;
  const bool runs = homed() && enabled_, zero = !runs || motor == std::array<std::int16_t, 3>{};
  const bool must_go = zero && !sent_zero_;  // behind a current zeros do not wait for an answer
  if (!clock_.MayAsk() && !must_go) {
    ++counters_.waited;
    return zero && sent_zero_ ? Status::kOk : Status::kWouldBlock;
  }
  const falcon::Request request{.motor = runs ? motor : std::array<std::int16_t, 3>{}, .bits = Lights()};
  if (const Status status = link_.Write(falcon::Write(request), Lane::kCommand); status != Status::kOk) return status;
  ++counters_.requests;
  clock_.NoteRequest();
  sent_zero_ = zero;
  return Status::kOk;
}

Status FalconPort::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  std::array<std::int16_t, 3> motor{};
  for (std::size_t i = 0; i < 3; ++i) {
    const float counts = kCountsPerA * Clamp(current_A[i], -kMost_A, kMost_A);
    motor[i] = static_cast<std::int16_t>(counts < 0 ? counts - 0.5f : counts + 0.5f);
  }
  const Status status = Send(motor);
  return enabled_ && homed() ? status : Status::kNotReady;
}

MotorDeviceConfig<StamperDelta<double>> FalconConfig(double period_s) noexcept {
  constexpr double kCountsPerRad = 1572.56, kGear = 110 / 14.25;
  constexpr double kNmPerA =
      static_cast<double>(FalconPort::kCountsPerA) / 10'000;  // of the crank; libnifalcon's, measured by nobody
  MotorDeviceConfig<StamperDelta<double>> config;
  for (MotorCalibration<double>& motor : config.motors) {
    motor.counts_per_turn = kCountsPerRad * kTurn_rad / kGear;
    motor.turns_per_joint_turn = kGear;
    motor.offset_rad = 35 * kTurn_rad / 360;  // at its mark
    motor.torque_sign = -1;                   // more counts push the crank inwards
    motor.torque_constant_Nm_per_A = kNmPerA / kGear;
    motor.max_current_A = static_cast<double>(kMost_A);
    motor.continuous_current_A = 2;  // ours: half of full scale
    motor.thermal_time_s = 30;       // ours
  }
  config.R_WD << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  config.p_WD_m << 0, 0.110, 0;
  config.period_s = period_s;
  config.capabilities = {.name = "Novint Falcon",
                         .sensed = {true, true, true, false, false, false},
                         .actuated = {true, true, true, false, false, false},
                         .resolution_m = 48e-6f,
                         .workspace_radius_m = 0.035f,  // of the ±40 mm box that is answered everywhere
                         .peak_force_N = 5,             // 4095 counts across, where they give least; see the unit above
                         .continuous_force_N = 2.5f,    // ours
                         .effector_mass_kg = 0.2f,      // ours
                         .effector_inertia_kgm2 = 3e-4f,
                         .command_delay_ticks = 1};  // answers are read, and torques go out, at the next edge
  return config;
}

}  // namespace tactus::hal
