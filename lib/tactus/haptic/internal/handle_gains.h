#pragma once

namespace tactus::internal {

/// The numbers of HandleEstimator; docs/servo_loop.md says how they were found. Distances in counts D. Those that act once a
/// sample (θ0, θ1, λ, ρ, μ, ζ) are for the period kPeriod_s; SampleGains has them for others.
template <class Scalar>
struct HandleGains {
  static constexpr Scalar kPeriod_s = Scalar(0.001);                          ///< h0
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
  static constexpr Scalar kCalm = Scalar(0.0064), kStiff = Scalar(0.008);  ///< k0, k1: of K h0²/m
  static constexpr Scalar kPlay = Scalar(1.5);                             ///< p: a movement within ±p D is none
  static constexpr Scalar kMoving_s = Scalar(0.3);                         ///< T_g: how long a movement counts
  static constexpr Scalar kBand = Scalar(1.5);                             ///< |x - y| ≤ kBand D
  static constexpr Scalar kLagShare = Scalar(0.5);                         ///< of the lag's change in the handle's way
  static constexpr Scalar kIdeal_m = Scalar(1e-6), kIdeal_rad = Scalar(2e-5);  ///< a finer encoder: samples as they are
};

/// The gains that act once a sample, for a period h. The filter is as fast in seconds as at h0, whatever the rate:
///
///     s = h/h0,    1 - g(h) = (1 - g)^s  for θ0, θ1, λ,    ρ(h) = ρ^s,    μ(h) = s μ
///
/// A gain that stayed the same would make the filter faster with the rate, but a count is a count: at 4 kHz its step of
/// velocity, θ D/h, would be four times as large.
template <class Scalar>
struct SampleGains {
  Scalar periods = Scalar(1);  ///< s
  Scalar slow = HandleGains<Scalar>::kSlow, fast = HandleGains<Scalar>::kFast;
  Scalar averaging = HandleGains<Scalar>::kAveraging, memory = HandleGains<Scalar>::kMemory;
  Scalar learning = HandleGains<Scalar>::kLearning;

  /// @param[in] period_s  h; up to 10 h0 (kPeriodField)
  static SampleGains At(Scalar period_s) noexcept {
    SampleGains gains;
    const Scalar s = period_s / HandleGains<Scalar>::kPeriod_s;
    if (s == Scalar(1)) return gains;
    gains.periods = s;
    gains.slow = Scalar(1) - Decay(Scalar(-0.110931560707281), s);       // ln(1 - kSlow)
    gains.fast = Scalar(1) - Decay(Scalar(-1.897119984885881), s);       // ln(1 - kFast)
    gains.averaging = Scalar(1) - Decay(Scalar(-0.162518929497775), s);  // ln(1 - kAveraging)
    gains.memory = Decay(Scalar(-0.020202707317519), s);                 // ln kMemory
    gains.learning *= s;
    return gains;
  }

 private:
  /// exp(rate s) = (exp(rate s/64))^64, by the series to the ninth power: |rate s/64| ≤ 0.3, error 2e-12 of it.
  static Scalar Decay(Scalar rate, Scalar s) noexcept {
    constexpr int kSquarings = 6, kTerms = 9;
    const Scalar x = rate * s / Scalar(1 << kSquarings);
    Scalar power = Scalar(1);
    for (int n = kTerms; n > 0; --n) power = Scalar(1) + power * x / static_cast<Scalar>(n);
    for (int i = 0; i < kSquarings; ++i) power *= power;
    return power;
  }
};

}  // namespace tactus::internal
