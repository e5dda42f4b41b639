#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::hal::falcon {

/// What is wrong with a file that shall be a Falcon's program.
enum class ProgramFault : std::uint8_t {
  kNone,
  kNoKey,    ///< it does not begin with the loader's key: another file
  kTorn,     ///< it ends within a block, or without the word that ends it
  kTooLong,  ///< bytes follow behind its end
  kEmpty,    ///< no block in it
  kTooLarge  ///< more than the chip has memory for
};

constexpr const char* Name(ProgramFault fault) {
  switch (fault) {
    case ProgramFault::kNone: return "none";
    case ProgramFault::kNoKey: return "does not begin as a program for its loader does";
    case ProgramFault::kTorn: return "ends too early: it is not whole";
    case ProgramFault::kTooLong: return "goes on behind its end";
    case ProgramFault::kEmpty: return "has nothing to load";
    case ProgramFault::kTooLarge: return "is larger than the chip's memory";
  }
  return "unknown";
}

inline constexpr std::size_t kLargestProgram_B = 128 * 1024;  ///< ours: known ones have 7 to 8.5 kB

/// Looks at a program's form: little-endian words; a key, eight of no use, an entry of two, then blocks {n, address of two,
/// n words}; n = 0 ends it. The loader takes it as it comes, so what is not whole would leave it waiting for ever.
ProgramFault CheckProgram(std::span<const std::uint8_t> program) noexcept;

}  // namespace tactus::hal::falcon
