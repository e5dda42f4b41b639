#pragma once
#include <vector>

#include "bench/feel/loop.h"
#include "bench/feel/setup.h"

namespace tactus::bench::feel {

/// What the command does while nothing but noise should be in it.
struct Noise {
  double band_N = 0;   ///< rms of the force vector between 100 and 500 Hz
  double lower_N = 0;  ///< between 20 and 100 Hz: a hand's own motion is in it too
  double step_N = 0;   ///< largest change from one command to the next
  double active = 0;   ///< share of the ticks in which the passivity controller worked
  double added_N = 0;  ///< largest step of what the passivity controller added
  bool faulted = false;
};

/// Judges the periods from `from_s` on, up to the first fault.
Noise MeasureNoise(const std::vector<Period>& periods, double from_s);

/// The periods up to the first fault: what fades is no noise.
std::size_t EndOf(const std::vector<Period>& periods);

/// The commands from `from_s` on, up to the first fault.
std::vector<Vec3> Forces(const std::vector<Period>& periods, double from_s);

/// Free circle of 20 mm radius at 1 Hz, and free straight lines along x, 50 mm above the plate.
Motion FreeCircle();
Motion FreeLine(double speed_mps);
inline constexpr double kFreeSettle_s = 1.0, kFreeMeasured_s = 4.0;

/// One hand's press on the plate, drawn from a seed: a place, 1 to 3 N, the default hand with its tremor.
struct Press {
  Pull pull;
  double force_N = 0;
};
Press DrawPress(std::uint64_t seed, double hand_stiffness_N_per_m);
inline constexpr double kPressSettle_s = 1.5, kPressMeasured_s = 1.5;

/// A loop led along `motion`, from its start.
std::vector<Period> Lead(const LoopSetup& setup, const Motion& motion, double duration_s);
/// A loop held by the default hand at a press.
std::vector<Period> Hold(const LoopSetup& setup, std::uint64_t seed, double duration_s);
/// Noise of the force in a hold, 100-500 Hz, at whatever rate: of the mean in each millisecond. Infinite if the loop
/// faulted.
/// @param[in] setup  of a period that goes into a millisecond a whole number of times
double HoldNoise_N(const LoopSetup& setup, std::uint64_t seed);

}  // namespace tactus::bench::feel
