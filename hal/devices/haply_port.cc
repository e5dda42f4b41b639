#include "hal/devices/haply_port.h"

namespace tactus::hal {
namespace {

constexpr PortTraits kTraits{
    .name = "Haply",
    .motors = 2,
    .max_current_A = {haply::kMost_Nm, haply::kMost_Nm},  // N·m: its drives take torques
    .max_joint_radps = {45.5f, 45.5f},                    // of a crank: 2.3 m/s at its end
    .max_age_us = 10'000,
};
constexpr int kReadsPerPoll = 4;
constexpr double kRad_per_deg = 0.017453292519943295;
constexpr std::int32_t kHeldTolerance = 77;  // counts, 2°: what held arms may have moved until the first answer

}  // namespace

const PortTraits& HaplyPort::DoTraits() const noexcept { return kTraits; }

PortReading HaplyPort::DoPoll(std::uint32_t now_us) noexcept {
  clock_.SetNow(now_us);
  is_new_ = false;
  Receive();
  const PortCause wrong = Wrong();
  PortReading reading;
  for (std::size_t i = 0; i < count_.size(); ++i) reading.count[i] = count_[i];
  reading.age_us = clock_.age_us();
  reading.valid = step_ == Step::kRuns && wrong == PortCause::kNone;
  reading.is_new = is_new_ && reading.valid;
  reading.cause = wrong;
  reading.missing = Missing();
  if (wrong != PortCause::kNone)
    reading.state = DeviceState::kFaulted;
  else if (step_ == Step::kRuns)
    reading.state = enabled_ ? DeviceState::kEnabled : DeviceState::kReady;
  return reading;
}

void HaplyPort::Receive() {
  for (int i = 0; i < kReadsPerPoll; ++i) {
    std::array<std::uint8_t, 64> room;
    std::size_t count = 0;
    const bool closed = link_.Read(room, &count) == Status::kClosed;
    if (closed && step_ != Step::kZeros) Lose(PortCause::kRestarted);  // and its counters with it
    closed_ = closed;
    if (count == 0) break;
    if (drains_ || step_ == Step::kZeros || step_ == Step::kReset) continue;  // of before
    for (std::size_t k = 0; k < count; ++k) {
      if (size_ < received_.size()) received_[size_++] = room[k];
    }
  }
  if (size_ >= haply::kAnswerSize) Judge();
  if (drains_ && clock_.now_us() - quiet_until_us_ < 0x8000'0000u) drains_ = false;
}

/// What came behind one request: an answer, or nothing that can be told apart.
void HaplyPort::Judge() {
  std::array<std::int32_t, 2> count{};
  const Status status = haply::ReadAnswer(std::span(received_).first(size_), &count);
  size_ = 0;
  const bool to_zeros = sent_zero_ && clock_.waits() == 1;
  if (status == Status::kOk && !clock_.NoteAnswer()) {
    ++counters_.unasked;
    return;
  }
  if (status != Status::kOk) {
    ++counters_.corrupt;
    last_bad_ = status;
    return Resynchronise();
  }
  ++counters_.answers;
  last_bad_ = Status::kOk;
  if (step_ == Step::kFirst) {
    for (std::size_t i = 0; i < count.size(); ++i) {
      const std::int32_t off = count[i] - haply::HeldCount(i);
      if (off > kHeldTolerance || off < -kHeldTolerance) Lose(PortCause::kNotHomed);
    }
    if (step_ == Step::kFirst) step_ = Step::kRuns;
  }
  // Both arms to the right is no posture: such an answer does not show that the board is set up.
  if (count != std::array<std::int32_t, 2>{}) {
    set_up_us_ = clock_.now_us();
    if (to_zeros && shown_zeros_ < kShownZeros) ++shown_zeros_;
  }
  count_ = count;
  is_new_ = true;
}

void HaplyPort::Lose(PortCause cause) {
  if (step_ != Step::kLost) step_time_us_ = clock_.now_us() - kPatience_us;  // the first set-up does not wait
  step_ = Step::kLost;
  lost_ = cause;
}

/// Without frames, the only border between two answers is a pause: all that comes in the next 5 ms belongs to the past.
void HaplyPort::Resynchronise() {
  drains_ = true;
  size_ = 0;
  quiet_until_us_ = clock_.now_us() + kPatience_us;
}

PortCause HaplyPort::Wrong() const {
  if (closed_) return PortCause::kClosed;
  if (step_ == Step::kLost) return lost_;
  return step_ >= Step::kFirst && clock_.silent() ? Missing() : PortCause::kNone;
}

PortCause HaplyPort::Missing() const {
  if (last_bad_ == Status::kOutOfRange) return PortCause::kOutOfRange;
  return last_bad_ == Status::kCorrupt ? PortCause::kCorrupt : PortCause::kSilent;
}

Status HaplyPort::Send(const std::array<float, 2>& torque_Nm) {
  if (closed_) return Status::kClosed;
  if (step_ == Step::kReset || step_ == Step::kSetup) return SendStart();
  if (step_ == Step::kLost) return SendEnd();
  const bool zero = torque_Nm == std::array<float, 2>{};
  const bool at_once = zero && !sent_zero_ && step_ == Step::kRuns;  // zeros behind a torque do not wait
  if ((drains_ || !clock_.MayAsk()) && !at_once) {
    ++counters_.waited;
    return zero ? Status::kOk : Status::kWouldBlock;
  }
  // Part of an answer, 5 ms old: a board that has no set-up answers with its id alone. Zeros reset such a board once more.
  if (!at_once && size_ == 1 && received_[0] == haply::kId && step_ == Step::kRuns) Lose(PortCause::kRestarted);
  if (size_ > 0 && !at_once) {
    ++counters_.corrupt;
    last_bad_ = Status::kCorrupt;
    Resynchronise();
    return Status::kWouldBlock;
  }
  const auto bytes = haply::WriteTorques(step_ == Step::kRuns ? torque_Nm : std::array<float, 2>{});
  if (const Status status = link_.Write(bytes, Lane::kCommand); status != Status::kOk) return status;
  ++counters_.requests;
  sent_zero_ = zero || step_ != Step::kRuns;
  if (!sent_zero_) shown_zeros_ = 0;
  if (step_ == Step::kZeros) {
    step_ = Step::kReset;
    step_time_us_ = clock_.now_us();
    return Status::kOk;  // its answer, if one comes, is of before
  }
  clock_.NoteRequest();
  return Status::kOk;
}

/// Each message in one write: the firmware reads what is there, and takes 0xFF for what is not.
Status HaplyPort::SendStart() {
  if (clock_.now_us() - step_time_us_ < kStartPause_us) return Status::kOk;
  const bool reset = step_ == Step::kReset;
  const auto reset_bytes = haply::WriteReset();
  const auto setup_bytes = haply::WriteSetup();
  const std::span<const std::uint8_t> bytes =
      reset ? std::span<const std::uint8_t>(reset_bytes) : std::span<const std::uint8_t>(setup_bytes);
  const Status status = link_.Write(bytes, Lane::kCommand);
  if (status != Status::kOk) return status;
  step_ = reset ? Step::kSetup : Step::kFirst;
  step_time_us_ = clock_.now_us() - (reset ? kStartPause_us - 1000 : 0);  // the set-up a period behind the reset
  if (!reset) clock_.Forget();
  size_ = 0;
  return Status::kOk;
}

/// A board that has lost its set-up takes no torques, and keeps those that it has: set-up and zeros in turn, for good. The
/// zeros a period behind the set-up, which has no answer.
Status HaplyPort::SendEnd() {
  if (!ends_with_zeros_ && clock_.now_us() - step_time_us_ < kPatience_us) return Status::kOk;
  const auto setup = haply::WriteSetup();
  const auto zeros = haply::WriteTorques({});
  size_ = 0;
  const Status status = ends_with_zeros_ ? link_.Write(zeros, Lane::kCommand) : link_.Write(setup, Lane::kCommand);
  if (status != Status::kOk) return status;
  if (ends_with_zeros_) clock_.NoteRequest(), step_time_us_ = clock_.now_us();
  ends_with_zeros_ = !ends_with_zeros_;
  return Status::kOk;
}

Status HaplyPort::DoZero() noexcept {
  if (!wants_zeros_) set_up_us_ = clock_.now_us();
  wants_zeros_ = true;
  const bool may_hold_torque = step_ == Step::kRuns && shown_zeros_ < kShownZeros;
  if (may_hold_torque && clock_.now_us() - set_up_us_ >= kZerosPatience_us) Lose(PortCause::kNotHomed);
  return Send({});
}

Status HaplyPort::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  std::array<float, 2> torque_Nm{};
  wants_zeros_ = false;
  for (std::size_t i = 0; enabled_ && i < torque_Nm.size(); ++i)
    torque_Nm[i] = Clamp(current_A[i], -haply::kMost_Nm, haply::kMost_Nm);
  const Status status = Send(torque_Nm);
  return enabled_ && step_ == Step::kRuns ? status : Status::kNotReady;
}

MotorDeviceConfig<FiveBar<double>> HaplyConfig(HaplyBoardSet set, double period_s) noexcept {
  MotorDeviceConfig<FiveBar<double>> config;
  constexpr int kDevKitSign[2] = {-1, 1};
  for (std::size_t i = 0; i < 2; ++i) {
    MotorCalibration<double>& motor = config.motors[i];
    motor.counts_per_turn = static_cast<double>(haply::kCountsPerTurn);
    motor.turns_per_joint_turn = 1;  // the counts are the arm's
    // Where the board counts from, by its own resolution: an encoder of other counts a turn needs no more than these.
    motor.offset_rad = static_cast<double>(haply::kHeld_deg[i]) * kRad_per_deg;
    motor.zero_count = haply::HeldCount(i);
    motor.torque_sign = set == HaplyBoardSet::kDevKit ? kDevKitSign[i] : 1;
    motor.torque_constant_Nm_per_A = 1;  // its drives take torques
    motor.max_current_A = static_cast<double>(haply::kMost_Nm);
    motor.continuous_current_A = 0.06;  // ours: the motor is not known
    motor.thermal_time_s = 30;          // ours
  }
  config.R_WD << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  config.p_WD_m << -0.010, 0, -0.085;
  config.period_s = period_s;
  config.capabilities = {.name = "Haply 2-DoF",
                         .sensed = {true, false, true, false, false, false},
                         .actuated = {true, false, true, false, false, false},
                         .resolution_m = 23e-6f,
                         .workspace_radius_m = 0.02f,  // ours: around the middle; a circle without a singularity
                         .peak_force_N = 3,            // 3.4 N at its weakest, in y at 70 mm
                         .continuous_force_N = 1.5f,
                         .effector_mass_kg = 0.1f,  // ours
                         .effector_inertia_kgm2 = 3e-4f,
                         .command_delay_ticks = 1};  // answers are read, and torques go out, at the next edge
  return config;
}

}  // namespace tactus::hal
