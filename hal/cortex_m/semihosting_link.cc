#include "hal/cortex_m/semihosting_link.h"

#include <algorithm>

#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/semihosting.h"

namespace tactus::hal::cortex_m {
namespace {

/// directory + "/" + name, in a buffer of its own.
struct Path {
  std::array<char, 256> text{};
  bool fits = true;

  Path(const char* directory, const char* name) {
    std::size_t size = 0;
    for (const char* part : {directory, "/", name}) {
      for (; *part != '\0' && size + 1 < text.size(); ++part) text[size++] = *part;  // ends: the zero of a path
      fits = fits && *part == '\0';
    }
  }
};

}  // namespace

Status SemihostingLink::Open(const char* directory) {
  const Path in(directory, "h2g"), out(directory, "g2h");
  if (!in.fits || !out.fits) return Status::kOverCapacity;
  host_to_guest_ = semihosting::Open(in.text.data(), false);
  if (host_to_guest_ < 0) return Status::kClosed;
  guest_to_host_ = semihosting::Open(out.text.data(), true);
  return guest_to_host_ < 0 ? Status::kClosed : Status::kOk;
}

bool SemihostingLink::TakeFrame(std::span<std::uint8_t> room, std::size_t* count) {
  const std::size_t most = std::min(end_ - begin_, room.size() - *count);
  const auto from = std::span(buffer_).subspan(begin_, most), to = room.subspan(*count, most);
  bool is_whole = false;
  std::size_t taken = 0;
  while (taken < most && !is_whole) {  // ends: each turn takes a byte
    to[taken] = from[taken];
    is_whole = from[taken++] == 0;
  }
  begin_ += taken;
  *count += taken;
  return is_whole;
}

Status SemihostingLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = 0;
  // Each turn takes at least one byte, so room.size() turns fill the room.
  for (std::size_t turn = 0; turn < room.size(); ++turn) {
    if (TakeFrame(room, count) || *count == room.size()) return Status::kOk;
    begin_ = 0;
    end_ = semihosting::Read(host_to_guest_, buffer_);
    if (end_ == 0) return *count > 0 ? Status::kOk : Status::kClosed;
    counters_.received_bytes += static_cast<std::uint32_t>(end_);
  }
  return Status::kOk;
}

Status SemihostingLink::DoWrite(std::span<const std::uint8_t> frame, Lane) noexcept {
  std::size_t sent = 0;
  while (sent < frame.size()) {  // ends: each turn sends a byte, or is the last
    const std::size_t count = semihosting::Write(guest_to_host_, frame.subspan(sent));
    if (count == 0) return Status::kClosed;
    sent += count;
  }
  counters_.sent_bytes += static_cast<std::uint32_t>(frame.size());
  return Status::kOk;
}

void SemihostingLink::DoLock() noexcept { SetBasePriority(kTickPriority); }
void SemihostingLink::DoUnlock() noexcept { SetBasePriority(0); }

}  // namespace tactus::hal::cortex_m
