#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tactus::host {

/// A test in a report of JUnit's.
struct JunitCase {
  std::string group, name;
  std::optional<std::string> failure;  ///< why it failed
  std::optional<std::string> skipped;  ///< why it was not run
};

/// The report as XML.
std::string Junit(const std::string& title, const std::vector<JunitCase>& cases);

}  // namespace tactus::host
