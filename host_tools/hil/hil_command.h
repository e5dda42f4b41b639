#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `hil`: plays the device of a real or emulated board.
void AddHilCommand(CLI::App& app);

}  // namespace tactus::host
