#include "host_tools/hil/hil_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/devices/play_hands.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/hil/rig_command.h"
#include "host_tools/io/io_mechanism.h"
#include "host_tools/link/emulated_board.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/link/token.h"
#include "host_tools/report/limit_cycle.h"
#include "host_tools/report/text_file.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/play.h"
#include "host_tools/session/rate.h"
#include "host_tools/session/servo_config.h"
#include "host_tools/stability/check_config.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {
namespace {

constexpr std::chrono::milliseconds kExitPatience{10000};

struct HilOptions {
  std::string link = "qemu:mps2-an500";
  std::string image;  // empty: the board's, from the build folder
  std::string counter = TACTUS_TICK_COUNTER;
  std::string counts;  // file for the instructions of each tick
  std::string events;  // file for the contact events; empty: none
  std::string transport = "fifo";
  SimulatedChoice sim;
  std::string token_file;
  std::string likeness;  // of a real device at the controller; empty: the simulated one
  std::string pacing;    // empty: clock, but sample over an emulated UART
  std::uint32_t ticks = 10000;
  std::uint64_t seed = 1;
  std::uint32_t rate_Hz = 1000;
  int telemetry_every = 1;
  bool count = true;
  bool quiet = false;
  bool homes = false;
  RunOutputs outputs;
  SceneChoice scene;
  StabilityChoice stability;
  RigCommand rig;
};

std::unique_ptr<QemuBoard> Emulate(const std::string& board, const HilOptions& options) {
  QemuOptions emulation = EmulationOf(board, options.image);
  if (options.count) emulation.counter = options.counter;
  if (options.transport == "uart") emulation.link = QemuLink::kUart;
  emulation.local_device = options.sim.device == "local";
  emulation.period_us = PeriodOf(options.rate_Hz);
  return std::make_unique<QemuBoard>(emulation);
}

/// Of `--for`: a real device, an I/O board with a set, or a set behind the motors of the board that runs the loop.
hal::DeviceCapabilities Likeness(const std::string& name) {
  constexpr std::string_view kIoBoard = "tactus-io,set=", kOwnMotors = "board,set=";
  if (name.starts_with(kOwnMotors)) {
    hal::DeviceCapabilities can = CapabilitiesOfIoSet(name.substr(kOwnMotors.size()));
    can.command_delay_ticks = 0;  // there is no line
    return can;
  }
  if (name.starts_with(kIoBoard)) return CapabilitiesOfIoSet(name.substr(kIoBoard.size()));
  if (const RealDevice* const real = FindRealDevice(name); real != nullptr) return real->capabilities();
  throw HostError(fmt::format("no device '{}'; there is: {}, {}SET, {}SET", name, RealDeviceNames(), kIoBoard, kOwnMotors));
}

Config<double> ConfigFor(const HilOptions& options) {
  if (options.likeness.empty()) return options.sim.ConfigOf(PeriodOf(options.rate_Hz));
  return ConfigOf(Likeness(options.likeness));
}

/// Whose numbers the Config has: a real device's as it declares them, or the simulated one's.
DeviceModel ModelFor(const HilOptions& options) {
  if (options.likeness.empty()) return ModelOf(options.sim);
  return DeclaredModel(options.likeness, ConfigFor(options).device);
}

PlayOptions ToPlay(const HilOptions& options, bool emulated) {
  PlayOptions play{.ticks = options.ticks,
                   .config = servo::ConfigToWire(ConfigFor(options)),
                   .quiet = options.quiet,
                   .period_us = PeriodOf(options.rate_Hz),
                   .homes = options.homes};
  const bool sample_paced = options.pacing.empty() ? emulated && options.transport == "uart" : options.pacing == "sample";
  if (sample_paced) BePatient(&play.config);
  play.config.mutate_telemetry_every_ticks(options.telemetry_every);
  play.takes_scene_in_force = !emulated && options.sim.device == "local";
  options.scene.Tell(&play);
  return play;
}

void WriteCounts(const std::string& path, const std::vector<std::uint64_t>& counts) {
  std::string text;
  for (const std::uint64_t count : counts) text += fmt::format("{}\n", count);
  WriteText(path, text);
}

/// What to expect at the edge of a count: of a named real device by what it declares.
std::vector<std::string> Expectations(const HilOptions& options, const PlayOptions& play) {
  const CouplingConfig<double> coupling = CouplingIn(play.config, play.period_us);
  if (options.likeness.empty()) return options.sim.Expect(coupling);
  const double count_m = static_cast<double>(Likeness(options.likeness).resolution_m);
  return {UnknownFrictionReport(coupling.stiffness_N_per_m, count_m)};
}

/// Plays, and adds what an emulator said to the message when the link breaks.
void PlayOn(Transport& transport, LogFile* log, HilOptions& options, QemuBoard* qemu, RunSummary* run) {
  BoardClient board(transport, log);
  try {
    PlayOptions play = ToPlay(options, qemu != nullptr);
    for (std::string& sentence : Expectations(options, play)) run->device.push_back(std::move(sentence));
    EventChoice events(options.events, &play);
    options.sim.device == "local"
        ? Watch(board, play, run)
        : PlayHands(board, options.sim, options.scene.Script(), options.scene.SecondScript(), options.seed, play, run);
    events.Close();
  } catch (const HostError& error) {
    log->Close();
    const std::string output = qemu != nullptr ? qemu->Output() : "";
    if (output.empty()) throw;
    throw HostError(fmt::format("{}\n{}", error.what(), output), error.code());
  }
  log->Close();
}

void RunBoard(HilOptions& options, LogFile* log, RunSummary* run) {
  const StopSignal stop_signal;
  const std::optional<std::string> board = EmulatedBoard(options.link);
  if (!board) {
    const std::unique_ptr<Transport> transport =
        OpenTransport(options.link, options.token_file.empty() ? "" : ReadToken(options.token_file));
    run->link = options.link;
    return PlayOn(*transport, log, options, nullptr, run);
  }
  const std::unique_ptr<QemuBoard> qemu = Emulate(*board, options);
  run->link = fmt::format("emulated by QEMU, link {}", options.transport);
  PlayOn(qemu->transport(), log, options, qemu.get(), run);
  const int status = qemu->Wait(kExitPatience);
  if (status != 0) run->problems.push_back(fmt::format("the board ended with status {}", status));
  const std::vector<std::uint64_t> counts = qemu->TickCounts();
  if (!options.counts.empty()) WriteCounts(options.counts, counts);
  run->instructions = CountInstructions(counts, qemu->instructions_per_us());
}

int Hil(HilOptions& options) {
  if (options.sim.lists()) {
    fmt::print("--device: host, local, and these at the host\n{}--hand\n{}", PresetList(), HandList());
    return kExitOk;
  }
  if (options.homes && options.sim.device != "local")
    throw HostError("--home is for the controller's own device: give --device local too");
  if (options.sim.device == "local" && options.sim.hand != SimulatedChoice().hand)
    throw HostError("--hand is for a device at the host: the board's own has its hand");
  (void)std::signal(SIGPIPE, SIG_IGN);  // a board that is gone is an error of the write, not the end of this program
  CheckWritable(options.outputs.json);
  CheckWritable(options.counts);
  if (options.sim.has_no_torque() && options.scene.place().empty()) options.scene.set_place(SimulatedChoice::kScene);
  // An emulated board's own device has the peg's hand; a device that is served has its own.
  options.scene.Load(EmulatedBoard(options.link) ? options.sim.device : "host");
  if (options.sim.device == "local" && options.likeness.empty() && options.scene.gives_hand()) {
    PrintError("note: the hand is the controller's, not that of the scene: tactus serve --scene {} has it too",
               options.scene.place());
  }
  RunSummary run;
  options.stability.Check(ToPlay(options, false), options.scene, ModelFor(options), &run);
  const LogPlace place(options.outputs);
  LogFile log(place.path());
  RunBoard(options, &log, &run);
  options.scene.Judge(place.path(), &run);
  return Finish(options.outputs, place.path(), &run);
}

void AddRigOptions(CLI::App* command, RigCommand* rig) {
  command->add_option("--rig", rig->rig, "test the rig of this TOML file instead: device, controller, scene (docs/rig.md)");
  command->add_option("--report", rig->report, "of --rig: write its page to this file, Markdown, and a picture beside it");
  command->add_option("--junit", rig->junit, "of --rig: write the results to this file, for CI");
}

/// With --rig all stands in its file.
void RefuseOthers(const CLI::App& command, const RigCommand& rig) {
  for (const CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();
    const bool is_rigs = name == "--rig" || name == "--report" || name == "--junit";
    if (option->count() == 0 || is_rigs == !rig.rig.empty()) continue;
    throw HostError(is_rigs ? fmt::format("{} is for --rig FILE", name)
                            : fmt::format("{}: with --rig all stands in {}", name, rig.rig));
  }
}

}  // namespace

void AddHilCommand(CLI::App& app) {
  const auto options = std::make_shared<HilOptions>();
  CLI::App* const command = app.add_subcommand("hil", "Run a board with the simulated device and hand as its hardware");
  command->add_option("--link", options->link, "qemu:BOARD, unix:PATH, tcp:HOST:PORT or serial:/dev/ttyX[:BAUD]")
      ->capture_default_str();
  command->add_option("--token-file", options->token_file, "what `tactus serve --token-file` asks for");
  command->add_option("--image", options->image, "firmware for qemu:, an ELF file (default: the board's, as built)");
  command
      ->add_option("--transport", options->transport,
                   "between emulator and host: fifo repeats to the byte, uart is the product's")
      ->capture_default_str()
      ->check(CLI::IsMember({"fifo", "uart"}));
  command->add_option("--pacing", options->pacing, "what drives the tick (default: clock; sample over an emulated UART)")
      ->check(CLI::IsMember({"clock", "sample"}));
  command->add_option("--ticks", options->ticks, "ticks of one period")
      ->capture_default_str()
      ->check(CLI::Range(1u, 100'000'000u));
  options->scene.AddOption(command);
  options->stability.AddOption(command);
  AddRateOption(command, 10'000, &options->rate_Hz);
  command->add_option("--for", options->likeness,
                      "a Config with the numbers of this device, which tactus serve drives: " + RealDeviceNames() +
                          "; of an I/O board: tactus-io,set=SET; of a board that drives its own motors: board,set=SET");
  command
      ->add_option("--device", options->sim.device,
                   "where the simulated device is: host, or local: on the board; or a preset with dynamics at the host (" +
                       PresetNames() + "; list: what they are; docs/presets.md); or a file of tactus identify --preset-out")
      ->capture_default_str()
      ->check([](const std::string& name) -> std::string {
        if (name == "host" || name == "local" || name == "list" || hal::FindPreset(name) != nullptr || IsDeviceFile(name))
          return "";
        return fmt::format("no device '{}'; there is: host, local, {}", name, PresetNames());
      });
  options->sim.AddHandOption(command);
  command->add_flag("--home", options->homes,
                    "the handle of the controller's own device is held in its home pose, now: its positions begin there");
  command->add_option("--seed", options->seed, "of the hand's tremor, with the device at the host")->capture_default_str();
  command->add_option("--telemetry-every", options->telemetry_every, "ticks from one telemetry frame to the next")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--log", options->outputs.log, "write the recording to this file");
  command->add_option("--events", options->events,
                      "write what contacts begin while it runs to this file: CSV, one line an event (docs/scenes.md)");
  command->add_option("--json", options->outputs.json, "write the report to this file");
  command->add_option("--counter", options->counter, "instruction counter, a plugin of the emulator");
  command->add_option("--counts", options->counts, "write the instructions of each tick to this file, one line a tick");
  command->add_flag("--no-count{false}", options->count, "do not count instructions");
  command->add_flag("--no-replay{false}", options->outputs.replay, "do not replay the run on this machine at its end");
  command->add_flag("--quiet", options->quiet, "no progress");
  AddRigOptions(command, &options->rig);
  command->callback([options, command] {
    RefuseOthers(*command, options->rig);
    if (const int code = options->rig.rig.empty() ? Hil(*options) : RunRigCommand(options->rig); code != 0)
      throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
