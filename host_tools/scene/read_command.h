#pragma once
#include "host_tools/command_line.h"

namespace tactus::host {

/// `tactus scene read`: which scene is in force in a controller.
void AddReadCommand(CLI::App& command);

}  // namespace tactus::host
