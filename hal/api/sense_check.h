#pragma once
#include <cstdint>

#include "hal/api/motor_io.h"
#include "tactus/core/scalar.h"

namespace tactus::hal {

inline constexpr std::uint32_t kSenseWindow_us = 2000;  ///< a measured current that is wrong for so long is a fault
inline constexpr float kSenseTolerance = 0.25f;         ///< of the ceiling
inline constexpr std::uint32_t kSenseMean_us = 50'000;  ///< time constant of the mean error
inline constexpr float kMeanSenseTolerance = 0.1f;      ///< of the ceiling

/// Whether what flows is what was asked for, of each motor:
///     |I - I_c| ≤ kSenseTolerance I_max  and  |m| ≤ kMeanSenseTolerance I_max,  m <- m + (I - I_c - m) Δt/kSenseMean_us
/// A loop of current that works brings its mean error to zero; behind a channel that shows no current it stays. A current
/// that is no number is wrong.
class SenseCheck {
 public:
  /// Once for each reading. @param asked_A  of the period before it  @param passed_us  since the reading before
  /// @returns false: wrong for kSenseWindow_us
  bool Look(const MotorTraits& traits, const MotorReading& reading, const float (&asked_A)[kMaxMotors],
            std::uint32_t passed_us) noexcept {
    bool wrong = false;
    for (int i = 0; i < traits.motors; ++i) {
      const float error_A = reading.current_A[i] - asked_A[i], most_A = traits.max_current_A[i];
      const float share = Min(static_cast<float>(passed_us) / static_cast<float>(kSenseMean_us), 1.0f);
      if (error_A == error_A) mean_A_[i] += share * (error_A - mean_A_[i]);
      wrong |= !(Abs(error_A) <= kSenseTolerance * most_A && Abs(mean_A_[i]) <= kMeanSenseTolerance * most_A);
    }
    wrong_us_ = traits.senses_current && wrong ? wrong_us_ + passed_us : 0;
    return wrong_us_ < kSenseWindow_us;
  }
  void Forget() noexcept {
    wrong_us_ = 0;
    for (float& mean_A : mean_A_) mean_A = 0;
  }

 private:
  std::uint32_t wrong_us_ = 0;  // up to now
  float mean_A_[kMaxMotors] = {};
};

}  // namespace tactus::hal
