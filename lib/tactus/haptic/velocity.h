#pragma once
#include "tactus/core/eigen.h"
#include "tactus/haptic/config.h"

namespace tactus {

/// Velocity of the handle from its sampled poses: first-order adaptive windowing, each of the six coordinates by itself.
///
/// The estimate is the mean slope over the longest window of n ≤ max_window_ticks periods in which the straight line between
/// the window's ends passes every sample in between no further off than the sensor's resolution:
///
///     s_n = Δ_k + … + Δ_{k-n+1},   v = s_n / (n h),   |s_j - (j/n) s_n| ≤ resolution for 0 < j < n
///
/// Slow motion gets a long window and little noise (≤ 2 resolution / (n h)); a change of speed cuts the window by itself.
/// The delay is n h / 2, at most max_window_ticks h / 2. [Janabi-Sharifi00]
///
/// Cost: n steps a coordinate: the samples' conditions on the slope are an interval that only shrinks.
template <class Scalar>
class VelocityEstimator {
 public:
  /// Takes the handle's way since the last call: `periods` ≥ 1 of them have passed (more if samples were missed).
  /// @param[in] step_W  displacement [m] and rotation vector [rad]
  void Push(const Vec<Scalar, 6>& step_W, int periods) noexcept;

  /// @returns velocity [m/s] and angular velocity [rad/s]; zero before the first step.
  Vec<Scalar, 6> Estimate(const VelocityConfig<Scalar>& config, Scalar period_s) const noexcept;

  void Reset() noexcept { *this = VelocityEstimator{}; }

  /// Steps remembered, the newest is number 0.
  int count() const { return count_; }
  const Vec<Scalar, 6>& step(int age) const { return steps_[(newest_ + kMaxVelocityWindow - age) % kMaxVelocityWindow]; }

 private:
  Vec<Scalar, 6> steps_[kMaxVelocityWindow] = {};
  int count_ = 0;
  int newest_ = 0;
};

}  // namespace tactus

#include "tactus/haptic/internal/velocity_impl.h"
