#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tactus::bench {

/// What every bench is told; the options of `tactus bench NAME`.
struct BenchOptions {
  std::filesystem::path out;        ///< folder for CSV, SVG, JSON and index.html; made if it is not there
  std::string json;                 ///< another place for the JSON; empty: none
  std::uint64_t seed = 1;           ///< of the random problems
  bool quick = false;               ///< fewer problems and repetitions: a few seconds, rougher figures
  std::optional<bool> boards = {};  ///< run the images of the boards as well; not said: if not quick
};

enum ExitCode {
  kGood = 0,
  kWrong = 1,  ///< an answer is wrong or missing where it must not be
  kUsage = 2,  ///< bad arguments, a folder that cannot be written, a program that is not there
};

}  // namespace tactus::bench
