#pragma once

namespace tactus::internal {

/// The numbers of HandleEstimator; docs/servo_loop.md says how they were found. Distances in counts D.
template <class Scalar>
struct HandleGains {
  static constexpr Scalar kSlow = Scalar(0.12), kFast = Scalar(0.6);           ///< θ0, θ1
  static constexpr Scalar kInner = Scalar(0.4), kOuter = Scalar(1);            ///< c0, c1: of the averaged innovation
  static constexpr Scalar kSurprise = Scalar(1.5), kCertain = Scalar(2.5);     ///< d0, d1: of a single innovation
  static constexpr Scalar kAveraging = Scalar(0.15);                           ///< λ
  static constexpr Scalar kAcceleration = Scalar(0.1);                         ///< κ
  static constexpr Scalar kLearning = Scalar(0.02), kCaution = Scalar(5);      ///< μ, ε
  static constexpr Scalar kMaxShare = Scalar(3);                               ///< of φ: a third of the declared mass
  static constexpr Scalar kBand = Scalar(1.5);                                 ///< |x - y| ≤ kBand D
  static constexpr Scalar kLagShare = Scalar(0.5);                             ///< of the lag's change in the handle's way
  static constexpr Scalar kIdeal_m = Scalar(1e-6), kIdeal_rad = Scalar(2e-5);  ///< a finer encoder: samples as they are
};

}  // namespace tactus::internal
