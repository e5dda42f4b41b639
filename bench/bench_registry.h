#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench_options.h"

namespace tactus::bench {

/// One experiment that `tactus bench` can name: a folder of its own, and one function.
struct Bench {
  std::string_view name;
  std::string_view description;
  /// Measures, writes and prints a Report. @returns an ExitCode. @throws BenchError: it cannot be done, and why
  int (*run)(const BenchOptions& options);
};

/// All of them, in the order of index.html.
std::span<const Bench> Benches();

/// @returns nullptr: no bench has that name.
const Bench* FindBench(std::string_view name);

/// Their names, for WriteIndex().
std::vector<std::string> BenchNames();

}  // namespace tactus::bench
