#include "hal/devices/woodenhaptics_codec.h"

#include <limits>

namespace tactus::hal::woodenhaptics {
namespace {

/// Decimal digits of `value`, at `*at`, which moves on.
void WriteNumber(int value, std::array<std::uint8_t, 32>* line, std::size_t* at) {
  if (value < 0) (*line)[(*at)++] = '-';
  unsigned rest = static_cast<unsigned>(value < 0 ? -value : value), unit = 1;
  while (rest / unit >= 10) unit *= 10;  // ends: after the digits of an int, ten
  // ends: the unit loses a digit each time
  for (; unit > 0; rest %= unit, unit /= 10) (*line)[(*at)++] = static_cast<std::uint8_t>('0' + rest / unit);
}

/// One number of the text [*at, end), and the comma behind it. Nothing but an optional '-' and 1 to 10 digits.
Status ReadNumber(std::span<const std::uint8_t> text, std::size_t* at, std::int64_t* value) {
  const bool negative = *at < text.size() && text[*at] == '-';
  if (negative) ++*at;
  const std::size_t first = *at;
  std::int64_t sum = 0;
  // ends: after eleven characters
  for (; *at < text.size() && text[*at] >= '0' && text[*at] <= '9' && *at - first < 11; ++*at)
    sum = 10 * sum + (text[*at] - '0');
  if (*at == first) return Status::kCorrupt;
  *value = negative ? -sum : sum;
  if (*at < text.size() && text[(*at)++] != ',') return Status::kCorrupt;
  return *at - first > 11 ? Status::kOutOfRange : Status::kOk;
}

}  // namespace

std::size_t WriteCommand(const std::array<int, 3>& milliampere, std::array<std::uint8_t, 32>* line) noexcept {
  for (const int value : milliampere) {
    if (value > kMost_mA || value < -kMost_mA) return 0;
  }
  std::size_t size = 0;
  (*line)[size++] = '[';
  for (std::size_t i = 0; i < milliampere.size(); ++i) {
    if (i > 0) (*line)[size++] = ',';
    WriteNumber(milliampere[i], line, &size);
  }
  (*line)[size++] = ']';
  (*line)[size++] = '\n';
  return size;
}

Status AnswerReader::Push(std::uint8_t byte) noexcept {
  if (byte == '[') {  // a line that begins inside another: the first was torn
    const bool torn = in_line_;
    in_line_ = true;
    size_ = 0;
    return torn ? Status::kCorrupt : Status::kWouldBlock;
  }
  if (!in_line_) return byte == '\n' || byte == '\r' ? Status::kWouldBlock : Status::kCorrupt;
  if (byte == ']') {
    in_line_ = false;
    return Parse();
  }
  const bool fits = size_ < line_.size(), belongs = (byte >= '0' && byte <= '9') || byte == ',' || byte == '-';
  if (!fits || !belongs) {
    in_line_ = false;
    return Status::kCorrupt;
  }
  line_[size_++] = byte;
  return Status::kWouldBlock;
}

Status AnswerReader::Parse() noexcept {
  constexpr int kNumbers = 8;
  std::int64_t number[kNumbers];
  Status status = Status::kOk;
  std::size_t at = 0;
  const std::span<const std::uint8_t> text(line_.data(), size_);
  for (std::int64_t& value : number) {
    const Status one = ReadNumber(text, &at, &value);
    if (one == Status::kCorrupt) return one;
    const bool fits = value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
    if (one != Status::kOk || !fits) status = Status::kOutOfRange;
  }
  if (at != text.size() || text[text.size() - 1] == ',') return Status::kCorrupt;
  if (number[7] < 0 || number[7] > 0xffff) status = Status::kOutOfRange;
  if (status != Status::kOk) return status;
  answer_.model = static_cast<std::int32_t>(number[0]);
  for (std::size_t i = 0; i < answer_.count.size(); ++i) answer_.count[i] = static_cast<std::int32_t>(number[i + 1]);
  answer_.error = static_cast<std::uint32_t>(number[7]);
  return Status::kOk;
}

}  // namespace tactus::hal::woodenhaptics
