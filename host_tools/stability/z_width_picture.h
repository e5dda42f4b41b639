#pragma once
#include <string>

#include "host_tools/stability/print_stability.h"

namespace tactus::host {

/// The Z-width of an axis as an SVG of its own: stiffness (logarithmic) over damping, the passive and the stable region, the
/// coupling that was chosen and the one that is recommended.
std::string ZWidthSvg(const AnalysedAxis& axis, const std::string& title);

}  // namespace tactus::host
