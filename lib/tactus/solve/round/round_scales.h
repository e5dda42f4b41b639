#pragma once
#include <array>
#include <limits>

#include "tactus/core/scalar.h"
#include "tactus/solve/round/round_impulses.h"
#include "tactus/solve/round/round_tolerances.h"

namespace tactus {

/// The size of the motion and of the friction around a contact, so that a light tool is not judged by a heavy body
/// elsewhere:
///
///     size_k     = max(|k_k|, max_j |N_jk| θ_j over the contacts j of body k)      friction_k = max_j μ_j θ_j
///     motion_i   = Σ over the bodies k of contact i of |N_ik| size_k               friction_i = min over k of friction_k
///
/// With one body motion_i = max(|k|, max θ) for all contacts. What rounding in the whole system leaves is allowed
/// everywhere: motion_i ≥ kFloor · max_k size_k.
template <class Problem>
class RoundScales {
  using Scalar = typename Problem::Scalar;
  static constexpr int kDof = Problem::kDof;
  static constexpr std::size_t kBodies = static_cast<std::size_t>(Problem::kCapacity.bodies);

 public:
  void Measure(const Problem& problem, const RoundImpulses<Problem>& impulses) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(problem.bodies); ++k) {
      size_[k] = Sqrt(Scalar(problem.k.template segment<kDof>(static_cast<int>(k) * kDof).squaredNorm()));
      friction_[k] = Scalar(0);
    }
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const Scalar theta = impulses.theta[static_cast<std::size_t>(i)];
      if (!(theta > Scalar(0))) continue;
      const auto& contact = problem.contacts[i];
      for (int block = 0; block < Problem::kBlocks && Offset(contact, block) >= 0; ++block) {
        const std::size_t k = BodyOf(contact, block);
        size_[k] = Max(size_[k], theta * Share(contact, block));
        friction_[k] = Max(friction_[k], theta * contact.mu);
      }
    }
    largest_ = Scalar(0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(problem.bodies); ++k) largest_ = Max(largest_, size_[k]);
  }

  Scalar largest() const { return largest_; }

  Scalar Motion(const typename Problem::ContactColumns& contact) const {
    Scalar motion = largest_;
    if constexpr (Problem::kBlocks == 2) {
      motion = Scalar(0);
      for (int block = 0; block < 2 && Offset(contact, block) >= 0; ++block) {
        motion += Share(contact, block) * size_[BodyOf(contact, block)];
      }
      motion = Max(motion, kFloor * largest_);
    }
    if (motion > Scalar(0)) return motion;
    motion = Max(Abs(contact.b), Sqrt(Scalar(contact.tau.squaredNorm())));  // nothing moves but the surface
    return motion > Scalar(0) ? motion : Scalar(1);
  }

  Scalar Friction(const typename Problem::ContactColumns& contact) const {
    Scalar friction = friction_[BodyOf(contact, 0)];
    if constexpr (Problem::kBlocks == 2) {
      if (Offset(contact, 1) >= 0) friction = Min(friction, friction_[BodyOf(contact, 1)]);
    }
    return friction;
  }

 private:
  // 64 roundings of the largest motion are within the tolerance of the residual.
  static constexpr Scalar kFloor = Scalar(64) * std::numeric_limits<Scalar>::epsilon() / RoundTolerances<Scalar>::kResidual;

  static int Offset(const typename Problem::ContactColumns& contact, int block) {
    return contact.offset[static_cast<std::size_t>(block)];
  }
  static std::size_t BodyOf(const typename Problem::ContactColumns& contact, int block) {
    return static_cast<std::size_t>(Offset(contact, block) / kDof);
  }
  static Scalar Share(const typename Problem::ContactColumns& contact, int block) {
    if constexpr (Problem::kBlocks == 1) {
      return Scalar(1);
    } else {
      const Scalar share = Sqrt(Scalar(contact.N.template segment<kDof>(block * kDof).squaredNorm()));
      return Min(share, Scalar(1));  // with joints the block is not projected
    }
  }

  std::array<Scalar, kBodies> size_, friction_;
  Scalar largest_ = Scalar(0);
};

}  // namespace tactus
