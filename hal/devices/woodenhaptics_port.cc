#include "hal/devices/woodenhaptics_port.h"

#include "tactus/device/arms.h"

namespace tactus::hal {
namespace {

constexpr PortTraits kTraits{
    .name = "WoodenHaptics",
    .motors = 3,
    .max_current_A = {6, 6, 6},                // the firmware's own bound; the calibration's is lower
    .max_joint_radps = {15.7f, 20.9f, 20.9f},  // 40 turns a second of v2015's motors: 3.5 m/s of the handle, or more
    .max_age_us = 10'000,
};
constexpr int kReadsPerPoll = 4;

int Milliampere(float current_A) {
  const float bounded =
      Clamp(current_A * 1000.0f, -static_cast<float>(woodenhaptics::kMost_mA), static_cast<float>(woodenhaptics::kMost_mA));
  return static_cast<int>(bounded < 0 ? bounded - 0.5f : bounded + 0.5f);
}

}  // namespace

const PortTraits& WoodenHapticsPort::DoTraits() const noexcept { return kTraits; }

PortReading WoodenHapticsPort::DoPoll(std::uint32_t now_us) noexcept {
  clock_.SetNow(now_us);
  is_new_ = false;
  for (int i = 0; i < kReadsPerPoll; ++i) {
    std::array<std::uint8_t, 128> room;
    std::size_t count = 0;
    const bool closed = link_.Read(room, &count) == Status::kClosed;
    if (closed && !closed_) {
      reader_.Reset();
      clock_.Forget();
      restarts_ += has_answer_;  // it has its power over this line: it will count from where it stands then
      has_answer_ = other_model_ = false;
      refusals_ = 0;
    }
    closed_ = closed;
    if (count == 0) break;
    Take(std::span(room).first(count));
  }
  clock_.SetNow(now_us);
  const PortCause wrong = Wrong();
  PortReading reading;
  for (std::size_t i = 0; i < count_.size(); ++i) reading.count[i] = count_[i];
  reading.age_us = clock_.age_us();
  reading.valid = has_answer_ && wrong == PortCause::kNone;
  reading.is_new = is_new_ && reading.valid;
  reading.cause = wrong;
  reading.missing = Missing();
  reading.restarts = restarts_;
  if (has_answer_ || closed_ || wrong == PortCause::kOtherDevice) {
    reading.state = wrong != PortCause::kNone ? DeviceState::kFaulted
                    : enabled_                ? DeviceState::kEnabled
                                              : DeviceState::kReady;
  }
  return reading;
}

void WoodenHapticsPort::Take(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) {
    switch (reader_.Push(byte)) {
      case Status::kOk: HandleAnswer(reader_.answer()); break;
      case Status::kWouldBlock: break;
      case Status::kOutOfRange:
        out_of_range_since_answer_ = true;
        ++counters_.corrupt;
        break;
      default:
        corrupt_since_answer_ = true;
        ++counters_.corrupt;
        break;
    }
  }
}

void WoodenHapticsPort::HandleAnswer(const woodenhaptics::Answer& answer) {
  const bool asked = clock_.NoteAnswer();
  ++(asked ? counters_.answers : counters_.unasked);
  if (!asked && !is_new_) return;  // what comes behind an answer, in one look at the line, is as new as that or newer
  corrupt_since_answer_ = out_of_range_since_answer_ = false;
  other_model_ = answer.model != woodenhaptics::kModel;
  if (other_model_) return;
  // A bit that nobody has described is taken as a refusal.
  const bool taken = (answer.error & ~static_cast<std::uint32_t>(woodenhaptics::kGimbal)) == 0;
  counters_.refused += !taken;
  refusals_ = taken ? 0 : refusals_ < kRefusals ? refusals_ + 1 : refusals_;
  for (std::size_t i = 0; i < count_.size(); ++i) count_[i] = answer.count[i];
  has_answer_ = is_new_ = true;
}

PortCause WoodenHapticsPort::Wrong() const {
  if (closed_) return PortCause::kClosed;
  if (other_model_) return PortCause::kOtherDevice;
  if (refusals_ >= kRefusals) return PortCause::kRefused;
  return clock_.silent() ? Missing() : PortCause::kNone;
}

PortCause WoodenHapticsPort::Missing() const {
  if (out_of_range_since_answer_) return PortCause::kOutOfRange;
  return corrupt_since_answer_ ? PortCause::kCorrupt : PortCause::kSilent;
}

Status WoodenHapticsPort::Send(const std::array<int, 3>& milliampere) {
  if (closed_) return Status::kClosed;
  const bool zero = milliampere == std::array<int, 3>{};
  // Zeros behind a current do not wait: at worst the firmware takes neither message. Zeros behind zeros are on their way.
  if (!clock_.MayAsk() && !(zero && !sent_zero_)) {
    ++counters_.waited;
    return zero ? Status::kOk : Status::kWouldBlock;
  }
  std::array<std::uint8_t, 32> line;
  const std::size_t size = woodenhaptics::WriteCommand(milliampere, &line);
  const Status status = link_.Write(std::span(line).first(size), Lane::kCommand);
  if (status != Status::kOk) return status;
  clock_.NoteRequest();
  sent_zero_ = zero;
  ++counters_.requests;
  return Status::kOk;
}

Status WoodenHapticsPort::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  std::array<int, 3> milliampere{};
  for (std::size_t i = 0; enabled_ && i < milliampere.size(); ++i) milliampere[i] = Milliampere(current_A[i]);
  const Status status = Send(milliampere);
  return enabled_ ? status : Status::kNotReady;
}

Status WoodenHapticsPort::DoZero() noexcept { return Send({}); }

MotorDeviceConfig<LinkArm<double>> WoodenHapticsConfig(WoodenHapticsSet set, double period_s) noexcept {
  const bool aluminium = set == WoodenHapticsSet::kAluminium2017, newer = set == WoodenHapticsSet::kV2019;
  constexpr double kCapstan[3] = {10, 10, 10}, kDrum[3] = {160, 120, 120};          // mm
  constexpr double kAluCapstan[3] = {13.8, 9.8, 9.8}, kAluDrum[3] = {116, 76, 76};  // mm
  constexpr double k2019[3] = {0.321, 0.0603, 0.0603};                              // N·m/A
  constexpr int kDirection[3] = {1, -1, -1}, kDirection2019[3] = {1, 1, 1};         // -1: motor and body axis aligned
  MotorDeviceConfig<LinkArm<double>> config;
  config.mechanism = aluminium ? AluHaptics<double>().arm : WoodenHaptics<double>().arm;
  for (std::size_t i = 0; i < 3; ++i) {
    MotorCalibration<double>& motor = config.motors[i];
    motor.counts_per_turn = 2000;
    motor.turns_per_joint_turn = aluminium ? kAluDrum[i] / kAluCapstan[i] : kDrum[i] / kCapstan[i];
    motor.encoder_sign = motor.torque_sign = newer ? kDirection2019[i] : kDirection[i];
    motor.offset_rad = i == 2 ? 1.5707963267948966 : 0;  // the arm is put so when its supply comes: β = 0, γ = 90°
    motor.torque_constant_Nm_per_A = newer ? k2019[i] : 0.0259;
    motor.max_current_A = 3;
    motor.continuous_current_A = 1.5;  // ours: half of it, until somebody has measured a winding
    motor.thermal_time_s = 30;         // ours
  }
  config.gravity_D_mps2 << 0, 0, -9.81;
  config.period_s = period_s;
  config.capabilities = {.name = "WoodenHaptics",
                         .sensed = {true, true, true, false, false, false},
                         .actuated = {true, true, true, false, false, false},
                         .resolution_m = 64e-6f,  // the coarsest of the three at 245 mm
                         .workspace_radius_m = 0.1f,
                         .peak_force_N = 5,
                         .continuous_force_N = 2,  // ours: 1.5 A less what holds the arm
                         .effector_mass_kg = 0.28f,
                         .effector_inertia_kgm2 = 3e-4f,
                         .command_delay_ticks = 1};  // answers are read, and torques go out, at the next edge
  return config;
}

}  // namespace tactus::hal
