#pragma once
#include <stdexcept>
#include <string>

namespace tactus::host {

/// What the commands exit with.
enum ExitCode : int {
  kExitOk = 0,
  kExitFailed = 1,    ///< the run is done and something in it is wrong: a tick differs, a fault, an answer that is not exact
  kExitUsage = 2,     ///< bad arguments, a missing file or tool
  kExitLink = 3,      ///< no answer from the board, or the link broke
  kExitSignal = 128,  ///< and the number of the signal that stopped the run, in good order: 130 Ctrl-C, 143 SIGTERM
};

/// A problem to tell the user in one sentence: what, and what to do about it.
class HostError : public std::runtime_error {
 public:
  explicit HostError(const std::string& message, ExitCode code = kExitUsage) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace tactus::host
