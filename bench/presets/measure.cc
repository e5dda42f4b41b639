#include "bench/presets/measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/feel/noise.h"
#include "bench/presets/preset_handle.h"
#include "bench/scenes/random.h"
#include "host_tools/devices/simulated.h"

namespace tactus::bench::presets {
namespace {

constexpr double kClear_m = 0.002, kWait_s = 0.4, kPress_s = 0.5, kSettle_s = 1.5, kMeasured_s = 1.5;

hal::HandMove To(double z_m, double duration_s) { return {.name = "", .duration_s = duration_s, .p_m = {0, 0, z_m}}; }

hal::Hand Calm(hal::Hand hand) {
  hand.full.tremor_N = hand.full.tremor_Nm = hand.sway_N = {};
  return hand;
}

std::vector<feel::Period> Press(const hal::DevicePreset& preset, const hal::Hand& hand, std::uint64_t seed) {
  Random random(seed);
  const double top_m = random.Uniform(-0.010, 0.005), force_N = random.Uniform(0.5, 0.5 * preset.max_force_N);
  const double depth_m = force_N / hand.full.stiffness_N_per_m;
  const double start_m = top_m + kClear_m, end_m = top_m - depth_m;
  PresetHandle handle(preset, hand, {To(start_m, kWait_s), To(end_m, kPress_s), To(end_m, 100), To(start_m, 1)}, seed);
  feel::TickController controller(ConfigFor(preset, top_m));
  return feel::Loop(&handle, &controller).Run(kWait_s + kPress_s + kSettle_s + kMeasured_s);
}

std::vector<feel::Period> Free(const hal::DevicePreset& preset, const hal::Hand& hand, std::uint64_t seed) {
  PresetHandle handle(preset, hand, {To(0.008, 0.5), To(-0.008, 0.5)}, seed);
  feel::TickController controller(ConfigFor(preset, -0.1));
  return feel::Loop(&handle, &controller).Run(feel::kFreeSettle_s + feel::kFreeMeasured_s);
}

double RestSpeed(const std::vector<feel::Period>& periods, double from_s) {
  double sum = 0;
  const auto first = static_cast<std::size_t>(feel::Ticks(from_s));
  for (std::size_t k = first; k < periods.size(); ++k) sum += periods[k].v_WH_mps.squaredNorm();
  return std::sqrt(sum / static_cast<double>(periods.size() - first));
}

}  // namespace

Config<double> ConfigFor(const hal::DevicePreset& preset, double top_m) {
  host::SimulatedChoice choice;
  choice.device = preset.name;
  Config<double> config = choice.ConfigOf(1000);
  config.scene.p_WS_m << 0, 0.3, top_m - feel::RestHeight_m();
  config.guard.workspace_radius_m = 0.3;
  return config;
}

/// With F the answer's end and f(t) the answer: ∫ (1 - f/F) dt is the delay of any chain of transports and lags. The force
/// is too small to move the handle against its friction, so nothing else changes.
Delay MeasureDelay(const hal::DevicePreset& preset) {
  constexpr int kTicks = 30, kSteps = 40;
  constexpr double kForce_N = 0.005;
  Delay delay{.stated_s =
                  1e-6 * (preset.delay_us + preset.jitter_us / 2) + 1 / (2 * std::numbers::pi * preset.bandwidth_Hz)};
  CommandFrame command;
  command.force_N[2] = static_cast<float>(kForce_N);
  const hal::HandMove still[] = {To(0, 1)};
  for (int step = 0; step < kSteps; ++step) {
    const auto device = hal::MakePreset(
        preset, {.hand = Calm(hal::Hands()[1]), .script = {still, 1}, .seed = static_cast<std::uint64_t>(step + 1)});
    for (int tick = 0; tick < 5; ++tick) device->Advance({});
    const double before_N = device->motor_force_N().z();
    std::vector<double> answer_N;
    for (int tick = 0; tick < kTicks; ++tick) {
      device->Advance(command);
      answer_N.push_back(device->motor_force_N().z() - before_N);
    }
    for (const double f : answer_N) delay.measured_s += 1e-3 * (1 - f / answer_N.back()) / kSteps;
  }
  return delay;
}

Touch MeasureTouch(const hal::DevicePreset& preset, const hal::Hand& hand, int places, std::uint64_t seed) {
  constexpr double kFrom_s = kWait_s + kPress_s + kSettle_s;
  Touch touch{.holds = places};
  for (int place = 0; place < places; ++place) {
    const std::uint64_t draw = 1000 * seed + static_cast<std::uint64_t>(place);
    const feel::Noise noise = feel::MeasureNoise(Press(preset, hand, draw), kFrom_s);
    touch.hold_N = std::max(touch.hold_N, noise.band_N);
    touch.step_N = std::max(touch.step_N, noise.step_N);
    touch.active = std::max(touch.active, noise.active);
    touch.rest_mps = std::max(touch.rest_mps, RestSpeed(Press(preset, Calm(hand), draw), kFrom_s));
    touch.faults += noise.faulted ? 1 : 0;
  }
  const feel::Noise noise = feel::MeasureNoise(Free(preset, hand, seed), feel::kFreeSettle_s);
  touch.free_N = noise.band_N;
  touch.faults += noise.faulted ? 1 : 0;
  return touch;
}

}  // namespace tactus::bench::presets
