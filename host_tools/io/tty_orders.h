#pragma once
#include <cstdint>
#include <string>

#include "tactus/core/status.h"

namespace tactus::host {

// What a terminal's driver is told besides bytes. Each @returns kNotReady: this terminal has no such thing.

/// Any rate. @returns kOutOfRange: the nearest that it has is more than 3 % off.
Status SetTerminalRate(int fd, std::uint32_t baud) noexcept;
/// The rate that is set, of either end of a pseudo terminal; 0: `fd` is no terminal.
std::uint32_t RateOfTerminal(int fd) noexcept;
Status SetTerminalDtr(int fd, bool high) noexcept;
Status SetTerminalRts(int fd, bool high) noexcept;
/// Throws away what stands in its buffers.
Status PurgeTerminal(int fd) noexcept;
/// Of an FTDI chip: the kernel keeps it in a file. @param path  of the terminal
Status SetTerminalLatency(const std::string& path, std::uint32_t latency_ms) noexcept;

}  // namespace tactus::host
