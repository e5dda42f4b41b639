#pragma once
#include <string>

#include "host_tools/hil/rig_checks.h"

namespace tactus::host {

/// The page of a rig's run, in Markdown: what was tested, a line for each check, the wall's picture.
/// @param[in] when     as it is to be printed
/// @param[in] picture  the SVG's name beside the page; "": none
std::string RigMarkdown(const RigFile& rig, const RigResult& result, const std::string& when, const std::string& picture);

/// The force over the depth of the handle, and the line F = K d, as an SVG of its own.
std::string WallSvg(const RigWall& wall, const std::vector<WallPoint>& points);

/// For CI: a testcase for each check, in a testsuite.
std::string RigJunit(const RigFile& rig, const RigResult& result);

}  // namespace tactus::host
