#include "hal/devices/moteus_codec.h"

#include <bit>
#include <limits>

#include "tactus/core/scalar.h"

namespace tactus::hal::moteus {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint8_t kFill = 0x50;
constexpr unsigned kMode = 0x00, kPositionNow = 0x01, kHomeState = 0x0C, kVolts = 0x0D, kDegrees = 0x0E, kFaultCode = 0x0F;
constexpr std::size_t kSizeOf[4] = {1, 2, 4, 4};  // int8, int16, int32, float
// What a whole number counts, by its size.
constexpr float kTurns[3] = {0.01f, 1e-4f, 1e-5f}, kVoltsOf[3] = {0.5f, 0.1f, 0.001f}, kDegreesOf[3] = {1, 0.1f, 0.001f},
                kWhole[3] = {1, 1, 1};

struct Writer {
  CanFdFrame frame;
  void Put(std::initializer_list<std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) frame.data[frame.size++] = byte;
  }
  void Put(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (unsigned shift = 0; shift < 32; shift += 8) Put({static_cast<std::uint8_t>(bits >> shift)});
  }
  /// Mode, position, and from home state to fault; then up to a size that a frame can have.
  CanFdFrame Ask() {
    Put({0x11, kMode, 0x1D, kPositionNow, 0x10, 0x04, kHomeState});
    while (!canfd_text::IsSize(frame.size)) Put({kFill});  // ends: at 64 bytes, which is a size
    return frame;
  }
};

/// Subframes of a frame, one value after the other.
struct Reader {
  std::span<const std::uint8_t> data;

  bool Number(unsigned* number) {
    *number = 0;
    for (unsigned shift = 0; shift < 28; shift += 7) {
      if (data.empty()) return false;
      const std::uint8_t byte = data[0];
      data = data.subspan(1);
      *number |= (byte & 0x7Fu) << shift;
      if ((byte & 0x80u) == 0) return true;
    }
    return false;
  }
  bool Value(unsigned type, const float (&scale)[3], float* value) {
    if (data.size() < kSizeOf[type]) return false;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kSizeOf[type]; ++i) bits |= static_cast<std::uint32_t>(data[i]) << (8 * i);
    data = data.subspan(kSizeOf[type]);
    if (type == 3) {
      *value = std::bit_cast<float>(bits);
      return true;
    }
    const auto shift = static_cast<int>(32 - 8 * kSizeOf[type]);
    const std::int32_t number = static_cast<std::int32_t>(bits << shift) >> shift;
    const bool is_none = bits == 1u << (31 - shift);  // the most negative one
    *value = is_none ? kNone : static_cast<float>(number) * scale[type];
    return true;
  }
};

struct Values {
  float mode = kNone, position_turns = kNone, home = kNone, supply_V = kNone, board_degC = kNone, fault = kNone;
  bool refuses = false;

  void Take(unsigned at, float value) {
    if (at == kMode) mode = value;
    if (at == kPositionNow) position_turns = value;
    if (at == kHomeState) home = value;
    if (at == kVolts) supply_V = value;
    if (at == kDegrees) board_degC = value;
    if (at == kFaultCode) fault = value;
  }
};

const float (&ScaleOf(unsigned at))[3] {
  switch (at) {
    case kPositionNow: return kTurns;
    case kVolts: return kVoltsOf;
    case kDegrees: return kDegreesOf;
    default: return kWhole;
  }
}

Status ReadAll(Reader reader, Values* values) {
  while (!reader.data.empty()) {  // ends: each round takes a byte or more of the frame
    const unsigned kind = reader.data[0];
    reader.data = reader.data.subspan(1);
    if (kind == kFill) continue;
    unsigned at = 0, count = kind & 3u;
    if (kind == 0x30 || kind == 0x31) {
      if (!reader.Number(&at) || !reader.Number(&count)) return Status::kCorrupt;
      values->refuses = true;
      continue;
    }
    if ((kind & 0xF0u) != 0x20) return Status::kCorrupt;
    if ((count == 0 && !reader.Number(&count)) || !reader.Number(&at)) return Status::kCorrupt;
    const unsigned end = at + count;
    for (; at < end; ++at) {
      float value = 0;
      if (!reader.Value(kind >> 2 & 3u, ScaleOf(at), &value)) return Status::kCorrupt;
      values->Take(at, value);
    }
  }
  return Status::kOk;
}

bool IsByte(float value) { return value >= 0 && value < 128; }

bool IsOfADrive(float supply_V, float board_degC) {
  return supply_V >= 0 && supply_V <= kMost_V && board_degC >= kLeast_degC && board_degC <= kMost_degC;
}

}  // namespace

CanFdFrame WriteTorque(int drive, int tag, float torque_Nm, float most_Nm) noexcept {
  Writer writer{.frame = {.id = RequestId(drive, tag)}};
  writer.Put({0x01, 0x00, static_cast<std::uint8_t>(Mode::kPosition)});
  writer.Put({0x0F, 0x20});  // position: the present one; velocity; torque
  writer.Put(kNone), writer.Put(0.0f), writer.Put(torque_Nm);
  writer.Put({0x02, 0x23, 0, 0});  // gains
  writer.Put({0x0D, 0x25}), writer.Put(most_Nm);
  writer.Put({0x0D, 0x27}), writer.Put(kWatchdog_s);
  writer.Put({0x01, 0x2B, 0});  // the integral
  return writer.Ask();
}

CanFdFrame WriteStop(int drive, int tag) noexcept {
  Writer writer{.frame = {.id = RequestId(drive, tag)}};
  writer.Put({0x01, 0x00, static_cast<std::uint8_t>(Mode::kStopped)});
  return writer.Ask();
}

Status Read(const CanFdFrame& frame, Answer* answer) noexcept {
  const int to = static_cast<int>(frame.id & 0xFFu), from = static_cast<int>(frame.id >> 8);
  if (to < kFirstTag || to >= kFirstTag + kTags || from == 0 || from > 0x7F) return Status::kNotReady;
  Values values;
  if (const Status status = ReadAll({std::span(frame.data).first(frame.size)}, &values); status != Status::kOk)
    return status;
  *answer = {.drive = from, .tag = to - kFirstTag, .refuses = values.refuses};
  if (values.refuses) return Status::kOk;
  const bool whole = IsByte(values.mode) && IsByte(values.home) && IsByte(values.fault);
  if (!whole || !(Abs(values.position_turns) <= kMost_Turns)) return Status::kOutOfRange;
  if (!IsOfADrive(values.supply_V, values.board_degC)) return Status::kOutOfRange;
  answer->mode = static_cast<Mode>(values.mode);
  answer->position_turns = values.position_turns;
  answer->is_referenced = values.home > 0;
  answer->fault = static_cast<std::uint8_t>(values.fault);
  return Status::kOk;
}

}  // namespace tactus::hal::moteus
