#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tactus::host {

/// A machine as its /proc, /sys and /dev tell it: this one, or a tree of files that stands for one.
class Machine {
 public:
  explicit Machine(std::filesystem::path root) : root_(std::move(root)) {}

  /// The file's first line without blanks at its ends; nothing: it cannot be read.
  std::optional<std::string> Line(const std::string& path) const;
  /// All lines; none: it cannot be read.
  std::vector<std::string> Lines(const std::string& path) const;
  /// Paths of what is in a folder, sorted, as given to the other functions.
  std::vector<std::string> In(const std::string& folder) const;
  bool Has(const std::string& path) const;
  /// Permission bits and owner; nothing: it is not there.
  struct Owner {
    std::uint32_t mode = 0, user = 0, group = 0;
  };
  std::optional<Owner> OwnerOf(const std::string& path) const;

 private:
  std::filesystem::path At(const std::string& path) const { return root_ / std::filesystem::path(path).relative_path(); }

  std::filesystem::path root_;
};

}  // namespace tactus::host
