#pragma once
#include <optional>
#include <string>

#include "host_tools/link/qemu_board.h"

namespace tactus::host {

/// The board of a link "qemu:BOARD"; nothing for any other link. @throws HostError: no board in it
std::optional<std::string> EmulatedBoard(const std::string& link);

/// What emulates a board: its machine, and its image as it was built or as it is given.
///
/// @param[in] image  a firmware, an ELF file; empty: the board's from the build folder
/// @throws HostError: there is no such image, or no emulator knows the board
QemuOptions EmulationOf(const std::string& board, const std::string& image);

}  // namespace tactus::host
