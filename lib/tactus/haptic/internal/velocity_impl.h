#pragma once
#include "tactus/core/scalar.h"
#include "tactus/haptic/velocity.h"

namespace tactus {

template <class Scalar>
void VelocityEstimator<Scalar>::Push(const Vec<Scalar, 6>& step_W, int periods) noexcept {
  const int copies = Clamp(periods, 1, kMaxVelocityWindow);
  const Vec<Scalar, 6> share_W = step_W / static_cast<Scalar>(periods < 1 ? 1 : periods);
  for (int i = 0; i < copies; ++i) {
    newest_ = (newest_ + 1) % kMaxVelocityWindow;
    steps_[newest_] = share_W;
  }
  count_ = Min(count_ + copies, kMaxVelocityWindow);
}

template <class Scalar>
Vec<Scalar, 6> VelocityEstimator<Scalar>::Estimate(const VelocityConfig<Scalar>& config, Scalar period_s) const noexcept {
  Vec<Scalar, 6> twist_W = Vec<Scalar, 6>::Zero();
  const int window = Min(count_, Min(config.max_window_ticks, kMaxVelocityWindow));
  for (int axis = 0; axis < 6 && window > 0; ++axis) {
    const Scalar resolution = axis < 3 ? config.resolution_m : config.resolution_rad;
    // Seen from the newest sample, sample j lets slopes from (s_j - D)/j to (s_j + D)/j pass; all before n bound the slope
    // to n.
    Scalar sum = step(0)(axis), slope = sum, lowest = sum - resolution, highest = sum + resolution;
    for (int n = 2; n <= window; ++n) {
      sum += step(n - 1)(axis);
      const Scalar inverse = Scalar(1) / static_cast<Scalar>(n), mean = sum * inverse, slack = resolution * inverse;
      if (mean < lowest || mean > highest) break;
      slope = mean;
      lowest = Max(lowest, mean - slack);
      highest = Min(highest, mean + slack);
    }
    twist_W(axis) = slope / period_s;
  }
  return twist_W;
}

}  // namespace tactus
