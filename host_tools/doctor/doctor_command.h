#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Adds the subcommand `doctor`: what is wrong with this machine for real time, how to fix it, what that costs.
void AddDoctorCommand(CLI::App& app);

}  // namespace tactus::host
