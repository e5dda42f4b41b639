#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/safety/fault_count.h"

namespace tactus::bench::safety {

/// A campaign that runs on an emulated board, by a script that the board's build has written.
struct BoardCampaign {
  std::string name = {};          ///< "S6 RAM corrupted, mps2-an500"
  std::string script = {};        ///< file
  std::string image = {};         ///< file that must be built
  std::string how_to_build = {};  ///< command
  std::string arguments = {};
  // Keys of the JSON that the script prints.
  std::string injected = {};
  std::string detected = {};  ///< empty: there is nothing to detect
  std::string safe = {};      ///< empty: `unsafe` tells, and the rest is safe
  std::string unsafe = {};
};

/// What came of it.
struct BoardCount {
  std::string name;
  std::int64_t injected = 0, detected = -1, safe = 0;  ///< detected -1: there is nothing to detect
  std::int64_t failed = 0;
};

/// S6 and S9 of each board.
std::vector<BoardCampaign> BoardCampaigns(bool quick);

/// @returns nothing: the image is not built. @throws BenchError: it is, and told nothing that can be read
std::optional<BoardCount> RunOnBoard(const BoardCampaign& campaign, std::uint64_t seed);

/// What the script of `campaign` has printed. @throws BenchError: that is not its JSON
BoardCount ReadCount(const BoardCampaign& campaign, const std::string& printed);

/// Programs that run a board's own source on register models (tests/stm32/boards), by name; empty: they are not built.
std::vector<std::string> ModelCampaigns();

/// Runs one. @throws BenchError if it prints no counts
std::vector<FaultCount> RunOnModels(const std::string& program, int injections, std::uint64_t seed);

}  // namespace tactus::bench::safety
