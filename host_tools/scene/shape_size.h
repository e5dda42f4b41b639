#pragma once
#include "host_tools/scene/toml_table.h"
#include "tactus/scene/scene.h"

namespace tactus::host {

/// Reads a number that must be there, within [low, high]. @throws HostError: with the range
double ReadWithin(TomlTable* table, const char* key, double low, double high);

/// Reads radius_m, length_m, size_m, rounding_m and their like, those that the shape's kind has, as single precision can
/// carry them.
/// @param[in,out] shape  in: its kind
/// @throws HostError: what is wrong, with file, line, field, value and range
void ReadSize(TomlTable* table, SceneShape* shape);

}  // namespace tactus::host
