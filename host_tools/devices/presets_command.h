#pragma once
#include <string>

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `presets`: the numbers of the simulated devices, each with where it is from.
void AddPresetsCommand(CLI::App& app);

/// All of them, or one, as Markdown: what docs/presets.md has. @throws HostError: no such preset
std::string PresetTables(const std::string& name);

}  // namespace tactus::host
