#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/devices/play_hands.h"
#include "host_tools/link/emulated_board.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/local_board.h"
#include "host_tools/link/token.h"
#include "host_tools/replay/replay.h"
#include "host_tools/report/junit.h"
#include "host_tools/report/text_file.h"
#include "host_tools/scene/include_files.h"
#include "host_tools/scene/scene_command.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/play.h"
#include "host_tools/session/scene_room.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

namespace fs = std::filesystem;

struct TestOptions {
  std::vector<std::string> places;
  std::uint32_t ticks = 0;  // 0: the hand's script once
  int scalar_bits = 64;
  std::uint64_t seed = 1;
  int work = 0;  // of a tick; 0: a computer's
  std::string junit;
  std::vector<std::string> changes;
  std::string link;   // empty: in this process
  std::string image;  // of an emulated board; empty: as it was built
  std::string token_file;
};

/// A scene that was run, or why it was not.
struct Outcome {
  std::string name, error;
  std::vector<CheckResult> checks;
  std::vector<std::string> faults;
  bool is_part = false;  ///< of other scenes: it was not run

  bool passed() const {
    return error.empty() && faults.empty() &&
           std::all_of(checks.begin(), checks.end(), [](const auto& c) { return c.passed; });
  }
  const char* verdict() const { return is_part ? "part" : passed() ? "ok" : "FAILED"; }
  std::string What() const {
    if (is_part) return "is included by others and has no [tool]: passed over";
    if (!passed()) return Why();
    return checks.empty() ? "no checks" : fmt::format("{} checks", checks.size());
  }
  std::string Why() const {
    std::string why = error;
    for (const std::string& fault : faults) why += (why.empty() ? "" : "; ") + fault;
    for (const CheckResult& check : checks) {
      if (!check.passed) why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", check.name, check.what);
    }
    return why;
  }
};

/// Runs a scene in this process, or on the board that --link names; a board is started, or called, for each scene anew.
void RunOn(const SceneFile& file, const PlayOptions& play, const TestOptions& options, LogFile* log, RunSummary* run) {
  std::unique_ptr<QemuBoard> qemu;
  std::unique_ptr<Transport> transport;
  if (const std::optional<std::string> emulated = EmulatedBoard(options.link)) {
    qemu = std::make_unique<QemuBoard>(EmulationOf(*emulated, options.image));
  } else if (options.link.empty()) {
    const int work = options.work > 0 ? options.work : WorkWithoutClock(file.scene);
    transport = MakeLocalBoard(options.scalar_bits, std::nullopt, 1000, WorkOfTick(work));
  } else {
    transport = OpenTransport(options.link, options.token_file.empty() ? "" : ReadToken(options.token_file));
  }
  BoardClient board(qemu ? qemu->transport() : *transport, log);
  PlayHands(board, SimulatedChoice(), file.Hand(), file.SecondHand(), options.seed, play, run);
}

/// @param parts  what is not to be run
Outcome RunScene(const std::string& place, const TestOptions& options, const std::vector<std::string>& parts) {
  Outcome outcome;
  outcome.name = fs::path(place).stem().string();
  outcome.is_part = std::count(parts.begin(), parts.end(), place) > 0;
  if (outcome.is_part) return outcome;
  try {
    const SceneFile file = LoadScene(place, options.changes);
    const auto script_ticks = static_cast<std::uint32_t>(std::ceil(file.Hand().duration_s() * 1000));
    PlayOptions play{
        .ticks = options.ticks > 0 ? options.ticks : std::max(script_ticks, 1000u),
        .config = servo::ConfigToWire(PegInHoleConfig()),
        .quiet = true,
        .scene = file.Image(),
        .without_own_device = "a scene is tested with the hand of its file; start tactus serve with --device host"};
    file.Tell(&play.config);
    play.workspace = file.Map();
    const LogPlace place_of_log(RunOutputs{});
    LogFile log(place_of_log.path());
    RunSummary run;
    RunOn(file, play, options, &log, &run);
    log.Close();
    outcome.faults = run.faults;
    if (run.ends_inside) outcome.faults.push_back(kEndsInside);
    const bool jams = run.solve_status[static_cast<std::size_t>(SolveStatus::kJammed)] > 0;
    if (file.scene.joints.size() > 0 || jams) {  // whether they held, and how long it jams
      for (std::string& problem : ProblemsOf(Replay(place_of_log.path()))) outcome.faults.push_back(std::move(problem));
    }
    outcome.checks = Check(file.checks, run, place_of_log.path());
  } catch (const HostError& error) {
    if (error.code() == kExitLink) throw;  // there is no board: no scene is to blame
    outcome.error = error.what();
  }
  return outcome;
}

/// @param[out] parts  of the files of folders: those that are no scenes
std::vector<std::string> FilesOf(const std::vector<std::string>& places, std::vector<std::string>* parts) {
  std::vector<std::string> files;
  for (const std::string& place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    std::vector<std::string> of_folder;
    for (const auto& entry : fs::directory_iterator(place)) {
      if (entry.path().extension() == ".toml") of_folder.push_back(entry.path().string());
    }
    for (const std::string& part : PartsAmong(of_folder)) parts->push_back(part);
    files.insert(files.end(), of_folder.begin(), of_folder.end());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void WriteJunit(const std::string& path, const std::vector<Outcome>& outcomes) {
  std::vector<JunitCase> cases;
  for (const Outcome& outcome : outcomes) {
    cases.push_back({.group = "scene", .name = outcome.name, .failure = {}, .skipped = {}});
    if (outcome.is_part) cases.back().skipped = outcome.What();
    if (!outcome.passed()) cases.back().failure = outcome.Why();
  }
  WriteText(path, Junit("scenes", cases));
}

int Test(const TestOptions& options) {
  CheckWritable(options.junit);
  (void)std::signal(SIGPIPE, SIG_IGN);  // a board that is gone is an error of the write, not the end of this program
  const std::optional<std::string> emulated = EmulatedBoard(options.link);
  if (emulated) (void)EmulationOf(*emulated, options.image);  // without its image no scene is to blame
  std::vector<Outcome> outcomes;
  std::vector<std::string> parts;
  for (const std::string& place : FilesOf(options.places.empty() ? ShippedScenes() : options.places, &parts)) {
    outcomes.push_back(RunScene(place, options, parts));
    const Outcome& outcome = outcomes.back();
    fmt::print("{:<6} {:<16} {}\n", outcome.verdict(), outcome.name, outcome.What());
  }
  if (outcomes.empty()) throw HostError("there is no scene to test: no .toml file there");
  if (!options.junit.empty()) WriteJunit(options.junit, outcomes);
  return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.passed(); }) ? 0 : kExitFailed;
}

}  // namespace

void AddTestCommand(CLI::App& app) {
  const auto options = std::make_shared<TestOptions>();
  CLI::App* const command =
      app.add_subcommand("test", "Runs scenes, here or on a board, and checks what their files assert");
  command->add_option("scenes", options->places, "files, folders, names of shipped scenes (default: all shipped ones)");
  command->add_option("--ticks", options->ticks, "for each (default: the hand's script once)")
      ->check(CLI::Range(1u, 10'000'000u));
  command->add_option("--scalar", options->scalar_bits, "bits of the numbers the tick computes with")
      ->capture_default_str()
      ->check(CLI::IsMember({32, 64}));
  command->add_option("--seed", options->seed, "of the hand's tremor")->capture_default_str();
  command
      ->add_option("--work", options->work,
                   "units that a tick here may take (docs/servo_loop.md; default: a computer's, and for scenes that no "
                   "board takes 1e9)")
      ->check(CLI::Range(work::Least(kServoCapacity.contacts), work::Cost{1'000'000'000}));
  command->add_option("--link", options->link,
                      "run them on a board instead: qemu:BOARD, unix:PATH, tcp:HOST:PORT or serial:/dev/ttyX[:BAUD]");
  command->add_option("--image", options->image, "firmware for qemu:, an ELF file (default: the board's, as built)");
  command->add_option("--token-file", options->token_file, "what `tactus serve --token-file` asks for");
  AddSetOption(command, &options->changes);
  command->add_option("--junit", options->junit, "write the results to this file, for CI");
  command->callback([options] {
    if (const int code = Test(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
