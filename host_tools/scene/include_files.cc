#include "host_tools/scene/include_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/parse_toml.h"

namespace tactus::host {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostBytes = 1'000'000;
constexpr std::size_t kDeepest = 4, kMostFiles = 16;

/// Puts the items of `from` before those of `to`.
void Prepend(toml::array* to, toml::array&& from) {
  auto place = to->begin();
  for (toml::node& item : from) item.visit([&](auto& value) { place = to->insert(place, std::move(value)) + 1; });
}

/// What `to` does not have comes from `from`.
void Merge(toml::table* to, toml::table&& from) {
  for (auto&& [key, node] : from) {
    toml::node* const own = to->get(key.str());
    if (own == nullptr) {
      node.visit([&, name = key.str()](auto& value) { to->insert(name, std::move(value)); });
    } else if (own->is_array_of_tables() && node.is_array_of_tables()) {
      Prepend(own->as_array(), std::move(*node.as_array()));
    } else if (own->is_table() && node.is_table()) {
      Merge(own->as_table(), std::move(*node.as_table()));
    }
  }
}

std::vector<std::string> Names(const std::string& path, const toml::node& include) {
  std::vector<std::string> names;
  const toml::array* const array = include.as_array();
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i)
    if (const auto name = array->get(i)->value_exact<std::string>()) names.push_back(*name);
  if (array == nullptr || names.size() != array->size())
    throw HostError(fmt::format("{}:{}: include: is no list of files: write include = [\"room.toml\"]", path,
                                include.source().begin.line),
                    kExitFailed);
  return names;
}

class Reader {
 public:
  /// @param named_by  file and line, for an error
  toml::table Read(const std::string& path, const std::string& named_by = "") {
    if (++files_ > kMostFiles)
      throw HostError(fmt::format("{}{} is one of more than {} files", named_by, path, kMostFiles), kExitFailed);
    toml::table table = ParseToml(path, kMostBytes, "a scene");
    const toml::node* const include = table.get("include");
    if (include == nullptr) return table;
    const std::vector<std::string> names = Names(path, *include);
    const auto line = include->source().begin.line;
    table.erase("include");
    open_.push_back(fs::weakly_canonical(path).string());
    // The last is put in first, so that the first stands before it.
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      const std::string place = (fs::path(path).parent_path() / *name).string();
      const std::string where = fmt::format("{}:{}: include: ", path, line);
      Check(where, place);
      Merge(&table, Read(place, where));
    }
    open_.pop_back();
    return table;
  }

 private:
  void Check(const std::string& where, const std::string& place) const {
    if (!fs::is_regular_file(place)) throw HostError(fmt::format("{}there is no file {}", where, place), kExitFailed);
    if (std::count(open_.begin(), open_.end(), fs::weakly_canonical(place).string()) > 0)
      throw HostError(fmt::format("{}{} includes itself", where, place), kExitFailed);
    if (open_.size() >= kDeepest)
      throw HostError(fmt::format("{}{} is more than {} files deep", where, place, kDeepest), kExitFailed);
  }

  std::vector<std::string> open_;
  std::size_t files_ = 0;
};

}  // namespace

toml::table ReadWithIncludes(const std::string& path) { return Reader().Read(path); }

std::vector<std::string> PartsAmong(const std::vector<std::string>& paths) {
  std::set<std::string> included;
  std::vector<std::string> without_tool, parts;
  for (const std::string& path : paths) {
    try {
      const toml::table table = ParseToml(path, kMostBytes, "a scene");
      const toml::node* const include = table.get("include");
      for (const std::string& name : include != nullptr ? Names(path, *include) : std::vector<std::string>{})
        included.insert(fs::weakly_canonical(fs::path(path).parent_path() / name).string());
      if (!ReadWithIncludes(path).contains("tool")) without_tool.push_back(path);
    } catch (const HostError&) {
      continue;  // who runs it says what is wrong
    }
  }
  std::copy_if(without_tool.begin(), without_tool.end(), std::back_inserter(parts),
               [&](const std::string& path) { return included.contains(fs::weakly_canonical(path).string()); });
  return parts;
}

}  // namespace tactus::host
