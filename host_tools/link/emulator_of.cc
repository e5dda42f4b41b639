#include "host_tools/link/emulator_of.h"

#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "host_tools/link/host_error.h"

namespace tactus::host {

EmulatorOf FindEmulator(const std::filesystem::path& build_folder, const std::string& board) {
  if (!std::filesystem::is_regular_file(build_folder / "build.ninja"))
    throw HostError(
        fmt::format("there is no firmware image of {} in {}: run ./dev build {}", board, build_folder.string(), board));
  std::ifstream file(build_folder / "firmware" / "emulator.json");
  const nlohmann::json emulator = nlohmann::json::parse(file, nullptr, false);
  if (!emulator.is_object() || !emulator.contains("machine") || !emulator.contains("image")) {
    throw HostError(
        fmt::format("no emulator knows the board {}: its board.cmake names no TACTUS_BOARD_QEMU_MACHINE", board));
  }
  return {.machine = emulator["machine"].get<std::string>(), .image = emulator["image"].get<std::string>()};
}

}  // namespace tactus::host
