#pragma once
#include <string>
#include <vector>

namespace tactus::host {

/// Where the shipped scenes are: share/tactus/scenes under the prefix that this program is installed in, else the source
/// tree that it was built from.
std::string ScenesFolder();

/// Files of the shipped scenes, in the order of their names.
std::vector<std::string> ShippedScenes();

/// The file of a scene: `place` itself, or the shipped scene of that name. @throws HostError: neither is there
std::string FindScene(const std::string& place);

}  // namespace tactus::host
