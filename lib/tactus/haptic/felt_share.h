#pragma once
#include "tactus/core/scalar.h"
#include "tactus/haptic/config.h"
#include "tactus/scene/tool_work.h"

namespace tactus::internal {

/// How much of a contact's spring the hand can get back: of a coupling that pulls with F, above the limit F_max, the account
/// has F_max times its way (StoredEnergy), and so it has the springs that the coupling pulls the tool into. In full they
/// would be a debt of ∫ (F - F_max) dx while a hand presses on something soft.
/// @param[in] raw_wrench_W  on the hand before limits, of the last tick
template <class Scalar>
Scalar FeltShare(const Config<Scalar>& config, const Vec<Scalar, 6>& raw_wrench_W) {
  const Vec<Scalar, 3> force_N = raw_wrench_W.template head<3>();
  const Scalar F = Norm(force_N);
  return F > config.limits.max_force_N ? config.limits.max_force_N / F : Scalar(1);
}

/// Gift() with the springs as the hand can feel them: of what the tool's own motion gives and takes that share. What moves
/// against a tool that stands still gives it nothing.
template <class Scalar>
Scalar FeltGift(const Config<Scalar>& config, const Vec<Scalar, 6>& raw_wrench_W, ToolWork<Scalar> work, Scalar* lent_J) {
  work.of_springs_J += (FeltShare(config, raw_wrench_W) - Scalar(1)) * work.own_J;
  return Gift(work, lent_J);
}

}  // namespace tactus::internal
