#pragma once
#include <span>

#include "tactus/collide/collide.h"
#include "tactus/collide/distance_grid.h"
#include "tactus/collide/feature_id.h"
#include "tactus/collide/sample_points.h"
#include "tactus/contact/friction_frame.h"

namespace tactus {

/// How the search of a cloud on a grid ended.
template <class Scalar>
struct GridReport {
  Status status = Status::kOk;  ///< kNotFinite: a pose or the margin; kOutOfRange: no grid, margin < 0
  bool is_far = true;           ///< no contacts
  bool is_deep = false;         ///< a point is inside the body beyond the band: no gap is known there, and no way out
  Scalar gap_m = Scalar(0);     ///< of the deepest contact; 0 without one
  int near = 0;                 ///< points within the margin, roughly
  int dropped = 0;              ///< of them, those that are no contacts: more than kMaxPairContacts
};

/// Contacts nearer to each other than this are one place to a hand [m]: ours.
template <class Scalar>
inline constexpr Scalar kGridSpread_m = Scalar(2e-3);

namespace internal {

/// Points of which contacts are chosen, at most.
inline constexpr int kGridCandidates = 48;

template <class Scalar>
class GridCollider {
  using Vec3 = Vec<Scalar, 3>;
  struct Candidate {
    int point;
    Vec3 x_G_m;          ///< centre of its ball
    Scalar gap_m;        ///< roughly
    Scalar nearest2_m2;  ///< distance² to the nearest other chosen one
    bool is_chosen;
  };

 public:
  GridCollider(const DistanceGrid& grid, const SampleCloud<Scalar>& cloud, Scalar margin_m,
               std::span<const std::int32_t> last_ids)
      : grid_(grid), cloud_(cloud), margin_m_(margin_m), last_ids_(last_ids) {}

  GridReport<Scalar> Run(const Mat<Scalar, 3, 3>& R_GB, const Vec3& p_GB_m) {
    for (int c = 0; c < cloud_.clusters.size(); ++c) {
      const SampleCluster<Scalar>& cluster = cloud_.clusters[c];
      if (grid_.FineBound_m(Vec3(p_GB_m + Times(R_GB, cluster.p_B_m))) - cluster.radius_m > margin_m_) continue;
      const int to = Min(kPointsPerCluster * (c + 1), cloud_.points.size());
      for (int i = kPointsPerCluster * c; i < to; ++i) Look(i, Vec3(p_GB_m + Times(R_GB, cloud_.points[i].p_B_m)));
    }
    report_.near = candidates_.size() + lost_;
    return report_;
  }

  /// The chosen ones as contacts in the world, with their exact gaps.
  void Deliver(const Mat<Scalar, 3, 3>& R_WG, const Vec3& p_WG_m, PairContacts<Scalar>* contacts) {
    Choose();
    for (const Candidate& c : candidates_) {
      if (!c.is_chosen) continue;
      Scalar d = 0;
      Vec3 gradient;
      if (!grid_.Distance(c.x_G_m, &d, &gradient)) continue;  // at the end of the band: far
      const Scalar radius_m = cloud_.points[c.point].radius_m, gap_m = d - radius_m, length = Norm(gradient);
      if (gap_m > margin_m_) continue;
      if (!(length > kLeastGradient)) {
        report_.is_deep = true;
        continue;
      }
      const Vec3 normal_G = gradient / length;
      ContactPoint<Scalar> contact;
      contact.id = IdOf(c.point);
      contact.gap_m = gap_m;
      contact.normal = Times(R_WG, normal_G);
      contact.tangent = DefaultTangent(contact.normal);
      // Half way between the ball's surface at x - r n and the body's at x - d n, d = gap + r.
      contact.point_m = p_WG_m + Times(R_WG, Vec3(c.x_G_m - (radius_m + Scalar(0.5) * gap_m) * normal_G));
      report_.gap_m = contacts->empty() ? gap_m : Min(report_.gap_m, gap_m);
      (void)contacts->push_back(contact);  // at most as many as there is room for
    }
    report_.is_far = contacts->empty();
    report_.dropped = report_.near - contacts->size();
  }
  const GridReport<Scalar>& report() const { return report_; }

 private:
  /// Keeps the point if it can be near; when there are too many, in exchange for the shallowest.
  void Look(int point, const Vec3& x_G_m) {
    const Scalar reach_m = margin_m_ + cloud_.points[point].radius_m;
    if (grid_.FineBound_m(x_G_m) > reach_m) return;
    Scalar d = 0;
    if (!grid_.RoughDistance(x_G_m, &d)) {
      // No samples: beyond the band. Outside that is far; inside there is no way out that a force could follow.
      report_.is_deep = report_.is_deep || grid_.IsInside(x_G_m);
      return;
    }
    if (d > reach_m + Scalar(2) * Scalar(grid_.slack_m())) return;
    const Candidate candidate{.point = point,
                              .x_G_m = x_G_m,
                              .gap_m = d - cloud_.points[point].radius_m,
                              .nearest2_m2 = kNobody,
                              .is_chosen = false};
    if (candidates_.push_back(candidate) == Status::kOk) return;
    ++lost_;
    int worst = 0;
    for (int i = 1; i < candidates_.size(); ++i) {
      if (candidates_[i].gap_m > candidates_[worst].gap_m) worst = i;
    }
    if (candidate.gap_m < candidates_[worst].gap_m) candidates_[worst] = candidate;
  }
  static std::int32_t IdOf(int point) { return FeatureId(FeatureKind::kSample, point >> 8, point); }
  bool WasLast(int point) const {
    for (const std::int32_t last : last_ids_) {
      if (last == IdOf(point)) return true;
    }
    return false;
  }

  int Deepest() const {
    int best = -1;
    for (int i = 0; i < candidates_.size(); ++i) {
      if (best < 0 || candidates_[i].gap_m < candidates_[best].gap_m) best = i;
    }
    return best;
  }
  /// Those of the last tick stay; then the deepest, then those that lie apart. When all places are taken, one that lies much
  /// better takes the place of the worst: a few a tick.
  void Choose() {
    for (int i = 0; i < candidates_.size() && chosen_ < kMaxPairContacts; ++i) {
      if (WasLast(candidates_[i].point)) Take(i);
    }
    if (const int deepest = Deepest(); deepest >= 0 && IsDeeperThanChosen(deepest)) {
      if (chosen_ == kMaxPairContacts) Give(Worst());
      Take(deepest);
    }
    for (int best = Best(); best >= 0 && chosen_ < kMaxPairContacts; best = Best()) Take(best);
    for (int i = 0; i < kSwaps && chosen_ == kMaxPairContacts; ++i) {
      const int best = Best(), worst = Worst();
      if (best < 0 || Merit(best) < Merit(worst) + Scalar(4) * kSpread * kSpread) break;
      Give(worst);
      Take(best);
    }
  }
  Scalar Distance2(int i, int k) const { return Vec3(candidates_[i].x_G_m - candidates_[k].x_G_m).squaredNorm(); }
  void Take(int taken) {
    candidates_[taken].is_chosen = true;
    ++chosen_;
    for (int i = 0; i < candidates_.size(); ++i) {
      if (i != taken) candidates_[i].nearest2_m2 = Min(candidates_[i].nearest2_m2, Distance2(i, taken));
    }
  }
  void Give(int given) {
    candidates_[given].is_chosen = false;
    --chosen_;
    for (int i = 0; i < candidates_.size(); ++i) {
      candidates_[i].nearest2_m2 = kNobody;
      for (int k = 0; k < candidates_.size(); ++k) {
        if (k == i || !candidates_[k].is_chosen) continue;
        candidates_[i].nearest2_m2 = Min(candidates_[i].nearest2_m2, Distance2(i, k));
      }
    }
  }
  bool IsDeeperThanChosen(int i) const {
    for (const Candidate& c : candidates_) {
      if (c.is_chosen && c.gap_m <= candidates_[i].gap_m + kKeepDepth_m) return false;
    }
    return true;
  }

  /// distance² to the nearest other chosen one - 4 spread gap
  Scalar Merit(int i) const { return candidates_[i].nearest2_m2 - Scalar(4) * kSpread * candidates_[i].gap_m; }
  /// Of those not chosen, and none nearer to a chosen one than the spread; -1: there is none.
  int Best() const {
    int best = -1;
    for (int i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].is_chosen || candidates_[i].nearest2_m2 < kSpread * kSpread) continue;
      if (best < 0 || Merit(i) > Merit(best)) best = i;
    }
    return best;
  }
  int Worst() const {
    int worst = -1;
    for (int i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].is_chosen && (worst < 0 || Merit(i) < Merit(worst))) worst = i;
    }
    return worst;
  }

  static constexpr Scalar kSpread = kGridSpread_m<Scalar>;
  static constexpr Scalar kNobody = Scalar(1e6);        ///< distance² where nothing is chosen
  static constexpr Scalar kKeepDepth_m = Scalar(5e-6);  ///< noise of the measured pose is below: ours
  static constexpr int kSwaps = 2;
  /// |∇d| is 1 but near the skeleton inside, where no direction leads out.
  static constexpr Scalar kLeastGradient = Scalar(0.1);

  const DistanceGrid& grid_;
  const SampleCloud<Scalar>& cloud_;
  const Scalar margin_m_;
  const std::span<const std::int32_t> last_ids_;
  GridReport<Scalar> report_;
  FixedVector<Candidate, kGridCandidates> candidates_;
  int chosen_ = 0, lost_ = 0;
};

}  // namespace internal

/// The contacts of a body's sample points with a fixed body of any form. Bounded; no heap.
///
///     gap = d(x) - r,   normal = ∇d/|∇d|,   point = half way between the two surfaces
///
/// Culling is exact, since a distance is 1-Lipschitz: no point within the margin is missed. Of more than 48 candidates the
/// deepest stay; of more than 16 contacts those of the last tick, the deepest, then those that lie apart.
///
/// @param[in]  cloud         of body B, with clusters; @param[in] p_WB_m, R_WB  where it is
/// @param[in]  p_WG_m, R_WG  where the grid is
/// @param[in]  margin_m      ≥ 0: what a point can move in a tick. Beyond the grid's band nothing is found
/// @param[in]  last_ids      of the last tick's contacts: they stay unless others lie much better. May be empty
/// @param[out] contacts      in the world, normals out of the grid's body; cleared first
template <class Scalar>
GridReport<Scalar> CollideGrid(const SampleCloud<Scalar>& cloud, const Vec<Scalar, 3>& p_WB_m, const Mat<Scalar, 3, 3>& R_WB,
                               const DistanceGrid& grid, const Vec<Scalar, 3>& p_WG_m, const Mat<Scalar, 3, 3>& R_WG,
                               Scalar margin_m, std::span<const std::int32_t> last_ids,
                               PairContacts<Scalar>* contacts) noexcept {
  contacts->clear();
  for (int i = 0; i < 9; ++i) {
    if (!IsFinite(R_WB(i / 3, i % 3)) || !IsFinite(R_WG(i / 3, i % 3))) return {.status = Status::kNotFinite};
  }
  if (!IsFinite(p_WB_m) || !IsFinite(p_WG_m) || !IsFinite(margin_m)) return {.status = Status::kNotFinite};
  const bool in_range = internal::LargestPart(p_WB_m) <= internal::kMaxPlace_m<Scalar> &&
                        internal::LargestPart(p_WG_m) <= internal::kMaxPlace_m<Scalar>;
  if (grid.empty() || margin_m < Scalar(0) || !in_range) return {.status = Status::kOutOfRange};
  const Mat<Scalar, 3, 3> R_GW = R_WG.transpose(), R_GB = R_GW * R_WB;
  internal::GridCollider<Scalar> collider(grid, cloud, margin_m, last_ids);
  collider.Run(R_GB, Times(R_GW, Vec<Scalar, 3>(p_WB_m - p_WG_m)));
  collider.Deliver(R_WG, p_WG_m, contacts);
  return collider.report();
}

}  // namespace tactus
