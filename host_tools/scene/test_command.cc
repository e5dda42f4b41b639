#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "firmware/servo/config_from_wire.h"
#include "hal/sim/parameters.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/local_board.h"
#include "host_tools/scene/scene_checks.h"
#include "host_tools/scene/scene_command.h"
#include "host_tools/session/play.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

namespace fs = std::filesystem;

struct TestOptions {
  std::vector<std::string> places;
  std::uint32_t ticks = 0;  // 0: the hand's script once
  int scalar_bits = 64;
  std::uint64_t seed = 1;
  std::string junit;
};

/// A scene that was run, or why it was not.
struct Outcome {
  std::string name, error;
  std::vector<CheckResult> checks;
  std::vector<std::string> faults;

  bool passed() const {
    return error.empty() && faults.empty() &&
           std::all_of(checks.begin(), checks.end(), [](const auto& c) { return c.passed; });
  }
  std::string Why() const {
    std::string why = error;
    for (const std::string& fault : faults) why += (why.empty() ? "" : "; ") + fault;
    for (const CheckResult& check : checks) {
      if (!check.passed)
        why +=
            fmt::format("{}{} is {:.6g}, its bound {:.6g}", why.empty() ? "" : "; ", check.name, check.found, check.bound);
    }
    return why;
  }
};

Outcome RunScene(const std::string& place, const TestOptions& options) {
  Outcome outcome;
  outcome.name = fs::path(place).stem().string();
  try {
    const SceneFile file = LoadScene(place);
    const auto script_ticks = static_cast<std::uint32_t>(std::ceil(file.Hand().duration_s() * 1000));
    PlayOptions play{.ticks = options.ticks > 0 ? options.ticks : std::max(script_ticks, 1000u),
                     .config = servo::ConfigToWire(PegInHoleConfig()),
                     .quiet = true,
                     .scene = file.Image()};
    file.Tell(&play.config);
    const std::unique_ptr<Transport> transport = MakeLocalBoard(options.scalar_bits);
    BoardClient board(*transport, nullptr);
    hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), file.Hand(), options.seed);
    RunSummary run;
    Play(board, device, play, &run);
    outcome.faults = run.faults;
    outcome.checks = Check(file.checks, run);
  } catch (const HostError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

std::vector<std::string> FilesOf(const std::vector<std::string>& places) {
  std::vector<std::string> files;
  for (const std::string& place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(place)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

void WriteJunit(const std::string& path, const std::vector<Outcome>& outcomes) {
  std::ofstream file(path);
  const auto failed = std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return !o.passed(); });
  file << fmt::format("<?xml version=\"1.0\"?>\n<testsuite name=\"scenes\" tests=\"{}\" failures=\"{}\">\n", outcomes.size(),
                      failed);
  for (const Outcome& outcome : outcomes) {
    file << fmt::format("  <testcase name=\"{}\">", Escaped(outcome.name));
    if (!outcome.passed()) file << fmt::format("<failure message=\"{}\"/>", Escaped(outcome.Why()));
    file << "</testcase>\n";
  }
  file << "</testsuite>\n";
  file.flush();
  if (!file) throw HostError(fmt::format("cannot write '{}'", path));
}

int Test(const TestOptions& options) {
  std::vector<Outcome> outcomes;
  for (const std::string& place : FilesOf(options.places.empty() ? ShippedScenes() : options.places)) {
    outcomes.push_back(RunScene(place, options));
    const Outcome& outcome = outcomes.back();
    fmt::print("{:<6} {:<16} {}\n", outcome.passed() ? "ok" : "FAILED", outcome.name,
               outcome.passed() ? fmt::format("{} checks", outcome.checks.size()) : outcome.Why());
  }
  if (outcomes.empty()) throw HostError("there is no scene to test: no .toml file there");
  if (!options.junit.empty()) WriteJunit(options.junit, outcomes);
  return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.passed(); }) ? 0 : kExitFailed;
}

}  // namespace

void AddTestCommand(CLI::App& app) {
  const auto options = std::make_shared<TestOptions>();
  CLI::App* const command = app.add_subcommand("test", "Runs scenes in this process and checks what their files assert");
  command->add_option("scenes", options->places, "files, folders, names of shipped scenes (default: all shipped ones)");
  command->add_option("--ticks", options->ticks, "for each (default: the hand's script once)")
      ->check(CLI::Range(1u, 10'000'000u));
  command->add_option("--scalar", options->scalar_bits, "bits of the numbers the tick computes with")
      ->capture_default_str()
      ->check(CLI::IsMember({32, 64}));
  command->add_option("--seed", options->seed, "of the hand's tremor")->capture_default_str();
  command->add_option("--junit", options->junit, "write the results to this file, for CI");
  command->callback([options] {
    if (const int code = Test(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
