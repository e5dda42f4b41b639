#include "host_tools/session/rate.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

namespace tactus::host {

void AddRateOption(CLI::App* command, std::uint32_t highest_Hz, std::uint32_t* rate_Hz) {
  const auto is_whole = [](const std::string& text) {
    const unsigned long rate = std::stoul(text);  // CLI::Range has read it before
    return 1'000'000 % rate == 0 ? "" : fmt::format("{} Hz has no period of whole microseconds", rate);
  };
  command->add_option("--rate", *rate_Hz, "ticks a second; a million divided by it must be whole")
      ->capture_default_str()
      ->check(CLI::Range(1000u, highest_Hz))
      ->check(is_whole);
}

}  // namespace tactus::host
