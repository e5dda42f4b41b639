#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// `tactus scene list|check|show|draw`.
void AddSceneCommand(CLI::App& app);
/// `tactus test`: runs scenes in this process and compares with what their files assert.
void AddTestCommand(CLI::App& app);

}  // namespace tactus::host
