#pragma once
#include <algorithm>
#include <type_traits>

#include "tactus/collide/round_core.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/core/status.h"

namespace tactus {

inline constexpr int kMaxSamplePoints = 256;
inline constexpr int kPointsPerCluster = 8;

/// A ball that stands for a piece of a shape's surface.
template <class Scalar>
struct SamplePoint {
  Vec<Scalar, 3> p_B_m = Vec<Scalar, 3>::Zero();
  Scalar radius_m = Scalar(0);
};

/// Points that lie together, and the ball around them with their own radii.
template <class Scalar>
struct SampleCluster {
  Vec<Scalar, 3> p_B_m = Vec<Scalar, 3>::Zero();
  Scalar radius_m = Scalar(0);
};

/// The surface of a tool as balls, for contacts with a DistanceGrid. Cluster c holds the points from 8 c on.
///
/// What lies between two points is not seen: over a surface of curvature κ a spacing s leaves s² κ/8 (3 mm over 10 mm of
/// radius: 0.11 mm). Choose s by what a hand may miss.
template <class Scalar>
struct SampleCloud {
  FixedVector<SamplePoint<Scalar>, kMaxSamplePoints> points;
  FixedVector<SampleCluster<Scalar>, kMaxSamplePoints / kPointsPerCluster> clusters;
};

namespace internal {

template <class Scalar>
class PointSampler {
  using Vec3 = Vec<Scalar, 3>;

 public:
  PointSampler(const Shape<Scalar>& shape, const Hull<Scalar>* hull, Scalar spacing_m, const Vec3& p_BS_m,
               const Mat<Scalar, 3, 3>& R_BS, SampleCloud<Scalar>* cloud)
      : shape_(shape), hull_(hull), spacing_m_(spacing_m), p_BS_m_(p_BS_m), R_BS_(R_BS), cloud_(*cloud) {}

  Status Run() {
    switch (shape_.kind) {
      case ShapeKind::kSphere: Add(Vec3::Zero()); break;
      case ShapeKind::kCapsule: AddLine(Along(2, shape_.half_m(2)), Along(2, -shape_.half_m(2)), true); break;
      case ShapeKind::kBox: AddBox(); break;
      case ShapeKind::kCylinder: AddCylinder(); break;
      case ShapeKind::kCone: AddCone(); break;
      case ShapeKind::kHull: AddHull(); break;
      case ShapeKind::kHalfSpace:
      case ShapeKind::kGrid:
      case ShapeKind::kTorus:
      case ShapeKind::kHole: return Status::kOutOfRange;
    }
    return status_;
  }

 private:
  static Vec3 Along(int axis, Scalar x) {
    Vec3 v = Vec3::Zero();
    v(axis) = x;
    return v;
  }
  /// Pieces of a length that are no longer than the spacing; 1 at least.
  int Pieces(Scalar length_m) const {
    const Scalar pieces = length_m / spacing_m_;
    if (!(pieces < static_cast<Scalar>(kMaxSamplePoints))) return kMaxSamplePoints;  // more than there is room for
    const int whole = static_cast<int>(pieces);
    return Max(1, whole + (static_cast<Scalar>(whole) < pieces ? 1 : 0));
  }
  void Add(const Vec3& p_S_m) {
    const Status added = cloud_.points.push_back({p_BS_m_ + Times(R_BS_, p_S_m), shape_.radius_m});
    if (added != Status::kOk) status_ = Status::kOutOfRange;
  }
  /// Points from a to b, both ends with `ends`.
  void AddLine(const Vec3& a, const Vec3& b, bool ends) {
    const int pieces = Pieces(Norm(Vec3(b - a)));
    for (int i = ends ? 0 : 1; i < pieces + (ends ? 1 : 0) && status_ == Status::kOk; ++i) {
      Add(Vec3(a + (static_cast<Scalar>(i) / static_cast<Scalar>(pieces)) * (b - a)));
    }
  }

  /// The lattice on the surface of the core.
  void AddBox() {
    int n[3];
    Vec3 half;
    for (int i = 0; i < 3; ++i) {
      half(i) = shape_.half_m(i) - shape_.radius_m;
      n[i] = Pieces(Scalar(2) * half(i));
    }
    const auto place = [&](int i, int axis) {
      return half(axis) * (Scalar(2) * static_cast<Scalar>(i) / static_cast<Scalar>(n[axis]) - Scalar(1));
    };
    for (int i = 0; i <= n[0]; ++i) {
      for (int j = 0; j <= n[1]; ++j) {
        const bool side = i == 0 || i == n[0] || j == 0 || j == n[1];
        for (int k = 0; k <= n[2] && status_ == Status::kOk; k += side ? 1 : n[2]) {
          Add({place(i, 0), place(j, 1), place(k, 2)});
        }
      }
    }
  }

  /// Rings: on the side, and on the ends down to their middle.
  void AddCylinder() {
    const Scalar radius_m = shape_.half_m(0) - shape_.radius_m, half_m = shape_.half_m(2) - shape_.radius_m;
    const int up = Pieces(Scalar(2) * half_m), in = Pieces(radius_m);
    for (int k = 0; k <= up; ++k) {
      const Scalar z = half_m * (Scalar(2) * static_cast<Scalar>(k) / static_cast<Scalar>(up) - Scalar(1));
      AddRing(radius_m, z);
      for (int j = 1; (k == 0 || k == up) && j <= in; ++j) {
        AddRing(radius_m * static_cast<Scalar>(in - j) / static_cast<Scalar>(in), z);
      }
    }
  }
  /// Rings: on the side up to the apex, and on the base down to its middle.
  void AddCone() {
    const RoundCore<Scalar> core = RoundCoreOf(shape_);
    const Scalar height_m = Scalar(2) * core.half_m;
    const int up = Pieces(Sqrt(core.radius_m * core.radius_m + height_m * height_m)), in = Pieces(core.radius_m);
    for (int k = 0; k <= up; ++k) {
      const Scalar left = static_cast<Scalar>(up - k) / static_cast<Scalar>(up);
      AddRing(core.radius_m * left, core.High_m() - height_m * left);
    }
    for (int j = 1; j <= in; ++j)
      AddRing(core.radius_m * static_cast<Scalar>(in - j) / static_cast<Scalar>(in), core.Low_m());
  }
  /// By bisecting the quarter circles: no function of an angle is needed.
  void AddRing(Scalar radius_m, Scalar z) {
    if (!(radius_m > Scalar(0))) return Add({Scalar(0), Scalar(0), z});
    int pieces = 1;
    while (pieces < kMaxSamplePoints && kPi<Scalar> / 2 * radius_m > spacing_m_ * static_cast<Scalar>(pieces)) pieces *= 2;
    Scalar c = Scalar(0), s = Scalar(1);  // cosine and sine of a piece
    for (int n = 1; n < pieces; n *= 2) {
      c = Sqrt((Scalar(1) + c) * Scalar(0.5));
      s = s / (Scalar(2) * c);
    }
    Scalar x = radius_m, y = 0;
    for (int i = 0; i < 4 * pieces && status_ == Status::kOk; ++i) {
      Add({x, y, z});
      const Scalar turned = c * x - s * y;
      y = s * x + c * y;
      x = turned;
    }
  }

  /// Vertices, edges once each, and the inside of the faces as fans of triangles.
  void AddHull() {
    for (const Vec3& vertex : hull_->vertex_m) Add(vertex);
    for (const std::uint16_t first : hull_->first_of_face) {
      if (status_ == Status::kOk) AddFace(first);
    }
  }
  Vec3 VertexOf(int half_edge) const { return hull_->vertex_m[hull_->half_edge[half_edge].origin]; }
  void AddFace(int first) {
    int e = first;
    do {
      const int next = hull_->half_edge[e].next, after = hull_->half_edge[next].next;
      if (hull_->half_edge[e].origin < hull_->half_edge[next].origin) AddLine(VertexOf(e), VertexOf(next), false);
      if (e != first && next != first) AddTriangle(VertexOf(first), VertexOf(e), VertexOf(next), after != first);
      e = next;
    } while (e != first && status_ == Status::kOk);
  }
  /// Its inside; with `with_diagonal` also the side from b to o.
  void AddTriangle(const Vec3& o, const Vec3& a, const Vec3& b, bool with_diagonal) {
    const int rows = Max(Pieces(Norm(Vec3(a - o))), Pieces(Norm(Vec3(b - o))));
    for (int i = 1; i < rows && status_ == Status::kOk; ++i) {
      const Scalar t = static_cast<Scalar>(i) / static_cast<Scalar>(rows);
      const Vec3 from = o + t * (a - o), to = o + t * (b - o);
      AddLine(from, to, false);
      if (with_diagonal) Add(to);
    }
  }

  const Shape<Scalar>& shape_;
  const Hull<Scalar>* hull_;
  Scalar spacing_m_;
  Vec3 p_BS_m_;
  Mat<Scalar, 3, 3> R_BS_;
  SampleCloud<Scalar>& cloud_;
  Status status_ = Status::kOk;
};

}  // namespace internal

/// Adds the surface of a shape of body B to a cloud, at most `spacing_m` apart. Once, when a scene is loaded; afterwards,
/// when all shapes are in, MakeClusters.
/// @param[in] shape  valid (Validate); @param[in] hull  of a kHull
/// @param[in] p_BS_m, R_BS  the shape's frame in its body's
/// @returns kOutOfRange: a half space, a grid, a torus, a hole, or no room; the cloud is then of no use
template <class Scalar>
Status AddSamplePoints(const Shape<Scalar>& shape, const std::type_identity_t<Hull<Scalar>>* hull,
                       std::type_identity_t<Scalar> spacing_m, const Vec<Scalar, 3>& p_BS_m, const Mat<Scalar, 3, 3>& R_BS,
                       SampleCloud<Scalar>* cloud) noexcept {
  if (!(spacing_m >= kMinRadius_m<Scalar>)) return Status::kOutOfRange;
  return internal::PointSampler<Scalar>(shape, hull, spacing_m, p_BS_m, R_BS, cloud).Run();
}

namespace internal {

/// Sorts points [from, to) so that the first `half` of them lie below the others along the longest side of their box.
template <class Scalar>
void SplitPoints(int from, int to, int half, FixedVector<SamplePoint<Scalar>, kMaxSamplePoints>* points) {
  Vec<Scalar, 3> low = (*points)[from].p_B_m, high = low;
  for (int i = from; i < to; ++i) {
    low = low.cwiseMin((*points)[i].p_B_m);
    high = high.cwiseMax((*points)[i].p_B_m);
  }
  const Vec<Scalar, 3> side = high - low;
  const int axis = side(0) >= side(1) && side(0) >= side(2) ? 0 : (side(1) >= side(2) ? 1 : 2);
  SamplePoint<Scalar>* const first = points->begin() + from;
  std::nth_element(first, first + half, points->begin() + to,
                   [axis](const auto& a, const auto& b) { return a.p_B_m(axis) < b.p_B_m(axis); });
}

}  // namespace internal

/// Brings points that lie together next to each other, and makes the balls around each eight. Once, when all shapes are in.
template <class Scalar>
void MakeClusters(SampleCloud<Scalar>* cloud) noexcept {
  struct Range {
    int from, to;
  };
  FixedVector<Range, kMaxSamplePoints / kPointsPerCluster> open;
  (void)open.push_back({0, cloud->points.size()});
  while (!open.empty()) {
    const Range range = open[open.size() - 1];
    open.resize(open.size() - 1);
    const int clusters = (range.to - range.from + kPointsPerCluster - 1) / kPointsPerCluster;
    if (clusters < 2) continue;
    const int half = clusters / 2 * kPointsPerCluster;
    internal::SplitPoints(range.from, range.to, half, &cloud->points);
    (void)open.push_back({range.from, range.from + half});  // at most one range a cluster
    (void)open.push_back({range.from + half, range.to});
  }
  cloud->clusters.clear();
  for (int from = 0; from < cloud->points.size(); from += kPointsPerCluster) {
    const int to = Min(from + kPointsPerCluster, cloud->points.size());
    SampleCluster<Scalar> cluster;
    for (int i = from; i < to; ++i) cluster.p_B_m += cloud->points[i].p_B_m / static_cast<Scalar>(to - from);
    for (int i = from; i < to; ++i) {
      const SamplePoint<Scalar>& point = cloud->points[i];
      cluster.radius_m = Max(cluster.radius_m, Norm(Vec<Scalar, 3>(point.p_B_m - cluster.p_B_m)) + point.radius_m);
    }
    (void)cloud->clusters.push_back(cluster);  // as many as there is room for points
  }
}

}  // namespace tactus
