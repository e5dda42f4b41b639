#pragma once
#include "tactus/core/scalar.h"
#include "tactus/haptic/handle_estimate.h"
#include "tactus/haptic/internal/handle_gains.h"

namespace tactus {

namespace internal {

/// 0 below `low`, 1 above `high`, a straight line between.
template <class Scalar>
Scalar Ramp(Scalar x, Scalar low, Scalar high) {
  return Clamp((x - low) / (high - low), Scalar(0), Scalar(1));
}

template <class Scalar>
Scalar Beta(Scalar theta) {
  return theta * theta / (Scalar(2) - theta);
}

template <class Scalar>
Scalar Gamma(Scalar theta) {
  return HandleGains<Scalar>::kAcceleration * theta * theta * theta;
}

}  // namespace internal

template <class Scalar>
void HandleEstimator<Scalar>::Restart(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH,
                                      const Vec<Scalar, 6>& twist_W) noexcept {
  *this = HandleEstimator{};
  handle_ = {.p_WH_m = p_WH_m, .q_WH = q_WH, .twist_W = twist_W};
}

template <class Scalar>
void HandleEstimator<Scalar>::Reset(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH) noexcept {
  Restart(p_WH_m, q_WH, Vec<Scalar, 6>::Zero());
}

/// θ.
template <class Scalar>
Scalar HandleEstimator<Scalar>::FilterGain(Scalar lag, Scalar innovation, Scalar resolution) noexcept {
  using Gains = internal::HandleGains<Scalar>;
  const Scalar by_lag = internal::Ramp(Abs(lag), Gains::kInner * resolution, Gains::kOuter * resolution);
  const Scalar by_surprise = internal::Ramp(Abs(innovation), Gains::kSurprise * resolution, Gains::kCertain * resolution);
  return Gains::kSlow + (Gains::kFast - Gains::kSlow) * Max(by_lag, by_surprise);
}

/// φ, and what the next gradient needs.
template <class Scalar>
void HandleEstimator<Scalar>::LearnShare(Scalar force_acceleration, Scalar innovation, Scalar theta, Scalar resolution,
                                         Scalar time_s, Axis* axis) noexcept {
  using Gains = internal::HandleGains<Scalar>;
  const Scalar du = axis->sensitivity_a + force_acceleration;
  const Scalar sigma = axis->sensitivity + time_s * (axis->sensitivity_v + time_s * du / 2);
  const Scalar step = innovation * sigma / (Gains::kCaution * resolution * resolution + sigma * sigma);
  axis->share = Clamp(axis->share + Gains::kLearning * step, Scalar(0), Gains::kMaxShare);

  const Scalar beta = internal::Beta(theta), gamma = internal::Gamma(theta), rate = sigma / time_s;
  axis->sensitivity = sigma - theta * sigma;
  axis->sensitivity_v += time_s * du - beta * rate;
  axis->sensitivity_a -= gamma * rate / time_s;
}

/// @param[in] gap  from the last estimate to the sample
/// @returns the estimate's way
template <class Scalar>
Scalar HandleEstimator<Scalar>::UpdateAxis(Scalar gap, Scalar force_acceleration, Scalar resolution, Scalar time_s,
                                           Scalar* velocity, Axis* axis) noexcept {
  using Gains = internal::HandleGains<Scalar>;
  const Scalar u = axis->share * force_acceleration + axis->acceleration;
  const Scalar predicted = time_s * (*velocity + time_s * u / 2), r = gap - predicted;
  axis->lag += Gains::kAveraging * (r - axis->lag);
  const Scalar theta = FilterGain(axis->lag, r, resolution);
  LearnShare(force_acceleration, r, theta, resolution, time_s, axis);

  const Scalar rate = r / time_s, band = Gains::kBand * resolution;
  *velocity += time_s * u + internal::Beta(theta) * rate;
  axis->acceleration += internal::Gamma(theta) * rate / time_s;
  return Clamp(predicted + theta * r, gap - band, gap + band);
}

template <class Scalar>
void HandleEstimator<Scalar>::Update(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH,
                                     const Vec<Scalar, 6>& applied_wrench_W, int periods, const DeviceConfig<Scalar>& device,
                                     Scalar period_s) noexcept {
  using Gains = internal::HandleGains<Scalar>;
  Vec<Scalar, 6> gap_W;
  gap_W.template head<3>() = p_WH_m - handle_.p_WH_m;
  gap_W.template tail<3>() = LogMap(Multiply(q_WH, Conjugate(handle_.q_WH)));
  const Scalar time_s = static_cast<Scalar>(periods) * period_s;
  if (periods > kMaxPredicted_periods) {
    Restart(p_WH_m, q_WH, gap_W / time_s);
    return;
  }
  Vec<Scalar, 6> step_W;
  for (int i = 0; i < 6; ++i) {
    const bool linear = i < 3;
    const Scalar inertia = linear ? device.mass_kg : device.inertia_kgm2;
    const Scalar resolution = linear ? device.resolution_m : device.resolution_rad;
    if (resolution < (linear ? Gains::kIdeal_m : Gains::kIdeal_rad)) {
      step_W(i) = way_W_(i) = gap_W(i);
      handle_.twist_W(i) = gap_W(i) / time_s;
      continue;
    }
    const Scalar lag_before = axes_[i].lag;
    step_W(i) = UpdateAxis(gap_W(i), applied_wrench_W(i) / inertia, resolution, time_s, &handle_.twist_W(i), &axes_[i]);
    way_W_(i) = step_W(i) + Gains::kLagShare * (axes_[i].lag - lag_before);
  }
  handle_.p_WH_m += step_W.template head<3>();
  const Vec<Scalar, 3> turn_rad = step_W.template tail<3>();
  handle_.q_WH = Normalized(Multiply(ExpMap(turn_rad), handle_.q_WH));
}

}  // namespace tactus
