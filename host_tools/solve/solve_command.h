#pragma once

namespace CLI {
class App;
}

namespace tactus::host {

/// Exit codes of `tactus solve`; the largest one that applies.
enum SolveExit : int {
  kAllSolved = 0,     ///< every problem was solved
  kSomeUnsolved = 1,  ///< every problem was valid, but some jammed or ran out of budget
  kUsageOrFile =
      2,  ///< nothing was solved: wrong arguments, no such file, nothing in it; or the output could not be written
  kSomeInvalid = 3,  ///< some lines were not a valid problem; all others were solved as far as they can be
};

/// Adds the subcommand `solve` to `app`: problems in, one a line; solutions out, one a line, in the same order
/// (docs/problem_format.md). It runs while `app` parses; an exit code other than 0 leaves as CLI::RuntimeError, which
/// `app.exit()` turns into the process's exit code.
void AddSolveCommand(CLI::App& app);

}  // namespace tactus::host
