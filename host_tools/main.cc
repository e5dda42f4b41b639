// The `tactus` command. Each subcommand lives in its own folder and registers itself here; `solve` is a program of its own
// beside this one (solve/main.cc), because the sizes it is compiled for take longer to build than all the rest together.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "host_tools/hil/hil_command.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay_command.h"
#include "host_tools/run/run_command.h"
#include "host_tools/standard_streams.h"

namespace {

// Becomes `tactus-solve`; comes back only if that cannot be run.
int RunSolve(char** argv) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (here.parent_path() / "tactus-solve").string();
  execv(program.c_str(), argv);
  tactus::host::PrintError("tactus: cannot run {}: build it with ./dev build host", program);
  return tactus::host::kExitUsage;
}

// Whether `word` can begin a command line: an option, or one of the subcommands of `app`, which are listed if not.
bool IsKnown(const std::string& word, const CLI::App& app) {
  std::string commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (word == command->get_name()) return true;
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  }
  if (word.starts_with('-')) return true;
  tactus::host::PrintError("tactus: no command '{}'; there is: {}", word, commands);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  tactus::host::ReserveStandardStreams();
  if (argc > 1 && std::string_view(argv[1]) == "solve") return RunSolve(argv);
  CLI::App app{
      "Tactus: real-time haptics with exact contact. Runs, tests and replays servo controllers, and solves contact "
      "problems."};
  app.require_subcommand(1);
  tactus::host::AddHilCommand(app);
  tactus::host::AddRunCommand(app);
  tactus::host::AddReplayCommand(app);
  app.add_subcommand("solve", "Solves contact problems: one JSON object a line in, one solution a line out");
  app.set_version_flag("--version", "tactus " TACTUS_VERSION);
  if (argc > 1 && !IsKnown(argv[1], app)) return tactus::host::kExitUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool usage = error.get_exit_code() != 0 && dynamic_cast<const CLI::RuntimeError*>(&error) == nullptr;
    const int code = app.exit(error);
    return usage ? tactus::host::kExitUsage : code;
  } catch (const tactus::host::HostError& error) {
    tactus::host::PrintError("tactus: {}", error.what());
    return error.code();
  }
  return 0;
}
