#include "hal/devices/falcon_program.h"

namespace tactus::hal::falcon {
namespace {

constexpr unsigned kKey = 0x08AA;
constexpr std::size_t kHead_B = 2 + 8 * 2 + 4;  // key, words of no use, entry
constexpr std::size_t kBlockHead_B = 2 + 4;     // count, address

unsigned WordAt(std::span<const std::uint8_t> bytes, std::size_t at) { return bytes[at] | unsigned{bytes[at + 1]} << 8; }

}  // namespace

ProgramFault CheckProgram(std::span<const std::uint8_t> program) noexcept {
  if (program.size() < 2 || WordAt(program, 0) != kKey) return ProgramFault::kNoKey;
  if (program.size() > kLargestProgram_B) return ProgramFault::kTooLarge;
  std::size_t at = kHead_B;
  // ends: each block takes at least a head of the program's bytes
  for (bool has_block = false; at + 2 <= program.size(); has_block = true) {
    const std::size_t words = WordAt(program, at);
    if (words == 0) {
      if (at + 2 != program.size()) return ProgramFault::kTooLong;
      return has_block ? ProgramFault::kNone : ProgramFault::kEmpty;
    }
    at += kBlockHead_B + 2 * words;
  }
  return ProgramFault::kTorn;
}

}  // namespace tactus::hal::falcon
