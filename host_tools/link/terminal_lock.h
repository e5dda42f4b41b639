#pragma once

namespace tactus::host {

/// One program a board: takes an open terminal for this program alone. @returns false: another one has it.
///
/// The lock is the kernel's: it goes with the last copy of the descriptor, however its program ends, and holds for root too.
/// Programs that ask for no lock are kept out by TIOCEXCL, which a pseudo terminal would not lose at the last close.
bool TakeTerminal(int fd);

inline constexpr const char* kTerminalInUse = "is in use: another program has this board, stop it first";

}  // namespace tactus::host
