#pragma once
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/count_chart.h"
#include "tactus/haptic/internal/handle_gains.h"

namespace tactus {

/// What the passivity observer and controller remember.
template <class Scalar>
struct PassivityState {
  bool started = false;              ///< false: there is no previous period to account for
  Scalar stored_J = Scalar(0);       ///< energy the virtual side held at the last sample
  Scalar given_J = Scalar(0);        ///< that the rest of the scene has given the tool since (WorkOnTool)
  Scalar dissipated_J = Scalar(0);   ///< energy taken from the hand and not stored, at most tank_J; < 0: generated
  Scalar damping_ratio = Scalar(0);  ///< α of the controller
};

/// Energy observer: accounts for the period that ended with this sample [HannafordRyu02, Stramigioli05].
///
///     D_k = min(D_{k-1} - F_{k-1} · (Δx̂_k + Δs_k/2) + W_{k-1} - (S_k - S_{k-1}), tank)
///
/// with F the wrench that the device held (after all limits), Δx̂ + Δs/2 the handle's way (HandleEstimator::way_W), S the
/// energy that tool and coupling store and may give back, W what the rest of the scene has given the tool meanwhile
/// (given_J). D < 0 means that the loop made energy. The tank bounds the credit
/// that earlier dissipation gives, so that a long quiet time does not hide a later oscillation.
///
/// Not the samples' own way: force and way would hold the same rounding ñ, and its square drifts by -K E[Δñ²]/2h, that is
/// -K q²/12h for every axis that moves over an encoder of step q. The estimate's error changes slowly: what is left of the
/// drift is a few per cent of that, and a debt is forgiven at that rate (EnergyDrift).
///
/// @param[in] applied_wrench_W  on the hand, held during the period [N, N·m]
/// @param[in] handle_way_W      displacement [m] and rotation vector [rad] of the handle in the period
/// @param[in] stored_J          S_k
/// @param[in] chart             what the samples are from: the work is Σ (Cᵀ F)_i Δĉ_i of the motors then, which is F · Δx̂
template <class Scalar>
void ObserveEnergy(const Vec<Scalar, 6>& applied_wrench_W, const Vec<Scalar, 6>& handle_way_W, Scalar stored_J,
                   const Config<Scalar>& config, PassivityState<Scalar>* state,
                   const CountChart<Scalar>& chart = CountChart<Scalar>()) noexcept;

/// The observer's error in one period at most, by which a debt shrinks: the rounding that gets through the estimate's slow
/// gain θ0(h) into both force and way, 2 θ0² K D²/12 for each axis (measured: half of it or less). D: the way of a count of
/// each motor, or the resolution along each of x, y, z; about each the resolution of the rotation.
/// @param[in] period_s  h
template <class Scalar>
Scalar EnergyDrift(const CouplingConfig<Scalar>& coupling, const DeviceConfig<Scalar>& device, Scalar period_s,
                   const CountChart<Scalar>& chart = CountChart<Scalar>()) noexcept;

/// What the observer cannot tell from nothing: the spring's energy over the largest error ñ = 1.5 D of the estimate,
/// Σ K ñ Δñ ≤ K (1.5 D)²/2 for each axis; of motors K |C ñ|²/2 with each ñ_i = ±1.5.
template <class Scalar>
Scalar EnergyGrain(const CouplingConfig<Scalar>& coupling, const DeviceConfig<Scalar>& device,
                   const CountChart<Scalar>& chart = CountChart<Scalar>()) noexcept;

/// How much damping the passivity controller adds.
template <class Scalar>
struct PassivityDamping {
  Scalar ratio = Scalar(0);  ///< α
  bool limited = false;      ///< more was wanted than MostDampingRatio
};

/// Largest α: max_damping_ratio, or less where a device so light does not bear it. A damper that acts T late on a free mass,
/// m v̇ = -B v(t - T), is stable for B T/m < π/2. Half of that:
///
///     (1 + α) B T ≤ π m/4,   (1 + α) B_r T ≤ π I/4,   T = (3/2 + command_delay_ticks) h
///
/// Without it a pantograph of 58 g at B = 20 N·s/m buzzed from 2 kN/m on, where it is stable to 9 kN/m without the
/// controller. Test: FeelZWidth.TheControllerTakesNoStabilityFromALightDevice.
template <class Scalar>
Scalar MostDampingRatio(const Config<Scalar>& config) noexcept;

/// Energy controller: damping that takes the generated energy back within T = 10 ms.
///
///     F ← F - α (B v̂, B_r ω̂),   α* = (-D - grain) / (T (B |v̂|² + B_r |ω̂|²)),   0 ≤ α* ≤ MostDampingRatio
///
/// α follows α* by at most 0.3 a period, and by no more than what changes the force by 0.05 N and the torque by 1 mN·m: it
/// sets in and ends without a step. At rest the quotient is MostDampingRatio, and the force still zero. Its own work enters
/// D by the next observation, like all of the command.
///
/// @param[in] handle_twist_W  v̂, ω̂: the estimate
/// @param[in] chart           of its position
template <class Scalar>
PassivityDamping<Scalar> ControlEnergy(const Vec<Scalar, 6>& handle_twist_W, const Config<Scalar>& config,
                                       PassivityState<Scalar>* state,
                                       const CountChart<Scalar>& chart = CountChart<Scalar>()) noexcept;

}  // namespace tactus

#include "tactus/haptic/passivity.inl"
