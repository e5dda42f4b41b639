#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal::woodenhaptics {

/// The text that WoodenHaptics' firmware of 2026 speaks over USB serial (docs/devices.md): one line each way, strictly a
/// request and its answer, without a checksum or a number.
///
///     host    [mA,mA,mA]\n                        motors a, b, c
///     device  [model,e0,e1,e2,e3,e4,e5,error]\n   counts since power-up: motors a, b, c, then the gimbal

inline constexpr int kModel = 3;               ///< what the arm says of itself
inline constexpr int kMost_mA = 6000;          ///< beyond, the firmware takes 0
inline constexpr std::size_t kMostLine = 127;  ///< bytes; the firmware's own buffer has 128

/// Bits of the last number of an answer.
enum Error : std::uint32_t {
  kGimbal = 1 | 2 | 4,  ///< a sensor of the gimbal, one each
  kTrailing = 8,        ///< more came behind the message: it was not taken
  kBufferFull = 128,
  kNoBracket = 256,
  kCommas = 512,
  kParse = 1024,
  kNotTaken = kTrailing | kBufferFull | kNoBracket | kCommas | kParse,
};

struct Answer {
  std::int32_t model = 0;
  std::array<std::int32_t, 6> count{};
  std::uint32_t error = 0;
};

/// "[a,b,c]\n". @param[in] milliampere  each within ±kMost_mA @param[out] line  what is written
/// @returns its bytes; 0: a number is beyond.
std::size_t WriteCommand(const std::array<int, 3>& milliampere, std::array<std::uint8_t, 32>* line) noexcept;

/// Finds answers in bytes that come in any pieces.
class AnswerReader {
 public:
  /// @returns kOk: answer() is a new one; kWouldBlock: none is whole yet; kCorrupt: a line has ended that is no answer;
  /// kOutOfRange: it was one but for a number that does not fit.
  Status Push(std::uint8_t byte) noexcept;
  const Answer& answer() const noexcept { return answer_; }
  void Reset() noexcept { size_ = 0, in_line_ = false; }

 private:
  Status Parse() noexcept;

  std::array<std::uint8_t, kMostLine> line_{};  // what stands between '[' and ']'
  std::size_t size_ = 0;
  bool in_line_ = false;
  Answer answer_;
};

}  // namespace tactus::hal::woodenhaptics
