#include "host_tools/run/run_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/devices/play_hands.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/local_board.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/play.h"
#include "host_tools/session/rate.h"
#include "host_tools/session/servo_config.h"
#include "host_tools/stability/check_config.h"

namespace tactus::host {
namespace {

struct RunOptions {
  std::uint32_t ticks = 10000;
  std::uint64_t seed = 1;
  std::uint32_t rate_Hz = 1000;
  int scalar_bits = 64;
  int work = 0;  // of a tick; 0: a computer's
  SimulatedChoice sim;
  std::vector<std::string> faults;
  bool quiet = false;
  std::string events;  // file for the contact events; empty: none
  RunOutputs outputs;
  SceneChoice scene;
  StabilityChoice stability;
};

constexpr std::string_view kEmulator = "-emulator";

/// The device in "NAME-emulator"; nullptr: it is none of these.
const RealDevice* EmulatedIn(const std::string& device) {
  if (!device.ends_with(kEmulator)) return nullptr;
  return FindRealDevice(device.substr(0, device.size() - kEmulator.size()));
}

std::string CheckDevice(const std::string& device) {
  if (device == "host" || device == "local" || device == "list" || EmulatedIn(device) != nullptr) return "";
  if (hal::FindPreset(device) != nullptr || IsDeviceFile(device)) return "";
  std::string names = ", " + PresetNames();
  for (const RealDevice& real : RealDevices()) names += std::string(", ") + real.name + std::string(kEmulator);
  return fmt::format("no device '{}'; there is: host, local{}", device, names);
}

void PrintList() {
  fmt::print("--device\n  {:<14} the simulated Falcon class with a driven wrist, in this process\n", "host");
  fmt::print("  {:<14} the same as the controller's own device\n{}", "local", PresetList());
  for (const RealDevice& real : RealDevices())
    fmt::print("  {:<14} {}: its driver and its bytes\n", real.name + std::string(kEmulator), real.what);
  fmt::print("--hand, for host and the seven behind it\n{}", HandList());
}

/// Through the driver of a real device and the bytes of its line.
int RunEmulated(const RealDevice& real, RunOptions& options) {
  if (options.rate_Hz != 1000) throw HostError("an emulated device runs at 1000 Hz: leave out --rate");
  if (options.scene.place().empty()) options.scene.set_place(real.scene);
  options.scene.Load("host");
  RunSummary run;
  run.link = fmt::format("in process; {}'s line: a pseudo terminal", real.name);
  const LogPlace place(options.outputs);
  LogFile log(place.path());
  {
    const StopSignal stop_signal;
    EmulatedRun emulated(real.name, options.scene.place(), options.seed, options.faults, PeriodOf(options.rate_Hz));
    const std::unique_ptr<Transport> transport =
        MakeLocalBoardWith(options.scalar_bits, emulated.device(), PeriodOf(options.rate_Hz));
    BoardClient board(*transport, &log);
    const Config<double> config = ConfigOf(emulated.device().capabilities());
    PlayOptions play{.ticks = options.ticks,
                     .config = servo::ConfigToWire(config),
                     .quiet = options.quiet,
                     .period_us = PeriodOf(options.rate_Hz)};
    options.scene.Tell(&play);
    EventChoice events(options.events, &play);
    options.stability.Check(play, options.scene, DeclaredModel(real.name, config.device), &run);
    Watch(board, play, &run);
    events.Close();
    run.device.insert(run.device.begin(),
                      fmt::format("{}, emulated: its driver's last failure: {}", real.what, emulated.device().why()));
  }
  log.Close();
  options.scene.Judge(place.path(), &run);
  return Finish(options.outputs, place.path(), &run);
}

int Run(RunOptions& options) {
  if (options.sim.lists()) return PrintList(), kExitOk;
  CheckWritable(options.outputs.json);
  const bool at_host = options.sim.device == "host" || options.sim.has_no_torque();
  if (!at_host && options.sim.hand != SimulatedChoice().hand)
    throw HostError("--hand is for a device at the host: host, " + PresetNames());
  if (const RealDevice* const real = EmulatedIn(options.sim.device)) return RunEmulated(*real, options);
  if (!options.faults.empty()) throw HostError("--fault is for an emulated device: give --device NAME-emulator");
  if (options.sim.has_no_torque() && options.scene.place().empty()) options.scene.set_place(SimulatedChoice::kScene);
  options.scene.Load(options.sim.device);
  RunSummary run;
  run.link = "in process";
  const Config<double> config = options.sim.ConfigOf(PeriodOf(options.rate_Hz));
  const LogPlace place(options.outputs);
  LogFile log(place.path());
  const bool local = options.sim.device == "local";
  const std::unique_ptr<Transport> transport =
      MakeLocalBoard(options.scalar_bits, local ? std::optional(options.seed) : std::nullopt, PeriodOf(options.rate_Hz),
                     WorkOfTick(options.work > 0 ? options.work : options.scene.work()));
  BoardClient board(*transport, &log);
  PlayOptions play{.ticks = options.ticks,
                   .config = servo::ConfigToWire(config),
                   .quiet = options.quiet,
                   .period_us = PeriodOf(options.rate_Hz)};
  options.scene.Tell(&play);
  run.device = options.sim.Expect(CouplingIn(play.config, play.period_us));
  EventChoice events(options.events, &play);
  options.stability.Check(play, options.scene, ModelOf(options.sim), &run);
  {
    const StopSignal stop_signal;
    if (local) {
      Watch(board, play, &run);
    } else {
      PlayHands(board, options.sim, options.scene.Script(), options.scene.SecondScript(), options.seed, play, &run);
    }
  }
  events.Close();
  log.Close();
  options.scene.Judge(place.path(), &run);
  return Finish(options.outputs, place.path(), &run);
}

}  // namespace

void AddRunCommand(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* const command =
      app.add_subcommand("run", "Run the servo loop in this process, against the simulated device and hand");
  command->add_option("--ticks", options->ticks, "ticks of one period")
      ->capture_default_str()
      ->check(CLI::Range(1u, 100'000'000u));
  options->scene.AddOption(command);
  options->stability.AddOption(command);
  AddRateOption(command, 10'000, &options->rate_Hz);
  command->add_option("--seed", options->seed, "of the hand's tremor")->capture_default_str();
  command
      ->add_option("--device", options->sim.device,
                   "where the simulated device is: host, or local, the controller's own; or a preset with dynamics (" +
                       PresetNames() +
                       "; list: what they are; docs/presets.md); or a file of tactus identify --preset-out, with a slash or "
                       ".toml in its name; or NAME-emulator: a real device's "
                       "driver, against its emulator on a pseudo terminal (docs/devices.md). NAME: " +
                       RealDeviceNames())
      ->capture_default_str()
      ->check(CheckDevice);
  options->sim.AddHandOption(command);
  command->add_option("--fault", options->faults, "of the emulated device, as tactus emulate has it");
  command->add_option("--scalar", options->scalar_bits, "bits of the numbers the tick computes with")
      ->capture_default_str()
      ->check(CLI::IsMember({32, 64}));
  command
      ->add_option(
          "--work", options->work,
          "units that a tick may take (docs/servo_loop.md; default: a computer's, and for scenes that no board takes 1e9)")
      ->check(CLI::Range(work::Least(kServoCapacity.contacts), work::Cost{1'000'000'000}));
  command->add_option("--log", options->outputs.log, "write the recording to this file");
  command->add_option("--events", options->events,
                      "write what contacts begin while it runs to this file: CSV, one line an event (docs/scenes.md)");
  command->add_option("--json", options->outputs.json, "write the report to this file");
  command->add_flag("--no-replay{false}", options->outputs.replay, "do not replay the run at its end");
  command->add_flag("--quiet", options->quiet, "no progress");
  command->callback([options] {
    if (const int code = Run(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
