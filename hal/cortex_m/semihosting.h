#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::hal::cortex_m::semihosting {

// Calls to a debugger or emulator (Arm semihosting, version 2). Without one, the instruction is a HardFault: only code that
// is built with TACTUS_SEMIHOSTING may come here.

/// Copies the command line, zero-terminated. @returns false: there is none, or it does not fit.
bool CommandLine(std::span<char> room);

/// Prints on the emulator's standard error.
void Print(const char* text);

/// Opens a file of the host; a FIFO waits for its other end. @returns a handle, or -1.
int Open(const char* path, bool for_writing);

/// @returns bytes read; 0: end of file.
std::size_t Read(int handle, std::span<std::uint8_t> room);

/// @returns bytes written.
std::size_t Write(int handle, std::span<const std::uint8_t> bytes);

/// Ends the emulator with this exit code.
[[noreturn]] void Exit(int code);

}  // namespace tactus::hal::cortex_m::semihosting
