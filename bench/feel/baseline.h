#pragma once

namespace tactus::bench::feel {

/// Largest stable stiffness with the plain estimate, which took the encoder's count for the handle's place and the mean
/// slope of ten counts for its speed: commit 649c4ae, measured by this very bench, `tactus bench feel --seed 1`. [N/m],
/// rounded down to three digits.
namespace baseline {
inline constexpr double kFalcon = 25800;
inline constexpr double kFree250 = 9150;
inline constexpr double kFree100 = 4770;
inline constexpr double kHand = 59500;
inline constexpr double kLate = 5390;
inline constexpr double kLateHand = 15800;
inline constexpr double kFine = 36900;
inline constexpr double kFineHand = 96100;
}  // namespace baseline

}  // namespace tactus::bench::feel
