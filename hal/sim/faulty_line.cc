#include "hal/sim/faulty_line.h"

#include <algorithm>

namespace tactus::hal {

void FaultyLine::Queue(std::span<const std::uint8_t> bytes, std::uint32_t due) noexcept {
  while (!bytes.empty() && count_ < waiting_.size()) {
    Chunk& chunk = waiting_[(first_ + count_++) % waiting_.size()];
    chunk.due = due;
    chunk.size = static_cast<std::uint16_t>(std::min(bytes.size(), chunk.bytes.size()));
    std::copy_n(bytes.begin(), chunk.size, chunk.bytes.begin());
    bytes = bytes.subspan(chunk.size);
  }
}

std::span<const std::uint8_t> FaultyLine::Pass(std::span<const std::uint8_t> bytes) noexcept {
  constexpr std::uint8_t kGarbage[] = {0x7e, 0xff, 0x00};
  ++period_;
  std::array<std::uint8_t, 512> changed;
  if (faults.keep_bytes >= 0) bytes = bytes.first(std::min(bytes.size(), static_cast<std::size_t>(faults.keep_bytes)));
  if (faults.drop_first && !bytes.empty()) bytes = bytes.subspan(1);
  if (faults.flip_byte >= 0 && static_cast<std::size_t>(faults.flip_byte) < bytes.size() && bytes.size() <= changed.size()) {
    std::copy(bytes.begin(), bytes.end(), changed.begin());
    changed[static_cast<std::size_t>(faults.flip_byte)] ^= 0x55;
    bytes = std::span(changed).first(bytes.size());
  }
  std::uint32_t due = period_ + faults.late_periods;
  if (faults.merge) due += due % 2;
  if (!faults.cut && !bytes.empty()) {
    if (faults.garbage) Queue(kGarbage, due);
    const std::size_t piece = (bytes.size() + static_cast<std::size_t>(std::max(faults.pieces, 1)) - 1) /
                              static_cast<std::size_t>(std::max(faults.pieces, 1));
    for (int times = faults.repeat ? 2 : 1; times > 0; --times) {
      std::uint32_t at = due;
      for (std::span<const std::uint8_t> rest = bytes; !rest.empty(); ++at) {
        Queue(rest.first(std::min(piece, rest.size())), at);
        rest = rest.subspan(std::min(piece, rest.size()));
      }
    }
  }
  std::size_t size = 0;
  for (; count_ > 0 && static_cast<std::int32_t>(waiting_[first_].due - period_) <= 0; --count_) {
    const Chunk& chunk = waiting_[first_];
    const std::size_t fits = std::min<std::size_t>(chunk.size, out_.size() - size);
    std::copy_n(chunk.bytes.begin(), fits, out_.begin() + static_cast<std::ptrdiff_t>(size));
    size += fits;
    first_ = (first_ + 1) % waiting_.size();
  }
  return std::span(out_).first(size);
}

}  // namespace tactus::hal
