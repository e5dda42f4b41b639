#pragma once
#include <vector>

#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {

/// Boxes around halves of halves of a mesh's triangles, down to kLeaf of them.
class TriangleBoxes {
 public:
  static constexpr std::size_t kLeaf = 4;  ///< triangles

  /// A box around triangles [from, to) of order(); inner boxes have their two halves at 2 i + 1 and 2 i + 2, and split there
  /// at from + (to - from) / 2.
  struct Box {
    Vec3 low, high;
  };

  /// @param[in] mesh  with a triangle at least; is not kept
  explicit TriangleBoxes(const TriangleMesh& mesh);

  const std::vector<int>& order() const { return order_; }
  const Box& operator[](std::size_t box) const { return boxes_[box]; }

  /// Calls visit(triangle) for each one in a leaf whose box meets [low, high], until one of the calls returns true.
  template <class Visit>
  bool Meet(const Vec3& low, const Vec3& high, const Visit& visit) const {
    return Meet(0, 0, order_.size(), {low, high}, visit);
  }

 private:
  void Build(const TriangleMesh& mesh, std::size_t box, std::size_t from, std::size_t to);

  template <class Visit>
  bool Meet(std::size_t box, std::size_t from, std::size_t to, const Box& with, const Visit& visit) const {
    const Box& mine = boxes_[box];
    if ((mine.low.array() > with.high.array()).any() || (mine.high.array() < with.low.array()).any()) return false;
    if (to - from <= kLeaf) {
      for (std::size_t i = from; i < to; ++i) {
        if (visit(order_[i])) return true;
      }
      return false;
    }
    const std::size_t middle = from + (to - from) / 2;
    return Meet(2 * box + 1, from, middle, with, visit) || Meet(2 * box + 2, middle, to, with, visit);
  }

  std::vector<int> order_;
  std::vector<Box> boxes_;
};

}  // namespace tactus::host
