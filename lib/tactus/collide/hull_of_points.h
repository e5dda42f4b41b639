#pragma once
#include <cstdint>
#include <span>

#include "tactus/collide/hull.h"

namespace tactus {

namespace internal {

/// Finds the faces of points that are the corners of their convex hull: each plane through three of them that has all others
/// on one side. Points in one plane become one face.
template <class Scalar>
class FaceFinder {
  using Vec3 = Vec<Scalar, 3>;

 public:
  explicit FaceFinder(std::span<const Vec3> points_m) : points_m_(points_m), count_(static_cast<int>(points_m.size())) {}

  /// @returns whether the faces fit
  bool Run() {
    for (int i = 0; i < count_; ++i) size_m_ = Max(size_m_, Norm(Vec3(P(i) - P(0))));
    for (int i = 0; i < count_; ++i) {
      for (int j = i + 1; j < count_; ++j) {
        for (int k = j + 1; k < count_; ++k) {
          if (!TryPlane(i, j, k)) return false;
        }
      }
    }
    return true;
  }

  HullFaces faces() const {
    return {{counts_.begin(), static_cast<std::size_t>(counts_.size())},
            {corners_.begin(), static_cast<std::size_t>(corners_.size())}};
  }

 private:
  const Vec3& P(int i) const { return points_m_[static_cast<std::size_t>(i)]; }

  bool TryPlane(int i, int j, int k) {
    const Vec3 e = P(j) - P(i), f = P(k) - P(i);
    Vec3 n = Cross(e, f);
    const Scalar area = Norm(n);
    if (!(area > Scalar(1e-3) * Norm(e) * Norm(f))) return true;  // a sliver fixes no plane: other corners of the face do
    n /= area;
    const Scalar room_m = kPlaneShare<Scalar> * size_m_;
    bool above = false, below = false;
    std::uint64_t in_plane = 0;
    for (int p = 0; p < count_; ++p) {
      const Scalar height_m = n.dot(Vec3(P(p) - P(i)));
      if (height_m > room_m) above = true;
      if (height_m < -room_m) below = true;
      if (above && below) return true;
      if (Abs(height_m) <= room_m) in_plane |= std::uint64_t{1} << p;
    }
    for (const std::uint64_t known : masks_) {
      if (known == in_plane) return true;
    }
    if (above) n = -n;
    return masks_.push_back(in_plane) == Status::kOk && AddFace(in_plane, n);
  }

  // The face's corners in their order around it: from each the next is the one that leaves all others on its left.
  bool AddFace(std::uint64_t in_plane, const Vec3& n) {
    int list[kHullVertices], count = 0;
    for (int p = 0; p < count_; ++p) {
      if ((in_plane >> p & 1) != 0) list[count++] = p;
    }
    if (count > kFaceCorners) count = kFaceCorners + 1;  // MakeHull refuses it by name
    (void)counts_.push_back(static_cast<std::uint8_t>(count));
    int at = list[0];
    for (int c = 0; c < count; ++c) {
      if (corners_.push_back(static_cast<std::uint8_t>(at)) != Status::kOk) return false;
      int next = -1;
      for (int x = 0; x < count; ++x) {
        const int p = list[x];
        if (p == at) continue;
        if (next < 0 || n.dot(Cross(Vec3(P(next) - P(at)), Vec3(P(p) - P(at)))) < Scalar(0)) next = p;
      }
      at = next;
    }
    return true;
  }

  std::span<const Vec3> points_m_;
  int count_;
  Scalar size_m_ = Scalar(0);
  FixedVector<std::uint64_t, kHullFaces> masks_;
  FixedVector<std::uint8_t, kHullFaces> counts_;
  FixedVector<std::uint8_t, 2 * kHullEdges> corners_;
};

}  // namespace internal

/// The convex polytope with these corners; faces are found, points in one plane become one face. Refused as MakeHull
/// refuses, and a point that is no corner of the hull, by its number.
///
/// Cost: for loading: (points)³/6 planes against at most all points; 64 points: 42 000 planes
template <class Scalar>
HullFault MakeHullOfPoints(std::span<const Vec<Scalar, 3>> points_m, Hull<Scalar>* hull) noexcept {
  *hull = Hull<Scalar>{};
  if (points_m.size() > kHullVertices) return {"are more than 64", "vertices"};
  for (const Vec<Scalar, 3>& p : points_m) {
    if (!IsFinite(p)) return {"is not finite", "vertices", static_cast<int>(&p - points_m.data())};
  }
  internal::FaceFinder<Scalar> finder(points_m);
  if (!finder.Run()) return {"are of no convex body", "vertices"};
  if (finder.faces().counts.size() < 4) return {"are flat, or fewer than 4", "vertices"};
  return MakeHull(points_m, finder.faces(), hull);
}

}  // namespace tactus
