#include "hal/sim/haply_board.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tactus::hal {
namespace {

/// The next byte; what has not come yet reads as 0xFF, as in the firmware.
std::uint8_t Byte(std::span<const std::uint8_t>* bytes) {
  if (bytes->empty()) return 0xFF;
  const std::uint8_t byte = bytes->front();
  *bytes = bytes->subspan(1);
  return byte;
}

float Float(std::span<const std::uint8_t>* bytes) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 4; ++i) bits |= static_cast<std::uint32_t>(Byte(bytes)) << (8 * i);
  return std::bit_cast<float>(bits);
}

int Ports(std::uint8_t mask) { return std::popcount(static_cast<unsigned>(mask & 0x0F)); }

}  // namespace

auto HaplyBoard::Arms(const HandScript& script, std::uint64_t seed) -> Mechanism::Options {
  Mechanism::Options options;
  for (MotorCalibration<double>& motor : options.motors) {
    motor.counts_per_turn = 13824;
    motor.turns_per_joint_turn = 1;
    motor.torque_constant_Nm_per_A = 1;
  }
  options.R_WD << 1, 0, 0, 0, 0, -1, 0, 1, 0;  // the arms' y is W's z
  options.p_WD_m << -0.010, 0, -0.085;
  options.handle = FalconClass();
  options.handle.mass_kg.value = 0.1;
  options.handle.max_force_N.value = 100;  // the motors' torques are the bound here
  options.script = script;
  options.seed = seed;
  return options;
}

HaplyBoard::HaplyBoard(const Mechanism::Options& options) : arms_(options), period_us_(options.period_us) { Hold(); }

void HaplyBoard::Hold() {
  held_ = true;
  arms_.Place(Vec<double, 2>(3.14159265358979, 0));
}

void HaplyBoard::DoPowerUp() noexcept {
  motors_ = encoders_ = 0;
  said_size_ = 0;
  std::fill(std::begin(torque_Nm_), std::end(torque_Nm_), 0.0f);
}

float HaplyBoard::DoLargestA() const noexcept {
  return faults.drive_fault ? 0 : std::max(Abs(torque_Nm_[0]), Abs(torque_Nm_[1]));
}

void HaplyBoard::DoReceive(std::span<const std::uint8_t> bytes) noexcept {
  while (!bytes.empty()) {
    switch (Byte(&bytes)) {
      case 0:  // reset: the set-up goes, the motors' PWM stays; the user takes the arms to where the next set-up wants them
        (void)Byte(&bytes);
        motors_ = encoders_ = 0;
        Hold();
        ++taken_;
        break;
      case 1: SetUp(&bytes); break;
      case 2: Torques(&bytes); break;
      default: ++refused_; break;
    }
  }
}

void HaplyBoard::SetUp(std::span<const std::uint8_t>* bytes) {
  (void)Byte(bytes);
  motors_ = Ports(Byte(bytes));
  for (int i = 0; i < motors_; ++i) (void)Byte(bytes);
  encoders_ = Ports(Byte(bytes));
  for (int i = 0; i < encoders_; ++i) (void)Byte(bytes);
  const int sensors = Byte(bytes);
  for (int i = 0; i < sensors && !bytes->empty(); ++i) (void)Byte(bytes);
  const int pins = Byte(bytes);
  for (int i = 0; i < pins && !bytes->empty(); ++i) (void)Byte(bytes);
  const std::array<std::int32_t, 2> now = arms_.Counts();
  for (std::size_t i = 0; i < static_cast<std::size_t>(encoders_); ++i) {
    const float offset_deg = Float(bytes), resolution = Float(bytes);
    if (i >= now.size() || !(Abs(offset_deg) < 1e4f) || !(resolution >= 1 && resolution < 1e6f)) continue;
    base_[i] = static_cast<std::int32_t>(offset_deg * resolution / 360) - now[i];
    resolution_[i] = resolution;
  }
  held_ = false;
  ++taken_;
}

void HaplyBoard::Torques(std::span<const std::uint8_t>* bytes) {
  const std::uint8_t id = Byte(bytes);
  for (int i = 0; i < motors_; ++i) {
    const float torque_Nm = Float(bytes);
    // A comparison with what is no number is false: the firmware's clamp lets it through as full scale.
    if (i < 2 && !faults.refuses) torque_Nm_[i] = Abs(torque_Nm) <= 0.123f ? torque_Nm : (torque_Nm < 0 ? -0.123f : 0.123f);
  }
  ++taken_;
  Answer(id);
}

void HaplyBoard::Answer(std::uint8_t id) {
  if (faults.mute) return;
  const auto put = [this](std::uint8_t byte) {
    if (said_size_ < said_.size()) said_[said_size_++] = byte;
  };
  put(faults.other_model ? static_cast<std::uint8_t>(id + 1) : id);
  std::array<std::int32_t, 2> counts = arms_.Counts();
  if (!was_frozen_ || !faults.frozen) frozen_ = counts;
  was_frozen_ = faults.frozen;
  if (faults.frozen) counts = frozen_;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::min(encoders_, 2)); ++i) {
    float angle_deg = 360.0f * static_cast<float>(counts[i] + base_[i]) / resolution_[i];
    if (faults.zero_positions) angle_deg = 0;
    if (faults.jump && i == 1) angle_deg += 360.0f * 512 / resolution_[i];
    if (faults.not_a_number) angle_deg = std::numeric_limits<float>::quiet_NaN();
    const auto bits = std::bit_cast<std::uint32_t>(angle_deg);
    for (int k = 0; k < 4; ++k) put(static_cast<std::uint8_t>(bits >> (8 * k)));
  }
}

void HaplyBoard::DoAdvance() noexcept {
  if (held_) return;
  constexpr float kNone[kMaxMotors] = {};
  arms_.Advance(faults.drive_fault ? kNone : torque_Nm_);
}

std::span<const std::uint8_t> HaplyBoard::DoSay() noexcept {
  const std::size_t size = said_size_;
  said_size_ = 0;
  return std::span(said_).first(size);
}

}  // namespace tactus::hal
