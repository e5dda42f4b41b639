#include "host_tools/run/run_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/link/local_board.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/report/limit_cycle.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/play.h"
#include "host_tools/session/rate.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

struct RunOptions {
  std::uint32_t ticks = 10000;
  std::uint64_t seed = 1;
  std::uint32_t rate_Hz = 1000;
  int scalar_bits = 64;
  std::string device = "host";
  bool quiet = false;
  RunOutputs outputs;
  SceneChoice scene;
};

int Run(RunOptions& options) {
  CheckWritable(options.outputs.json);
  options.scene.Load(options.device);
  RunSummary run;
  run.link = "in process";
  run.device = LimitCycleReport(hal::FalconClass(), PegInHoleConfig().coupling);
  const LogPlace place(options.outputs);
  LogFile log(place.path());
  const bool local = options.device == "local";
  const std::unique_ptr<Transport> transport =
      MakeLocalBoard(options.scalar_bits, local ? std::optional(options.seed) : std::nullopt, PeriodOf(options.rate_Hz));
  BoardClient board(*transport, &log);
  PlayOptions play{.ticks = options.ticks,
                   .config = servo::ConfigToWire(PegInHoleConfig()),
                   .quiet = options.quiet,
                   .period_us = PeriodOf(options.rate_Hz)};
  options.scene.Tell(&play);
  {
    const StopSignal stop_signal;
    if (local) {
      Watch(board, play, &run);
    } else {
      hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), options.scene.Script(), options.seed,
                            PeriodOf(options.rate_Hz));
      Play(board, device, play, &run);
    }
  }
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
  AddRateOption(command, 10'000, &options->rate_Hz);
  command->add_option("--seed", options->seed, "of the hand's tremor")->capture_default_str();
  command->add_option("--device", options->device, "where the simulated device is: at the host, or the controller's own")
      ->capture_default_str()
      ->check(CLI::IsMember({"host", "local"}));
  command->add_option("--scalar", options->scalar_bits, "bits of the numbers the tick computes with")
      ->capture_default_str()
      ->check(CLI::IsMember({32, 64}));
  command->add_option("--log", options->outputs.log, "write the recording to this file");
  command->add_option("--json", options->outputs.json, "write the report to this file");
  command->add_flag("--no-replay{false}", options->outputs.replay, "do not replay the run at its end");
  command->add_flag("--quiet", options->quiet, "no progress");
  command->callback([options] {
    if (const int code = Run(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
