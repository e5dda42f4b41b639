#include "host_tools/scene/toml_table.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/set_value.h"

namespace tactus::host {
namespace {

/// Letters that have to change to make one word of the other.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// How badly `known` answers for what was written: letters to change, less those that both begin with.
int Badness(std::string_view known, std::string_view written) {
  const auto [end, other] = std::mismatch(known.begin(), known.end(), written.begin(), written.end());
  return static_cast<int>(Distance(known, written)) - static_cast<int>(end - known.begin());
}

/// Whether it can be what was meant: a third of the letters to change, and one more for each with which both begin.
bool IsLike(std::string_view known, std::string_view written) {
  return Badness(known, written) <= static_cast<int>(written.size() / 3);
}

std::string Written(const toml::node& node) {
  if (const auto number = node.value_exact<double>()) return fmt::format("{:g}", *number);
  std::ostringstream text;
  text << toml::node_view<const toml::node>(node);
  return text.str().substr(0, 60);
}

}  // namespace

void FailToParse() { throw HostError("the file is no TOML: its keys or quotes do not end", kExitFailed); }

void TomlTable::Fail(std::string_view key, const std::string& what) const {
  const toml::node* const node = table_.get(key);
  const toml::source_region& place = node != nullptr ? node->source() : table_.source();
  const bool is_set = place.path && place.path->starts_with(kSetPrefix);
  const std::string where = is_set ? *place.path : fmt::format("{}:{}", place.path ? *place.path : file_, place.begin.line);
  const std::string path = PathOf(key);  // empty: of the whole file
  throw HostError(fmt::format("{}: {}{}{}", where, path, path.empty() ? "" : ": ", what), kExitFailed);
}

const toml::node* TomlTable::Find(std::string_view key) {
  known_.emplace(key);
  return table_.get(key);
}

double TomlTable::Number(std::string_view key, double otherwise) {
  const toml::node* const node = Find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_number()) Fail(key, fmt::format("{} is no number", Written(*node)));
  return node->value<double>().value_or(0);
}

bool TomlTable::Flag(std::string_view key, bool otherwise) {
  const toml::node* const node = Find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) Fail(key, fmt::format("{} is neither true nor false", Written(*node)));
  return node->value<bool>().value_or(false);
}

std::string TomlTable::Text(std::string_view key, const std::string& otherwise) {
  const toml::node* const node = Find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_string()) Fail(key, fmt::format("{} is no text in quotes", Written(*node)));
  return node->value<std::string>().value_or("");
}

std::string TomlTable::Name(std::string_view key, const std::string& otherwise) {
  const std::string name = Text(key, otherwise);
  if (name.empty()) Fail(key, "is empty: give a name, or leave it out");
  return name;
}

Vector3 TomlTable::Vector(std::string_view key, const Vector3& otherwise) {
  const toml::node* const node = Find(key);
  if (node == nullptr) return otherwise;
  const toml::array* const array = node->as_array();
  if (array == nullptr || array->size() != 3) Fail(key, fmt::format("{} are not three numbers", Written(*node)));
  Vector3 vector{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!array->get(i)->is_number()) Fail(key, fmt::format("{} are not three numbers", Written(*node)));
    vector[i] = array->get(i)->value<double>().value_or(0);
  }
  return vector;
}

int TomlTable::Choice(std::string_view key, const std::vector<std::string>& names, int otherwise) {
  if (table_.get(key) == nullptr && otherwise < 0) {
    Find(key);
    Fail(key, fmt::format("is missing; it is one of: {}", fmt::join(names, ", ")));
  }
  const std::string name = Text(key, otherwise < 0 ? "" : names[static_cast<std::size_t>(otherwise)]);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) Fail(key, fmt::format("\"{}\" is none of: {}", name, fmt::join(names, ", ")));
  return static_cast<int>(found - names.begin());
}

TomlTable TomlTable::Table(std::string_view key) {
  static const toml::table kNone;
  const toml::node* const node = Find(key);
  if (node == nullptr) return {kNone, file_, PathOf(key)};
  if (node->is_array_of_tables()) Fail(key, fmt::format("is no list: write [{}]", PathOf(key)));
  if (!node->is_table()) Fail(key, fmt::format("{} is no table", Written(*node)));
  return {*node->as_table(), file_, PathOf(key)};
}

std::vector<TomlTable> TomlTable::Tables(std::string_view key) {
  const toml::node* const node = Find(key);
  std::vector<TomlTable> tables;
  if (node == nullptr) return tables;
  const toml::array* const array = node->as_array();
  if (array == nullptr) Fail(key, fmt::format("is no list of tables: write [[{}]]", PathOf(key)));
  for (std::size_t i = 0; i < array->size(); ++i) {
    if (!array->get(i)->is_table()) Fail(key, fmt::format("its item {} is no table", i));
    tables.emplace_back(*array->get(i)->as_table(), file_, fmt::format("{}[{}]", PathOf(key), i));
  }
  return tables;
}

std::vector<std::string> TomlTable::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, node] : table_) keys.emplace_back(key.str());
  return keys;
}

void TomlTable::Finish() const {
  for (const auto& [key, node] : table_) {
    const std::string_view name = key.str();
    if (known_.contains(name)) continue;
    const auto nearest = std::min_element(
        known_.begin(), known_.end(), [name](const auto& a, const auto& b) { return Badness(a, name) < Badness(b, name); });
    if (nearest != known_.end() && IsLike(*nearest, name))
      Fail(name, fmt::format("is not known here; did you mean {}?", *nearest));
    Fail(name, fmt::format("is not known here; a key is in the [table] above it, which has: {}", fmt::join(known_, ", ")));
  }
}

}  // namespace tactus::host
