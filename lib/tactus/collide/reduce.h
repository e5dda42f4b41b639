#pragma once
#include <cstdint>
#include <span>

#include "tactus/collide/contact_set.h"
#include "tactus/collide/feature_id.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/core/spatial.h"
#include "tactus/core/trig.h"

namespace tactus {

/// Contacts of one patch: the same pair, normals within 0.8°, in one plane within 0.1 mm.
template <class Scalar>
inline constexpr Scalar kPatchCos = Scalar(0.9999);
template <class Scalar>
inline constexpr Scalar kPatchHeight_m = Scalar(1e-4);
/// How much farther out a new extreme must lie to replace one of the last tick [m]: noise of the measured pose is below.
template <class Scalar>
inline constexpr Scalar kKeepExtent_m = Scalar(2e-5);

namespace internal {

template <class Scalar, int kPoints>
class PatchReducer {
  using Vec3 = Vec<Scalar, 3>;
  using Points = FixedVector<ContactPoint<Scalar>, kPoints>;

 public:
  PatchReducer(const Mat<Scalar, 3, 3>& R_WF, std::span<const std::int32_t> last_ids, Points* points)
      : R_WF_(R_WF), last_ids_(last_ids), points_(*points) {}

  void Run(int capacity) {
    FindPatches();
    ShareOut(capacity);
    for (int g = 0; g < patches_; ++g) Choose(g);
    int kept = 0;
    for (int i = 0; i < points_.size(); ++i) {
      if (is_kept_[i]) points_[kept++] = points_[i];
    }
    points_.resize(kept);
  }

 private:
  void FindPatches() {
    for (int i = 0; i < points_.size(); ++i) {
      int g = 0;
      while (g < patches_ && !IsAlike(points_[leader_[g]], points_[i])) ++g;
      if (g == patches_) {
        leader_[g] = i;
        size_[g] = 0;
        ++patches_;
      }
      patch_[i] = g;
      ++size_[g];
    }
  }

  static bool IsAlike(const ContactPoint<Scalar>& p, const ContactPoint<Scalar>& q) {
    return p.id / kPairIdStride == q.id / kPairIdStride && p.normal.dot(q.normal) > kPatchCos<Scalar> &&
           Abs(p.normal.dot(Vec3(p.point_m - q.point_m))) <= kPatchHeight_m<Scalar>;
  }

  // One place for each patch, the deepest patch first; then up to three each; then to the patch with the most points left
  // over.
  void ShareOut(int capacity) {
    int left = capacity;
    for (int g = 0; g < patches_; ++g) places_[g] = 0;
    for (int round = 0; round < patches_ && left > 0; ++round, --left) {
      int deepest = -1;
      for (int g = 0; g < patches_; ++g) {
        if (places_[g] == 0 && (deepest < 0 || Deepest(g).gap_m < Deepest(deepest).gap_m)) deepest = g;
      }
      places_[deepest] = 1;
    }
    for (int round = 1; round < 3; ++round) {
      for (int g = 0; g < patches_ && left > 0; ++g) {
        if (places_[g] != round || size_[g] <= round) continue;
        ++places_[g];
        --left;
      }
    }
    for (; left > 0; --left) {
      int most = -1;
      for (int g = 0; g < patches_; ++g) {
        if (places_[g] < size_[g] && (most < 0 || size_[g] - places_[g] > size_[most] - places_[most])) most = g;
      }
      if (most < 0) return;
      ++places_[most];
    }
  }

  bool WasChosen(int i) const {
    for (const std::int32_t id : last_ids_) {
      if (id == points_[i].id) return true;
    }
    return false;
  }

  const ContactPoint<Scalar>& Deepest(int g) const {
    int deepest = leader_[g];
    for (int i = 0; i < points_.size(); ++i) {
      if (patch_[i] == g && points_[i].gap_m < points_[deepest].gap_m) deepest = i;
    }
    return points_[deepest];
  }

  // The point of patch g, not kept yet, with the greatest score; ties go to the lower id.
  template <class Score>
  void KeepBest(int g, const Score& score) {
    int best = -1;
    Scalar most = Scalar(0);
    for (int i = 0; i < points_.size(); ++i) {
      if (patch_[i] != g || is_kept_[i]) continue;
      const Scalar here = score(points_[i]) + (WasChosen(i) ? kKeepExtent_m<Scalar> : Scalar(0));
      if (best >= 0 && !(here > most) && !(here == most && points_[i].id < points_[best].id)) continue;
      best = i;
      most = here;
    }
    if (best >= 0) is_kept_[best] = true;
  }

  void Choose(int g) {
    if (places_[g] == 0) return;
    const Vec3 n = points_[leader_[g]].normal, base_m = points_[leader_[g]].point_m;
    const Vec3 n_F = Times(Mat<Scalar, 3, 3>(R_WF_.transpose()), n);
    const Vec3 u = Times(R_WF_, DefaultTangent(n_F)), w = Cross(n, u);
    const Scalar turn = kTurn_rad<Scalar> / static_cast<Scalar>(places_[g] > 1 ? places_[g] - 1 : 1);
    for (int k = 1; k < places_[g]; ++k) {
      const Vec3 d = Cos(turn * static_cast<Scalar>(k)) * u + Sin(turn * static_cast<Scalar>(k)) * w;
      KeepBest(g, [&](const ContactPoint<Scalar>& p) { return d.dot(Vec3(p.point_m - base_m)); });
    }
    // Last, so that noise in the gaps does not decide which extremes are free. The deepest is an extreme, or this one.
    KeepBest(g, [](const ContactPoint<Scalar>& p) { return -p.gap_m; });
  }

  Mat<Scalar, 3, 3> R_WF_;
  std::span<const std::int32_t> last_ids_;
  Points& points_;
  int patches_ = 0;
  int leader_[kPoints] = {}, size_[kPoints] = {}, places_[kPoints] = {}, patch_[kPoints] = {};
  bool is_kept_[kPoints] = {};
};

}  // namespace internal

/// Keeps at most `capacity` of the contacts, those that keep the wrenches: of each patch the deepest and the extremes in
/// fixed directions, three of each patch before any has more. "The deepest" alone is the worst rule: the gaps of a flat
/// patch differ by noise, and what is left may have no lever against torsion (docs/collision.md).
///
/// Symbols  a patch: contacts of one pair (id / kPairIdStride) with one normal in one plane
/// Frames   R_WF  any frame that turns little, say that of the slower body: the directions are fixed in it
/// Cost     points² comparisons and capacity · points scores; nothing where all fit
///
/// @param[in]     last_ids  what was chosen one tick ago: it stays unless a rival lies 20 µm farther out
/// @param[in,out] points    in their order, without those dropped
/// @returns how many were dropped
template <class Scalar, int kPoints>
int ReduceContacts(int capacity, const Mat<Scalar, 3, 3>& R_WF, std::span<const std::int32_t> last_ids,
                   FixedVector<ContactPoint<Scalar>, kPoints>* points) noexcept {
  const int count = points->size();
  if (count <= capacity) return 0;
  internal::PatchReducer<Scalar, kPoints>(R_WF, last_ids, points).Run(capacity < 0 ? 0 : capacity);
  return count - points->size();
}

}  // namespace tactus
