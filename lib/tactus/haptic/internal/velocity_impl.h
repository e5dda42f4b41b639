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

namespace internal {

/// Whether the line between the ends of a window of n steps passes all samples in between. sums[j]: way over the last j steps.
template <class Scalar>
bool LineFits(const Scalar* sums, int n, Scalar resolution) {
  const Scalar slope = sums[n] / static_cast<Scalar>(n);
  for (int j = 1; j < n; ++j) {
    if (Abs(sums[j] - static_cast<Scalar>(j) * slope) > resolution) return false;
  }
  return true;
}

}  // namespace internal

template <class Scalar>
Vec<Scalar, 6> VelocityEstimator<Scalar>::Estimate(const VelocityConfig<Scalar>& config, Scalar period_s) const noexcept {
  Vec<Scalar, 6> twist_W = Vec<Scalar, 6>::Zero();
  const int window = Min(count_, Min(config.max_window_ticks, kMaxVelocityWindow));
  for (int axis = 0; axis < 6 && window > 0; ++axis) {
    const Scalar resolution = axis < 3 ? config.resolution_m : config.resolution_rad;
    Scalar sums[kMaxVelocityWindow + 1] = {};
    sums[1] = step(0)(axis);
    int n = 1;
    for (; n < window; ++n) {
      sums[n + 1] = sums[n] + step(n)(axis);
      if (!internal::LineFits(sums, n + 1, resolution)) break;
    }
    twist_W(axis) = sums[n] / (static_cast<Scalar>(n) * period_s);
  }
  return twist_W;
}

}  // namespace tactus
