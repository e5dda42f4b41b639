#include "host_tools/scene/scene_grid.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "host_tools/scene/shape_size.h"
#include "tactus/collide/distance_grid.h"
#include "tactus/scene/validate.h"

namespace tactus::host {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const std::vector<std::uint8_t>> ReadBytes(const TomlTable& table, const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) table.Fail("file", fmt::format("cannot read '{}': {}", path, error.message()));
  if (size > static_cast<std::uintmax_t>(kServoScene.grid_bytes)) {
    table.Fail("file",
               fmt::format("'{}' has {} bytes, all grids of a scene may have {}: bake it with a coarser --resolution", path,
                           size, kServoScene.grid_bytes));
  }
  std::ifstream in(path, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) table.Fail("file", fmt::format("cannot read '{}'", path));
  return std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
}

}  // namespace

SceneGrid ReadGrid(TomlTable* table, SceneFile* file) {
  const std::string name = table->Text("file", "");
  if (name.empty()) table->Fail("file", "is missing: a distance grid, as `tactus scene bake` makes one");
  const std::string path = (fs::path(file->path).parent_path() / name).string();
  SceneGrid grid;
  if (table->Has("spacing_m"))
    grid.spacing_m = ReadWithin(table, "spacing_m", scene_limit::kLeastSpacing_m, scene_limit::kMostSpacing_m);
  const auto bytes = ReadBytes(*table, path);
  DistanceGrid opened;
  if (const char* const wrong = DistanceGrid::Open(*bytes, &opened))
    table->Fail("file", fmt::format("'{}' {}: `tactus scene bake` makes one from a mesh", path, wrong));
  grid.bytes = *bytes;
  file->grid_bytes.push_back(bytes);
  return grid;
}

}  // namespace tactus::host
