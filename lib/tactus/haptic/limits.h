#pragma once
#include <cstdint>

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/telemetry.h"

namespace tactus {

/// a, shortened to `limit` if it is longer; the direction is kept. @returns whether it was.
template <class Scalar>
bool ClampNorm(Scalar limit, Vec<Scalar, 3>* a) noexcept {
  // By its largest component first: the square of a huge number would overflow.
  const Scalar largest = a->cwiseAbs().maxCoeff();
  if (!(largest > Scalar(0))) return false;
  const Vec<Scalar, 3> scaled = *a / largest;
  const Scalar norm = largest * Norm(scaled);
  if (norm <= limit) return false;
  *a = scaled * (limit / Norm(scaled));
  return true;
}

/// The last word on what goes to the device. Always in this order:
///
///     1. finite check       NaN or infinity: zero at once, kForceNotFinite
///     2. magnitude clamp    |F| ≤ max, direction kept, force and torque each
///     3. gain               soft start and fading: of what may go out, so their lines are straight
///     4. rate limit         |F - F_last| ≤ rate · h, force and torque each
///     5. magnitude clamp    again: rounding of the rate limit, a last command of other limits
///     6. finite check       again, of what goes out
///
/// A rate limit before the last clamp keeps the result inside both: the clamp to a ball never lengthens the way from a point
/// inside it.
///
/// @param[in]     raw_wrench_W   on the hand [N, N·m]
/// @param[in]     last_wrench_W  the last command
/// @param[in,out] status         bits are added
/// @returns the command
template <class Scalar>
Vec<Scalar, 6> LimitWrench(const Vec<Scalar, 6>& raw_wrench_W, Scalar gain, const Vec<Scalar, 6>& last_wrench_W,
                           Scalar period_s, const LimitConfig<Scalar>& config, std::uint32_t* status) noexcept {
  const Vec<Scalar, 6> zero = Vec<Scalar, 6>::Zero();
  if (!IsFinite(raw_wrench_W)) {
    *status |= status_bit::kForceNotFinite;
    return zero;
  }
  Vec<Scalar, 3> force_N = raw_wrench_W.template head<3>(), torque_Nm = raw_wrench_W.template tail<3>();
  if (ClampNorm(config.max_force_N, &force_N)) *status |= status_bit::kForceClamped;
  if (ClampNorm(config.max_torque_Nm, &torque_Nm)) *status |= status_bit::kTorqueClamped;

  const Vec<Scalar, 3> last_force_N = last_wrench_W.template head<3>(), last_torque_Nm = last_wrench_W.template tail<3>();
  Vec<Scalar, 3> force_change_N = gain * force_N - last_force_N, torque_change_Nm = gain * torque_Nm - last_torque_Nm;
  const bool force_slewed = ClampNorm(config.max_force_rate_N_per_s * period_s, &force_change_N);
  const bool torque_slewed = ClampNorm(config.max_torque_rate_Nm_per_s * period_s, &torque_change_Nm);
  if (force_slewed || torque_slewed) *status |= status_bit::kRateLimited;

  force_N = last_force_N + force_change_N;
  torque_Nm = last_torque_Nm + torque_change_Nm;
  (void)ClampNorm(config.max_force_N, &force_N);  // the bit says what the loop wanted, above
  (void)ClampNorm(config.max_torque_Nm, &torque_Nm);

  Vec<Scalar, 6> command_W;
  command_W << force_N, torque_Nm;
  if (!IsFinite(command_W)) {
    *status |= status_bit::kForceNotFinite;
    return zero;
  }
  return command_W;
}

/// A force that fades stays on or below a straight line to zero, whatever the loop wants meanwhile and however slow the rate
/// limit is: |F_k| ≤ |F_{k-1}| g_k / g_{k-1} for the falling gain g, the torque alike. At g_k = 0 it is zero.
///
/// @param[in]     fade           g_k / g_{k-1}, 0 … 1
/// @param[in]     last_wrench_W  the last command
/// @param[in,out] wrench_W       what LimitWrench lets out
template <class Scalar>
void ClampToFade(Scalar fade, const Vec<Scalar, 6>& last_wrench_W, Vec<Scalar, 6>* wrench_W) noexcept {
  const Vec<Scalar, 3> last_force_N = last_wrench_W.template head<3>(), last_torque_Nm = last_wrench_W.template tail<3>();
  Vec<Scalar, 3> force_N = wrench_W->template head<3>(), torque_Nm = wrench_W->template tail<3>();
  (void)ClampNorm(fade * Norm(last_force_N), &force_N);
  (void)ClampNorm(fade * Norm(last_torque_Nm), &torque_Nm);
  *wrench_W << force_N, torque_Nm;
}

}  // namespace tactus
