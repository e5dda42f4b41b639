#pragma once
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/toml_table.h"

namespace tactus::host {

/// Reads how a scene is run: the tables [coupling], [[hand]] and [checks]. Without a hand it is still for a second.
/// @throws HostError: what is wrong, with file, line, field, value and range
void ReadRun(TomlTable* root, SceneFile* file);

}  // namespace tactus::host
