#pragma once
#include "host_tools/command_line.h"

namespace tactus::host {

/// `tactus scene bake`: a distance grid from a mesh.
void AddBakeCommand(CLI::App& scene_command);

}  // namespace tactus::host
