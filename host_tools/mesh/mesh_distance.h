#pragma once
#include <array>
#include <limits>
#include <vector>

#include "host_tools/mesh/triangle_boxes.h"
#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {

/// Signed distance to a watertight mesh: that to the nearest triangle, with the sign of (x - nearest)·n, where n is the
/// angle-weighted normal of the face, edge or vertex on which the nearest point lies [BaerentzenAanaes05]. Positive
/// outside. Exact to rounding for a mesh that does not cut itself.
class MeshDistance {
 public:
  /// @param[in] mesh  as MakeWatertight leaves it; must outlive this
  explicit MeshDistance(const TriangleMesh& mesh);

  double operator()(const Vec3& x_m) const;

 private:
  struct Nearest {
    double distance2 = std::numeric_limits<double>::infinity();
    Vec3 place, normal;
  };

  void Search(std::size_t box, std::size_t from, std::size_t to, const Vec3& x, Nearest* nearest) const;
  void Look(int triangle, const Vec3& x, Nearest* nearest) const;

  const TriangleMesh& mesh_;
  const TriangleBoxes boxes_;
  std::vector<Vec3> face_normal_, vertex_normal_;
  std::vector<std::array<Vec3, 3>> edge_normal_;  ///< of the edge from corner i to the next
};

/// The point of a triangle that is nearest to x, and on which feature it lies.
struct TrianglePoint {
  Vec3 place;
  int vertex = -1;  ///< 0 to 2: a corner
  int edge = -1;    ///< 0 to 2: the edge from that corner to the next
};
TrianglePoint NearestOnTriangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace tactus::host
