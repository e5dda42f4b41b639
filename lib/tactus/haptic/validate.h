#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/ceilings.h"
#include "tactus/haptic/config.h"

namespace tactus {

/// What is wrong with a Config: "limits_max_force_N must be at most 20".
struct ConfigFault {
  const char* field = nullptr;  ///< by its name on the wire; nullptr: nothing is wrong
  const char* what = nullptr;   ///< "must be at most"
  double limit = 0;             ///< the bound that does not hold

  constexpr explicit operator bool() const { return field != nullptr; }
};

/// Checks every field once, before the loop starts; the tick trusts the config from then on. First each field against its
/// bounds (ceilings.h), then what fields must be to each other:
///
///     a moment of inertia ≤ the sum of the two others          no body has more
///     ‖q_WS‖² = 1 to 1e-3
///     the rim's radius < the hole's depth
///     static friction 0 or ≥ friction
///     the coupling's damping > 0 with the passivity controller, which multiplies it
///     K ≤ what the device bears with this B, where that is known
///     rate · ramp_down ≥ maximum, for force and torque         or fading takes longer
///
/// @param[in] device  whose bounds
/// @returns the first fault. NaN is below every bound
template <class Scalar>
ConfigFault Validate(const Config<Scalar>& config, const DeviceLimits& device = {}) noexcept;

/// Checks the map of the workspace, which Validate() leaves alone: it comes by itself. Each field against its bounds
/// (ceilings.h), then ‖q_WD‖² = 1 to 1e-3.
/// @returns the first fault. NaN is below every bound
template <class Scalar>
ConfigFault ValidateWorkspace(const WorkspaceConfig<Scalar>& workspace) noexcept;

}  // namespace tactus

#include "tactus/haptic/validate.inl"
