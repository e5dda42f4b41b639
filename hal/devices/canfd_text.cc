#include "hal/devices/canfd_text.h"

#include <algorithm>
#include <string_view>

#include "hal/devices/hex_text.h"

namespace tactus::hal::canfd_text {
namespace {

using hex_text::kNoDigit;
using Text = std::span<const std::uint8_t>;

constexpr std::string_view WordOf(Way way) { return way == Way::kSend ? "can send " : "rcv "; }

bool StartsWith(Text text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, std::uint8_t b) { return a == static_cast<char>(b); });
}

std::size_t DigitsOf(Text text) {
  for (std::size_t size = 0; size < text.size(); ++size) {
    if (hex_text::DigitOf(text[size]) == kNoDigit) return size;
  }
  return text.size();
}

Status ReadFrame(Text text, CanFdFrame* frame) {
  const std::size_t id_size = DigitsOf(text);
  if (id_size == 0 || id_size > 8) return Status::kCorrupt;
  for (std::size_t i = 0; i < id_size; ++i) frame->id = frame->id << 4 | static_cast<unsigned>(hex_text::DigitOf(text[i]));
  if (text.size() == id_size) return Status::kOk;  // no data
  if (text[id_size] != ' ') return Status::kCorrupt;
  text = text.subspan(id_size + 1);
  const std::size_t digits = DigitsOf(text), size = digits / 2;
  const bool ends = digits == text.size() || text[digits] == ' ';
  if (!ends || digits % 2 != 0 || size > frame->data.size() || !IsSize(size)) return Status::kCorrupt;
  for (std::size_t i = 0; i < size; ++i) frame->data[i] = static_cast<std::uint8_t>(hex_text::NumberAt(text, 2 * i, 2));
  frame->size = static_cast<std::uint8_t>(size);
  return Status::kOk;
}

}  // namespace

std::size_t Write(Way way, const CanFdFrame& frame, std::span<std::uint8_t> room) noexcept {
  std::size_t size = 0;
  for (const char c : WordOf(way)) room[size++] = static_cast<std::uint8_t>(c);
  for (int shift = frame.id > 0xFFFF ? 28 : 12; shift >= 0; shift -= 4) {
    const unsigned rest = frame.id >> shift;
    if (rest != 0 || shift == 0) room[size++] = hex_text::Text(rest & 0xFu);
  }
  room[size++] = ' ';
  for (std::size_t i = 0; i < frame.size; ++i) {
    room[size++] = hex_text::Text(frame.data[i] >> 4);
    room[size++] = hex_text::Text(frame.data[i] & 0xFu);
  }
  room[size++] = kEnd;
  return size;
}

Status Read(Way way, Text line, CanFdFrame* frame) noexcept {
  *frame = {};
  if (!line.empty() && line.back() == '\r') line = line.first(line.size() - 1);
  const std::string_view word = WordOf(way);
  std::size_t begin = line.size();
  for (std::size_t i = 0; i + word.size() <= line.size(); ++i) {
    if (StartsWith(line.subspan(i), word)) begin = i + word.size();
  }
  if (begin < line.size()) return ReadFrame(line.subspan(begin), frame);
  const bool is_known =
      line.empty() || StartsWith(line, "OK") || IsRefusal(line) || (way == Way::kSend && StartsWith(line, "can o"));
  return is_known ? Status::kNotReady : Status::kCorrupt;
}

bool IsRefusal(Text line) noexcept { return StartsWith(line, "ERR"); }

}  // namespace tactus::hal::canfd_text
