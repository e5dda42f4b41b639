#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// `tactus io-emulator`: the I/O firmware as a process on a pseudo terminal, with the simulated device behind it.
void AddIoEmulatorCommand(CLI::App& app);

}  // namespace tactus::host
