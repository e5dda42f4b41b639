#pragma once
#include "host_tools/command_line.h"

namespace tactus::host {

/// `tactus stability`: what a device, a rate, a delay and a coupling allow, before any force goes out.
void AddStabilityCommand(CLI::App& app);

}  // namespace tactus::host
