#pragma once
#include <vector>

#include "host_tools/hil/rig_checks.h"
#include "host_tools/scene/scene_file.h"

namespace tactus::host {

/// What ends the force of a controller whose device is at the host, tried with the simulated device pressing on the rig's
/// scene: the wire's e-stop, and samples that no longer come. Each with a controller that is called anew.
///
/// @param[in] scene  nullptr: none; then the force that ends is zero, and only the state tells
/// @throws HostError: the link broke
std::vector<RigCheck> CheckStops(const RigFile& rig, const SceneFile* scene);

}  // namespace tactus::host
