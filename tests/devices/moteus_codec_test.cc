// moteus drives over CAN-FD: text of the adapter, and frames.
// Source of all bytes: docs/devices.md, section 5 (mjbots' CAN protocol, register reference, README of the fdcanusb).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "moteus_frames.h"

namespace tactus::hal {
namespace {

TEST(CanFdText, ReadsTheMakersExample) {  // CAN protocol, "Example"
  CanFdFrame frame;
  ASSERT_EQ(ReadText("rcv 100 2404000a005000000170ff230d181400", &frame), Status::kOk);
  EXPECT_EQ(frame.id, 0x100u);
  EXPECT_EQ(frame.size, 16);
  EXPECT_EQ(frame.data[0], 0x24);
  EXPECT_EQ(frame.data[8], 0x01);
  EXPECT_EQ(ReadText("rcv 100 2404000a005000000170ff230d181400 e B F t123 f-1", &frame), Status::kOk) << "with flags";
  EXPECT_EQ(ReadText("rcv 100 2404000a005000000170ff230d181400\r", &frame), Status::kOk);
}

TEST(CanFdText, ReadsWhatItWrites) {
  std::mt19937 random(1);
  constexpr std::uint8_t kSizes[] = {0, 1, 7, 8, 12, 16, 20, 24, 32, 48, 64};
  for (int i = 0; i < 2000; ++i) {
    CanFdFrame frame{.id = static_cast<std::uint32_t>(random() % 0x1FFFFFFF), .size = kSizes[random() % 11]};
    for (std::size_t k = 0; k < frame.size; ++k) frame.data[k] = static_cast<std::uint8_t>(random());
    const Way way = i % 2 == 0 ? Way::kSend : Way::kReceived;
    std::string text = TextOf(frame, way);
    text.pop_back();
    CanFdFrame read;
    ASSERT_EQ(ReadText(text, &read, way), Status::kOk) << text;
    ASSERT_EQ(read.id, frame.id);
    ASSERT_EQ(read.size, frame.size);
    ASSERT_EQ(read.data, frame.data);
  }
}

TEST(CanFdText, RefusesWhatIsNoFrame) {
  CanFdFrame frame;
  for (const char* bad : {"rcv", "rcv ", "rcv x 00", "rcv 100 0", "rcv 100 0g", "rcv 100 000102030405060708",
                          "rcv 100000000 00", "cv 100 00", "hello", "rcv 100\t00"})
    EXPECT_EQ(ReadText(bad, &frame), Status::kCorrupt) << bad;
  for (const char* answer : {"", "OK", "ERR already on"}) EXPECT_EQ(ReadText(answer, &frame), Status::kNotReady);
  EXPECT_EQ(ReadText("rcv 100 2404rcv 210 50", &frame), Status::kOk);  // the line before has lost its end
  EXPECT_EQ(frame.id, 0x210u);
}

TEST(CanFdText, TakesAnyBytes) {
  std::mt19937 random(2);
  constexpr char kUsual[] = "rcv 0123456789abcdef";
  for (int i = 0; i < 20000; ++i) {
    std::string text = i % 2 == 0 ? "rcv " : "";
    for (auto n = random() % 160; n > 0; --n)
      text += random() % 20 == 0 ? static_cast<char>(random()) : kUsual[random() % 20];
    CanFdFrame frame;
    if (ReadText(text, &frame) != Status::kOk) continue;
    ASSERT_TRUE(canfd_text::IsSize(frame.size));
    moteus::Answer answer;
    (void)moteus::Read(frame, &answer);
  }
}

// Source: register reference and subframes; 0.1 = 0x3DCCCCCD, 0.25 = 0x3E800000, 0.02 = 0x3CA3D70A, least byte first.
TEST(MoteusCodec, WritesItsFrames) {
  EXPECT_EQ(TextOf(moteus::WriteTorque(1, 0, 0.1f, 0.25f)),
            "can send 9001 01000A0F200000C07F00000000CDCCCC3D022300000D250000803E0D270AD7A33C012B0011001D0110040C"
            "5050505050\n");
  EXPECT_EQ(TextOf(moteus::WriteStop(2, 1)), "can send 9102 01000011001D0110040C5050\n");
}

TEST(MoteusCodec, ReadsAnswers) {
  moteus::Answer answer;
  ASSERT_EQ(moteus::Read(FrameOf(0x213, AnswerData(1, -0.25f, 33)), &answer), Status::kOk);
  EXPECT_EQ(answer.drive, 2);
  EXPECT_EQ(answer.tag, 3);
  EXPECT_EQ(answer.mode, moteus::Mode::kFault);
  EXPECT_EQ(answer.fault, 33);
  EXPECT_EQ(answer.position_turns, -0.25f);
  EXPECT_TRUE(answer.is_referenced);
  EXPECT_EQ(moteus::Read(FrameOf(0x100, AnswerData(0, 0)), &answer), Status::kNotReady) << "for another host";
}

TEST(MoteusCodec, RefusesPositionsThatAreNone) {
  moteus::Answer answer;
  for (const float bad : {NAN, INFINITY, -INFINITY, 1001.0f, -1e30f})
    EXPECT_EQ(moteus::Read(FrameOf(0x110, AnswerData(10, bad)), &answer), Status::kOutOfRange) << bad;
}

// Source: register reference: volts 0.5, 0.1, 0.001 V, degrees 1, 0.1, 0.001 by the size of the integer; floats as they are.
TEST(MoteusCodec, RefusesASupplyAndATemperatureOfNoDrive) {
  const auto read = [](float supply_V, float board_degC) {
    Bytes data = {0x21, 0x00, 0x0A, 0x2D, 0x01, 0, 0, 0, 0, 0x21, 0x0C, 1, 0x2E,
                  0x0D, 0,    0,    0,    0,    0, 0, 0, 0, 0x21, 0x0F, 0};
    std::memcpy(data.data() + 14, &supply_V, 4), std::memcpy(data.data() + 18, &board_degC, 4);
    while (!canfd_text::IsSize(data.size())) data.push_back(0x50);
    moteus::Answer answer;
    return moteus::Read(FrameOf(0x110, data), &answer);
  };
  EXPECT_EQ(read(24, 30), Status::kOk);
  EXPECT_EQ(read(0, -40), Status::kOk) << "its supply is off";
  for (const float bad : {-1.0f, 1000.0f, 1e30f, INFINITY, NAN}) EXPECT_EQ(read(bad, 30), Status::kOutOfRange) << bad;
  for (const float bad : {-300.0f, 500.0f, -INFINITY, NAN}) EXPECT_EQ(read(24, bad), Status::kOutOfRange) << bad;
  moteus::Answer answer;
  for (const std::size_t at : {13u, 14u}) {  // as it is asked: -60 is -30 V, or the coldest that is taken
    Bytes data = AnswerData(10, 0);
    data[at] = static_cast<std::uint8_t>(-60);
    EXPECT_EQ(moteus::Read(FrameOf(0x110, data), &answer), at == 13 ? Status::kOutOfRange : Status::kOk);
    data[at] = static_cast<std::uint8_t>(-61);
    EXPECT_EQ(moteus::Read(FrameOf(0x110, data), &answer), Status::kOutOfRange) << at;
  }
}

// Source: register reference: the most negative integer is no value; int16 1 LSB = 1e-4, int8 0.01, int32 1e-5 turns.
TEST(MoteusCodec, TakesTheMostNegativeIntegerForNone) {
  const auto read = [](Bytes position, float* turns) {
    Bytes data = {0x21, 0x00, 0x0A, 0x20, 0x04, 0x0C, 1, 48, 30, 0};
    data.insert(data.end(), position.begin(), position.end());
    while (!canfd_text::IsSize(data.size())) data.push_back(0x50);
    moteus::Answer answer;
    const Status status = moteus::Read(FrameOf(0x110, data), &answer);
    *turns = answer.position_turns;
    return status;
  };
  float turns = 0;
  EXPECT_EQ(read({0x21, 0x01, 0x80}, &turns), Status::kOutOfRange);
  EXPECT_EQ(read({0x25, 0x01, 0x00, 0x80}, &turns), Status::kOutOfRange);
  EXPECT_EQ(read({0x29, 0x01, 0x00, 0x00, 0x00, 0x80}, &turns), Status::kOutOfRange);
  EXPECT_EQ(read({0x21, 0x01, 0x81}, &turns), Status::kOk);
  EXPECT_FLOAT_EQ(turns, -1.27f);
  EXPECT_EQ(read({0x25, 0x01, 0x01, 0x80}, &turns), Status::kOk);
  EXPECT_FLOAT_EQ(turns, -3.2767f);
  EXPECT_EQ(read({0x29, 0x01, 0xE8, 0x03, 0x00, 0x00}, &turns), Status::kOk);
  EXPECT_FLOAT_EQ(turns, 0.01f);
  EXPECT_EQ(read({0x50}, &turns), Status::kOutOfRange) << "no position at all";
  for (const std::size_t at : {2u, 12u, 15u}) {  // mode, home state, fault
    Bytes data = AnswerData(10, 0);
    data[at] = 0x80;
    moteus::Answer answer;
    EXPECT_EQ(moteus::Read(FrameOf(0x110, data), &answer), Status::kOutOfRange) << at;
  }
}

TEST(MoteusCodec, RefusesAnswersThatAreCutOrNone) {
  const Bytes whole = AnswerData(10, 0.1f);
  moteus::Answer answer;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(moteus::Read(FrameOf(0x110, cut), &answer), Status::kOk) << size;
  }
  EXPECT_EQ(moteus::Read(FrameOf(0x110, {0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x01, 0x01}), &answer), Status::kCorrupt);
  ASSERT_EQ(moteus::Read(FrameOf(0x110, {0x31, 0x0C, 0x01}), &answer), Status::kOk) << "a register that it does not know";
  EXPECT_TRUE(answer.refuses);
}

}  // namespace
}  // namespace tactus::hal
