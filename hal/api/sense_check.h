#pragma once
#include <cstdint>

#include "hal/api/motor_io.h"
#include "tactus/core/scalar.h"

namespace tactus::hal {

inline constexpr std::uint32_t kSenseWindow_us = 2000;  ///< a measured current that is wrong for so long is a fault
inline constexpr float kSenseTolerance = 0.25f;         ///< of the ceiling

/// Whether what flows is what was asked for: |I - I_c| ≤ kSenseTolerance I_max of each motor. A current that is no number is
/// wrong.
class SenseCheck {
 public:
  /// Once for each reading. @param asked_A  of the period before it  @param passed_us  since the reading before
  /// @returns false: wrong for kSenseWindow_us
  bool Look(const MotorTraits& traits, const MotorReading& reading, const float (&asked_A)[kMaxMotors],
            std::uint32_t passed_us) noexcept {
    bool wrong = false;
    for (int i = 0; i < traits.motors; ++i) {
      const float error_A = reading.current_A[i] - asked_A[i];
      wrong |= !(Abs(error_A) <= kSenseTolerance * traits.max_current_A[i]);
    }
    wrong_us_ = traits.senses_current && wrong ? wrong_us_ + passed_us : 0;
    return wrong_us_ < kSenseWindow_us;
  }
  void Forget() noexcept { wrong_us_ = 0; }

 private:
  std::uint32_t wrong_us_ = 0;  // up to now
};

}  // namespace tactus::hal
