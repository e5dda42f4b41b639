// Two closed surfaces cross where an edge of one goes through a triangle of the other. An edge that goes along a triangle,
// or through its rim, is no clear case: crossing and touching look alike there. So each part is compared with the others
// shrunk:
//
//     v' = v - ε n,   ε = kTouching of the mesh's diagonal,   n the sum of the unit normals around v, of unit length
//
// What touched before is then 2 ε apart or nearly, and what overlapped by more still overlaps, with its vertices off the
// other's planes. The rim of a triangle counts as its inside. A vertex on a plane counts as above it.
#include "host_tools/mesh/part_crossing.h"

#include <algorithm>

#include "host_tools/mesh/triangle_boxes.h"
#include "tactus/core/spatial.h"

namespace tactus::host {
namespace {

using Corners = std::array<Vec3, 3>;

Corners CornersOf(const TriangleMesh& mesh, int triangle) {
  Corners corners;
  for (std::size_t i = 0; i < 3; ++i)
    corners[i] = mesh.vertex_m[static_cast<std::size_t>(mesh.triangle[static_cast<std::size_t>(triangle)][i])];
  return corners;
}

TriangleMesh Shrunk(const TriangleMesh& mesh) {
  Vec3 low = mesh.vertex_m.front(), high = low;
  std::vector<Vec3> normal(mesh.vertex_m.size(), Vec3::Zero());
  for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
    const Corners p = CornersOf(mesh, static_cast<int>(t));
    const Vec3 n = Cross(Vec3(p[1] - p[0]), Vec3(p[2] - p[0])).normalized();  // 0 for one without an area
    for (std::size_t i = 0; i < 3; ++i) {
      normal[static_cast<std::size_t>(mesh.triangle[t][i])] += n;
      low = low.cwiseMin(p[i]);
      high = high.cwiseMax(p[i]);
    }
  }
  TriangleMesh shrunk = mesh;
  const double by_m = kTouching * (high - low).norm();
  for (std::size_t v = 0; v < normal.size(); ++v) shrunk.vertex_m[v] -= by_m * normal[v].normalized();
  return shrunk;
}

/// Where the edge from `from` to `to` goes through the triangle.
std::optional<Vec3> Through(const Vec3& from, const Vec3& to, const Corners& t) {
  const Vec3 normal = Cross(Vec3(t[1] - t[0]), Vec3(t[2] - t[0]));
  const double above_from = normal.dot(from - t[0]), above_to = normal.dot(to - t[0]);
  if ((above_from >= 0) == (above_to >= 0)) return std::nullopt;
  const Vec3 along = to - from;
  bool left = true, right = true;  // of each side, seen along the edge
  for (std::size_t i = 0; i < 3; ++i) {
    const double side = along.dot(Cross(Vec3(t[i] - from), Vec3(t[(i + 1) % 3] - from)));
    left = left && side >= 0;
    right = right && side <= 0;
  }
  if (!left && !right) return std::nullopt;
  return from + along * (above_from / (above_from - above_to));
}

std::optional<Vec3> EdgesThrough(const Corners& edges, const Corners& triangle) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (const std::optional<Vec3> place = Through(edges[i], edges[(i + 1) % 3], triangle)) return place;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PartCrossing> FindCrossing(const TriangleMesh& mesh, const std::vector<int>& part) {
  if (mesh.triangle.empty()) return std::nullopt;
  const TriangleMesh shrunk = Shrunk(mesh);
  const TriangleBoxes boxes(mesh);
  std::optional<PartCrossing> crossing;
  for (std::size_t t = 0; t < mesh.triangle.size() && !crossing; ++t) {
    const Corners mine = CornersOf(shrunk, static_cast<int>(t));
    const Vec3 low = mine[0].cwiseMin(mine[1]).cwiseMin(mine[2]), high = mine[0].cwiseMax(mine[1]).cwiseMax(mine[2]);
    (void)boxes.Meet(low, high, [&](int other) {  // what it returns is in `crossing`
      if (part[static_cast<std::size_t>(other)] == part[t]) return false;
      const Corners theirs = CornersOf(mesh, other);
      std::optional<Vec3> place = EdgesThrough(mine, theirs);
      if (!place) place = EdgesThrough(theirs, mine);
      if (place) {
        const auto [a, b] = std::minmax(part[t], part[static_cast<std::size_t>(other)]);
        crossing = PartCrossing{a, b, *place};
      }
      return place.has_value();
    });
  }
  return crossing;
}

}  // namespace tactus::host
