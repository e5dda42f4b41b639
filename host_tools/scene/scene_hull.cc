#include "host_tools/scene/scene_hull.h"

#include <span>

#include "tactus/collide/hull_of_points.h"

namespace tactus::host {

SceneHull ReadHull(TomlTable* table) {
  SceneHull hull;
  FixedVector<Vec<double, 3>, kHullVertices> points;
  for (TomlTable& corner : table->Tables("corners")) {
    const Vector3 p = corner.Vector("at_m", {});
    corner.Finish();
    if (hull.vertex_m.push_back(p) != Status::kOk) table->Fail("corners", "are more than 64");
    (void)points.push_back({p[0], p[1], p[2]});  // of the same capacity
  }
  if (points.size() < 4) table->Fail("corners", "are fewer than 4");
  internal::FaceFinder<double> finder(
      std::span<const Vec<double, 3>>(points.begin(), static_cast<std::size_t>(points.size())));
  if (!finder.Run()) table->Fail("corners", "have no convex hull with all of them as its corners");
  const HullFaces faces = finder.faces();
  for (const std::uint8_t count : faces.counts) (void)hull.counts.push_back(count);  // FaceFinder's capacities
  for (const std::uint8_t corner : faces.corners) (void)hull.corners.push_back(corner);
  return hull;
}

}  // namespace tactus::host
