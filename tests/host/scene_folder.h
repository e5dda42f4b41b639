#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "temporary_file.h"

namespace tactus::host {

/// A folder of scene files that goes with this object.
class SceneFolder {
 public:
  SceneFolder() { std::filesystem::create_directory(path_); }
  ~SceneFolder() { std::filesystem::remove_all(path_); }
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }

 private:
  const TemporaryFile name_{"scenes"};
  const std::string path_ = name_.path() + ".d";
};

/// What the reader says of a file; empty: it takes it.
inline std::string ErrorOfScene(const std::string& path, const std::vector<std::string>& changes = {}) {
  try {
    (void)LoadScene(path, changes);
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

/// The same of a text.
inline std::string ErrorOf(const std::string& text) {
  const TemporaryFile file("toml");
  std::ofstream(file.path()) << text;
  return ErrorOfScene(file.path());
}

}  // namespace tactus::host
