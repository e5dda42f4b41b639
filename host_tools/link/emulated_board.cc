#include "host_tools/link/emulated_board.h"

#include <fmt/core.h>

#include <filesystem>
#include <string_view>

#include "host_tools/link/emulator_of.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {

std::optional<std::string> EmulatedBoard(const std::string& link) {
  constexpr std::string_view kPrefix = "qemu:";
  if (!link.starts_with(kPrefix)) return std::nullopt;
  const std::string board = link.substr(kPrefix.size());
  if (board.empty() || board.find('/') != std::string::npos)
    throw HostError(fmt::format("link '{}': give qemu:BOARD", link));
  return board;
}

QemuOptions EmulationOf(const std::string& board, const std::string& image) {
  EmulatorOf emulator = FindEmulator(std::filesystem::path(TACTUS_BUILD_FOLDER) / board, board);
  if (!image.empty()) emulator.image = image;
  if (!std::filesystem::is_regular_file(emulator.image)) {
    if (!image.empty()) throw HostError(fmt::format("there is no firmware image {}", image));
    throw HostError(fmt::format("there is no firmware image {}: run ./dev build {}", emulator.image.string(), board));
  }
  return {.machine = emulator.machine, .image = emulator.image, .counter = ""};
}

}  // namespace tactus::host
