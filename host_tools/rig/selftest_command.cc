#include "host_tools/rig/selftest_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/report/text_file.h"
#include "host_tools/rig/device_numbers.h"
#include "host_tools/rig/rig_choice.h"
#include "host_tools/rig/selftest.h"
#include "host_tools/session/finish.h"

namespace tactus::host {
namespace {

struct SelfTestOptions {
  RigChoice rig;
  std::optional<double> lift_m, reach_m;
  std::string json;
};

int Run(const SelfTestOptions& options) {
  RigChoice rig = options.rig;
  const double lift_m = options.lift_m.value_or(rig.lift_m());
  if (!(lift_m > 0 && std::isfinite(lift_m))) throw HostError("--lift: give a length above 0 m");
  rig.reach_m = options.reach_m.value_or(SelfTestReach_m(lift_m));
  if (!(rig.reach_m > 0)) throw HostError("--reach: give a length above 0 m");
  if (lift_m > rig.reach_m) throw HostError("--lift: give a length up to --reach");
  CheckWritable(options.json);
  const auto test = [&](hal::Device& device) {
    return RunSelfTest(device, rig.SmallCeilingsFor(device.capabilities()), lift_m, RigChoice::kPeriod_us);
  };
  SelfTest result;
  const StopSignal stop_signal;
  if (rig.emulated()) {
    const std::unique_ptr<EmulatedRun> emulated = rig.Emulated();
    result = test(emulated->device());
  } else {
    result = test(*rig.Simulated());
  }
  fmt::print("{}", SelfTestText(rig.device, result));
  if (!options.json.empty()) WriteText(options.json, SelfTestJson(rig.device, result) + "\n");
  if (StopSignal::Raised() != 0) return kExitSignal + StopSignal::Raised();
  return result.failed() ? kExitFailed : kExitOk;
}

}  // namespace

void AddSelfTestCommand(CLI::App& app) {
  const auto options = std::make_shared<SelfTestOptions>();
  options->rig.speed_mps = 0.3;
  CLI::App* const command = app.add_subcommand(
      "selftest",
      "Push a device gently before anything is armed on it: encoders, signs, zeros, e-stop; exits with 1 on a failure");
  options->rig.AddOptions(command, RigChoice::Reach::kOther);
  command->add_option(
      "--reach", options->reach_m,
      "ceiling of the way from where it starts [m]: more is a stop (default: 5 mm; behind a lift 5 mm more)");
  command->add_option("--lift", options->lift_m,
                      "how far the drives may lift the handle when they come on [m] (default: what the device declares)");
  command->add_option("--json", options->json, "write the result to this file");
  command->callback([options] {
    if (const int code = Run(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
