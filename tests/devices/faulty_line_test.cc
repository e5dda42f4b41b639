// The line that does damage: what the fault campaigns stand on.
#include <gtest/gtest.h>

#include <string>

#include "hal/sim/faulty_line.h"

namespace tactus::hal {
namespace {

std::string Pass(FaultyLine* line, const std::string& text) {
  const auto out = line->Pass({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return {out.begin(), out.end()};
}

TEST(FaultyLine, PassesAllWhenNothingIsWrong) {
  FaultyLine line;
  EXPECT_EQ(Pass(&line, "abcdef"), "abcdef");
  EXPECT_EQ(Pass(&line, ""), "");
}

TEST(FaultyLine, SplitsIntoOnePieceAPeriod) {
  FaultyLine line;
  line.faults.pieces = 3;
  EXPECT_EQ(Pass(&line, "abcdef"), "ab");
  EXPECT_EQ(Pass(&line, ""), "cd");
  EXPECT_EQ(Pass(&line, ""), "ef");
}

TEST(FaultyLine, MergesTwoPeriods) {
  FaultyLine line;
  line.faults.merge = true;
  EXPECT_EQ(Pass(&line, "ab"), "");
  EXPECT_EQ(Pass(&line, "cd"), "abcd");
}

TEST(FaultyLine, ShiftsFlipsCutsAndRepeats) {
  FaultyLine line;
  line.faults.drop_first = true;
  EXPECT_EQ(Pass(&line, "abc"), "bc");
  line.faults = {.flip_byte = 1};
  EXPECT_EQ(Pass(&line, "abc"), std::string("a") + static_cast<char>('b' ^ 0x55) + "c");
  line.faults = {.keep_bytes = 2};
  EXPECT_EQ(Pass(&line, "abc"), "ab");
  line.faults = {.repeat = true};
  EXPECT_EQ(Pass(&line, "abc"), "abcabc");
  line.faults = {.cut = true};
  EXPECT_EQ(Pass(&line, "abc"), "");
}

TEST(FaultyLine, IsLate) {
  FaultyLine line;
  line.faults.late_periods = 2;
  EXPECT_EQ(Pass(&line, "a"), "");
  EXPECT_EQ(Pass(&line, ""), "");
  EXPECT_EQ(Pass(&line, ""), "a");
}

}  // namespace
}  // namespace tactus::hal
