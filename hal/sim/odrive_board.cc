#include "hal/sim/odrive_board.h"

#include <algorithm>
#include <bit>

namespace tactus::hal {
namespace {

constexpr std::uint32_t kIdle = 1, kClosedLoop = 8;
constexpr std::uint32_t kMotorFailed = 0x40, kEncoderFailed = 0x100, kWatchdogExpired = 0x800;
constexpr float kFullScale_Nm = 0.5f, kSupply_V = 24;
constexpr std::string_view kDigits = "0123456789ABCDEF";

int Digit(std::uint8_t c) {
  const std::size_t at = kDigits.find(static_cast<char>(c >= 'a' && c <= 'f' ? c - 32 : c));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::uint32_t Word(std::span<const std::uint8_t> data, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = word << 8 | (at + i < data.size() ? data[at + i] : 0u);
  return word;
}

void PutWord(std::uint32_t word, std::span<std::uint8_t> data, std::size_t at) {
  for (std::size_t i = 0; i < 4; ++i, word >>= 8) data[at + i] = static_cast<std::uint8_t>(word & 0xFFu);
}

}  // namespace

ODriveBoard::ODriveBoard(const Mechanism::Options& options) : arms_(options), period_us_(options.period_us) {}

/// The drives' supply comes back; the adapter has its own, over USB.
void ODriveBoard::DoPowerUp() noexcept { drives_ = {}; }

float ODriveBoard::TorqueOf(const Drive& drive) const {
  if (drive.state != kClosedLoop || !drive.takes_torques) return 0;
  // A torque that is no number is not looked at: a comparison with it is false.
  if (!(Abs(drive.torque_Nm) <= kFullScale_Nm)) return drive.torque_Nm < 0 ? -kFullScale_Nm : kFullScale_Nm;
  return drive.torque_Nm;
}

float ODriveBoard::DoLargestA() const noexcept {
  float largest = 0;
  for (const Drive& drive : drives_) largest = std::max(largest, Abs(TorqueOf(drive)));
  return largest;
}

void ODriveBoard::DoReceive(std::span<const std::uint8_t> bytes) noexcept {
  for (const std::uint8_t byte : bytes) {
    if (byte == '\r') {
      TakeLine();
      line_size_ = 0;
    } else if (line_size_ < line_.size()) {
      line_[line_size_++] = byte;
    }
  }
}

void ODriveBoard::TakeLine() {
  const std::span<const std::uint8_t> line = std::span(line_).first(line_size_);
  const auto answer = [this](bool well) {
    SayByte(well ? '\r' : 0x07);
    ++(well ? taken_ : refused_);
  };
  if (line.empty()) return;
  if (line[0] == 'C') return open_ = false, answer(true);
  if (line[0] == 'O') return answer(!open_), void(open_ = true);
  if (line[0] == 'S') return answer(!open_ && line.size() == 2 && line[1] == '8');
  std::array<std::uint8_t, 8> data{};
  int digits[5] = {};
  bool well = open_ && (line[0] == 't' || line[0] == 'r') && line.size() >= 5;
  for (std::size_t i = 1; well && i < 5; ++i) digits[i] = Digit(line[i]), well = digits[i] >= 0;
  const bool is_request = line[0] == 'r';
  const std::size_t size = well ? static_cast<std::size_t>(digits[4]) : 0;
  well = well && size <= 8 && line.size() == 5 + (is_request ? 0 : 2 * size);
  for (std::size_t i = 0; well && !is_request && i < size; ++i) {
    const int high = Digit(line[5 + 2 * i]), low = Digit(line[6 + 2 * i]);
    well = high >= 0 && low >= 0;
    data[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  if (!well) return answer(false);
  answer(true);
  TakeFrame(static_cast<unsigned>(256 * digits[1] + 16 * digits[2] + digits[3]), is_request, std::span(data).first(size));
}

void ODriveBoard::TakeFrame(unsigned id, bool is_request, std::span<const std::uint8_t> data) {
  const unsigned node = id >> 5, command = id & 0x1Fu;
  if (node >= kDrives || faults.other_model) return;
  Drive& drive = drives_[node];
  drive.unfed_ms = 0;  // by any frame, a question too
  if (is_request || data.empty()) {
    if (command == 0x09) return Tell(node);
    if (command == 0x14) return TellPair(node, command, TorqueOf(drive), TorqueOf(drive));  // 1 N·m/A
    if (command == 0x17) return TellPair(node, command, kSupply_V, 0);
  }
  if (is_request) return;
  switch (command) {
    case 0x07:
      if (Word(data, 0) == kIdle) drive.state = kIdle;
      if (Word(data, 0) == kClosedLoop && drive.error == 0 && !faults.refuses) drive.state = kClosedLoop;
      break;
    case 0x0B: drive.takes_torques = Word(data, 0) == 1 && Word(data, 4) == 1; break;
    case 0x0E: drive.torque_Nm = std::bit_cast<float>(Word(data, 0)); break;
    case 0x18: drive.error = 0; break;
    default: break;
  }
}

void ODriveBoard::DoAdvance() noexcept {
  float torque_Nm[kMaxMotors] = {};
  for (std::size_t i = 0; i < kDrives; ++i) {
    Drive& drive = drives_[i];
    if (drive.state == kClosedLoop && ++drive.unfed_ms > kWatchdog_ms) drive.error |= kWatchdogExpired;
    if (faults.drive_fault) drive.error |= kMotorFailed;
    if (faults.sensor_fault) drive.error |= kEncoderFailed;
    if (drive.error != 0 || faults.refuses) drive.state = kIdle;
    torque_Nm[i] = TorqueOf(drive);
  }
  arms_.Advance(torque_Nm);
  ++ms_;
  for (unsigned node = 0; node < kDrives; ++node) Tell(node);
  for (unsigned node = 0; ms_ % kHeartbeat_ms == 0 && node < kDrives; ++node) TellHeartbeat(node);
}

void ODriveBoard::Tell(unsigned node) {
  std::array<std::uint8_t, 8> data{};
  PutWord(std::bit_cast<std::uint32_t>(arms_.TurnsOf(node, faults)), data, 0);
  SayFrame(node << 5 | 0x09, data);
}

void ODriveBoard::TellPair(unsigned node, unsigned command, float first, float second) {
  std::array<std::uint8_t, 8> data{};
  PutWord(std::bit_cast<std::uint32_t>(first), data, 0);
  PutWord(std::bit_cast<std::uint32_t>(second), data, 4);
  SayFrame(node << 5 | command, data);
}

void ODriveBoard::TellHeartbeat(unsigned node) {
  std::array<std::uint8_t, 8> data{};
  PutWord(drives_[node].error, data, 0);
  data[4] = static_cast<std::uint8_t>(drives_[node].state);
  SayFrame(node << 5 | 0x01, data);
}

void ODriveBoard::SayFrame(unsigned id, std::span<const std::uint8_t, 8> data) {
  if (faults.mute || !open_) return;
  if (faults.other_model) id += 3u << 5;
  SayByte('t');
  for (const unsigned shift : {8u, 4u, 0u}) SayByte(static_cast<std::uint8_t>(kDigits[(id >> shift) & 0xFu]));
  SayByte('8');
  for (const std::uint8_t byte : data) {
    SayByte(static_cast<std::uint8_t>(kDigits[byte >> 4]));
    SayByte(static_cast<std::uint8_t>(kDigits[byte & 0xFu]));
  }
  SayByte('\r');
}

void ODriveBoard::SayByte(std::uint8_t byte) {
  if (faults.mute) return;
  if (said_size_ < said_.size()) said_[said_size_++] = byte;
}

std::span<const std::uint8_t> ODriveBoard::DoSay() noexcept {
  const std::size_t size = said_size_;
  said_size_ = 0;
  return std::span(said_).first(size);
}

}  // namespace tactus::hal
