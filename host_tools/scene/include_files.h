#pragma once
#include <string>
#include <vector>

#include "host_tools/scene/toml_plus_plus.h"

namespace tactus::host {

/// Reads a TOML file and what it includes: `include = ["room.toml"]`, paths from the folder of the file that names them.
///
/// Lists of tables ([[world]], [[pairs]]) are put together, those of the included files first. A key that both have is the
/// including file's; tables ([tool], [coupling]) are put together key by key. Each node keeps the file and line it came
/// from. Bounds: 1 MB a file, 4 files deep, 16 files in all.
/// @throws HostError: no such file, no TOML, too large, too deep, a file that includes itself; with file and line
toml::table ReadWithIncludes(const std::string& path);

/// Of these files those that another one of them includes and that have no [tool]: parts of scenes, and none themselves.
/// What is no TOML is no part.
std::vector<std::string> PartsAmong(const std::vector<std::string>& paths);

}  // namespace tactus::host
