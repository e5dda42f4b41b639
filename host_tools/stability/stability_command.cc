#include "host_tools/stability/stability_command.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "host_tools/devices/device_run.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/link/host_error.h"
#include "host_tools/report/text_file.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/rate.h"
#include "host_tools/session/servo_config.h"
#include "host_tools/stability/print_stability.h"
#include "host_tools/stability/z_width_picture.h"
#include "tactus/haptic/ceilings.h"
#include "tactus/haptic/validate.h"

namespace tactus::host {
namespace {

struct StabilityOptions {
  std::string device = "falcon-class";
  std::uint32_t rate_Hz = 1000;
  std::optional<double> delay_ticks;  ///< nothing: the device's own
  std::string estimate = "own";
  std::vector<std::string> changes;
  std::string json, svg;
};

/// What --set may change.
struct Numbers {
  DeviceModel device;
  Config<double> config;
};

double* Find(const std::string& key, Numbers* n, std::optional<double>** friction) {
  const auto coulomb = [&](AxisDevice* axis) -> double* {
    *friction = &axis->coulomb_N;
    return nullptr;
  };
  if (key == "coupling.stiffness_N_per_m") return &n->config.coupling.stiffness_N_per_m;
  if (key == "coupling.damping_Ns_per_m") return &n->config.coupling.damping_Ns_per_m;
  if (key == "coupling.angular_stiffness_Nm_per_rad") return &n->config.coupling.angular_stiffness_Nm_per_rad;
  if (key == "coupling.angular_damping_Nms_per_rad") return &n->config.coupling.angular_damping_Nms_per_rad;
  if (key == "device.mass_kg") return &n->device.linear.mass_kg;
  if (key == "device.damping_Ns_per_m") return &n->device.linear.damping_Ns_per_m;
  if (key == "device.coulomb_N") return coulomb(&n->device.linear);
  if (key == "device.resolution_m") return &n->device.linear.resolution_m;
  if (key == "device.inertia_kgm2") return &n->device.angular.mass_kg;
  if (key == "device.damping_Nms_per_rad") return &n->device.angular.damping_Ns_per_m;
  if (key == "device.coulomb_Nm") return coulomb(&n->device.angular);
  if (key == "device.resolution_rad") return &n->device.angular.resolution_m;
  if (key == "tool.mass_kg") return &n->config.tool.mass_kg;
  if (key == "workspace.scale") return &n->config.workspace.scale;
  if (key == "workspace.force_scale") return &n->config.workspace.force_scale;
  throw HostError(fmt::format(
      "--set {}: no such number; there is: coupling.stiffness_N_per_m, .damping_Ns_per_m, .angular_stiffness_Nm_per_rad, "
      ".angular_damping_Nms_per_rad; device.mass_kg, .damping_Ns_per_m, .coulomb_N, .resolution_m, .inertia_kgm2, "
      ".damping_Nms_per_rad, .coulomb_Nm, .resolution_rad; tool.mass_kg; workspace.scale, .force_scale",
      key));
}

double NumberIn(const std::string& text, const std::string& where) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(x)) throw HostError(fmt::format("{}: '{}' is no number", where, text));
  return x;
}

void Change(const std::string& change, Numbers* numbers) {
  const std::size_t equals = change.find('=');
  if (equals == std::string::npos) throw HostError(fmt::format("--set {}: give KEY=NUMBER", change));
  std::optional<double>* friction = nullptr;
  double* const place = Find(change.substr(0, equals), numbers, &friction);
  const double x = NumberIn(change.substr(equals + 1), "--set " + change.substr(0, equals));
  if (friction != nullptr) {
    *friction = x;
  } else {
    *place = x;
  }
  AxisDevice& linear = numbers->device.linear;
  if (place == &linear.mass_kg || place == &linear.damping_Ns_per_m) numbers->device.directions.clear();  // now of all
}

void SetEstimate(const std::string& text, AxisLoop* loop) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon), size = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (name == "own" && size.empty()) return;
  if (name == "last-step" && size.empty()) {
    loop->estimate = Estimate::kLastStep;
  } else if (name == "window" && !size.empty()) {
    const double samples = NumberIn(size, "--estimate window");
    if (!(samples >= 1 && samples <= 60)) throw HostError("--estimate window: 1 to 60 samples");
    loop->estimate = Estimate::kWindow;
    loop->window = static_cast<int>(samples);
  } else if (name == "low-pass" && !size.empty()) {
    loop->estimate = Estimate::kLowPass;
    loop->cut_off_Hz = NumberIn(size, "--estimate low-pass");
  } else {
    throw HostError(fmt::format("--estimate {}: give own, last-step, window:SAMPLES or low-pass:HZ", text));
  }
}

/// What a user would declare of it; what no Config takes is not declared.
int DeclaredDelay_ticks(double delay_ticks) {
  return delay_ticks >= 0 && delay_ticks <= kMaxCommandDelay_ticks ? static_cast<int>(delay_ticks + 0.5) : 0;
}

AnalysedAxis AnalyseAxis(const Numbers& numbers, const StabilityOptions& options, bool angular) {
  AnalysedAxis axis{.name = angular ? "rotation" : "translation",
                    .force_unit = angular ? "N·m" : "N",
                    .length_unit = angular ? "rad" : "m",
                    .mass_unit = angular ? "kg·m²" : "kg",
                    .axes = AxesOf(numbers.device, angular),
                    .directions = angular ? std::vector<Direction>() : numbers.device.directions,
                    .loop = LoopOf(numbers.config, numbers.device, angular),
                    .coupling = CouplingOf(numbers.config.coupling, angular),
                    .report = {},
                    .recommended = {}};
  if (options.delay_ticks) {
    axis.loop.delay_ticks = *options.delay_ticks;
    axis.loop.declared_delay_ticks = DeclaredDelay_ticks(*options.delay_ticks);
  }
  axis.loop.declared_mass = angular ? numbers.device.angular.mass_kg : numbers.device.linear.mass_kg;
  SetEstimate(options.estimate, &axis.loop);
  axis.report = Analyse(axis.axes, axis.loop, axis.coupling);
  if (!axis.report.refusal.empty()) throw HostError(fmt::format("{}: {}", axis.name, axis.report.refusal));
  const DeviceLimits limits;
  axis.recommended =
      Recommend(axis.axes, axis.loop, angular ? limits.angular_stiffness_Nm_per_rad : limits.stiffness_N_per_m);
  return axis;
}

/// The Config that `tactus run` would send: a preset's has its delay, to the nearest period, a real device's what it
/// declares.
Config<double> ConfigNamed(const std::string& device, std::uint32_t period_us) {
  const RealDevice* const real = FindRealDevice(device);
  Config<double> config = hal::FindPreset(device) != nullptr ? SimulatedChoice{.device = device}.ConfigOf(period_us)
                          : real != nullptr                  ? host::ConfigOf(real->capabilities())
                                                             : PegInHoleConfig();
  config.period_s = 1e-6 * period_us;
  return config;
}

int Report(const StabilityOptions& options) {
  CheckWritable(options.json);
  CheckWritable(options.svg);
  Numbers numbers{.device = ModelNamed(options.device), .config = ConfigNamed(options.device, PeriodOf(options.rate_Hz))};
  for (const std::string& change : options.changes) Change(change, &numbers);
  if (const ConfigFault fault = ValidateWorkspace(numbers.config.workspace))
    throw HostError(fmt::format("workspace.{} {} {:g}", fault.field, fault.what, fault.limit));
  std::vector<AnalysedAxis> axes{AnalyseAxis(numbers, options, false)};
  if (numbers.device.turns) axes.push_back(AnalyseAxis(numbers, options, true));
  const double delay_ticks = axes[0].loop.delay_ticks;
  nlohmann::ordered_json json = {{"format", "tactus.stability/1"},
                                 {"device", options.device},
                                 {"rate_Hz", options.rate_Hz},
                                 {"delay_ticks", delay_ticks}};
  fmt::print("{} at {} Hz, {:.3g} periods of delay; docs/stability.md\n", options.device, options.rate_Hz, delay_ticks);
  if (!numbers.device.turns) fmt::print("rotations are not driven\n");
  bool stable = true;
  for (const AnalysedAxis& axis : axes) {
    fmt::print("{}", StabilityText(axis));
    json["axes"].push_back(StabilityJson(axis));
    stable = stable && axis.report.is_stable;
  }
  if (!options.json.empty()) WriteText(options.json, json.dump(1) + "\n");
  if (!options.svg.empty()) {
    const std::string title =
        fmt::format("Z-width: {}, {} Hz, {:.3g} periods of delay", options.device, options.rate_Hz, delay_ticks);
    WriteText(options.svg, ZWidthSvg(axes[0], title));
  }
  return stable ? kExitOk : kExitFailed;
}

}  // namespace

void AddStabilityCommand(CLI::App& app) {
  const auto options = std::make_shared<StabilityOptions>();
  CLI::App* const command = app.add_subcommand(
      "stability",
      "What a device, a rate, a delay and a coupling allow: passive, stable, limit cycle; exits with 1 if unstable");
  command
      ->add_option("--device", options->device,
                   "whose numbers: " + ModelNames() + "; or a file of tactus identify --preset-out")
      ->capture_default_str();
  AddRateOption(command, 10'000, &options->rate_Hz);
  command->add_option(
      "--delay", options->delay_ticks,
      "periods from the sample to the force, beyond the hold; 0 to 20, 0.5 too [the device's own; 0 if unknown]");
  command
      ->add_option("--estimate", options->estimate,
                   "what speed is made from: own (the loop's), last-step, window:SAMPLES, low-pass:HZ")
      ->capture_default_str();
  command
      ->add_option("--set", options->changes,
                   "another number: coupling.stiffness_N_per_m=3000, device.mass_kg=0.1; may be repeated")
      ->expected(1)
      ->take_all();
  command->add_option("--json", options->json, "write the report to this file");
  command->add_option("--svg", options->svg, "draw the Z-width of the translations into this file");
  command->callback([options] {
    if (const int code = Report(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
