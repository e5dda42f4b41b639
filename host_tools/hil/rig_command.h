#pragma once
#include <string>

namespace tactus::host {

/// `tactus hil --rig FILE`.
struct RigCommand {
  std::string rig;     ///< the file; "": the command is another one
  std::string report;  ///< where the page goes, a picture beside it; "": standard output, without a picture
  std::string junit;   ///< "": none
};

/// @returns the command's exit code @throws HostError
int RunRigCommand(const RigCommand& command);

}  // namespace tactus::host
