#include "bench/feel/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bench/feel/spectrum.h"
#include "bench/scenes/random.h"

namespace tactus::bench::feel {
namespace {

constexpr double kFreeHeight_m = 0.050;

Vec3 Added_N(const Answer& answer) { return answer.force_N() - answer.coupling_N; }

}  // namespace

std::size_t EndOf(const std::vector<Period>& periods) {
  const auto faulted = [](const Period& period) { return period.answer.faulted; };
  return static_cast<std::size_t>(std::find_if(periods.begin(), periods.end(), faulted) - periods.begin());
}

std::vector<Vec3> Forces(const std::vector<Period>& periods, double from_s) {
  std::vector<Vec3> forces_N;
  const std::size_t end = EndOf(periods);
  for (std::size_t k = static_cast<std::size_t>(Ticks(from_s)); k < end; ++k) {
    forces_N.push_back(periods[k].answer.force_N());
  }
  return forces_N;
}

Noise MeasureNoise(const std::vector<Period>& periods, double from_s) {
  Noise noise;
  const std::size_t first = static_cast<std::size_t>(Ticks(from_s)), end = EndOf(periods);
  const Spectrum spectrum(Forces(periods, from_s));
  noise.band_N = spectrum.BandRms(kNoiseLow_Hz, kNoiseHigh_Hz);
  noise.lower_N = spectrum.BandRms(20, kNoiseLow_Hz - 1);
  for (std::size_t k = first; k < end; ++k) {
    const Answer &now = periods[k].answer, &before = periods[k - 1].answer;
    noise.step_N = std::max(noise.step_N, (now.force_N() - before.force_N()).norm());
    noise.active += now.passivity_active ? 1.0 / static_cast<double>(end - first) : 0.0;
    if (!now.limited && !before.limited) noise.added_N = std::max(noise.added_N, (Added_N(now) - Added_N(before)).norm());
  }
  noise.faulted = end < periods.size();
  return noise;
}

Motion FreeCircle() {
  constexpr double kRadius_m = 0.020, kTurn_radps = 2 * std::numbers::pi;
  return [](double t_s) {
    return Vec3(kRadius_m * std::cos(kTurn_radps * t_s), kRadius_m * std::sin(kTurn_radps * t_s), kFreeHeight_m);
  };
}

Motion FreeLine(double speed_mps) {
  constexpr double kMiddle_s = (kFreeSettle_s + kFreeMeasured_s) / 2;
  return [=](double t_s) { return Vec3(speed_mps * (t_s - kMiddle_s), 0.0, kFreeHeight_m); };
}

Press DrawPress(std::uint64_t seed, double hand_stiffness_N_per_m) {
  constexpr double kClear_m = 0.001;  // above the plate
  Random random(seed);
  const double angle_rad = random.Uniform(0, 2 * std::numbers::pi), away_m = random.Uniform(0.025, 0.060);
  const double force_N = random.Uniform(1, 3);
  const Vec3 rest_m(away_m * std::cos(angle_rad), away_m * std::sin(angle_rad), RestHeight_m());
  return {.pull = {.start_m = rest_m + Vec3(0, 0, kClear_m),
                   .target_m = rest_m - Vec3(0, 0, force_N / hand_stiffness_N_per_m),
                   .move_s = 0.5},
          .force_N = force_N};
}

std::vector<Period> Lead(const LoopSetup& setup, const Motion& motion, double duration_s) {
  LedHandle handle(motion, setup.device.resolution_m);
  TickController controller(ConfigFor(setup));
  return Loop(&handle, &controller, setup.late_ticks).Run(duration_s);
}

std::vector<Period> Hold(const LoopSetup& setup, std::uint64_t seed, double duration_s) {
  const hal::HandParameters hand = hal::RelaxedHand();
  SimHandle handle(setup.device, hand, DrawPress(seed, hand.stiffness_N_per_m).pull, seed, setup.period_us);
  TickController controller(ConfigFor(setup));
  return Loop(&handle, &controller, setup.late_ticks).Run(duration_s, setup.period_s());
}

double HoldNoise_N(const LoopSetup& setup, std::uint64_t seed) {
  const std::vector<Period> periods = Hold(setup, seed, kPressSettle_s + kPressMeasured_s);
  if (EndOf(periods) < periods.size()) return std::numeric_limits<double>::infinity();
  const std::size_t each = 1000 / setup.period_us;  // periods in a millisecond
  std::vector<Vec3> means_N;
  for (std::size_t k = static_cast<std::size_t>(Ticks(kPressSettle_s, setup.period_s())); k + each <= periods.size();
       k += each) {
    Vec3 sum_N = Vec3::Zero();
    for (std::size_t i = 0; i < each; ++i) sum_N += periods[k + i].answer.force_N();
    means_N.push_back(sum_N / static_cast<double>(each));
  }
  return Spectrum(means_N).BandRms(kNoiseLow_Hz, kNoiseHigh_Hz);
}

}  // namespace tactus::bench::feel
