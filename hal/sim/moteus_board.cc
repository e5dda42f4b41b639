#include "hal/sim/moteus_board.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>
#include <utility>

namespace tactus::hal {
namespace {

constexpr int kStopped = 0, kFault = 1, kPosition = 10, kTimeout = 11;
constexpr int kDriverFault = 33, kEncoderFault = 35;
constexpr float kFullScale_Nm = 0.5f, kDefaultWatchdog_s = 0.1f;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr unsigned kFloat = 3;
constexpr std::string_view kDigits = "0123456789abcdef";

/// Up to eight digits of either case.
bool Hex(std::string_view text, unsigned* number) {
  *number = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
    if (digit == kDigits.npos) return false;
    *number = *number << 4 | static_cast<unsigned>(digit);
  }
  return !text.empty() && text.size() <= 8;
}

bool IsNone(float value) { return value != value; }

}  // namespace

MoteusBoard::Command::Command() : most_Nm(kNone) {}

unsigned MoteusBoard::Frame::Byte() {
  cut = cut || data.empty();
  if (cut) return 0;
  const unsigned byte = data[0];
  data = data.subspan(1);
  return byte;
}

unsigned MoteusBoard::Frame::Number() {
  unsigned number = 0, byte = 0x80;
  for (unsigned shift = 0; shift < 28 && (byte & 0x80u) != 0; shift += 7) byte = Byte(), number |= (byte & 0x7Fu) << shift;
  return number;
}

/// An integer, or a float; the most negative integer is none.
float MoteusBoard::Frame::Value(unsigned type) {
  const unsigned size = type == kFloat ? 4 : 1u << type;
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < size; ++i) bits |= Byte() << (8 * i);
  if (type == kFloat) return std::bit_cast<float>(bits);
  const unsigned shift = 32 - 8 * size;
  return bits == 1u << (31 - shift) ? kNone : static_cast<float>(static_cast<std::int32_t>(bits << shift) >> shift);
}

/// A torque or a bound that is no number bounds nothing.
float MoteusBoard::TorqueOf(const Drive& drive) {
  if (drive.mode != kPosition) return 0;
  const float most_Nm = drive.command.most_Nm <= kFullScale_Nm ? drive.command.most_Nm : kFullScale_Nm;
  const bool gains =
      std::any_of(std::begin(drive.command.gains), std::end(drive.command.gains), [](float g) { return g != 0; });
  if (gains || IsNone(drive.command.torque_Nm)) return most_Nm;  // it would hold its place with all that it has
  return std::clamp(drive.command.torque_Nm, -most_Nm, most_Nm);
}

float MoteusBoard::DoLargestA() const noexcept {
  float largest = 0;
  for (const Drive& drive : drives_) largest = std::max(largest, Abs(TorqueOf(drive)));
  return largest;
}

void MoteusBoard::DoReceive(std::span<const std::uint8_t> bytes) noexcept {
  for (const std::uint8_t byte : bytes) {
    if (byte == '\n' || byte == '\r') {
      TakeLine();
      line_size_ = 0;
    } else if (line_size_ < line_.size()) {
      line_[line_size_++] = static_cast<char>(byte);
    }
  }
}

void MoteusBoard::TakeLine() {
  constexpr std::string_view kSend = "can send ";
  const std::string_view line(line_.data(), line_size_);
  if (line.empty()) return;
  bool well = false;
  if (line == "can on") well = !std::exchange(on_, true);
  if (line == "can off") well = std::exchange(on_, false);
  if (line.starts_with(kSend)) {
    if (Send(line.substr(kSend.size()))) return void(++taken_);
    ++refused_;
    return SayText("ERR no frame\n");
  }
  ++(well ? taken_ : refused_);
  SayText(well ? "OK\n" : "ERR not now\n");
}

bool MoteusBoard::Send(std::string_view text) {
  const std::size_t gap = text.find(' ');
  unsigned id = 0;
  if (!on_ || gap == text.npos || !Hex(text.substr(0, gap), &id)) return false;
  text.remove_prefix(gap + 1);
  std::array<std::uint8_t, 64> data{};
  const std::size_t size = text.size() / 2;
  bool well = size <= data.size() && text.size() % 2 == 0;
  for (std::size_t i = 0; well && i < size; ++i) {
    unsigned byte = 0;
    well = Hex(text.substr(2 * i, 2), &byte);
    data[i] = static_cast<std::uint8_t>(byte);
  }
  if (!well) return false;
  SayText("OK\n");
  TakeFrame(id, std::span(data).first(size));
  return true;
}

/// Writes are gathered, reads answered with what holds now; a command takes effect behind the frame.
void MoteusBoard::TakeFrame(unsigned id, std::span<const std::uint8_t> data) {
  const unsigned at_drive = (id & 0x7Fu) - 1, source = id >> 8;
  if (at_drive >= kDrives || faults.other_model) return;
  Command command;
  bool commands = false;
  answer_size_ = 0;
  for (Frame frame{data}; !frame.data.empty() && !frame.cut;) {
    const unsigned kind = frame.Byte();
    if (kind >= 0x20) continue;
    const unsigned type = kind >> 2 & 3u, count = (kind & 3u) != 0 ? kind & 3u : frame.Number(), at = frame.Number();
    if (kind >= 0x10) {
      if (!frame.cut) Answer(at_drive, kind, at, count);
      continue;
    }
    for (unsigned i = 0; i < count && !frame.cut; ++i) {
      const float value = frame.Value(type);
      if (frame.cut) break;
      const bool ratio = type == 0 && at + i >= 0x20;
      commands = commands || at + i == 0;
      WriteRegister(&command, at + i, ratio ? value / 127 : value);
    }
  }
  if (commands) Obey(&drives_[at_drive], command);
  if ((source & 0x80u) == 0 || faults.mute) return;
  SayText("rcv ");
  const unsigned to = (at_drive + 1) << 8 | (source & 0x7Fu);
  for (const unsigned shift : {8u, 4u, 0u}) SayText(kDigits.substr(to >> shift & 0xFu, 1));
  SayText(" ");
  for (std::size_t i = 0; i < answer_size_; ++i) {
    SayText(kDigits.substr(answer_[i] >> 4, 1));
    SayText(kDigits.substr(answer_[i] & 0xFu, 1));
  }
  SayText(" e B F\n");
}

void MoteusBoard::WriteRegister(Command* command, unsigned at, float value) {
  switch (at) {
    case 0x00: *command = {}, command->mode = IsNone(value) ? kStopped : static_cast<int>(value); break;
    case 0x22: command->torque_Nm = value; break;
    case 0x23: command->gains[0] = value; break;
    case 0x24: command->gains[1] = value; break;
    case 0x25: command->most_Nm = value; break;
    case 0x27: command->watchdog_s = value; break;
    case 0x2B: command->gains[2] = value; break;
    default: break;
  }
}

void MoteusBoard::Obey(Drive* drive, const Command& command) {
  if (command.mode == kStopped) return void(*drive = {});
  const bool latched = drive->mode == kFault || drive->mode == kTimeout;
  if (command.mode != kPosition || latched || faults.refuses) return;
  drive->mode = kPosition;
  drive->command = command;
  drive->unfed_us = 0;
}

float MoteusBoard::ValueOf(unsigned drive, unsigned at) {
  switch (at) {
    case 0x00: return static_cast<float>(drives_[drive].mode);
    case 0x01: return arms_.TurnsOf(drive, faults);
    case 0x0C: return 1;   // of the rotor
    case 0x0D: return 48;  // 24 V
    case 0x0E: return 30;  // degrees Celsius
    case 0x0F: return static_cast<float>(drives_[drive].fault);
    default: return 0;
  }
}

void MoteusBoard::Answer(unsigned drive, unsigned kind, unsigned at, unsigned count) {
  const unsigned type = kind >> 2 & 3u, size = type == kFloat ? 4 : 1u << type;
  if (count > 16 || answer_size_ + 3 + count * size > answer_.size()) return;
  answer_[answer_size_++] = static_cast<std::uint8_t>(kind + 0x10);
  if ((kind & 3u) == 0) answer_[answer_size_++] = static_cast<std::uint8_t>(count);
  answer_[answer_size_++] = static_cast<std::uint8_t>(at);
  for (unsigned i = 0; i < count; ++i) Put(ValueOf(drive, at + i), type);
}

void MoteusBoard::Put(float value, unsigned type) {
  const unsigned size = type == kFloat ? 4 : 1u << type;
  const std::uint32_t bits = type == kFloat  ? std::bit_cast<std::uint32_t>(value)
                             : IsNone(value) ? 1u << (8 * size - 1)
                                             : static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  for (unsigned i = 0; i < size; ++i) answer_[answer_size_++] = static_cast<std::uint8_t>(bits >> (8 * i));
}

void MoteusBoard::DoAdvance() noexcept {
  float torque_Nm[kMaxMotors] = {};
  for (std::size_t i = 0; i < kDrives; ++i) {
    Drive& drive = drives_[i];
    drive.unfed_us += static_cast<int>(period_us_);
    const float watchdog_s = drive.command.watchdog_s == 0 ? kDefaultWatchdog_s : drive.command.watchdog_s;
    const bool expired = static_cast<float>(drive.unfed_us) > watchdog_s * 1e6f + 0.5f;  // never, if that is no number
    if (drive.mode == kPosition && expired) drive.mode = kTimeout;
    if (faults.drive_fault) drive.mode = kFault, drive.fault = kDriverFault;
    if (faults.sensor_fault) drive.mode = kFault, drive.fault = kEncoderFault;
    if (faults.refuses) drive.mode = kStopped;
    torque_Nm[i] = TorqueOf(drive);
  }
  arms_.Advance(torque_Nm);
}

void MoteusBoard::SayText(std::string_view text) {
  if (faults.mute) return;
  for (const char c : text) {
    if (said_size_ < said_.size()) said_[said_size_++] = static_cast<std::uint8_t>(c);
  }
}

std::span<const std::uint8_t> MoteusBoard::DoSay() noexcept {
  const std::size_t size = said_size_;
  said_size_ = 0;
  return std::span(said_).first(size);
}

}  // namespace tactus::hal
