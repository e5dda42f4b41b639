#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::wire {

/// Largest distance from one zero, or the start, to the next in one COBS block: a code byte and 254 bytes of data.
inline constexpr std::size_t kCobsBlock = 254;

/// Bytes that CobsEncode writes at most for `size` bytes of data, the closing 0x00 not included.
constexpr std::size_t CobsEncodedBound(std::size_t size) { return size + size / kCobsBlock + 1; }

/// Consistent overhead byte stuffing: removes every 0x00 from the data, so that 0x00 can end a frame.    [COBS99]
///
/// The data is cut after each zero; every block is sent as its length plus one, then its bytes without the zero. A block of
/// 254 bytes without a zero has the code 255 and no zero behind it.
///
/// @param[in]  data  anything
/// @param[out] out   at least CobsEncodedBound(data.size()) bytes; must not overlap with `data`
/// @returns bytes written; 0: `out` is too small, and its content is unspecified
constexpr std::size_t CobsEncode(std::span<const std::uint8_t> data, std::span<std::uint8_t> out) noexcept {
  if (out.size() < CobsEncodedBound(data.size())) return 0;
  const std::uint8_t *from = data.data(), *const end = from + data.size();
  std::uint8_t *code = out.data(), *to = code + 1;
  while (from != end) {
    const std::uint8_t byte = *from++;
    if (byte != 0) {
      *to++ = byte;
      if (to - code <= static_cast<std::ptrdiff_t>(kCobsBlock) || from == end) continue;
    }
    *code = static_cast<std::uint8_t>(to - code);
    code = to++;
  }
  *code = static_cast<std::uint8_t>(to - code);
  return static_cast<std::size_t>(to - out.data());
}

/// What CobsDecoder made of one byte.
enum class CobsEvent : std::uint8_t {
  kNothing,  ///< the byte is taken; nothing comes out yet
  kByte,     ///< one byte of data comes out
  kEnd,      ///< 0x00: the data is complete
  kTorn,     ///< 0x00 inside a block: bytes are missing
};

/// The reverse of CobsEncode, byte by byte: two bytes of state, one byte of output at most for each byte of input.
class CobsDecoder {
 public:
  /// @param[in]  in   the next byte from the link
  /// @param[out] out  written when the result is kByte
  constexpr CobsEvent Push(std::uint8_t in, std::uint8_t* out) noexcept {
    if (in == 0) {
      const bool complete = left_ == 0;
      *this = CobsDecoder{};
      return complete ? CobsEvent::kEnd : CobsEvent::kTorn;
    }
    if (left_ > 0) {
      --left_;
      *out = in;
      return CobsEvent::kByte;
    }
    const bool zero_before = zero_due_;
    left_ = static_cast<std::uint8_t>(in - 1);
    zero_due_ = in != kCobsBlock + 1;
    if (!zero_before) return CobsEvent::kNothing;
    *out = 0;
    return CobsEvent::kByte;
  }

 private:
  std::uint8_t left_ = 0;  ///< bytes of the block that are still to come
  bool zero_due_ = false;  ///< a zero stands before the next block, if there is one
};

}  // namespace tactus::wire
