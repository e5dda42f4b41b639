#pragma once
#include <cstdint>

#include "tactus/core/eigen.h"
#include "tactus/core/fixed_vector.h"

namespace tactus {

/// A point where the tool may touch the scene.
template <class Scalar>
struct ContactPoint {
  std::int32_t id = 0;  ///< the same for the same pair of features from tick to tick
  Vec<Scalar, 3> point_m = Vec<Scalar, 3>::Zero();
  Vec<Scalar, 3> normal = Vec<Scalar, 3>::UnitZ();   ///< unit, out of the scene into the tool
  Vec<Scalar, 3> tangent = Vec<Scalar, 3>::UnitX();  ///< unit, ⊥ normal, a continuous function of the pose
  Scalar gap_m = Scalar(0);                          ///< signed distance; < 0: penetration
};

/// At most kCapacity contact points: the deepest ones, in the order they were found.
template <class Scalar, int kCapacity>
class ContactSet {
 public:
  void Clear() noexcept {
    points_.clear();
    dropped_ = 0;
  }
  /// Takes the point, or, when full, the point in exchange for the shallowest one if that is shallower.
  void Add(const ContactPoint<Scalar>& point) noexcept {
    if (points_.push_back(point) == Status::kOk) return;
    ++dropped_;
    int shallowest = 0;
    for (int i = 1; i < points_.size(); ++i) {
      if (points_[i].gap_m > points_[shallowest].gap_m) shallowest = i;
    }
    if (point.gap_m < points_[shallowest].gap_m) points_[shallowest] = point;
  }

  /// Drops, and counts, the points for whose place `is_kept` is false; the others stay in their order.
  template <class IsKept>
  void KeepOnly(const IsKept& is_kept) noexcept {
    int kept = 0;
    for (int i = 0; i < points_.size(); ++i) {
      if (is_kept(i)) points_[kept++] = points_[i];
    }
    dropped_ += points_.size() - kept;
    points_.resize(kept);
  }

  const FixedVector<ContactPoint<Scalar>, kCapacity>& points() const { return points_; }
  FixedVector<ContactPoint<Scalar>, kCapacity>& points() { return points_; }
  /// Points that were found and are not in the list.
  int dropped() const { return dropped_; }

  /// The smallest gap; zero when there is no point.
  Scalar min_gap_m() const {
    Scalar gap_m = points_.empty() ? Scalar(0) : points_[0].gap_m;
    for (const ContactPoint<Scalar>& point : points_) gap_m = point.gap_m < gap_m ? point.gap_m : gap_m;
    return gap_m;
  }

 private:
  FixedVector<ContactPoint<Scalar>, kCapacity> points_;
  int dropped_ = 0;
};

}  // namespace tactus
