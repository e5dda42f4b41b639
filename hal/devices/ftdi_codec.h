#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal::ftdi {

/// An FTDI serial chip's own words on USB (docs/devices.md, 3). Vendor requests to the device, without data.
enum Request : std::uint8_t { kReset = 0, kModem = 1, kFlow = 2, kBaud = 3, kData = 4, kLatency = 9 };

inline constexpr std::uint16_t kPurgeReceived = 1, kPurgeSent = 2;                                        // of kReset
inline constexpr std::uint16_t kDtrLow = 0x0100, kDtrHigh = 0x0101, kRtsLow = 0x0200, kRtsHigh = 0x0202;  // of kModem
inline constexpr std::uint16_t kEightBitsNoParityOneStop = 8;                                             // of kData
inline constexpr std::size_t kPacket_B = 64, kStatus_B = 2;  // of the pipe to the host; the status stands before each

struct Divisor {
  std::uint16_t value = 0, index = 0;
};

/// Equation  3 MHz / (n + eighths/8), nearest; the eighths as a code in bits 14 and up
/// @returns kOutOfRange: no divisor is within 3 %.
Status DivisorFor(std::uint32_t baud, Divisor* divisor) noexcept;

/// Takes the status out of what one transfer brought: two bytes of each packet of 64.
/// @param[in,out] bytes  in: `size` of them; out: the serial line's, first  @returns how many
std::size_t StripStatus(std::span<std::uint8_t> bytes) noexcept;

}  // namespace tactus::hal::ftdi
