#pragma once
#include "tactus/haptic/config.h"

namespace tactus {

/// What is wrong with a Config.
struct ConfigFault {
  const char* field = nullptr;  ///< "limits.max_force_N"; nullptr: nothing is wrong
  const char* what = nullptr;   ///< "must be finite and > 0"

  constexpr explicit operator bool() const { return field != nullptr; }
};

/// Checks every field once, before the loop starts; the tick trusts the config from then on.
/// @param[in] max_directions  Capacity::directions of the tick
template <class Scalar>
ConfigFault Validate(const Config<Scalar>& config, int max_directions = kServoCapacity.directions) noexcept;

}  // namespace tactus

#include "tactus/haptic/internal/validate_impl.h"
