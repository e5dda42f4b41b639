#include "hal/sim/woodenhaptics_board.h"

#include <algorithm>

#include "tactus/device/arms.h"

namespace tactus::hal {
namespace {

struct Text {
  std::span<std::uint8_t> room;
  std::size_t size = 0;

  void Put(char c) {
    if (size < room.size()) room[size++] = static_cast<std::uint8_t>(c);
  }
  void Put(std::int64_t value) {
    char digits[20];
    int count = 0;
    if (value < 0) Put('-');
    std::uint64_t rest = static_cast<std::uint64_t>(value < 0 ? -value : value);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) > 0);
    while (count > 0) Put(digits[--count]);
  }
};

}  // namespace

auto WoodenHapticsBoard::Arm(const HandScript& script, std::uint64_t seed) -> Mechanism::Options {
  Mechanism::Options options;
  options.mechanism = WoodenHaptics<double>().arm;
  // 2000 counts a turn; drums of 160, 120, 120 mm on capstans of 10; the axes of b and c aligned with their motors.
  constexpr double kTurns[3] = {16, 12, 12};
  constexpr int kSign[3] = {1, -1, -1};
  for (std::size_t i = 0; i < 3; ++i) {
    options.motors[i].counts_per_turn = 2000;
    options.motors[i].turns_per_joint_turn = kTurns[i];
    options.motors[i].encoder_sign = options.motors[i].torque_sign = kSign[i];
    options.motors[i].torque_constant_Nm_per_A = 0.0259;
  }
  options.motors[2].offset_rad = 1.5707963267948966;  // it counts from where it stood when its supply came: γ = 90°
  options.gravity_D_mps2 << 0, 0, -9.81;
  options.handle = FalconClass();
  options.handle.max_force_N.value = 100;  // the motors' currents are the bound here
  options.script = script;
  options.seed = seed;
  return options;
}

void WoodenHapticsBoard::DoPowerUp() noexcept {
  received_size_ = said_size_ = 0;
  std::fill(std::begin(current_A_), std::end(current_A_), 0.0f);
  enabled_ = false;
  at_power_up_ = arm_.Counts();
}

float WoodenHapticsBoard::DoLargestA() const noexcept {
  float largest = 0;
  for (const float current : current_A_) largest = std::max(largest, enabled_ ? Abs(current) : 0.0f);
  return largest;
}

/// The firmware looks at its buffer when a line has ended: what stands behind the line is too much.
void WoodenHapticsBoard::DoReceive(std::span<const std::uint8_t> bytes) noexcept {
  for (const std::uint8_t byte : bytes) {
    if (received_size_ == kBuffer_B) break;
    received_[received_size_++] = byte;
  }
  const auto begin = received_.begin(), end = begin + static_cast<std::ptrdiff_t>(received_size_);
  const auto line_end = std::find(begin, end, std::uint8_t{'\n'});
  std::uint32_t error = 0;
  if (line_end == end) {
    if (received_size_ < kBuffer_B) return;
    error = 128;
  } else if (line_end + 1 != end) {
    error = 8;
  } else {
    error = faults.refuses ? 1024 : Obey({begin, line_end});
  }
  ++(error == 0 ? taken_ : refused_);
  received_size_ = 0;
  Answer(error);
}

/// "[a,b,c]" in mA. @returns its error.
std::uint32_t WoodenHapticsBoard::Obey(std::span<const std::uint8_t> message) {
  const auto open = std::find(message.begin(), message.end(), std::uint8_t{'['});
  if (open == message.end()) return 256;
  if (std::count(open, message.end(), std::uint8_t{','}) != 2) return 512;
  float milliampere[3] = {};
  auto at = open + 1;
  for (float& value : milliampere) {
    const bool negative = at != message.end() && *at == '-';
    if (negative) ++at;
    bool digits = false;
    for (; at != message.end() && *at >= '0' && *at <= '9' && value < 1e9f; ++at, digits = true)
      value = 10 * value + static_cast<float>(*at - '0');
    if (!digits || at == message.end() || *at != (&value == &milliampere[2] ? ']' : ',')) return 1024;
    ++at;
    if (negative) value = -value;
  }
  for (int i = 0; i < 3; ++i) current_A_[i] = Abs(milliampere[i]) > 6000 ? 0 : milliampere[i] / 1000;
  enabled_ = true;
  since_message_us_ = 0;
  return 0;
}

void WoodenHapticsBoard::Answer(std::uint32_t error) {
  if (faults.mute) return;
  std::array<std::int32_t, 3> counts = arm_.Counts();
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] -= at_power_up_[i];
  if (!was_frozen_ || !faults.frozen) frozen_ = counts;
  was_frozen_ = faults.frozen;
  if (faults.frozen) counts = frozen_;
  if (faults.jump) counts[2] += 0x8000;
  if (faults.zero_positions) counts = {};
  if (faults.sensor_fault) error |= 1;  // of the gimbal: it has no other
  Text text{std::span(said_).subspan(said_size_)};
  text.Put('[');
  text.Put(std::int64_t{faults.other_model ? 1 : 3});
  for (int i = 0; i < 6; ++i) {
    text.Put(',');
    if (faults.not_a_number && i == 1) {
      for (const char c : {'n', 'a', 'n'}) text.Put(c);
    } else {
      text.Put(std::int64_t{i < 3 ? counts[static_cast<std::size_t>(i)] : 0});
    }
  }
  text.Put(',');
  text.Put(std::int64_t{error});
  text.Put(']');
  text.Put('\n');
  said_size_ += text.size;
}

void WoodenHapticsBoard::DoAdvance() noexcept {
  since_message_us_ += period_us_;
  if (since_message_us_ >= kWatchdog_us) enabled_ = false;
  constexpr float kNone[kMaxMotors] = {};
  arm_.Advance(enabled_ && !faults.drive_fault ? current_A_ : kNone);
}

std::span<const std::uint8_t> WoodenHapticsBoard::DoSay() noexcept {
  const std::size_t size = said_size_;
  said_size_ = 0;
  return std::span(said_).first(size);
}

}  // namespace tactus::hal
