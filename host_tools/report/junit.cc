#include "host_tools/report/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "host_tools/report/text_file.h"

namespace tactus::host {

std::string Junit(const std::string& title, const std::vector<JunitCase>& cases) {
  const auto failed = std::ranges::count_if(cases, [](const JunitCase& one) { return one.failure.has_value(); });
  const auto skipped = std::ranges::count_if(cases, [](const JunitCase& one) { return one.skipped.has_value(); });
  std::string xml =
      fmt::format("<?xml version=\"1.0\"?>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                  InXml(title), cases.size(), failed, skipped);
  for (const JunitCase& one : cases) {
    xml += fmt::format("  <testcase classname=\"{}\" name=\"{}\">", InXml(one.group), InXml(one.name));
    if (one.failure) xml += fmt::format("<failure message=\"{}\"/>", InXml(*one.failure));
    if (one.skipped) xml += fmt::format("<skipped message=\"{}\"/>", InXml(*one.skipped));
    xml += "</testcase>\n";
  }
  return xml + "</testsuite>\n";
}

}  // namespace tactus::host
