#pragma once
#include <filesystem>
#include <string>

namespace tactus::host {

/// What the emulator of a board is, as the board's build wrote it (firmware/emulator.json in its build folder).
struct EmulatorOf {
  std::string machine;          ///< QEMU's name of it
  std::filesystem::path image;  ///< the firmware for it, an ELF file
};

/// @throws HostError: the board has not been built, or no emulator knows it.
EmulatorOf FindEmulator(const std::filesystem::path& build_folder, const std::string& board);

}  // namespace tactus::host
