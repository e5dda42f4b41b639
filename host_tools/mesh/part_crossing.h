#pragma once
#include <optional>
#include <vector>

#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {

/// Where the surfaces of two parts of a mesh go through each other.
struct PartCrossing {
  int a = 0, b = 0;  ///< parts, from 0
  Vec3 place_m;
};

inline constexpr double kTouching = 1e-6;  ///< of the mesh's diagonal. Single precision has the places to 6e-8 of it

/// Looks for one. Parts that only touch, or overlap by less than kTouching, do not cross; nor does a
/// part that is wholly inside of another.
/// @param[in] mesh  each part closed and wound outward
/// @param[in] part  of each triangle, from 0
std::optional<PartCrossing> FindCrossing(const TriangleMesh& mesh, const std::vector<int>& part);

}  // namespace tactus::host
