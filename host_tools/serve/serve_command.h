#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `serve`: this machine as the controller, in real time.
void AddServeCommand(CLI::App& app);

}  // namespace tactus::host
