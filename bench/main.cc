// `tactus-bench`: what `tactus bench` becomes.
#include <fmt/format.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <string>

#include "bench/bench_registry.h"
#include "bench/report/report.h"
#include "host_tools/standard_streams.h"

namespace {

using tactus::host::PrintError;
using namespace tactus::bench;

// With the coprocesses, which inherit it and take turns with us: on one core they have the same clock and the same
// neighbours.
void StayOnThisCore() {
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &core);
  (void)sched_setaffinity(0, sizeof core, &core);  // where it is not allowed the environment says so
}

int RunOne(const Bench& bench, const BenchOptions& options) {
  const int code = bench.run(options);
  WriteIndex(options.out, BenchNames());
  return code;
}

/// The boards' campaigns take hours: only if they are asked for.
int RunAll(BenchOptions options) {
  options.boards = options.boards.value_or(false);
  int worst = kGood;
  for (const Bench& bench : Benches()) worst = std::max(worst, RunOne(bench, options));
  fmt::print("\n{}", SummaryOf(options.out, BenchNames()).Text());
  PrintError("bench: the page is {}", (options.out / "index.html").string());
  return worst;
}

int Run(const std::string& name, const BenchOptions& options) {
  try {
    if (name != "all") {
      if (const Bench* bench = FindBench(name)) return RunOne(*bench, options);
      PrintError("tactus bench: no bench '{}'; there is: all{}", name, [] {
        std::string known;
        for (const std::string& other : BenchNames()) known += ", " + other;
        return known;
      }());
      return kUsage;
    }
    if (options.json.empty()) return RunAll(options);
    PrintError("tactus bench: --json names one file: give it with one bench; every bench writes NAME.json into --out");
    return kUsage;
  } catch (const BenchError& error) {
    PrintError("tactus bench: {}", error.what());
    return kUsage;
  }
}

constexpr const char* kFooter =
    "Prints tables; writes NAME.csv, NAME-*.svg, NAME.json and index.html into the folder. What the figures mean:\n"
    "docs/benchmarks.md.\n"
    "\n"
    "Exit code: 0 good; 1 an answer is wrong or missing where it must not be; 2 wrong arguments, a file that cannot be\n"
    "written, a program that is missing.";

}  // namespace

int main(int argc, char** argv) {
  tactus::host::ReserveStandardStreams();
  std::signal(SIGPIPE, SIG_IGN);  // a coprocess that dies is an error of write(), and a message
  CLI::App app{"Tactus: the papers' experiments."};
  app.require_subcommand(1);
  CLI::App* command = app.add_subcommand("bench", "Repeat a paper's experiment");
  std::string name, names = "Which:\nall: every one of these, one after the other";
  BenchOptions options;
  options.out = TACTUS_BUILD_FOLDER "/bench";
  for (const Bench& bench : Benches()) names += fmt::format("\n{}: {}", bench.name, bench.description);
  command->add_option("NAME", name, names)->required();
  command->add_option("--out", options.out, "Folder for CSV, SVG, JSON and index.html")->capture_default_str();
  command->add_option("--json", options.json, "Write the JSON here as well");
  command->add_option("--seed", options.seed, "Of the random problems")->capture_default_str();
  command->add_flag("--quick", options.quick, "Fewer problems and repetitions: seconds instead of minutes");
  command->add_flag("--boards,!--no-boards", options.boards,
                    "safety: run the images of the boards as well; without this option: not with --quick, nor with all");
  command->footer(kFooter);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kGood : kUsage;
  }
  StayOnThisCore();
  return Run(name, options);
}
