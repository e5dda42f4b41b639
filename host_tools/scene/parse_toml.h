#pragma once
#include <cstdint>
#include <string>

#include "host_tools/scene/toml_plus_plus.h"

namespace tactus::host {

/// The whole of a TOML file.
/// @param most_bytes  a larger one is refused unread
/// @param what        that it is to be, as "a scene"
/// @throws HostError: it cannot be read, is too large, or is no TOML, with the line
toml::table ParseToml(const std::string& path, std::uintmax_t most_bytes, const char* what);

}  // namespace tactus::host
