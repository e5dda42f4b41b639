// Files that are written as text: report/text_file.h, report/junit.h.
#include "host_tools/report/text_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "host_tools/link/host_error.h"
#include "host_tools/report/junit.h"

namespace tactus::host {
namespace {

TEST(TextFile, IsWrittenWholeOrRefused) {
  const std::string path = (std::filesystem::temp_directory_path() / "tactus_text_file_test").string();
  WriteText(path, "a\nb");
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "a\nb");
  std::filesystem::remove(path);
  EXPECT_THROW(WriteText("/nowhere/at/all", "a"), HostError);
  EXPECT_THROW(WriteText("/dev/full", std::string(1 << 20, 'a')), HostError);
}

TEST(InXml, EscapesWhatMeansSomethingThere) {  // By hand.
  EXPECT_EQ(InXml("a < b & \"c\" > d\n"), "a &lt; b &amp; &quot;c&quot; &gt; d ");
}

TEST(Junit, CountsAndTells) {  // By hand.
  EXPECT_EQ(Junit("t", {{"g", "good", {}, {}}, {"g", "bad", "1 < 2", {}}, {"g", "empty", "", {}}, {"g", "not", {}, "off"}}),
            "<?xml version=\"1.0\"?>\n"
            "<testsuite name=\"t\" tests=\"4\" failures=\"2\" skipped=\"1\">\n"
            "  <testcase classname=\"g\" name=\"good\"></testcase>\n"
            "  <testcase classname=\"g\" name=\"bad\"><failure message=\"1 &lt; 2\"/></testcase>\n"
            "  <testcase classname=\"g\" name=\"empty\"><failure message=\"\"/></testcase>\n"
            "  <testcase classname=\"g\" name=\"not\"><skipped message=\"off\"/></testcase>\n"
            "</testsuite>\n");
}

}  // namespace
}  // namespace tactus::host
