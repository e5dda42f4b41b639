// moteus drives over CAN-FD: driver against scripted frames, driver against the emulator.
// Source of all bytes: docs/devices.md, section 5 (mjbots' CAN protocol, register reference, README of the fdcanusb).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <random>
#include <string>

#include "bench/safety/device_rig.h"
#include "hal/sim/moteus_board.h"
#include "moteus_frames.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using bench::safety::MemoryLink;

const host::RealDevice& Real() { return *host::FindRealDevice("moteus"); }

/// What a torque frame says in a register of floats, found by its place in the frame.
float FloatAt(const CanFdFrame& frame, std::size_t at) {
  float value = 0;
  std::memcpy(&value, frame.data.data() + at, 4);
  return value;
}

struct Bus {
  MemoryLink link;
  MoteusPort port{link};
  std::uint32_t now_us = 0;
  PortReading reading;
  std::vector<CanFdFrame> sent;  ///< in the last call
  Status status = Status::kOk;
  int mode = 0;  ///< in which the drives are

  MotorPort& motors() { return port; }
  PortReading Poll(const std::string& text = "") {
    link.incoming.insert(link.incoming.end(), text.begin(), text.end());
    return reading = motors().Poll(now_us += 1000);
  }
  std::string Sent() {
    std::string text;
    for (const Bytes& bytes : std::exchange(link.sent, {})) text.append(bytes.begin(), bytes.end());
    sent.clear();
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) {
      CanFdFrame frame;
      if (ReadText(text.substr(at, end - at), &frame, Way::kSend) == Status::kOk) sent.push_back(frame);
    }
    return text;
  }
  std::string Zero() { return (void)motors().Zero(), Sent(); }
  std::string Write(float a, float b) {
    const float torque_Nm[kMaxMotors] = {a, b};
    status = motors().Write(torque_Nm);
    return Sent();
  }
  /// What a drive answers to what was sent last.
  std::string AnswerOf(int drive, float turns, int fault = 0, int home = 1, std::uint8_t half_volts = 48) const {
    for (const CanFdFrame& frame : sent) {
      if (static_cast<int>(frame.id & 0x7F) != drive) continue;
      const std::uint32_t id = static_cast<std::uint32_t>(drive) << 8 | (frame.id >> 8 & 0x7F);
      Bytes data = AnswerData(mode, turns, fault, home);
      data[13] = half_volts;
      return TextOf(FrameOf(id, data), Way::kReceived);
    }
    return "";
  }
  std::string Answers(float a = 0.1f, float b = -0.1f) const { return "OK\nOK\n" + AnswerOf(1, a) + AnswerOf(2, b); }
  bool Commands() const {  // position mode, to both
    return sent.size() == 2 && sent[0].data[2] == 0x0A && sent[1].data[2] == 0x0A;
  }
  bool Stops() const { return sent.size() == 2 && sent[0].data[2] == 0 && sent[1].data[2] == 0; }
  void Start() {
    (void)Poll();
    (void)Zero();
    (void)Poll(Answers());
    (void)Zero();
  }
  void Run() {
    Start();
    motors().Enable();
    (void)Poll(Answers());
    (void)Write(0, 0);
    mode = 10;
    (void)Poll(Answers());
    (void)Write(0, 0);
  }
};

TEST(MoteusPort, TakesAFaultForOneInAnyMode) {  // 32 and 35: the position's; 96 to 103 only limit
  struct Row {
    int fault;
    PortCause cause;
  };
  for (const Row& row : {Row{32, PortCause::kSensorFault}, Row{33, PortCause::kDriveFault}, Row{95, PortCause::kDriveFault},
                         Row{96, PortCause::kNone}, Row{103, PortCause::kNone}, Row{104, PortCause::kDriveFault}}) {
    Bus bus;
    bus.Run();
    (void)bus.Poll("OK\nOK\n" + bus.AnswerOf(1, 0.1f) + bus.AnswerOf(2, -0.1f, row.fault));
    EXPECT_EQ(bus.reading.cause, row.cause) << row.fault;
    (void)bus.Write(0.1f, 0.1f);
    EXPECT_EQ(bus.Stops(), row.cause != PortCause::kNone) << row.fault;
    Bus off;
    off.Start();
    (void)off.Poll("OK\nOK\n" + off.AnswerOf(1, 0.1f, row.fault) + off.AnswerOf(2, -0.1f));
    EXPECT_EQ(off.reading.cause, row.cause) << row.fault;
  }
}

TEST(MoteusPort, OpensTheBusAndStopsTheDrivesFirst) {  // whoever was there before
  Bus bus;
  (void)bus.Poll();
  EXPECT_EQ(bus.reading.state, DeviceState::kUninitialised);
  EXPECT_EQ(bus.Zero(), "can on\ncan send 9001 01000011001D0110040C5050\ncan send 9002 01000011001D0110040C5050\n");
  EXPECT_EQ(bus.Poll(bus.Answers()).state, DeviceState::kReady);
  EXPECT_TRUE(bus.reading.is_new);
  EXPECT_EQ(bus.reading.count[0], 819);  // 0.1 of 8192
  EXPECT_EQ(bus.reading.count[1], -819);
  EXPECT_EQ(bus.reading.age_us, 1000u);
}

TEST(MoteusPort, CommandsTorqueOnlyWhileEnabled) {
  Bus bus;
  bus.Start();
  (void)bus.Write(0.1f, 0);
  EXPECT_TRUE(bus.Stops());
  EXPECT_EQ(bus.status, Status::kNotReady);
  bus.motors().Enable();
  (void)bus.Poll(bus.Answers());
  (void)bus.Write(0.1f, -0.1f);
  EXPECT_TRUE(bus.Commands());
  EXPECT_EQ(FloatAt(bus.sent[0], 13), 0.1f);
  EXPECT_EQ(FloatAt(bus.sent[1], 13), -0.1f);
  bus.motors().Disable();
  (void)bus.Sent();
  EXPECT_TRUE(bus.Stops()) << "at once";
}

TEST(MoteusPort, SendsNoMoreThanItsCeilingAndNothingThatIsNoNumber) {  // no number would mean all that a drive can
  Bus bus;
  bus.Run();
  for (const float a : {1e9f, -1e9f, INFINITY, NAN, 0.0f}) {
    (void)bus.Poll(bus.Answers());
    (void)bus.Write(a, 0);
    ASSERT_TRUE(bus.Commands());
    EXPECT_EQ(FloatAt(bus.sent[0], 13), std::isfinite(a) ? std::copysign(std::min(std::abs(a), 0.25f), a) : 0) << a;
    EXPECT_EQ(FloatAt(bus.sent[0], 23), 0.25f) << "its bound";
    EXPECT_EQ(FloatAt(bus.sent[0], 29), 0.02f) << "its watchdog";
    EXPECT_TRUE(std::isnan(FloatAt(bus.sent[0], 5))) << "no position to go to";
    EXPECT_EQ(bus.sent[0].data[19] | bus.sent[0].data[20] | bus.sent[0].data[35], 0) << "no gain";
  }
}

TEST(MoteusPort, NamesWhatTheAnswersTell) {
  const auto cause = [](int mode, int fault, int home = 1) {
    Bus bus;
    bus.Run();
    bus.mode = mode;
    return bus.Poll(bus.AnswerOf(1, 0, fault, home) + bus.AnswerOf(2, 0)).cause;
  };
  EXPECT_EQ(cause(10, 0), PortCause::kNone);
  EXPECT_EQ(cause(10, 102), PortCause::kNone) << "what limits it is no fault";
  EXPECT_EQ(cause(0, 0), PortCause::kRestarted);
  EXPECT_EQ(cause(11, 0), PortCause::kDriveFault) << "its watchdog";
  EXPECT_EQ(cause(12, 0), PortCause::kDriveFault) << "another's command";
  for (const int fault : {33, 34, 36, 38, 39, 40, 50, 99}) EXPECT_EQ(cause(1, fault), PortCause::kDriveFault) << fault;
  for (const int fault : {32, 35, 42, 43}) EXPECT_EQ(cause(1, fault), PortCause::kSensorFault) << fault;
  EXPECT_EQ(cause(10, 0, 0), PortCause::kNotHomed);
}

TEST(MoteusPort, StopsBothWhereASupplyIsThatOfNoDrive) {
  Bus bus;
  bus.Run();
  EXPECT_EQ(bus.Poll(bus.AnswerOf(1, 0.1f) + bus.AnswerOf(2, -0.1f, 0, 1, 0xFE)).cause, PortCause::kOutOfRange);  // -1 V
  (void)bus.Write(0.1f, 0.1f);
  EXPECT_TRUE(bus.Stops());
}

TEST(MoteusPort, APositionWithoutAReferenceIsNotReady) {
  Bus bus;
  (void)bus.Poll();
  (void)bus.Zero();
  EXPECT_EQ(bus.Poll(bus.AnswerOf(1, 0.1f, 0, 0) + bus.AnswerOf(2, 0.1f)).state, DeviceState::kUninitialised);
  EXPECT_EQ(bus.reading.cause, PortCause::kNotHomed);
}

TEST(MoteusPort, ADriveThatDoesNotStartRefuses) {
  Bus bus;
  bus.Start();
  bus.motors().Enable();
  int periods = 0;
  for (; periods < 1000 && bus.reading.cause != PortCause::kRefused; ++periods) {
    (void)bus.Poll(bus.Answers());
    (void)bus.Write(0, 0);
  }
  EXPECT_NEAR(periods, 151, 2);
}

TEST(MoteusPort, WhatHasFailedIsStoppedUntilItIsSwitchedOff) {  // a torque command would start it again
  Bus bus;
  bus.Run();
  bus.mode = 0;  // it has started anew
  EXPECT_EQ(bus.Poll(bus.Answers()).cause, PortCause::kRestarted);
  for (const int mode : {0, 10, 0}) {
    bus.mode = mode;
    (void)bus.Write(0.1f, 0.1f);
    EXPECT_TRUE(bus.Stops());
    EXPECT_EQ(bus.Poll(bus.Answers()).cause, PortCause::kRestarted);
  }
  bus.motors().Disable();
  (void)bus.Sent();
  EXPECT_EQ(bus.Poll(bus.Answers()).state, DeviceState::kReady);
  bus.motors().Enable();
  (void)bus.Write(0, 0);
  EXPECT_TRUE(bus.Commands());
}

TEST(MoteusPort, SilenceOfOneDriveIsSilenceAndStopsBoth) {
  Bus bus;
  bus.Run();
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(bus.Poll(bus.AnswerOf(2, -0.1f)).cause, PortCause::kNone) << i;
    (void)bus.Write(0, 0);
  }
  EXPECT_EQ(bus.Poll(bus.AnswerOf(2, -0.1f)).cause, PortCause::kSilent);
  (void)bus.Write(0.1f, 0.1f);
  EXPECT_TRUE(bus.Stops());
}

TEST(MoteusPort, ARepeatedOrOlderAnswerIsNone) {
  Bus bus;
  bus.Run();
  const std::string older = bus.Answers(0.3f, 0.3f);
  (void)bus.Poll();
  (void)bus.Write(0, 0);
  const std::string newer = bus.Answers(0.2f, 0.2f);
  EXPECT_TRUE(bus.Poll(newer).is_new);
  EXPECT_FALSE(bus.Poll(newer).is_new) << "repeated";
  EXPECT_FALSE(bus.Poll(older).is_new) << "overtaken";
  EXPECT_EQ(bus.reading.count[0], 1638);
  EXPECT_EQ(bus.port.counters().unasked, 4u);
}

TEST(MoteusPort, AnAnswerIsAsOldAsItsRequest) {  // a line that was late from its first word
  for (const int late : {1, 5, 9, 10, 30, 90}) {
    Bus bus;
    std::deque<std::string> under_way;
    bool ready = false;
    for (int i = 0; i < 200; ++i) {
      (void)bus.Poll(static_cast<int>(under_way.size()) >= late ? under_way.front() : "");
      if (static_cast<int>(under_way.size()) >= late) under_way.pop_front();
      ready = ready || bus.reading.valid;
      if (bus.reading.valid) {
        EXPECT_EQ(bus.reading.age_us, 1000u * static_cast<unsigned>(late));
      }
      (void)bus.Zero();
      under_way.push_back(bus.Answers());
    }
    EXPECT_EQ(ready, late <= 10) << late;
  }
}

TEST(MoteusPort, TakesAnswersCutAtEveryByte) {
  Bus whole;
  whole.Start();
  const std::size_t size = whole.Answers(0.2f, 0.3f).size();
  for (std::size_t cut = 0; cut <= size; ++cut) {
    Bus bus;
    bus.Start();
    const std::string text = bus.Answers(0.2f, 0.3f);
    (void)bus.Poll(text.substr(0, cut));
    const bool early = bus.reading.is_new;
    (void)bus.Poll(text.substr(cut));
    EXPECT_EQ(bus.reading.is_new, !early) << cut;
    EXPECT_EQ(bus.reading.count[1], 2458) << cut;
  }
}

TEST(MoteusPort, ALineThatIsGoneAtAnyByteTakesAllThatWasSaidWithIt) {
  Bus whole;
  whole.Run();
  const std::size_t size = whole.Answers().size();
  for (std::size_t cut = 0; cut <= size; ++cut) {
    Bus bus;
    bus.Run();
    (void)bus.Poll(bus.Answers().substr(0, cut));
    bus.link.closed = true;
    EXPECT_EQ(bus.Poll().cause, PortCause::kClosed) << cut;
    EXPECT_EQ(bus.Write(0.1f, 0), "") << cut;
    bus.link.closed = false;
    EXPECT_EQ(bus.Poll().cause, PortCause::kClosed) << "until it is switched off";
    bus.motors().Disable();
    EXPECT_EQ(bus.Sent().substr(0, 7), "can on\n") << "the adapter may have started anew";
    EXPECT_EQ(bus.Poll().state, DeviceState::kUninitialised);
  }
}

TEST(MoteusPort, ReadsABoundedNumberOfBytesOfAFlood) {
  Bus bus;
  bus.Run();
  std::string flood;
  for (int i = 0; i < 5000; ++i) flood += "rcv 7ff AAAAAAAAAAAAAAAA\n";
  (void)bus.Poll(flood);
  EXPECT_GT(bus.link.incoming.size(), flood.size() - 17 * 64);
  Bus endless;
  endless.Run();
  (void)endless.Poll(std::string(900, 'a') + "\n" + endless.Answers());
  EXPECT_TRUE(endless.reading.is_new) << "a line without an end costs no other";
}

TEST(MoteusArms, FeelTheForceThatWasCommanded) {  // Source: statics, F on the hand = F commanded, in the plane
  DeviceRig rig(Real());
  rig.force_N[0] = 0.5f, rig.force_N[1] = 7, rig.force_N[2] = -1;  // across the plane nothing is made
  ASSERT_TRUE(rig.Drive()) << rig.device().why();
  rig.Periods(500);
  const Vec<double, 3>& felt_N = static_cast<MoteusBoard&>(rig.board()).arms().force_W_N();
  EXPECT_NEAR(felt_N(0), 0.5, 5e-3);
  EXPECT_NEAR(felt_N(1), 0, 1e-9);
  EXPECT_NEAR(felt_N(2), -1, 5e-3);
}

TEST(MoteusArms, TolerateALineThatMergesAddsRepeatsAndShiftsBytes) {  // shift takes a byte of the adapter's OK
  for (const char* const fault : {"split", "merge", "garbage", "repeat", "shift"}) {
    DeviceRig rig(Real());
    rig.force_N[2] = 1;
    ASSERT_TRUE(rig.Drive());
    rig.wrong = host::DeviceFaultsAt({host::ParseDeviceFault(fault)}, 0, 1);
    rig.Periods(400);
    EXPECT_EQ(rig.why, "") << fault;
    EXPECT_FALSE(rig.off()) << fault;
  }
}

/// A torque of 0.1 N·m in each drive; `then` is said in each of so many periods. @returns the torque behind them.
float TorqueAfter(int periods, const std::string& then, const std::string& torque) {
  MoteusBoard board(MoteusBoard::Arms({}, 1));
  EmulatedBoard& drives = board;
  drives.Receive(Of("can on\n" + torque));
  for (int i = 0; i < periods; ++i) {
    drives.Receive(Of(then));
    drives.Advance();
    (void)drives.Say();
  }
  return drives.largest_A();
}

TEST(MoteusBoard, ItsWatchdogIsFedByCommandsAlone) {  // Source: the drive's firmware: a frame that writes the mode
  const std::string torque = TextOf(moteus::WriteTorque(1, 0, 0.1f, 0.25f));
  EXPECT_EQ(TorqueAfter(20, "", torque), 0.1f);
  EXPECT_EQ(TorqueAfter(21, "", torque), 0);
  EXPECT_EQ(TorqueAfter(100, "can send 9001 11001D01\n", torque), 0) << "questions";
  EXPECT_EQ(TorqueAfter(100, torque, torque), 0.1f);
}

TEST(MoteusBoard, WhatIsNoNumberIsAllThatItCan) {  // what the driver never sends: register reference, 0x25 and 0x27
  EXPECT_EQ(TorqueAfter(1, "", TextOf(moteus::WriteTorque(1, 0, 9, NAN))), 0.5f) << "no bound";
  const std::string endless = "can send 9001 01000A0D22CDCCCC3D0E2300000000000000000D270000C07F012B0050505050\n";
  EXPECT_EQ(TorqueAfter(1000, "", endless), 0.1f) << "no time-out";
}

TEST(MoteusBoard, TorqueEndsTwentyMillisecondsAfterTheLastWord) {
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  for (int i = 1; i < 20; ++i) rig.board().Advance();  // one has passed since
  EXPECT_FALSE(rig.off());
  rig.board().Advance();
  EXPECT_TRUE(rig.off());
}

TEST(MoteusBoard, LastWordsTakeAllAway) {
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.board().Receive(Real().last_words.then);
  EXPECT_TRUE(rig.off());
}

}  // namespace
}  // namespace tactus::hal
