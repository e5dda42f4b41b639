#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `emulate`: a haptic device's electronics and mechanics behind a terminal or a socket.
void AddEmulateCommand(CLI::App& app);

}  // namespace tactus::host
