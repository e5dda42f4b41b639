#pragma once

namespace tactus::internal {

/// The numbers of HandleEstimator; docs/servo_loop.md says how they were found. Distances in counts D.
template <class Scalar>
struct HandleGains {
  static constexpr Scalar kSlow = Scalar(0.105), kFast = Scalar(0.85);        ///< θ0, θ1
  static constexpr Scalar kInner = Scalar(0.5), kOuter = Scalar(1);           ///< c0, c1: of the averaged innovation
  static constexpr Scalar kSurprise = Scalar(1.5), kCertain = Scalar(2.5);    ///< d0, d1: of a single innovation
  static constexpr Scalar kAveraging = Scalar(0.15);                          ///< λ
  static constexpr Scalar kMemory = Scalar(0.98);                             ///< ρ
  static constexpr Scalar kCalmJerk = Scalar(0.07), kFastJerk = Scalar(0.2);  ///< κ0, κ1
  static constexpr Scalar kRounding = Scalar(0.4), kDoubt = Scalar(0.2);      ///< b, η: what rounding alone can be
  static constexpr Scalar kLearning = Scalar(0.06), kCaution = Scalar(5);     ///< μ, ε
  static constexpr Scalar kUnlearned = Scalar(0.3);                           ///< b_φ: innovation that teaches nothing
  static constexpr Scalar kMaxShare = Scalar(3);                              ///< of φ: a third of the declared mass
  static constexpr Scalar kUnfed = Scalar(0.004);                          ///< ζ: of the force's change, counts a period²
  static constexpr Scalar kCalm = Scalar(0.0064), kStiff = Scalar(0.008);  ///< k0, k1: of K h²/m
  static constexpr Scalar kPlay = Scalar(1.5);                             ///< p: a movement within ±p D is none
  static constexpr Scalar kMoving_s = Scalar(0.3);                         ///< T_g: how long a movement counts
  static constexpr Scalar kBand = Scalar(1.5);                             ///< |x - y| ≤ kBand D
  static constexpr Scalar kLagShare = Scalar(0.5);                         ///< of the lag's change in the handle's way
  static constexpr Scalar kIdeal_m = Scalar(1e-6), kIdeal_rad = Scalar(2e-5);  ///< a finer encoder: samples as they are
};

}  // namespace tactus::internal
