#pragma once
#include "host_tools/scene/toml_table.h"
#include "tactus/scene/scene.h"

namespace tactus::host {

/// Whether the keys of a joint are those of its kind: none that means nothing for it, and none missing that it needs.
/// @throws HostError: which key, and why
void CheckJointKeys(JointKind kind, TomlTable& joint);

}  // namespace tactus::host
