#include "host_tools/rig/selftest_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/rig/rig_choice.h"
#include "host_tools/rig/selftest.h"

namespace tactus::host {
namespace {

struct Options {
  RigChoice rig;
  double lift_m = 0.001;
};

int Run(const Options& options) {
  const RigChoice& rig = options.rig;
  if (!(options.lift_m > 0 && options.lift_m <= rig.reach_m)) throw HostError("--lift: give a length up to --reach");
  const auto test = [&](hal::Device& device) {
    return RunSelfTest(device, rig.SmallCeilingsFor(device.capabilities()), options.lift_m, RigChoice::kPeriod_us);
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
  if (StopSignal::Raised() != 0) return kExitSignal + StopSignal::Raised();
  return result.failed() ? kExitFailed : kExitOk;
}

}  // namespace

void AddSelfTestCommand(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  options->rig.speed_mps = 0.3;
  options->rig.reach_m = 0.005;
  CLI::App* const command = app.add_subcommand(
      "selftest",
      "Push a device gently before anything is armed on it: encoders, signs, zeros, e-stop; exits with 1 on a failure");
  options->rig.AddOptions(command);
  command->add_option("--lift", options->lift_m, "how far the drives may lift the handle when they come on [m]")
      ->capture_default_str();
  command->callback([options] {
    if (const int code = Run(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
