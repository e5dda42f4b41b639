#pragma once
#include <CLI/CLI.hpp>

namespace tactus::host {

/// `tactus scene read`: which scene is in force in a controller.
void AddReadCommand(CLI::App& command);

}  // namespace tactus::host
