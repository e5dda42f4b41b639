#include "host_tools/replay/replay_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"

namespace tactus::host {

void AddReplayCommand(CLI::App& app) {
  const auto path = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("replay", "Recompute every tick of a recording and compare the bits");
  command->add_option("LOG", *path, "recording made with --log")->required();
  command->callback([path] {
    const ReplayResult result = Replay(*path);
    fmt::print("host replay: {}/{} ticks bit-identical ({} with telemetry)\n", result.identical, result.ticks,
               result.telemetry);
    if (!result.first_difference.empty()) fmt::print("{}\n", result.first_difference);
    if (!result.damage.empty()) throw HostError(result.damage, kExitFailed);
    if (result.ticks == 0) throw HostError(fmt::format("{} has no ticks in it", *path), kExitFailed);
    if (!result.ok()) throw CLI::RuntimeError(kExitFailed);
  });
}

}  // namespace tactus::host
