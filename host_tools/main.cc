// The `tactus` command. Each subcommand lives in its own folder and registers itself here; `solve` and `bench` are programs
// of their own beside this one (solve/main.cc, bench/main.cc), because the sizes they are compiled for take longer to build
// than all the rest together.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "host_tools/devices/emulate_command.h"
#include "host_tools/devices/presets_command.h"
#include "host_tools/doctor/doctor_command.h"
#include "host_tools/export/export_command.h"
#include "host_tools/hil/hil_command.h"
#include "host_tools/io/io_emulator_command.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay_command.h"
#include "host_tools/rig/identify_command.h"
#include "host_tools/rig/selftest_command.h"
#include "host_tools/run/run_command.h"
#include "host_tools/scene/scene_command.h"
#include "host_tools/serve/serve_command.h"
#include "host_tools/stability/stability_command.h"
#include "host_tools/standard_streams.h"

namespace {

// Becomes `tactus-NAME`; comes back only if that cannot be run.
int RunProgram(const std::string& name, char** argv) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (here.parent_path() / ("tactus-" + name)).string();
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

// An empty value is one that a script has lost, as in --force "$N" without an N: the option would count as left out, a
// ceiling or a token with it.
bool HasEmptyValue(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool ends_at_equals = word.starts_with("--") && word.find('=') == word.size() - 1;
    if (!word.empty() && !ends_at_equals) continue;
    const std::string_view of = word.empty() ? std::string_view(argv[i - 1]) : word.substr(0, word.size() - 1);
    tactus::host::PrintError("tactus: the word behind '{}' is empty: give a value, or leave the option out", of);
    return true;
  }
  return false;
}

// What a full disk or a closed pipe took is no success.
int FlushOutput(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  tactus::host::PrintError("tactus: cannot write to standard output");
  return code == 0 ? tactus::host::kExitUsage : code;
}

}  // namespace

int main(int argc, char** argv) {
  tactus::host::ReserveStandardStreams();
  if (HasEmptyValue(argc, argv)) return tactus::host::kExitUsage;
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "solve" || first == "bench") return RunProgram(std::string(first), argv);
  CLI::App app{
      "Tactus: real-time haptics with exact contact. Runs, tests and replays servo controllers, and solves contact "
      "problems."};
  app.require_subcommand(1);
  tactus::host::AddHilCommand(app);
  tactus::host::AddRunCommand(app);
  tactus::host::AddSceneCommand(app);
  tactus::host::AddTestCommand(app);
  tactus::host::AddServeCommand(app);
  tactus::host::AddStabilityCommand(app);
  tactus::host::AddDoctorCommand(app);
  tactus::host::AddReplayCommand(app);
  tactus::host::AddExportCommand(app);
  tactus::host::AddIoEmulatorCommand(app);
  tactus::host::AddEmulateCommand(app);
  tactus::host::AddPresetsCommand(app);
  tactus::host::AddIdentifyCommand(app);
  tactus::host::AddSelfTestCommand(app);
  app.add_subcommand("solve", "Solves contact problems: one JSON object a line in, one solution a line out");
  app.add_subcommand("bench", "Repeats the papers' experiments: tables, CSV, SVG, JSON");
  app.set_version_flag("--version", "tactus " TACTUS_VERSION);
  if (argc > 1 && !IsKnown(argv[1], app)) return tactus::host::kExitUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool usage = error.get_exit_code() != 0 && dynamic_cast<const CLI::RuntimeError*>(&error) == nullptr;
    const int code = app.exit(error);
    return usage ? tactus::host::kExitUsage : FlushOutput(code);
  } catch (const tactus::host::HostError& error) {
    tactus::host::PrintError("tactus: {}", error.what());
    return error.code();
  } catch (const std::exception& error) {  // fmt says so when standard output takes no more
    tactus::host::PrintError("tactus: {}", error.what());
    return tactus::host::kExitUsage;
  }
  return FlushOutput(0);
}
