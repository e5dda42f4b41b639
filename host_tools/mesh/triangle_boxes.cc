#include "host_tools/mesh/triangle_boxes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tactus::host {

TriangleBoxes::TriangleBoxes(const TriangleMesh& mesh) : order_(mesh.triangle.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  Build(mesh, 0, 0, order_.size());
}

void TriangleBoxes::Build(const TriangleMesh& mesh, std::size_t box, std::size_t from, std::size_t to) {
  if (boxes_.size() <= box) boxes_.resize(box + 1);
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (std::size_t i = from; i < to; ++i) {
    for (const int v : mesh.triangle[static_cast<std::size_t>(order_[i])]) {
      low = low.cwiseMin(mesh.vertex_m[static_cast<std::size_t>(v)]);
      high = high.cwiseMax(mesh.vertex_m[static_cast<std::size_t>(v)]);
    }
  }
  boxes_[box] = {low, high};
  if (to - from <= kLeaf) return;
  const Vec3 side = high - low;
  const int axis = side(0) >= side(1) && side(0) >= side(2) ? 0 : (side(1) >= side(2) ? 1 : 2);
  const auto centre = [&](int t) {
    double sum = 0;
    for (const int v : mesh.triangle[static_cast<std::size_t>(t)]) sum += mesh.vertex_m[static_cast<std::size_t>(v)](axis);
    return sum;
  };
  const std::size_t middle = from + (to - from) / 2;
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(from), at(middle), at(to), [&](int s, int t) { return centre(s) < centre(t); });
  Build(mesh, 2 * box + 1, from, middle);
  Build(mesh, 2 * box + 2, middle, to);
}

}  // namespace tactus::host
