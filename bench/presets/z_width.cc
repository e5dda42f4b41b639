// A blow of the impulse I = F T makes a swing I/(m ω), ω² = K/m; its force K I/(m ω) = I √(K/m) is to be press/4.
#include "bench/presets/z_width.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/presets/measure.h"
#include "bench/presets/preset_handle.h"
#include "host_tools/stability/device_model.h"
#include "host_tools/stability/stability_report.h"

namespace tactus::bench::presets {
namespace {

constexpr double kPeriod_s = 0.001, kSpring_m = 5;  // a spring so long pulls with a constant force
constexpr double kWait_s = 0.3, kMove_s = 0.5, kRest_s = 0.2;
/// Of the press: small, so that the tool stays where it stands; with counts, of several of them.
constexpr double ShareOf(Parts parts) { return parts == Parts::kLinear ? 0.1 : 0.25; }
constexpr double kAtRest = 0.25;  // of a count, rms
constexpr double kFiner = 1000;   // counts so much finer are none
constexpr double kDriven = 0.01;  // share of a direction in z from which the blow swings it

double Press_N(const hal::DevicePreset& preset) { return std::min(2.0, 0.5 * preset.max_force_N); }

/// The preset with these of its parts.
hal::DevicePreset With(const hal::DevicePreset& preset, Parts parts) {
  hal::DevicePreset made = preset;
  if (parts == Parts::kShipped) return made;
  for (hal::PresetJoint& joint : made.joint) {
    joint.coulomb_Nm.value = joint.ripple.value = joint.cogging_Nm.value = 0;
    if (parts == Parts::kLinear) joint.counts_per_turn.value *= kFiner;
  }
  return made;
}

/// The controller is told the preset's own mass, and its count where it has one.
Config<double> ConfigOf(const PresetBlow& blow, double stiffness_N_per_m) {
  Config<double> config = ConfigFor(*blow.preset, 0);
  config.coupling.stiffness_N_per_m = stiffness_N_per_m;
  config.coupling.damping_Ns_per_m = blow.damping_Ns_per_m;
  config.device.command_delay_ticks += blow.late_ticks;
  if (blow.parts == Parts::kLinear) config.device.resolution_m = 0;
  config.passivity.enabled = blow.parts == Parts::kShipped;
  return config;
}

double Limit(const PresetBlow& blow, const host::AxisDevice& device, host::Regime regime) {
  host::DeviceModel model = host::ModelOf(*blow.preset);
  *model.delay_s += blow.late_ticks * kPeriod_s;
  const host::AxisLoop loop = host::LoopOf(ConfigOf(blow, 1000), model, false);
  return host::LargestStable_N_per_m(device, loop, blow.damping_Ns_per_m, regime);
}

}  // namespace

bool Decays(const PresetBlow& blow, double stiffness_N_per_m) {
  const hal::DevicePreset preset = With(*blow.preset, blow.parts);
  const hal::PresetAtHandle at = hal::AtHandle(*blow.preset);
  const double press_N = Press_N(preset), share = ShareOf(blow.parts);
  hal::Hand hand = {.name = "pull", .full = hal::NoHand()};
  hand.full.stiffness_N_per_m.value = press_N / kSpring_m;
  const auto to = [](double z_m, double duration_s) {
    return hal::HandMove{.name = "", .duration_s = duration_s, .p_m = {0, 0, z_m}};
  };
  PresetHandle handle(preset, hand, {to(0, kWait_s), to(-kSpring_m, kMove_s), to(-kSpring_m, 100), to(0, 1e6)}, 1);
  feel::TickController controller(ConfigOf(blow, stiffness_N_per_m));
  feel::Loop loop(&handle, &controller, blow.late_ticks);
  const feel::Swing swing{.size_m = share * press_N / stiffness_N_per_m,
                          .at_rest_m = blow.parts == Parts::kLinear ? 0 : kAtRest * at.resolution_m,
                          .wait_s = kWait_s + kMove_s + kRest_s,
                          .watched_s = 1.2,
                          .window_s = 0.2};
  const double impulse_Ns = share * press_N * std::sqrt(at.mass_kg / stiffness_N_per_m);
  return feel::SwingDecays(&loop, kPeriod_s, swing, [&] { handle.Push(impulse_Ns / kPeriod_s); });
}

double MeasuredLimit_N_per_m(const PresetBlow& blow, double low_N_per_m, double high_N_per_m) {
  return feel::LargestThatDecays([&](double K) { return Decays(blow, K); }, low_N_per_m, high_N_per_m);
}

PresetPrediction Predict(const PresetBlow& blow) {
  const host::DeviceModel model = host::ModelOf(*blow.preset);
  std::vector<host::AxisDevice> axes = host::AxesOf(model, false);
  PresetPrediction predicted{.reported_N_per_m = 1e9, .driven = {.low_N_per_m = 1e9, .high_N_per_m = 0}};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (blow.parts == Parts::kLinear) axes[i].resolution_m = 0;
    const double along_z = model.directions[i].along.z();
    for (const host::Regime regime : {host::Regime::kMoving, host::Regime::kCalm}) {
      const double limit = Limit(blow, axes[i], regime);
      predicted.reported_N_per_m = std::min(predicted.reported_N_per_m, limit);
      if (along_z * along_z < kDriven) continue;
      predicted.driven.low_N_per_m = std::min(predicted.driven.low_N_per_m, limit);
      predicted.driven.high_N_per_m = std::max(predicted.driven.high_N_per_m, limit);
    }
  }
  return predicted;
}

}  // namespace tactus::bench::presets
