#include "host_tools/rig/selftest_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "host_tools/link/host_error.h"
#include "host_tools/rig/rig_choice.h"
#include "host_tools/rig/selftest.h"

namespace tactus::host {
namespace {

int Run(RigChoice rig) {
  const auto test = [&](hal::Device& device) {
    return RunSelfTest(device, rig.SmallCeilingsFor(device.capabilities()), RigChoice::kPeriod_us);
  };
  SelfTest result;
  if (rig.emulated()) {
    const std::unique_ptr<EmulatedRun> emulated = rig.Emulated();
    result = test(emulated->device());
  } else {
    result = test(*rig.Simulated());
  }
  fmt::print("{}", SelfTestText(rig.device, result));
  return result.failed() ? kExitFailed : kExitOk;
}

}  // namespace

void AddSelfTestCommand(CLI::App& app) {
  const auto rig = std::make_shared<RigChoice>();
  rig->speed_mps = 0.3;
  rig->reach_m = 0.005;
  CLI::App* const command = app.add_subcommand(
      "selftest",
      "Push a device gently before anything is armed on it: encoders, signs, zeros, e-stop; exits with 1 on a failure");
  rig->AddOptions(command);
  command->callback([rig] {
    if (const int code = Run(*rig); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
