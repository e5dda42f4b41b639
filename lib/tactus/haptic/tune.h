#pragma once
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/core/status.h"
#include "tactus/haptic/clutch.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/coupling.h"
#include "tactus/haptic/limits.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/validate.h"

namespace tactus {

/// What may change while force is out. Everything else needs zero output.
template <class Scalar>
struct TuneConfig {
  CouplingConfig<Scalar> coupling;
  Scalar friction = Scalar(0);       ///< scene.friction
  Scalar tool_mass_kg = Scalar(0);   ///< tool.mass_kg
  Vec<Scalar, 3> tool_inertia_kgm2;  ///< tool.inertia_kgm2
  Vec<Scalar, 3> gravity_W_mps2;     ///< scene.gravity_W_mps2
  LimitConfig<Scalar> limits;
};

/// The part of a Config that Tune() may change.
template <class Scalar>
TuneConfig<Scalar> TuneOf(const Config<Scalar>& config) noexcept;

/// Checks `wanted` as a whole, as Validate() checks the Config that it leads to.
template <class Scalar>
ConfigFault ValidateTune(const TuneConfig<Scalar>& wanted, const Config<Scalar>& config,
                         const DeviceLimits& device = {}) noexcept;

/// Brings the configuration in force one period nearer to `wanted`: call it between two ticks until it is there. No call
/// changes the force on the hand by more than 20 N/s · h and 0.4 N·m/s · h for each field, nor a number by more than 5 % of
/// the larger value (or 1e-9).
///
///     stiffness up     at constant force: the spring's rest o += (e - o)(1 - K_old/K_new), so nothing happens to the hand.
///                      A spring that stiffens under load would store ΔK e²/2, however slowly.
///     stiffness down   |ΔK| |e - o| ≤ 20 N/s · h: energy only vanishes
///     damping          |ΔB| |v_H - v_T| ≤ 20 N/s · h
///     both             K down, then B, then K up: no (K, B) on the way is above the line of stability where neither end is,
///                      if the largest stable K rises over B to one maximum and falls behind it (docs/stability.md)
///     friction         |Δμ| F_max ≤ 20 N/s · h
///     mass, gravity    φ |Δm| |g| ≤ 20 N/s · h, φ m |Δg| ≤ 20 N/s · h
///     limits           tighter: at once. A higher maximum: 20 N/s; higher rates, soft start: at once
///
/// The tick gives the offset o back: as fast as 5 mm/s and 0.2 rad/s in free motion, by at most 5 mW each of force and
/// torque while pressed. What is put in or taken out here is not the loop's doing: S is moved along in the observer's book,
/// so it is neither debt nor credit there.
///
/// @param[in]     wanted  checked by ValidateTune() against *config
/// @param[in,out] config  in force; the next tick takes it
/// @returns kOk: all of `wanted` is in force. kWouldBlock: call again after the next tick.
template <class Scalar, Capacity kCapacity>
Status Tune(const TuneConfig<Scalar>& wanted, Config<Scalar>* config, State<Scalar, kCapacity>* state) noexcept;

}  // namespace tactus

#include "tactus/haptic/tune.inl"
