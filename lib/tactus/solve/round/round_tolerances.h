#pragma once

namespace tactus {

/// What counts as an answer on the round cone, as shares of a contact's own scale (round_scales.h).
template <class Scalar>
struct RoundTolerances;

template <>
struct RoundTolerances<double> {
  static constexpr double kResidual = 1e-6;   ///< of (R1)
  static constexpr double kDirection = 1e-3;  ///< of the largest friction beside it: 0.06°. Without it a fast throw, whose
                                              ///< friction is 1e-3 |k| a tick, keeps the polygon's direction
  static constexpr double kGap = 1e-8;        ///< ν, θ ≥ -kGap and θ ν ≤ kGap
  static constexpr double kPower = 1e-9;      ///< f·s ≤ kPower: friction does not drive
  static constexpr double kEnergy = 1e-9;     ///< of |k|²
  static constexpr double kMotion = 1e-5;     ///< kResidual of the largest impulse may not be more than this of the motion
  static constexpr double kOpen = 1e-9;       ///< a contact without θ takes part from ν < -kOpen on
  static constexpr double kRegular = 1e-8;    ///< added to the diagonal of K, of 1 kg⁻¹: redundant rows
  static constexpr double kFactored = kRegular;  ///< least D of what Newton's systems factor; the refinement has D as it is
  static constexpr double kPivot = 1e-9;         ///< a column whose largest entry is smaller depends on those before
  static constexpr double kFirstStep = 1e8;      ///< ρ of the first step from the polygon's answer
};

template <>
struct RoundTolerances<float> {
  static constexpr float kResidual = 1e-4f;
  static constexpr float kDirection = 1e-3f;
  static constexpr float kGap = 1e-4f;
  static constexpr float kPower = 1e-5f;
  static constexpr float kEnergy = 1e-5f;
  static constexpr float kMotion = 1e-2f;
  static constexpr float kOpen = 1e-5f;
  static constexpr float kRegular = 1e-6f;
  // With kRegular M has a condition of 1e7: of 2 000 conveyors 41 % came onto the cone. With 1e-5 49, 1e-4 97, 3e-4 and 1e-3
  // 98 %; patches 66, 79, 98, 98, of mass ratios of up to 1e6 79, 91, 95, 95.
  static constexpr float kFactored = 3e-4f;
  static constexpr float kPivot = 1e-5f;
  static constexpr float kFirstStep = 1e4f;
};

}  // namespace tactus
