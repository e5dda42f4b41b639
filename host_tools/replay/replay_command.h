#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `replay`: recomputes every tick of a recording and compares the bits.
void AddReplayCommand(CLI::App& app);

}  // namespace tactus::host
