#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/collide/contact_set.h"
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/step/body_step.h"
#include "tactus/step/rigid_body.h"

namespace tactus {

/// How much more a rival must be worth than a contact that was kept one tick ago: noise of the pose moves the worth by less.
inline constexpr double kKeptWorth = 0.05;
/// The least reach [m]: noise of a measured pose, as kKeepExtent_m.
inline constexpr double kLeastReach_m = 2e-5;

namespace internal {

/// Worth of the contacts that are not kept yet.
template <class Scalar, int kCapacity>
class ContactChoice {
 public:
  ContactChoice(const RigidBodyState<Scalar>& body, const BodyStep<Scalar>& step, Scalar reach_m,
                const FixedVector<ContactPoint<Scalar>, kCapacity>& points)
      : points_(points) {
    const Mat<Scalar, 3, 3> R_TW = RotationMatrix(body.q_WT).transpose();
    const Vec<Scalar, 3> velocity_mps = body.twist_W.template head<3>(), omega_radps = body.twist_W.template tail<3>();
    const Scalar per_root_mass = Scalar(1) / Sqrt(step.mass_kg + step.step_s * step.coupling.impedance_Ns_per_m);
    Vec<Scalar, 3> per_root_inertia;
    for (int k = 0; k < 3; ++k) {
      per_root_inertia(k) = Scalar(1) / Sqrt(step.inertia_kgm2(k) + step.step_s * step.coupling.impedance_Nms_per_rad);
    }
    const Scalar per_reach = Scalar(1) / Max(reach_m, Scalar(kLeastReach_m));
    for (int i = 0; i < points.size(); ++i) {
      const Vec<Scalar, 3> normal = points[i].normal, arm_m = points[i].point_m - body.p_WT_m,
                           lever_W_m = Cross(arm_m, normal);
      Vec<Scalar, 6>& push = push_[At(i)];
      push.template head<3>() = per_root_mass * normal;
      push.template tail<3>() = per_root_inertia.cwiseProduct(Times(R_TW, lever_W_m));
      push *= Scalar(1) / Sqrt(push.dot(push));
      const Scalar end_m = points[i].gap_m + step.step_s * (normal.dot(velocity_mps) + omega_radps.dot(lever_W_m));
      far_[At(i)] = end_m * (end_m < Scalar(0) ? Scalar(1 / kLeastReach_m) : per_reach);
      news_[At(i)] = least_[At(i)] = Scalar(2);
    }
  }

  /// The best of what is left; -1 where nothing is.
  int Best(std::span<const std::int32_t> last_ids) const {
    int best = -1;
    Scalar most = Scalar(0);
    for (int i = 0; i < points_.size(); ++i) {
      if (is_kept_[At(i)]) continue;
      Scalar worth = news_[At(i)] - far_[At(i)];
      for (const std::int32_t id : last_ids) worth += id == points_[i].id ? Scalar(kKeptWorth) : Scalar(0);
      if (best >= 0 && !(worth > most)) continue;
      best = i;
      most = worth;
    }
    return best;
  }

  void Keep(int kept) {
    is_kept_[At(kept)] = true;
    const Scalar per_kept = Scalar(1) / static_cast<Scalar>(++kept_);
    for (int i = 0; i < points_.size(); ++i) {
      const Scalar apart = Scalar(1) - push_[At(kept)].dot(push_[At(i)]);
      least_[At(i)] = Min(least_[At(i)], apart);
      sum_[At(i)] += apart;
      news_[At(i)] = (least_[At(i)] + per_kept * sum_[At(i)]) / 2;
    }
  }
  bool is_kept(int i) const { return is_kept_[At(i)]; }

 private:
  static constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

  const FixedVector<ContactPoint<Scalar>, kCapacity>& points_;
  std::array<Vec<Scalar, 6>, kCapacity> push_;
  int kept_ = 0;
  std::array<Scalar, kCapacity> far_{}, news_{}, least_{}, sum_{};
  std::array<bool, kCapacity> is_kept_{};
};

}  // namespace internal

/// Keeps at most `capacity` of a body's contacts, for a board whose period has no room for more: those that are about to
/// touch, and push otherwise than what is kept. One after the other the contact of the greatest worth
///
///     w_i = (min_k d_ik + mean_k d_ik) / 2 - (g_i + h ġ_i) / ρ        with kLeastReach_m for ρ where the contact closes
///     d_ik = 1 - a_i·a_k / (|a_i| |a_k|)                a_i = M̃^(-1/2) (n_i, r_i × n_i),  M̃ = M + h Z,  k: kept
///
/// d = 0: a push at k opens contact i as well as a push at i, so i is dispensable; 2: the two work against each other. So
/// points all around a face are kept before their neighbours, and opposite walls before the neighbours of either: the
/// wrenches stay. A contact farther than the reach ρ cannot carry in this step. The first kept is the one that
/// would be deepest after the step. What is dropped and touches after all is the deepest one tick later.
///
/// Units    a_i: √(1/kg), gaps, reach: m; worth: none.  Frames  n, r in W; torques in the body's principal axes
/// Cost     about 100 instructions a contact, and 25 a contact and kept contact; nothing where all fit
///
/// @param reach_m   ρ: how far a point of the body can go in the step, at least kLeastReach_m
/// @param last_ids  kept one tick ago: such a contact is worth kKeptWorth more
/// @returns how many were dropped; contacts->dropped() counts them
template <class Scalar, int kCapacity>
int KeepContacts(int capacity, const RigidBodyState<Scalar>& body, const BodyStep<Scalar>& step, Scalar reach_m,
                 std::span<const std::int32_t> last_ids, ContactSet<Scalar, kCapacity>* contacts) noexcept {
  const int found = contacts->points().size();
  if (found <= capacity) return 0;
  internal::ContactChoice<Scalar, kCapacity> choice(body, step, reach_m, contacts->points());
  for (int kept = 0; kept < capacity; ++kept) choice.Keep(choice.Best(last_ids));
  contacts->KeepOnly([&choice](int i) { return choice.is_kept(i); });
  return found - contacts->points().size();
}

}  // namespace tactus
