#include "hal/sim/falcon_board.h"

#include <algorithm>

namespace tactus::hal {
namespace {

// The device's own numbers, written here once more than in its driver: what one of the two has wrong, a test sees.
constexpr double kGear = 110 / 14.25;                       // arm drum on motor shaft
constexpr double kNmPerThousand = 0.1;                      // at the crank, of a thousand motor counts; they push inwards
constexpr double kMark_rad = 35 * 6.283185307179586 / 360;  // where a counter is set to zero
constexpr double kPeriodOfPull_s = 0.8;                     // its user: out and in
constexpr double kRest_m = 0.110, kOut_m = 0.145;           // the grip from the base
constexpr std::array<std::int32_t, 3> kAnywhere = {-4321, 1234, 99};
constexpr std::uint32_t kLowestRate = 1'455'000, kHighestRate = 1'545'000;  // of its packets: 1.5 MBd within 3 %
constexpr std::uint8_t kBegin = 0x3C, kEnd = 0x3E, kZero = 0x41;

}  // namespace

auto FalconBoard::Arms(const HandScript& script, std::uint64_t seed) -> Mechanism::Options {
  Mechanism::Options options;
  for (MotorCalibration<double>& motor : options.motors) {
    motor.counts_per_turn = 1280;  // 320 slots, all four edges
    motor.turns_per_joint_turn = kGear;
    motor.offset_rad = kMark_rad;
    motor.torque_sign = -1;
    motor.torque_constant_Nm_per_A = kNmPerThousand / kGear;  // an ampere is a thousand motor counts
  }
  options.R_WD << 1, 0, 0, 0, 0, -1, 0, 1, 0;  // its y is up, its z towards its user
  options.p_WD_m << 0, kRest_m, 0;
  options.handle = FalconClass();
  options.handle.max_force_N.value = 100;  // the motors' torques are the bound here
  options.script = script;
  options.seed = seed;
  return options;
}

FalconBoard::FalconBoard(const Mechanism::Options& options, bool keeps_program)
    : arms_(options), mechanism_(options.mechanism), period_us_(options.period_us), keeps_program_(keeps_program) {
  DoPowerUp();
}

void FalconBoard::DoSetRate(std::uint32_t baud) noexcept {
  rate_ = baud;
  boot_.SetRate(baud);
}

void FalconBoard::DoPowerUp() noexcept {
  boot_.PowerUp();
  motor_ = {};
  bits_ = 0;
  homed_ = {};
  packet_size_ = said_size_ = 0;
  pulled_s_ = 0;
  const auto now = arms_.Counts();
  for (std::size_t i = 0; i < 3; ++i) base_[i] = kAnywhere[i] - now[i];
}

float FalconBoard::DoLargestA() const noexcept {  // in thousands of motor counts
  int most = 0;
  for (const std::int16_t motor : motor_) most = std::max(most, motor < 0 ? -int{motor} : int{motor});
  return static_cast<float>(most) / 1000;
}

void FalconBoard::DoReceive(std::span<const std::uint8_t> bytes) noexcept {
  if (!runs()) bytes = bytes.subspan(boot_.Receive(bytes));
  if (!keeps_program_ && rate_ != 0 && (rate_ < kLowestRate || rate_ > kHighestRate)) return;  // bits, and no bytes
  for (const std::uint8_t byte : bytes) {
    if (packet_size_ == 0 && byte != kBegin) continue;
    packet_[packet_size_++] = byte;
    if (packet_size_ < packet_.size()) continue;
    packet_size_ = 0;
    Take();
  }
}

void FalconBoard::Take() {
  bool whole = packet_.back() == kEnd && packet_[13] >= kZero && packet_[13] < kZero + 16;
  for (std::size_t i = 1; i < 13; ++i) whole = whole && packet_[i] >= kZero && packet_[i] < kZero + 16;
  if (!whole) {
    ++refused_;
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    unsigned value = 0;
    for (std::size_t k = 4; k-- > 0;) value = value << 4 | (packet_[1 + 4 * i + k] - unsigned{kZero});
    motor_[i] = static_cast<std::int16_t>(static_cast<std::uint16_t>(value));
  }
  bits_ = packet_[13] - kZero;
  ++taken_;
  Answer();
}

void FalconBoard::Say(std::uint8_t byte) {
  if (said_size_ < said_.size()) said_[said_size_++] = byte;
}

void FalconBoard::Answer() {
  if (faults.mute) return;
  std::array<std::int16_t, 3> count{};
  const auto counts = arms_.Counts();
  for (std::size_t i = 0; i < 3; ++i) count[i] = static_cast<std::int16_t>(counts[i] + (homed_[i] ? 0 : base_[i]));
  if (!was_frozen_ || !faults.frozen) frozen_ = count;
  was_frozen_ = faults.frozen;
  if (faults.frozen) count = frozen_;
  if (faults.zero_positions) count = {};
  if (faults.jump) count[1] = static_cast<std::int16_t>(count[1] ^ 0x8000);
  Say(kBegin);
  for (std::size_t i = 0; i < 3; ++i) {
    for (unsigned k = 0; k < 4; ++k)
      Say(static_cast<std::uint8_t>(kZero + (static_cast<unsigned>(count[i]) >> 4 * k & 15u)));
  }
  unsigned bits = 0;
  for (std::size_t i = 0; i < 3; ++i) bits |= homed_[i] ? 0x10u << i : 0u;
  bits |= buttons_ & 0xFu;
  Say(static_cast<std::uint8_t>(faults.not_a_number ? 0xFF : kZero + bits));
  Say(kZero);
  Say(kEnd);
}

void FalconBoard::DoAdvance() noexcept {
  if (!runs()) motor_ = {}, bits_ = 0, homed_ = {};
  if (!homed()) return BeHomed();
  float current_A[kMaxMotors] = {};
  for (std::size_t i = 0; i < 3 && !faults.drive_fault; ++i) current_A[i] = static_cast<float>(motor_[i]) / 1000;
  arms_.Advance(current_A);
}

/// Its user, when the wish to home is there: out and in, evenly.
void FalconBoard::BeHomed() {
  if ((bits_ & 1) == 0) return;
  pulled_s_ += period_us_ * 1e-6;
  if (pulled_s_ >= kPeriodOfPull_s) pulled_s_ -= kPeriodOfPull_s;
  const double share = 2 * std::min(pulled_s_, kPeriodOfPull_s - pulled_s_) / kPeriodOfPull_s;
  HandlePose<double> pose;
  pose.p_DH(2) = kRest_m + (kOut_m - kRest_m) * share;
  Vec<double, 3> q;
  if (!mechanism_.Inverse(pose, &q).ok()) return;
  arms_.Place(q);
  PassMarks();
}

void FalconBoard::PassMarks() {
  const auto counts = arms_.Counts();
  for (std::size_t i = 0; i < 3; ++i) {
    const bool above = counts[i] >= 0;
    homed_[i] = homed_[i] || (above && !above_[i] && has_place_);
    above_[i] = above;
  }
  has_place_ = true;
}

std::span<const std::uint8_t> FalconBoard::DoSay() noexcept {
  for (const std::uint8_t byte : boot_.Say()) Say(byte);
  const std::size_t size = said_size_;
  said_size_ = 0;
  return std::span(said_).first(size);
}

}  // namespace tactus::hal
