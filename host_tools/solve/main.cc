// `tactus-solve`: what `tactus solve` becomes.
#include "host_tools/solve/solve_command.h"

#include <CLI/CLI.hpp>
#include <csignal>

#include "host_tools/standard_streams.h"

int main(int argc, char** argv) {
  tactus::host::ReserveStandardStreams();
  (void)std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves is an error of write(), and an exit code
  CLI::App app{"Tactus: solves contact problems."};
  app.require_subcommand(1);
  tactus::host::AddSolveCommand(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool usage = error.get_exit_code() != 0 && dynamic_cast<const CLI::RuntimeError*>(&error) == nullptr;
    const int code = app.exit(error);
    return usage ? tactus::host::kUsageOrFile : code;
  }
  return 0;
}
