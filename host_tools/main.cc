// The `tactus` command. Each subcommand lives in its own folder and registers itself here.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "host_tools/hil/hil_command.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay_command.h"
#include "host_tools/run/run_command.h"
#include "host_tools/solve/solve_command.h"

int main(int argc, char** argv) {
  CLI::App app{
      "Tactus: real-time haptics with exact contact. Runs, tests and replays servo controllers, and solves contact "
      "problems."};
  app.require_subcommand(1);
  tactus::host::AddHilCommand(app);
  tactus::host::AddRunCommand(app);
  tactus::host::AddReplayCommand(app);
  tactus::host::AddSolveCommand(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool usage = error.get_exit_code() != 0 && dynamic_cast<const CLI::RuntimeError*>(&error) == nullptr;
    const int code = app.exit(error);
    return usage ? tactus::host::kExitUsage : code;
  } catch (const tactus::host::HostError& error) {
    fmt::print(stderr, "tactus: {}\n", error.what());
    return error.code();
  }
  return 0;
}
