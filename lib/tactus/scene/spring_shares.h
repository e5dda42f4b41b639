#pragma once
#include <array>
#include <span>

#include "tactus/collide/clip.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/core/scalar.h"

namespace tactus::internal {

/// Springs of points that are close together are one spring. A face that is turned by a tenth of a degree on an equal one
/// touches it in eight points and no longer in four; each with a spring of its own, the faces would be twice as stiff from
/// one tick to the next. So of the points i of one pair of shapes
///
///     w_i = 1/(1 + Σ_{j≠i} χ_j (1 - d_ij²/L²)³)    over d_ij < L,    L = max_{ij} min(χ_i, χ_j) d_ij/√2
///     χ_j = 1 - max(Φ_j, 0)/margin                 at least 0: a point that lifts off takes no share
///
/// and ε_i is divided by w_i: K and B times w_i. w is 1 of a single point, of the two of a line and of the corners of a
/// square, so those of a square are 4 K; its eight points are 4.08 K turned by a little and 4.69 K turned by 45°. A narrow
/// face comes near a line, 2 K. With the exponent 2 these were 3.40 K and 4 K. Continuous in the places and gaps of three
/// points and more that are apart, also where one comes or goes at another one's place or by lifting off. Two have no third
/// to measure by: they are a line, however short.
template <class Scalar>
class SpringShares {
 public:
  using Point = Contact<Scalar, 6>;

  /// @param[in] margin_m  of the scene
  explicit SpringShares(Scalar margin_m) : margin_m_(margin_m) {}

  /// Of one pair of shapes.
  void Share(std::span<Point* const> points) {
    const std::size_t count = points.size();
    Scalar largest(0);  // 2 L²
    for (std::size_t i = 0; i < count; ++i) {
      near_[i] = NearnessOf(*points[i]);
      for (std::size_t j = 0; j < i; ++j) {
        const Scalar nearness = Min(near_[i], near_[j]);
        largest = Max(largest, nearness * nearness * SquaredDistance(*points[i], *points[j]));
      }
    }
    if (!(largest > Scalar(0))) return;
    for (std::size_t i = 0; i < count; ++i) {
      Scalar sum(1);
      for (std::size_t j = 0; j < count; ++j) {
        if (j == i) continue;
        const Scalar apart = Scalar(2) * SquaredDistance(*points[i], *points[j]) / largest;
        const Scalar closeness = Max(Scalar(1) - apart, Scalar(0));
        sum += near_[j] * closeness * closeness * closeness;
      }
      points[i]->compliance_mps_per_Ns *= sum;
    }
  }

 private:
  Scalar NearnessOf(const Point& point) const {
    if (!(point.gap_m > Scalar(0))) return Scalar(1);
    return point.gap_m < margin_m_ ? Scalar(1) - point.gap_m / margin_m_ : Scalar(0);
  }
  static Scalar SquaredDistance(const Point& a, const Point& b) { return (a.point_m - b.point_m).squaredNorm(); }

  const Scalar margin_m_;
  std::array<Scalar, kMaxPairContacts> near_;  // χ
};

/// For each pair of shapes whose contacts yield, from contact `first` on.
/// @param[in] pair_of  pair_of(contact): a number of its pair of shapes
template <class Scalar, int kContacts, class PairOf>
void ShareSprings(Scalar margin_m, int first, const PairOf& pair_of, FixedVector<Contact<Scalar, 6>, kContacts>* contacts) {
  SpringShares<Scalar> shares(margin_m);
  std::array<Contact<Scalar, 6>*, kMaxPairContacts> points;
  for (int i = first; i < contacts->size(); ++i) {
    const auto pair = pair_of((*contacts)[i]);
    bool is_done = (*contacts)[i].compliance_mps_per_Ns == Scalar(0);
    for (int j = first; j < i && !is_done; ++j) is_done = pair_of((*contacts)[j]) == pair;
    if (is_done) continue;
    std::size_t count = 0;
    for (int j = i; j < contacts->size() && count < points.size(); ++j) {
      if (pair_of((*contacts)[j]) == pair) points[count++] = &(*contacts)[j];
    }
    shares.Share(std::span(points).first(count));
  }
}

}  // namespace tactus::internal
