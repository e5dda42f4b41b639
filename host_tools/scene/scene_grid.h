#pragma once
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/toml_table.h"

namespace tactus::host {

/// Reads the distance grid that a shape of kind "grid" names, from the folder of the scene, and keeps its bytes in the file.
/// @throws HostError: no such file, more bytes than a scene may have, not a grid, damaged; the table's `file` and its line
SceneGrid ReadGrid(TomlTable* table, SceneFile* file);

}  // namespace tactus::host
