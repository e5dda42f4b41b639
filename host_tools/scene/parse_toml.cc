#include "host_tools/scene/parse_toml.h"

#include <fmt/core.h>

#include <filesystem>

#include "host_tools/link/host_error.h"

namespace tactus::host {

toml::table ParseToml(const std::string& path, std::uintmax_t most_bytes, const char* what) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw HostError(fmt::format("cannot read '{}': no such file", path));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw HostError(fmt::format("cannot read '{}': {}", path, error.message()));
  if (size > most_bytes)
    throw HostError(fmt::format("{} is larger than {} kB: too large to be {}", path, most_bytes / 1000, what), kExitFailed);
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& wrong) {
    const bool is_bare = wrong.description().find("could not determine value type") != std::string_view::npos;
    throw HostError(fmt::format("{}:{}: {}{}", path, wrong.source().begin.line, wrong.description(),
                                is_bare ? " (a text needs quotes)" : ""),
                    kExitFailed);
  }
}

}  // namespace tactus::host
