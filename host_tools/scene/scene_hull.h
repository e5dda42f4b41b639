#pragma once
#include "host_tools/scene/toml_table.h"
#include "tactus/scene/scene.h"

namespace tactus::host {

/// Reads the corners of a shape of kind "hull", and finds the faces of their convex hull.
/// @throws HostError: fewer than 4 corners, more than 64, or one that is no corner of the hull; the table's line
SceneHull ReadHull(TomlTable* table);

}  // namespace tactus::host
