#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `identify`: mass, damping, friction, count and delay of a device, measured at its handle.
void AddIdentifyCommand(CLI::App& app);

}  // namespace tactus::host
