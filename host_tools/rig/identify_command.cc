#include "host_tools/rig/identify_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/report/text_file.h"
#include "host_tools/rig/device_numbers.h"
#include "host_tools/rig/identify.h"
#include "host_tools/rig/print_identification.h"
#include "host_tools/rig/rig_choice.h"
#include "host_tools/session/finish.h"

namespace tactus::host {
namespace {

struct Options {
  RigChoice rig;
  double seconds = 40;
  std::string json, preset_out;
};

Identification IdentifyDevice(const Options& options, hal::Device& device) {
  const hal::DeviceCapabilities& can = device.capabilities();
  const Ceilings ceilings = options.rig.CeilingsFor(can);
  GuardedDevice guarded(device, ceilings, RigChoice::kPeriod_us);
  Identification found = Identify(guarded, OptionsFor(can, ceilings, options.seconds));
  found.declared_N = static_cast<double>(can.peak_force_N);
  return found;
}

int Run(const Options& options) {
  if (!(options.seconds >= 8 && options.seconds <= 600)) throw HostError("--seconds: give 8 to 600");
  CheckWritable(options.json);
  CheckWritable(options.preset_out);
  Identification found;
  const StopSignal stop_signal;
  if (options.rig.emulated()) {
    const std::unique_ptr<EmulatedRun> emulated = options.rig.Emulated();
    found = IdentifyDevice(options, emulated->device());
  } else {
    found = IdentifyDevice(options, *options.rig.Simulated());
  }
  const auto known = options.rig.Known();
  fmt::print("{}", IdentificationText(options.rig.device, found, known));
  if (!options.json.empty()) WriteText(options.json, IdentificationJson(options.rig.device, found, known) + "\n");
  if (StopSignal::Raised() != 0) return kExitSignal + StopSignal::Raised();
  const bool any = std::any_of(found.axis.begin(), found.axis.end(), [](const auto& a) { return a.refusal.empty(); });
  if (!found.fault.empty() || !any) return kExitFailed;
  if (!options.preset_out.empty()) WriteText(options.preset_out, DeviceNumbersToml(NumbersOf(options.rig.device, found)));
  return kExitOk;
}

}  // namespace

void AddIdentifyCommand(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "identify", "Move a device within ceilings and measure it at the handle: mass, damping, friction, count, delay");
  options->rig.AddOptions(command);
  command->add_option("--seconds", options->seconds, "of measuring, each axis")->capture_default_str();
  command->add_option("--json", options->json, "write the result to this file");
  command->add_option("--preset-out", options->preset_out,
                      "write the device's numbers to this TOML file: tactus stability --device FILE.toml reads it");
  command->callback([options] {
    if (const int code = Run(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
