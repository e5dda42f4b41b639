// The driver of WoodenHaptics against scripted bytes and against its emulator. Where an expected value is from is said with
// it.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/safety/device_rig.h"
#include "hal/devices/woodenhaptics_port.h"
#include "hal/sim/woodenhaptics_board.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using bench::safety::MemoryLink;

const host::RealDevice& Real() { return *host::FindRealDevice("woodenhaptics"); }

/// The port alone, at the end of a line whose other end is the test.
struct Line {
  MemoryLink link;
  WoodenHapticsPort port{link};
  std::uint32_t now_us = 0;

  PortReading Poll(const std::string& bytes = "") {
    link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end());
    return static_cast<MotorPort&>(port).Poll(now_us += 1000);
  }
  std::string Write(float a, float b, float c) {
    const float current_A[kMaxMotors] = {a, b, c};
    link.sent.clear();
    status = static_cast<MotorPort&>(port).Write(current_A);
    return Sent();
  }
  std::string Zero() {
    link.sent.clear();
    status = static_cast<MotorPort&>(port).Zero();
    return Sent();
  }
  std::string Sent() const {
    std::string text;
    for (const auto& bytes : link.sent) text.append(bytes.begin(), bytes.end());
    return text;
  }
  void Start() {
    (void)Poll();
    (void)Zero();
    ASSERT_EQ(Poll("[3,0,0,0,0,0,0,0]\n").state, DeviceState::kReady);
    static_cast<MotorPort&>(port).Enable();
  }
  Status status = Status::kOk;
};

TEST(WoodenHapticsPort, AsksWithZerosUntilTheArmAnswers) {
  Line line;
  EXPECT_EQ(line.Poll().state, DeviceState::kUninitialised);
  EXPECT_EQ(line.Zero(), "[0,0,0]\n");
  const PortReading reading = line.Poll("[3,1,-2,3,0,0,0,0]\n");
  EXPECT_EQ(reading.state, DeviceState::kReady);
  EXPECT_TRUE(reading.valid && reading.is_new);
  EXPECT_EQ(reading.count[1], -2);
}

TEST(WoodenHapticsPort, SendsMilliamperesAndNoMoreThanTheFirmwareTakes) {  // |mA| > 6000 would become 0
  Line line;
  line.Start();
  EXPECT_EQ(line.Write(0.0126f, -2.5f, 1e9f), "[13,-2500,6000]\n");
}

TEST(WoodenHapticsPort, LetsNothingOutThatIsNoNumberAndNothingBeforeEnable) {
  Line line;
  (void)line.Poll();
  EXPECT_EQ(line.Write(1, 1, 1), "[0,0,0]\n");
  EXPECT_EQ(line.status, Status::kNotReady);
  (void)line.Poll("[3,0,0,0,0,0,0,0]\n");
  static_cast<MotorPort&>(line.port).Enable();
  EXPECT_EQ(line.Write(1, NAN, 1), "[0,0,0]\n");
  EXPECT_EQ(line.status, Status::kNotFinite);
}

TEST(WoodenHapticsPort, HasOneMessageUnderWay) {  // two in the firmware's buffer are error 8: neither is taken
  Line line;
  line.Start();
  EXPECT_EQ(line.Write(1, 0, 0), "[1000,0,0]\n");
  (void)line.Poll("[3,0,0,");
  EXPECT_EQ(line.Write(0.5f, 0, 0), "");
  EXPECT_EQ(line.status, Status::kWouldBlock);
  (void)line.Poll("0,0,0,0,0]\n");
  EXPECT_EQ(line.Write(0.5f, 0, 0), "[500,0,0]\n");
}

TEST(WoodenHapticsPort, GivesUpAnAnswerAfterFiveMilliseconds) {
  Line line;
  line.Start();
  (void)line.Write(1, 0, 0);
  int periods = 1;
  for (line.Poll(); line.Write(1, 0, 0).empty() && periods < 100; ++periods) (void)line.Poll();
  EXPECT_EQ(periods, 5);
}

TEST(WoodenHapticsPort, LetsZerosGoAtOnceAndOnce) {
  Line line;
  line.Start();
  (void)line.Write(1, 0, 0);
  EXPECT_EQ(line.Zero(), "[0,0,0]\n");
  EXPECT_EQ(line.Zero(), "") << "these are on their way";
  EXPECT_EQ(line.status, Status::kOk);
}

TEST(WoodenHapticsPort, TakesNoAnswerTwice) {
  Line line;
  line.Start();
  (void)line.Write(1, 0, 0);
  const PortReading first = line.Poll("[3,7,0,0,0,0,0,0]\n");
  const PortReading again = line.Poll("[3,1,0,0,0,0,0,0]\n");
  EXPECT_TRUE(first.is_new);
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.count[0], 7);
  EXPECT_EQ(line.port.counters().unasked, 1u);
}

// A line keeps its order: a device that says each answer again a period later says that before the new one.
TEST(WoodenHapticsPort, TakesTheLastOfWhatComesTogether) {
  Line line;
  line.Start();
  (void)line.Write(1, 0, 0);
  const PortReading reading = line.Poll("[3,7,0,0,0,0,0,0]\n[3,8,0,0,0,0,0,0]\n");
  EXPECT_TRUE(reading.is_new);
  EXPECT_EQ(reading.count[0], 8);
  EXPECT_EQ(line.port.counters().unasked, 1u);
}

TEST(WoodenHapticsPort, SaysHowOldALateAnswerIs) {
  Line line;
  line.Start();
  (void)line.Write(1, 0, 0);
  for (int i = 0; i < 3; ++i) (void)line.Poll();
  const PortReading reading = line.Poll("[3,7,0,0,0,0,0,0]\n");  // 4 ms behind its request
  EXPECT_TRUE(reading.is_new);
  EXPECT_EQ(reading.age_us, 2500u);  // less the 1.5 ms that an answer may take
}

struct Wrong {
  const char* bytes;
  PortCause cause;
};

TEST(WoodenHapticsPort, NamesWhatComesInsteadOfAnswers) {
  for (const Wrong& wrong :
       {Wrong{"", PortCause::kSilent}, Wrong{"[3,0,0]\n", PortCause::kCorrupt}, Wrong{"hello\n", PortCause::kCorrupt},
        Wrong{"[3,9999999999,0,0,0,0,0,0]\n", PortCause::kOutOfRange}, Wrong{"[1,0,0,0,0,0,0,0]\n", PortCause::kOtherDevice},
        Wrong{"[3,0,0,0,0,0,0,1024]\n", PortCause::kRefused}, Wrong{"[3,0,0,0,0,0,0,16384]\n", PortCause::kRefused}}) {
    Line line;
    line.Start();
    PortReading reading;
    int old = 0;  // polls with a position that MotorDevice finds too old, before the port itself calls it missing
    for (int i = 0; i < 40; ++i) {
      (void)line.Write(1, 0, 0);
      reading = line.Poll(wrong.bytes);
      if (reading.cause != PortCause::kNone || reading.age_us <= line.port.traits().max_age_us) continue;
      ++old;
      EXPECT_EQ(reading.missing, wrong.cause) << wrong.bytes;
    }
    const bool is_answer = wrong.cause == PortCause::kOtherDevice || wrong.cause == PortCause::kRefused;
    EXPECT_GE(old, is_answer ? 0 : 5) << wrong.bytes;
    EXPECT_EQ(reading.state, DeviceState::kFaulted) << wrong.bytes;
    EXPECT_EQ(reading.cause, wrong.cause) << wrong.bytes << ": " << Name(reading.cause);
    (void)line.Write(1, 0, 0);
    for (int i = 0; i < 50; ++i) (void)line.Zero(), reading = line.Poll("[3,0,0,0,0,0,0,0]\n");
    EXPECT_EQ(reading.cause, PortCause::kNone) << "recovers: " << wrong.bytes;
  }
}

TEST(WoodenHapticsPort, DoesNotMindTheGimbal) {  // its sensors are not used: bits 1, 2 and 4
  Line line;
  line.Start();
  PortReading reading;
  for (int i = 0; i < 40; ++i) (void)line.Write(1, 0, 0), reading = line.Poll("[3,0,0,0,9,9,9,7]\n");
  EXPECT_EQ(reading.state, DeviceState::kEnabled);
}

TEST(WoodenHapticsPort, ReadsABoundedNumberOfBytesInAPeriod) {
  Line line;
  line.Start();
  const std::size_t flood = 1'000'000;
  line.link.incoming.resize(flood, 'x');
  (void)line.Poll();
  EXPECT_GE(line.link.incoming.size(), flood - 4 * 128);
}

TEST(WoodenHapticsPort, SurvivesAHangUpAtEachByteOfAnAnswer) {
  const std::string answer = "[3,10,20,30,0,0,0,0]\n";
  for (std::size_t cut = 0; cut < answer.size() - 2; ++cut) {
    Line line;
    line.Start();
    (void)line.Write(1, 0, 0);
    (void)line.Poll(answer.substr(0, cut));
    line.link.closed = true;
    PortReading reading = line.Poll();
    EXPECT_EQ(reading.cause, PortCause::kClosed);
    EXPECT_FALSE(reading.valid);
    line.link.closed = false;
    line.link.incoming.clear();
    reading = line.Poll();
    EXPECT_FALSE(reading.valid) << "positions of before the hang-up";
    (void)line.Zero();
    reading = line.Poll("[3,1,2,3,0,0,0,0]\n");
    EXPECT_EQ(reading.count[0], 1) << cut;
    EXPECT_TRUE(reading.valid) << cut;
  }
}

TEST(WoodenHapticsPort, CountsAnewBehindALineThatWasGone) {  // it had its power over it
  Line line;
  line.Start();
  EXPECT_EQ(line.Poll().restarts, 0u);
  for (int i = 0; i < 3; ++i) {
    line.link.closed = true;
    EXPECT_EQ(line.Poll().restarts, 1u);
    line.link.closed = false;
    (void)line.Poll();
  }
}

/// Through driver, line and emulator.
TEST(WoodenHapticsArm, HasForceBehindALineThatWasGoneOnlyWhenItIsHomed) {
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.wrong.unplugged = true;
  rig.Periods(20);
  EXPECT_EQ(rig.why, "the line is gone");
  EXPECT_FALSE(rig.Drive());
  EXPECT_STREQ(rig.device().why(), Name(PortCause::kReferenceLost));
  ASSERT_EQ(rig.device().Home(), Status::kOk);
  rig.Periods(700);
  EXPECT_EQ(rig.reading.state, DeviceState::kReady);
  EXPECT_TRUE(rig.Drive()) << rig.device().why();
}

TEST(WoodenHapticsArm, IsWhereTheEmulatedHandIs) {  // Source: the emulator's own state, its kinematics backwards
  DeviceRig rig(Real());
  rig.Periods(300);
  const auto& handle = static_cast<WoodenHapticsBoard&>(rig.board()).arm().handle().state();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(static_cast<double>(rig.reading.sample.p_WH_m[i]), handle.p_WH_m(i), 2e-4) << i;  // two counts, one period
}

TEST(WoodenHapticsArm, FeelsTheForceThatWasCommanded) {  // Source: F on the hand = F commanded, gravity taken off: statics
  for (const auto& force : {std::array<float, 3>{1, 0, 0}, {0, -1.5f, 0}, {0, 0, 2}, {0.6f, 0.8f, -1}}) {
    DeviceRig rig(Real());
    std::copy(force.begin(), force.end(), rig.force_N);
    ASSERT_TRUE(rig.Drive());
    rig.Periods(500);
    const Vec<double, 3>& felt_N = static_cast<WoodenHapticsBoard&>(rig.board()).arm().force_W_N();
    // Half a milliampere of 0.0259 N·m/A, 16 : 1, at 0.2 m: 1 mN; counts turn the directions by 3e-4.
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(felt_N(i), static_cast<double>(force[static_cast<std::size_t>(i)]), 5e-3) << i;
  }
}

TEST(WoodenHapticsArm, KeepsTheDirectionOfAForceBeyondItsCurrents) {
  DeviceRig rig(Real());
  rig.force_N[0] = 300, rig.force_N[1] = -400;
  ASSERT_TRUE(rig.Drive());
  const auto& board = static_cast<WoodenHapticsBoard&>(rig.board());
  const Vec<double, 3>& felt_N = board.arm().force_W_N();
  EXPECT_NEAR(felt_N(0) / felt_N(1), -0.75, 0.01);
  EXPECT_LE(rig.board().largest_A(), 3.0f);  // max_current_A of the calibration
}

TEST(WoodenHapticsArm, FoldsBackToItsContinuousCurrent) {  // I²t: the mean square stays below 1.5² (motor_heat.h)
  DeviceRig rig(Real());
  rig.force_N[1] = 300;
  ASSERT_TRUE(rig.Drive());
  rig.Periods(40'000);
  EXPECT_LE(rig.board().largest_A(), 1.55f);
  EXPECT_GE(rig.board().largest_A(), 1.3f);
}

TEST(WoodenHapticsArm, ToleratesMergedSplitAndNoisyAnswers) {
  for (const char* const fault : {"merge", "garbage", "repeat", "sensor-fault"}) {
    DeviceRig rig(Real());
    rig.force_N[2] = 1;
    ASSERT_TRUE(rig.Drive());
    rig.wrong = host::DeviceFaultsAt({host::ParseDeviceFault(fault)}, 0, 1);
    rig.Periods(400);
    EXPECT_EQ(rig.why, "") << fault;
    EXPECT_NE(rig.reading.state, DeviceState::kFaulted) << fault;
  }
}

TEST(WoodenHapticsArm, LosesNoForceToAHandThatRests) {  // in the friction of the arm its counts stand for seconds
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.Periods(5000);
  EXPECT_EQ(rig.why, "");
  EXPECT_FALSE(rig.off());
}

TEST(WoodenHapticsArm, CannotBeCommandedWhatIsNoNumber) {
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.force_N[1] = NAN;
  rig.Periods(3);
  EXPECT_EQ(rig.why, "a command was no number");
  EXPECT_TRUE(rig.off());
}

TEST(WoodenHapticsArm, LetsNoForceOutAgainBeforeTheDrivesWereOff) {
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.wrong.board.mute = true;
  rig.Periods(40);
  rig.wrong = {};
  for (int i = 0; i < 200; ++i) {
    rig.Period();
    EXPECT_TRUE(rig.off());
  }
  EXPECT_TRUE(rig.Drive());
}

TEST(WoodenHapticsArm, IsOffAfterItsWatchdogWhenTheHostIsGone) {  // 100 ms: the firmware's
  DeviceRig rig(Real());
  rig.force_N[0] = 1;
  ASSERT_TRUE(rig.Drive());
  hal::EmulatedBoard& board = rig.board();
  for (int i = 0; i < 98; ++i) board.Advance();
  EXPECT_GT(board.largest_A(), 0.0f);
  for (int i = 0; i < 3; ++i) board.Advance();
  EXPECT_EQ(board.largest_A(), 0.0f);
}

/// The emulator's answers to what no driver should send. Source: docs/devices.md, the error bits.
TEST(WoodenHapticsBoard, AnswersAsTheFirmwareDoes) {
  struct Case {
    const char* text;
    const char* error;
  };
  for (const Case& c : {Case{"[0,0,0]\n", ",0]"},
                        {"[1,2,3]\nx", ",8]"},
                        {"1,2,3]\n", ",256]"},
                        {"[1,2]\n", ",512]"},
                        {"[1,2,x]\n", ",1024]"},
                        {"[1,2,3,4]\n", ",512]"}}) {
    WoodenHapticsBoard board(WoodenHapticsBoard::Arm({}, 1));
    hal::EmulatedBoard& emulated = board;
    emulated.Receive({reinterpret_cast<const std::uint8_t*>(c.text), std::strlen(c.text)});
    const auto said = emulated.Say();
    const std::string text(said.begin(), said.end());
    EXPECT_EQ(text.substr(text.rfind(',')), std::string(c.error) + "\n") << c.text;
  }
}

TEST(WoodenHapticsBoard, TakesWhatIsTooLargeForZeroAndSaysWhenItsBufferIsFull) {
  WoodenHapticsBoard board(WoodenHapticsBoard::Arm({}, 1));
  hal::EmulatedBoard& emulated = board;
  const std::string large = "[6001,0,0]\n", flood(200, '7');
  emulated.Receive({reinterpret_cast<const std::uint8_t*>(large.data()), large.size()});
  EXPECT_EQ(emulated.largest_A(), 0.0f);
  (void)emulated.Say();
  emulated.Receive({reinterpret_cast<const std::uint8_t*>(flood.data()), flood.size()});
  const auto said = emulated.Say();
  EXPECT_EQ(std::string(said.end() - 6, said.end()), ",128]\n");
}

}  // namespace
}  // namespace tactus::hal
