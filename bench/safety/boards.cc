#include "bench/safety/boards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/report/report.h"

namespace tactus::bench::safety {
namespace {

constexpr const char* kBoards[] = {"mps2-an500", "mps2-an386"};

BoardCampaign OnBoard(const std::string& board, const char* script, const char* image) {
  const std::string folder = fmt::format("{}/{}/tests/target/", TACTUS_BUILD_FOLDER, board);
  return {.script = folder + script,
          .image = folder + image + ".elf",
          .how_to_build = fmt::format("cmake --preset {0} && cmake --build build/{0} --target {1}", board, image)};
}

BoardCampaign Corruptions(const std::string& board, int corruptions) {
  BoardCampaign campaign = OnBoard(board, "run_campaign", "campaign");
  campaign.name = "S6 RAM corrupted, " + board;
  campaign.arguments = fmt::format("--corruptions {}", corruptions);
  campaign.injected = "corruptions";
  campaign.detected = "faults_raised";
  campaign.safe = "outputs_off";
  return campaign;
}

BoardCampaign HostileTicks(const std::string& board, int ticks) {
  BoardCampaign campaign = OnBoard(board, "run_hostile_ticks", "hostile_bench");
  campaign.name = "S9 hostile ticks, " + board;
  campaign.how_to_build += " tactus_tick_counter_for_gate";
  campaign.arguments = fmt::format("--ticks {}", ticks);
  campaign.injected = "ticks";
  campaign.unsafe = "too_dear";
  return campaign;
}

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (pipe == nullptr) throw BenchError(fmt::format("cannot run {}", command));
  std::string output;
  for (int byte = std::fgetc(pipe.get()); byte != EOF; byte = std::fgetc(pipe.get())) output += static_cast<char>(byte);
  return output;
}

}  // namespace

std::vector<BoardCampaign> BoardCampaigns(bool quick) {
  std::vector<BoardCampaign> campaigns;
  for (const char* board : kBoards) {
    campaigns.push_back(Corruptions(board, quick ? 50 : 10'000));
    campaigns.push_back(HostileTicks(board, quick ? 500 : 1'000'000));
  }
  return campaigns;
}

BoardCount ReadCount(const BoardCampaign& campaign, const std::string& printed) {
  try {
    const nlohmann::json json = nlohmann::json::parse(printed);
    const auto count_of = [&](const std::string& key) { return json.at(key).get<std::int64_t>(); };
    BoardCount count{.name = campaign.name, .injected = count_of(campaign.injected)};
    if (!campaign.detected.empty()) count.detected = count_of(campaign.detected);
    count.safe = campaign.safe.empty() ? count.injected - count_of(campaign.unsafe) : count_of(campaign.safe);
    count.failed = count.injected - (campaign.detected.empty() ? count.safe : std::min(count.safe, count.detected));
    return count;
  } catch (const nlohmann::json::exception&) {
    throw BenchError(fmt::format("{}: the board's script printed no counts: '{}'", campaign.name, printed.substr(0, 200)));
  }
}

std::optional<BoardCount> RunOnBoard(const BoardCampaign& campaign, std::uint64_t seed) {
  if (!std::filesystem::exists(campaign.script) || !std::filesystem::exists(campaign.image)) return std::nullopt;
  return ReadCount(campaign, OutputOf(fmt::format("'{}' {} --seed {}", campaign.script, campaign.arguments, seed)));
}

std::vector<std::string> ModelCampaigns() {
  const std::filesystem::path folder = TACTUS_BUILD_FOLDER "/host/tests/stm32";
  std::vector<std::string> programs;
  if (!std::filesystem::is_directory(folder)) return programs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file() && name.starts_with("board_") && name.ends_with("_campaign"))
      programs.push_back(entry.path());
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

std::vector<FaultCount> RunOnModels(const std::string& program, int injections, std::uint64_t seed) {
  const std::string printed = OutputOf(fmt::format("'{}' --injections {} --seed {}", program, injections, seed));
  try {
    return nlohmann::json::parse(printed).get<std::vector<FaultCount>>();
  } catch (const nlohmann::json::exception&) {
    throw BenchError(fmt::format("{} printed no counts: '{}'", program, printed.substr(0, 200)));
  }
}

}  // namespace tactus::bench::safety
