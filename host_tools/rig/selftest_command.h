#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `selftest`: whether a device does what it is told, with small pushes, before anything is armed on it.
void AddSelfTestCommand(CLI::App& app);

}  // namespace tactus::host
