#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host_tools/scene/toml_plus_plus.h"
#include "tactus/scene/scene.h"

namespace tactus::host {

/// A table of a TOML file that is read key by key. Every error names file, line, key and value.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  bool Has(std::string_view key) { return Find(key) != nullptr; }
  bool HasTable(std::string_view key) { return Has(key) && Find(key)->is_table(); }
  double Number(std::string_view key, double otherwise);
  bool Flag(std::string_view key, bool otherwise);
  std::string Text(std::string_view key, const std::string& otherwise);
  /// A text that is not empty.
  std::string Name(std::string_view key, const std::string& otherwise);
  Vector3 Vector(std::string_view key, const Vector3& otherwise);
  /// One of `names`. @returns its place
  int Choice(std::string_view key, const std::vector<std::string>& names, int otherwise);
  TomlTable Table(std::string_view key);
  std::vector<TomlTable> Tables(std::string_view key);
  std::vector<std::string> Keys() const;
  /// Refuses keys that nobody asked for, each with the nearest known one.
  void Finish() const;

  [[noreturn]] void Fail(std::string_view key, const std::string& what) const;
  const std::string& path() const { return path_; }
  /// Where it begins.
  std::string File() const { return table_.source().path ? *table_.source().path : file_; }
  unsigned Line() const { return table_.source().begin.line; }

 private:
  const toml::node* Find(std::string_view key);
  std::string PathOf(std::string_view key) const {
    return path_.empty() || key.empty() ? path_ + std::string(key) : path_ + "." + std::string(key);
  }

  const toml::table& table_;
  std::string file_, path_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace tactus::host
