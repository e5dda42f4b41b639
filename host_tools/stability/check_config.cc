#include "host_tools/stability/check_config.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

struct Kind {
  bool angular;
  const char *what, *stiffness, *damping;
};
constexpr Kind kKinds[] = {
    {false, "translation", "coupling.stiffness_N_per_m", "coupling.damping_Ns_per_m"},
    {true, "rotation", "coupling.angular_stiffness_Nm_per_rad", "coupling.angular_damping_Nms_per_rad"}};

/// What to change; the recommended pair is stable with a margin.
std::string Cure(const Kind& kind, const StabilityReport& report, const AxisCoupling& good) {
  return fmt::format("set {} below {:.3g}, or to {:.3g} with {} {:.3g}", kind.stiffness, report.stable.N_per_m,
                     good.stiffness_N_per_m, kind.damping, good.damping_Ns_per_m);
}

/// A scaled workspace changes how heavy the tool is for the hand (haptic/workspace.h).
std::string OfTheHand(const Kind& kind, const WorkspaceConfig<double>& map) {
  if (map.scale == 1 && map.force_scale == 1) return "";
  return kind.angular ? "; the hand has the tool's moments times workspace.force_scale/scale: make scale smaller, or the "
                        "moments larger"
                      : "; the hand has the tool's mass times workspace.force_scale · scale";
}

/// The largest stiffness that is stable with this damping, whether the Config declares the delay or none.
double HighestStiffness(const Config<double>& config, const DeviceModel& device, const AxisDevice& axis, bool angular,
                        double B) {
  AxisLoop loop = LoopOf(config, device, angular);
  const double declared = LargestStable_N_per_m(axis, loop, B, Regime::kMoving);
  loop.declared_delay_ticks = 0;
  return std::min(declared, LargestStable_N_per_m(axis, loop, B, Regime::kMoving));
}

constexpr double kNextToNothing = 1e-9;  // above 0, and below what a Config may have

/// Lowers what stands behind a valley, seen from the maximum: with one maximum alone the way of a Tune has no pair above the
/// line (lib/tactus/haptic/tune.inl). Every table that was looked at has one as it is.
void KeepOneMaximum(StableStiffness* stable) {
  auto& highest = stable->highest;
  const auto top = static_cast<std::size_t>(std::ranges::max_element(highest) - highest.begin());
  for (std::size_t i = top; i > 0; --i) highest[i - 1] = std::min(highest[i - 1], highest[i]);
  for (std::size_t i = top; i + 1 < highest.size(); ++i) highest[i + 1] = std::min(highest[i + 1], highest[i]);
}

/// From 0 to the largest that a Config may have, closer where it is small.
StableStiffness StableStiffnessOf(const Config<double>& config, const DeviceModel& device, bool angular, double most_damping,
                                  double most_stiffness) {
  StableStiffness stable;
  for (std::size_t i = 0; i < StableStiffness::kPoints; ++i) {
    const double share = static_cast<double>(i) / (StableStiffness::kPoints - 1);
    stable.damping[i] = most_damping * share * share;
    stable.highest[i] = most_stiffness;
    for (const AxisDevice& axis : AxesOf(device, angular))
      stable.highest[i] = std::min(stable.highest[i], HighestStiffness(config, device, axis, angular, stable.damping[i]));
  }
  // Without damping a device that has none itself bears none, and with little as much as on the line from there.
  stable.highest[0] = std::max(stable.highest[0], kNextToNothing);
  KeepOneMaximum(&stable);
  return stable;
}

void Lower(const StableStiffness& other, StableStiffness* stable) {
  for (std::size_t i = 0; i < StableStiffness::kPoints; ++i)
    stable->highest[i] = std::min(stable->highest[i], other.highest[i]);
}

}  // namespace

std::vector<std::string> CheckStability(const Config<double>& config, const DeviceModel& device, bool allow) {
  std::vector<std::string> said;
  for (const Kind& kind : kKinds) {
    if (kind.angular && !device.turns) continue;
    const std::vector<AxisDevice> axes = AxesOf(device, kind.angular);
    const AxisLoop loop = LoopOf(config, device, kind.angular);
    const AxisCoupling coupling = CouplingOf(config.coupling, kind.angular);
    if (IsStable(axes, loop, coupling)) {
      AxisCoupling damped = coupling;
      const double most = MostDampingRatio(config);
      damped.damping_Ns_per_m *= 1 + most;
      if (config.passivity.enabled && !IsStable(axes, loop, damped))
        said.push_back(fmt::format("{}: stable, but not with the {:.3g} times B that the passivity controller may add",
                                   kind.what, most));
      continue;
    }
    const StabilityReport report = Analyse(axes, loop, coupling);
    if (!report.refusal.empty()) {
      throw HostError(fmt::format("{}: {}{}", kind.what, report.refusal, OfTheHand(kind, config.workspace)));
    }
    const std::string sentence = fmt::format(
        "{}: predicted UNSTABLE with {}: it grows by {:.2g} % a tick; K {:.4g}, largest stable {:.4g} by {}", kind.what,
        device.name, 100 * (report.growth - 1), coupling.stiffness_N_per_m, report.stable.N_per_m, Name(report.stable.by));
    if (!allow) {
      const DeviceLimits limits;
      const double highest = kind.angular ? limits.angular_stiffness_Nm_per_rad : limits.stiffness_N_per_m;
      const AxisCoupling good = Recommend(axes, loop, highest).coupling;
      throw HostError(fmt::format("{}; {}; or give --allow-unstable", sentence, Cure(kind, report, good)));
    }
    said.push_back(sentence);
  }
  return said;
}

void StabilityChoice::AddOption(CLI::App* command) {
  command->add_flag("--allow-unstable", allow_,
                    "go on with a coupling that is predicted to be unstable (docs/stability.md)");
}

void StabilityChoice::Check(const PlayOptions& play, const SceneChoice& scene, const DeviceModel& device,
                            RunSummary* run) const {
  Config<double> config;
  if (servo::ConfigFromWire(play.config, play.period_us, &config)) return;  // the controller refuses it by its field
  scene.Tell(&config.tool);
  if (play.workspace && servo::WorkspaceFromWire(*play.workspace, &config.workspace)) return;  // refused by its field
  for (std::string& sentence : CheckStability(config, device, allow_)) run->device.push_back(std::move(sentence));
}

void StableCoupling::Include(const StableCoupling& other) {
  Lower(other.translation, &translation);
  if (turns && other.turns) Lower(other.rotation, &rotation);
  if (!turns && other.turns) rotation = other.rotation;
  turns = turns || other.turns;
}

StableCoupling StableCouplingOf(const Config<double>& config, const DeviceModel& device, const DeviceLimits& limits) {
  const wire::ConfigHighest highest = servo::HighestToWire(limits);
  const wire::Config& most = highest.config();
  StableCoupling stable;
  stable.turns = device.turns;
  stable.translation =
      StableStiffnessOf(config, device, false, most.coupling_damping_Ns_per_m(), most.coupling_stiffness_N_per_m());
  if (device.turns)
    stable.rotation = StableStiffnessOf(config, device, true, most.coupling_angular_damping_Nms_per_rad(),
                                        most.coupling_angular_stiffness_Nm_per_rad());
  return stable;
}

DeviceLimits NarrowedToStable(const StableCoupling& stable, DeviceLimits limits) {
  const auto narrow = [](const StableStiffness& table, double* highest) {
    *highest = std::min(*highest, *std::ranges::max_element(table.highest));
  };
  limits.stable = &stable.translation;
  narrow(stable.translation, &limits.stiffness_N_per_m);
  if (!stable.turns) return limits;
  limits.angular_stable = &stable.rotation;
  narrow(stable.rotation, &limits.angular_stiffness_Nm_per_rad);
  return limits;
}

}  // namespace tactus::host
