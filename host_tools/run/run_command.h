#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `run`: the servo application in this process, against the simulated device.
void AddRunCommand(CLI::App& app);

}  // namespace tactus::host
