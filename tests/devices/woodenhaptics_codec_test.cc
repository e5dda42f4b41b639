// The text of WoodenHaptics' line. Source of all bytes: docs/devices.md, section 1 (firmware woody_teensy_mini, read).
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "hal/devices/woodenhaptics_codec.h"

namespace tactus::hal::woodenhaptics {
namespace {

std::string Written(const std::array<int, 3>& milliampere) {
  std::array<std::uint8_t, 32> line;
  const std::size_t size = WriteCommand(milliampere, &line);
  return {line.begin(), line.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// The last status that is not kWouldBlock.
Status Read(AnswerReader* reader, const std::string& text) {
  Status last = Status::kWouldBlock;
  for (const char c : text) {
    const Status status = reader->Push(static_cast<std::uint8_t>(c));
    if (status != Status::kWouldBlock) last = status;
  }
  return last;
}

TEST(WoodenHapticsCodec, WritesCommandsAsTheFirmwareReadsThem) {
  EXPECT_EQ(Written({0, 0, 0}), "[0,0,0]\n");
  EXPECT_EQ(Written({-6000, 6000, 17}), "[-6000,6000,17]\n");
  EXPECT_EQ(Written({10, -1, 100}), "[10,-1,100]\n");
}

TEST(WoodenHapticsCodec, WritesNothingThatTheFirmwareWouldTakeForZero) {
  EXPECT_EQ(Written({6001, 0, 0}), "");
  EXPECT_EQ(Written({0, 0, -6001}), "");
}

TEST(WoodenHapticsCodec, ReadsAnAnswer) {
  AnswerReader reader;
  ASSERT_EQ(Read(&reader, "[3,-1,22,333,-4444,2147483647,-2147483648,8]\n"), Status::kOk);
  const Answer& answer = reader.answer();
  EXPECT_EQ(answer.model, 3);
  EXPECT_EQ(answer.count, (std::array<std::int32_t, 6>{-1, 22, 333, -4444, 2147483647, -2147483648}));
  EXPECT_EQ(answer.error, 8u);
}

TEST(WoodenHapticsCodec, ReadsAnAnswerInAnyTwoPieces) {
  const std::string line = "[3,1,2,3,4,5,6,0]\n";
  for (std::size_t cut = 0; cut <= line.size(); ++cut) {
    AnswerReader reader;
    const Status first = Read(&reader, line.substr(0, cut)), second = Read(&reader, line.substr(cut));
    EXPECT_TRUE((first == Status::kOk) != (second == Status::kOk)) << cut;
  }
}

TEST(WoodenHapticsCodec, IsWhollyAtTheNextAnswerAfterOneThatWasCutAnywhere) {
  const std::string line = "[3,1,2,3,4,5,6,0]\n";
  for (std::size_t cut = 0; cut < line.size() - 2; ++cut) {
    AnswerReader reader;
    EXPECT_NE(Read(&reader, line.substr(0, cut)), Status::kOk) << cut;
    EXPECT_EQ(Read(&reader, line), Status::kOk) << cut;
    EXPECT_EQ(reader.answer().count[0], 1) << cut;
  }
}

TEST(WoodenHapticsCodec, RefusesWhatIsNoAnswer) {
  for (const char* const text :
       {"[3,1,2,3,4,5,6]", "[3,1,2,3,4,5,6,0,0]", "[3,1,2,3,4,5,6,]", "[,1,2,3,4,5,6,0]", "[3,1,2,3,4,5,6,nan]",
        "[3,1,2,3,4,5,6,0.5]", "[3,1,2,3,4,5,6,--1]", "[3,1,2,3,4,5,6,-]", "[]", "[3 ,1,2,3,4,5,6,0]", "[3;1;2;3;4;5;6;0]",
        "3,1,2,3,4,5,6,0]", "[3,1e5,2,3,4,5,6,0]", "[3,+1,2,3,4,5,6,0]"}) {
    AnswerReader reader;
    EXPECT_EQ(Read(&reader, text), Status::kCorrupt) << text;
  }
}

TEST(WoodenHapticsCodec, RefusesNumbersThatNoCounterHas) {
  for (const char* const text : {"[3,2147483648,2,3,4,5,6,0]", "[3,-2147483649,2,3,4,5,6,0]", "[3,1,2,3,4,5,6,-1]",
                                 "[3,1,2,3,4,5,6,65536]", "[9999999999,1,2,3,4,5,6,0]"}) {
    AnswerReader reader;
    EXPECT_EQ(Read(&reader, text), Status::kOutOfRange) << text;
  }
  AnswerReader reader;
  EXPECT_NE(Read(&reader, "[3,99999999999999999999999999,2,3,4,5,6,0]"), Status::kOk);
}

TEST(WoodenHapticsCodec, BoundsALineThatNeverEnds) {
  AnswerReader reader;
  EXPECT_EQ(Read(&reader, "[" + std::string(100'000, '1')), Status::kCorrupt);
  EXPECT_EQ(Read(&reader, "[3,1,2,3,4,5,6,0]"), Status::kOk);
}

TEST(WoodenHapticsCodec, TakesNoAnswerFromNoise) {  // property: a line is taken only as it would be written
  std::mt19937 random(1);
  constexpr std::string_view kAlphabet = "[],-0123456789\n x";
  AnswerReader reader;
  std::string since;
  for (int i = 0; i < 400'000; ++i) {
    const char c = kAlphabet[random() % kAlphabet.size()];
    since = c == '[' ? "[" : since + c;
    if (reader.Push(static_cast<std::uint8_t>(c)) != Status::kOk) continue;
    EXPECT_EQ(std::count(since.begin(), since.end(), ','), 7) << since;
    EXPECT_EQ(since.find_first_not_of("[],-0123456789"), std::string::npos) << since;
  }
}

}  // namespace
}  // namespace tactus::hal::woodenhaptics
