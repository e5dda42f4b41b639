#pragma once
#include "tactus/core/eigen.h"
#include "tactus/haptic/config.h"

namespace tactus {

/// What the passivity observer remembers.
template <class Scalar>
struct PassivityState {
  bool started = false;             ///< false: there is no previous period to account for
  Scalar stored_J = Scalar(0);      ///< energy the virtual side held at the last sample
  Scalar dissipated_J = Scalar(0);  ///< energy taken from the hand and not stored, at most tank_J; < 0: generated
};

/// Energy observer: accounts for the period that ended with this sample.
///
/// The force was constant while the handle went from one sample to the next, so the work done by the hand is exact, whatever
/// the velocity estimate says [HannafordRyu02, Stramigioli05]:
///
///     D_k = min(D_{k-1} - F_{k-1} · Δx_k - (S_k - S_{k-1}), tank)
///
/// with F the wrench commanded (after all limits), Δx the handle's way and S the energy that the simulation stores and may
/// give back. D < 0 means that the loop made energy. The tank bounds the credit that earlier dissipation gives, so that a
/// long quiet time does not hide a later oscillation.
///
/// @param[in] command_wrench_W  on the hand, held during the period [N, N·m]
/// @param[in] handle_step_W     displacement [m] and rotation vector [rad] of the handle in the period
/// @param[in] stored_J          S_k
template <class Scalar>
void ObserveEnergy(const Vec<Scalar, 6>& command_wrench_W, const Vec<Scalar, 6>& handle_step_W, Scalar stored_J,
                   const PassivityConfig<Scalar>& config, PassivityState<Scalar>* state) noexcept;

/// How much damping the passivity controller adds.
template <class Scalar>
struct PassivityDamping {
  Scalar ratio = Scalar(0);  ///< α
  bool limited = false;      ///< more was wanted than max_damping_ratio
};

/// Energy controller: damping that takes the generated energy back within the coming period.
///
///     F ← F - α (B v, B_r ω),   α = -D / (h (B |v|² + B_r |ω|²)),   0 ≤ α ≤ max_damping_ratio
///
/// Off (α = 0) if D ≥ 0, and if the power it could take at α = 1 is below min_power_W: at rest nothing can be dissipated,
/// and a quotient of small numbers would chatter. Its own work enters D by the next observation, like all of the command.
///
/// v and ω are the handle's last step divided by the period, not the estimate: at 40 Hz the estimate of a slow motion lags
/// by 70°, and damping that late feeds the oscillation it should end. (Measured: a free handle of 0.1 kg, encoder 20 µm, K =
/// 6 kN/m, B = 3 N·s/m, bounces at 24 mm/s without controller, 19 with the estimate, 3 with the last step.)
///
/// @param[in] last_twist_W  last step / period [m/s, rad/s]
template <class Scalar>
PassivityDamping<Scalar> ControlEnergy(const Vec<Scalar, 6>& last_twist_W, const CouplingConfig<Scalar>& coupling,
                                       Scalar period_s, const PassivityConfig<Scalar>& config,
                                       const PassivityState<Scalar>& state) noexcept;

}  // namespace tactus

#include "tactus/haptic/internal/passivity_impl.h"
