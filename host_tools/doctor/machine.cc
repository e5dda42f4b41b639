#include "host_tools/doctor/machine.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace tactus::host {
namespace {

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace

std::optional<std::string> Machine::Line(const std::string& path) const {
  std::ifstream file(At(path));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return Trimmed(line);
}

std::vector<std::string> Machine::Lines(const std::string& path) const {
  std::ifstream file(At(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Trimmed(line));
  return lines;
}

std::vector<std::string> Machine::In(const std::string& folder) const {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(At(folder), error))
    paths.push_back(folder + "/" + entry.path().filename().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool Machine::Has(const std::string& path) const {
  std::error_code error;
  return std::filesystem::exists(At(path), error);
}

std::optional<Machine::Owner> Machine::OwnerOf(const std::string& path) const {
  struct stat file {};
  if (stat(At(path).c_str(), &file) != 0) return std::nullopt;
  return Owner{.mode = file.st_mode & 07777u, .user = file.st_uid, .group = file.st_gid};
}

}  // namespace tactus::host
