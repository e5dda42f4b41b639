#pragma once
#include <string>

#include "host_tools/scene/toml_plus_plus.h"

namespace tactus::host {

/// Errors about a value that was set name this instead of file and line.
inline constexpr std::string_view kSetPrefix = "--set ";

/// Changes one value of a scene as `--set` gives it: "coupling.stiffness_N_per_m=3000", "bodies[0].mass_kg=0.2",
/// "bodies[door].mass_kg=0.2", "gravity_mps2=[0, 0, -1.6]". A value is TOML's; a text needs no quotes. A table that the file
/// does not have is made; an item of a list must be there.
///
/// @throws HostError: no key, no '=', no such item; what the scene makes of the value is its reader's to say
void SetValue(const std::string& assignment, toml::table* scene);

}  // namespace tactus::host
