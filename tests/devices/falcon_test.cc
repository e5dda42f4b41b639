// The Novint Falcon: codec, driver against scripted bytes, driver against the emulator. Source of all bytes:
// docs/devices.md, section 3 (libnifalcon, read). The three requests with numbers are its test vectors.
#include "hal/sim/falcon_board.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "bench/safety/device_rig.h"
#include "hal/api/button_counts.h"
#include "hal/devices/falcon_port.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using bench::safety::MemoryLink;
using Bytes = std::vector<std::uint8_t>;

const host::RealDevice& Real() { return *host::FindRealDevice("falcon"); }

Bytes FromText(const char* text) { return Bytes(text, text + std::strlen(text)); }
Bytes Said(std::array<std::int16_t, 3> count, bool homed = true) {
  const auto bytes = falcon::Write(falcon::Answer{.count = count, .homed = {homed, homed, homed}});
  return Bytes(bytes.begin(), bytes.end());
}

TEST(FalconCodec, WritesTheRequestsOfItsMakersPrograms) {
  struct Vector {
    std::array<std::int16_t, 3> motor;
    const char* text;
  };
  for (const Vector& v : {Vector{{4095, 3906, 4034}, "<PPPACEPACMPAEA>"}, Vector{{-679, 2529, -1862}, "<JFNPBOJAKLIPEA>"},
                          Vector{{2481, -669, -1691}, "<BLJADGNPFGJPEA>"}}) {
    const auto bytes = falcon::Write(falcon::Request{.motor = v.motor, .bits = falcon::kBlueBit});
    EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), FromText(v.text));
    falcon::Request read;
    ASSERT_EQ(falcon::Read(bytes, &read), Status::kOk);
    EXPECT_EQ(read.motor, v.motor);
    EXPECT_EQ(read.bits, falcon::kBlueBit);
  }
}

TEST(FalconCodec, ReadsEachCountAndEachBit) {
  for (int count = -32768; count <= 32767; count += 13) {
    falcon::Answer answer;
    ASSERT_EQ(falcon::Read(Said({static_cast<std::int16_t>(count), 1, -1}), &answer), Status::kOk);
    ASSERT_EQ(answer.count[0], count);
  }
  for (int bits = 0; bits < 256; ++bits) {  // 0x41 + homed · 16 + buttons: to 0xC0
    Bytes bytes = Said({1, 2, 3}, false);
    bytes[13] = static_cast<std::uint8_t>(bits);
    falcon::Answer answer;
    const bool exists = bits >= 0x41 && bits <= 0xC0;
    ASSERT_EQ(falcon::Read(bytes, &answer) == Status::kOk, exists) << bits;
    if (!exists) continue;
    EXPECT_EQ(answer.buttons, (bits - 0x41) & 15);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(answer.homed[i], ((bits - 0x41) >> (4 + i) & 1) != 0);
  }
}

TEST(FalconCodec, RefusesEveryByteThatIsNoNibble) {
  const Bytes good = Said({1, 2, 3});
  for (std::size_t i = 0; i < 13; ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      Bytes bytes = good;
      bytes[i] = static_cast<std::uint8_t>(byte);
      const bool right = i == 0 ? byte == '<' : byte >= 'A' && byte <= 'P';
      falcon::Answer answer;
      ASSERT_EQ(falcon::Read(bytes, &answer) == Status::kOk, right) << i << ' ' << byte;
    }
  }
}

TEST(FalconCodec, FindsPacketsInAnyStream) {
  std::mt19937 random(1);
  falcon::PacketFinder finder;
  int lost = 0, made_up = 0, found = 0;
  for (int n = 0; n < 2000; ++n) {
    const auto count = static_cast<std::int16_t>(n);
    Bytes bytes = Said({count, count, count});
    const bool is_cut = random() % 4 == 0;
    if (is_cut) bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(random() % 16));  // one byte is lost
    for (auto k = random() % 5; k > 0; --k) bytes.push_back(static_cast<std::uint8_t>(random()));
    lost += is_cut;
    for (const std::uint8_t byte : bytes) {
      if (!finder.Push(byte)) continue;
      falcon::Answer answer;
      if (falcon::Read(finder.packet(), &answer) != Status::kOk) continue;
      ++found;
      made_up += answer.count[0] != answer.count[1] || answer.count[1] != answer.count[2];
    }
  }
  EXPECT_EQ(made_up, 0);
  EXPECT_GT(lost, 400);
  EXPECT_GE(found, 2000 - lost - 40) << "garbage that begins with '<' may take the next packet with it, never more";
}

TEST(FalconCodec, TheByteOfUnknownUseMayBeAnything) {
  for (int byte = 0; byte < 256; ++byte) {
    Bytes bytes = Said({1, 2, 3});
    bytes[14] = static_cast<std::uint8_t>(byte);
    falcon::PacketFinder finder;
    int found = 0;
    for (int n = 0; n < 3; ++n) {
      for (const std::uint8_t one : bytes) found += finder.Push(one);
    }
    EXPECT_EQ(found, 3) << byte;
  }
  falcon::PacketFinder finder;  // a packet that has lost its last two bytes does not take the next one with it
  Bytes bytes = Said({1, 2, 3});
  bytes.resize(14);
  const Bytes next = Said({4, 5, 6});
  bytes.insert(bytes.end(), next.begin(), next.end());
  int found = 0;
  for (const std::uint8_t one : bytes) found += finder.Push(one);
  EXPECT_EQ(found, 1);
}

struct Line {
  MemoryLink link;
  FalconPort port{link};
  std::uint32_t now_us = 0;
  PortReading reading;

  PortReading Poll(const Bytes& bytes = {}) {
    link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end());
    return reading = static_cast<MotorPort&>(port).Poll(now_us += 1000);
  }
  falcon::Request Write(float a, float b, float c) {
    const float current_A[kMaxMotors] = {a, b, c};
    link.sent.clear();
    status = static_cast<MotorPort&>(port).Write(current_A);
    falcon::Request request{.motor = {-1, -1, -1}};
    if (!link.sent.empty()) {
      EXPECT_EQ(falcon::Read(link.sent[0], &request), Status::kOk);
    }
    return request;
  }
  Status status = Status::kOk;
};

TEST(FalconPort, AsksToHomeWithTheRedLightAndGivesNoPositionBefore) {
  Line line;
  (void)line.Poll();
  EXPECT_EQ(line.Write(1, 1, 1).bits, falcon::kHomeBit | falcon::kRedBit);
  EXPECT_EQ(line.Poll(Said({5, 6, 7}, false)).state, DeviceState::kHoming);
  EXPECT_FALSE(line.reading.valid);
  EXPECT_EQ(line.reading.cause, PortCause::kNotHomed);
  static_cast<MotorPort&>(line.port).Enable();  // nothing goes out all the same
  EXPECT_EQ(line.Write(1, 1, 1).motor, (std::array<std::int16_t, 3>{}));
  static_cast<MotorPort&>(line.port).Disable();
  EXPECT_EQ(line.Poll(Said({5, 6, 7})).state, DeviceState::kReady);
  EXPECT_TRUE(line.reading.valid);
  EXPECT_EQ(line.Write(0, 0, 0).bits, falcon::kGreenBit);
}

TEST(FalconPort, OneFlagIsNotEnough) {  // older versions of libnifalcon took any
  for (int flags = 0; flags < 7; ++flags) {
    Line line;
    (void)line.Poll();
    (void)line.Write(0, 0, 0);
    const auto bytes = falcon::Write(falcon::Answer{.homed = {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0}});
    EXPECT_EQ(line.Poll(Bytes(bytes.begin(), bytes.end())).state, DeviceState::kHoming) << flags;
  }
}

TEST(FalconPort, SendsNoMoreThanItsMakersProgramsAndNothingThatIsNoNumber) {
  Line line;
  (void)line.Poll();
  (void)line.Write(0, 0, 0);
  (void)line.Poll(Said({0, 0, 0}));
  static_cast<MotorPort&>(line.port).Enable();
  EXPECT_EQ(line.Write(1e9f, -1e9f, 0.0123f).motor, (std::array<std::int16_t, 3>{4095, -4095, 12}));
  (void)line.Poll(Said({0, 0, 0}));
  EXPECT_EQ(line.Write(std::numeric_limits<float>::quiet_NaN(), 1, 1).motor, (std::array<std::int16_t, 3>{}));
  EXPECT_EQ(line.status, Status::kNotFinite);
}

TEST(FalconPort, KeepsOneRequestInFlight) {
  Line line;
  (void)line.Poll();
  (void)line.Write(0, 0, 0);
  (void)line.Poll();
  (void)line.Write(0, 0, 0);
  EXPECT_TRUE(line.link.sent.empty());
  (void)line.Poll(Said({0, 0, 0}));
  (void)line.Poll(Said({9, 9, 9}));  // nobody has asked
  EXPECT_EQ(line.reading.count[0], 0);
  EXPECT_EQ(line.port.counters().unasked, 1u);
}

// Source: byte 13 is 'A' + homed·16 + buttons, 0xC0 at most (docs/devices.md). What is beyond is not silence.
TEST(FalconPort, SaysThatAByteBeyondItsRangeIsNoAnswer) {
  for (const std::uint8_t byte : {std::uint8_t{0x30}, std::uint8_t{0xC1}}) {
    Line line;
    (void)line.Poll();
    (void)line.Write(0, 0, 0);
    (void)line.Poll(Said({0, 0, 0}));
    EXPECT_EQ(line.reading.missing, PortCause::kSilent);
    (void)line.Write(0, 0, 0);
    Bytes bad = Said({0, 0, 0});
    bad[13] = byte;
    (void)line.Poll(bad);
    EXPECT_EQ(line.reading.missing, PortCause::kCorrupt);
    (void)line.Poll(Said({0, 0, 0}));
    EXPECT_EQ(line.reading.missing, PortCause::kSilent);
  }
}

// A line keeps its order: a device that says each answer again a period later says that before the new one.
TEST(FalconPort, TakesTheLastOfWhatComesTogether) {
  Line line;
  (void)line.Poll();
  (void)line.Write(0, 0, 0);
  Bytes both = Said({1, 2, 3});
  const Bytes newer = Said({4, 5, 6});
  both.insert(both.end(), newer.begin(), newer.end());
  EXPECT_TRUE(line.Poll(both).is_new);
  EXPECT_EQ(line.reading.count[0], 4);
  EXPECT_EQ(line.port.counters().unasked, 1u);
}

TEST(FalconPort, ADeviceThatForgetsItsMarksHasStartedAnew) {
  Line line;
  (void)line.Poll();
  (void)line.Write(0, 0, 0);
  (void)line.Poll(Said({0, 0, 0}));
  static_cast<MotorPort&>(line.port).Enable();
  (void)line.Write(1, 1, 1);
  EXPECT_EQ(line.Poll(Said({0, 0, 0}, false)).cause, PortCause::kRestarted);
  EXPECT_EQ(line.Write(1, 1, 1).motor, (std::array<std::int16_t, 3>{}));
}

TEST(FalconArms, FeelTheForceThatWasCommanded) {  // Source: statics, F on the hand = F commanded, to a motor count
  DeviceRig rig(Real());
  rig.force_N[0] = 0.5f, rig.force_N[1] = -1, rig.force_N[2] = 0.7f;
  ASSERT_TRUE(rig.Drive()) << rig.device().why();
  rig.Periods(500);
  const Vec<double, 3>& felt_N = static_cast<FalconBoard&>(rig.board()).arms().force_W_N();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(felt_N(i), static_cast<double>(rig.force_N[i]), 0.01) << i;
}

TEST(FalconArms, TellTheButtonsThatAreHeld) {  // Source: the packet's table, docs/devices.md, 3
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  rig.board().Hold(0xF);
  rig.Period();
  EXPECT_EQ(rig.reading.buttons, 0) << "no answer yet";
  ASSERT_TRUE(rig.Drive());
  for (unsigned held = 0; held < 16; ++held) {
    rig.board().Hold(static_cast<std::uint8_t>(held | 0xF0));  // it has four
    rig.Periods(5);
    ASSERT_EQ(rig.reading.buttons, held);
  }
  rig.wrong.board.mute = true;
  rig.Periods(30);
  ASSERT_EQ(rig.reading.state, DeviceState::kFaulted);
  EXPECT_EQ(rig.reading.buttons, 0) << "nobody knows";
}

TEST(ButtonCounts, CountsEachPressOnce) {  // Source: closed form, rises of each bit
  ButtonCounts counts;
  for (const int held : {0, 1, 1, 3, 2, 0, 1, 128, 128, 255}) counts.Note(static_cast<std::uint8_t>(held));
  EXPECT_EQ(counts.presses, (std::array<std::uint32_t, 8>{3, 2, 1, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(counts.any());
  EXPECT_FALSE(ButtonCounts{}.any());
}

TEST(FalconArms, AreWhereTheEmulatedHandIs) {  // Source: the emulator's own kinematics and numbers
  DeviceRig rig(Real());
  rig.Periods(3000);
  ASSERT_EQ(rig.reading.state, DeviceState::kReady);
  const auto& handle = static_cast<FalconBoard&>(rig.board()).arms().handle().state();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(rig.reading.sample.p_WH_m[i]), handle.p_WH_m(i), 1e-4) << i;
}

// Source: its marks: only a supply that was gone makes it pass them again.
TEST(FalconArms, HaveNoForceBehindAJumpUntilTheyPassedTheirMarksAgain) {
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.wrong.board.jump = true;
  rig.Periods(20);
  EXPECT_EQ(rig.why, "a position jumped");
  EXPECT_FALSE(rig.Drive());
  EXPECT_STREQ(rig.device().why(), Name(PortCause::kReferenceLost));
  EXPECT_EQ(rig.device().Home(), Status::kNotReady) << "no hand holds its cranks at their marks";
  rig.board().PowerUp();
  rig.Periods(1700);
  EXPECT_TRUE(rig.Drive()) << rig.device().why();
}

TEST(FalconArms, AreHomedByTheirUserWithinSeconds) {
  DeviceRig rig(Real());
  auto& board = static_cast<FalconBoard&>(rig.board());
  int periods = 0;
  for (; periods < 3000 && rig.reading.state != DeviceState::kReady; ++periods) {
    rig.Period();
    EXPECT_EQ(board.largest_A(), 0) << "no force before";
  }
  EXPECT_GT(periods, 100);
  EXPECT_LT(periods, 1700);
  EXPECT_TRUE(board.homed());
}

}  // namespace
}  // namespace tactus::hal
