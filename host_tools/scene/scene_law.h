#pragma once
#include "host_tools/scene/toml_table.h"
#include "tactus/scene/scene.h"

namespace tactus::host {

/// Reads what a law of contacts says of friction, stiffness and damping: of any pair, or of one.
ContactLaw ReadLaw(TomlTable* table);

/// Reads the periodic texture of a pair.
void ReadWave(TomlTable* table, ContactLaw* law);

}  // namespace tactus::host
