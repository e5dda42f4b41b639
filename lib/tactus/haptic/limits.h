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
///     2. gain               soft start and fading
///     3. rate limit         |F - F_last| ≤ rate · h, force and torque each
///     4. magnitude clamp    |F| ≤ max, direction kept, force and torque each
///     5. finite check       again, of what goes out
///
/// A rate limit before the clamp keeps the result inside both: the clamp to a ball never lengthens the way from a point
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
  const Vec<Scalar, 6> change_W = gain * raw_wrench_W - last_wrench_W;
  Vec<Scalar, 3> force_change_N = change_W.template head<3>(), torque_change_Nm = change_W.template tail<3>();
  const bool force_slewed = ClampNorm(config.max_force_rate_N_per_s * period_s, &force_change_N);
  const bool torque_slewed = ClampNorm(config.max_torque_rate_Nm_per_s * period_s, &torque_change_Nm);
  if (force_slewed || torque_slewed) *status |= status_bit::kRateLimited;

  Vec<Scalar, 3> force_N = last_wrench_W.template head<3>() + force_change_N;
  Vec<Scalar, 3> torque_Nm = last_wrench_W.template tail<3>() + torque_change_Nm;
  if (ClampNorm(config.max_force_N, &force_N)) *status |= status_bit::kForceClamped;
  if (ClampNorm(config.max_torque_Nm, &torque_Nm)) *status |= status_bit::kTorqueClamped;

  Vec<Scalar, 6> command_W;
  command_W << force_N, torque_Nm;
  if (!IsFinite(command_W)) {
    *status |= status_bit::kForceNotFinite;
    return zero;
  }
  return command_W;
}

}  // namespace tactus
