#include "host_tools/scene/scene_places.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "host_tools/link/host_error.h"

namespace tactus::host {

namespace fs = std::filesystem;

std::string ScenesFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "tactus" / "scenes";
  return !error && fs::is_directory(installed, error) ? installed.string() : TACTUS_SCENES_FOLDER;
}

std::vector<std::string> ShippedScenes() {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(ScenesFolder(), error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string FindScene(const std::string& place) {
  std::string path = place;
  if (!fs::exists(path) && place.find('/') == std::string::npos)
    path = (fs::path(ScenesFolder()) / (place + ".toml")).string();
  if (fs::is_directory(place)) throw HostError(fmt::format("'{}' is a folder: give a scene's file", place));
  if (fs::is_regular_file(path)) return path;
  std::vector<std::string> names;
  for (const std::string& file : ShippedScenes()) names.push_back(fs::path(file).stem().string());
  throw HostError(fmt::format("there is no scene '{}': give a file, or one of: {}", place, fmt::join(names, ", ")));
}

}  // namespace tactus::host
