// ODrives over CAN: text of the adapter, frames, driver against scripted frames, driver against the emulator. Source of all
// bytes: docs/devices.md, section 4 (ODrive's CAN-Simple; the CAN232's commands).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <random>
#include <string>

#include "bench/safety/device_rig.h"
#include "hal/devices/odrive_port.h"
#include "hal/sim/odrive_board.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using bench::safety::MemoryLink;
using Bytes = std::vector<std::uint8_t>;

const host::RealDevice& Real() { return *host::FindRealDevice("odrive"); }

Bytes Of(const std::string& text) { return {text.begin(), text.end()}; }
std::string TextOf(const CanFrame& frame) {
  std::array<std::uint8_t, can_text::kMostSize> room{};
  const std::size_t size = can_text::Write(frame, room);
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size)};
}
Status ReadText(const std::string& text, CanFrame* frame) {
  const Bytes bytes = Of(text);
  return can_text::Read(bytes, frame);
}

TEST(CanText, WritesFramesAndRequests) {
  EXPECT_EQ(TextOf({.id = 0x02E, .size = 4, .data = {0xCD, 0xCC, 0xCC, 0x3D}}), "t02E4CDCCCC3D\r");
  EXPECT_EQ(TextOf({.id = 0x7FF, .size = 0}), "t7FF0\r");
  EXPECT_EQ(TextOf({.id = 0x009, .is_request = true, .size = 8}), "r0098\r");
}

TEST(CanText, ReadsWhatItWrites) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    CanFrame frame{.id = static_cast<std::uint16_t>(random() % 0x800), .size = static_cast<std::uint8_t>(random() % 9)};
    for (std::size_t k = 0; k < frame.size; ++k) frame.data[k] = static_cast<std::uint8_t>(random());
    std::string text = TextOf(frame);
    text.pop_back();
    CanFrame read;
    ASSERT_EQ(ReadText(text, &read), Status::kOk);
    ASSERT_EQ(read.id, frame.id);
    ASSERT_EQ(read.size, frame.size);
    ASSERT_EQ(read.data, frame.data);
  }
}

TEST(CanText, RefusesWhatIsNoFrame) {
  const std::string good = "t02E4CDCCCC3D";
  CanFrame frame;
  for (std::size_t size = 1; size < good.size(); ++size)
    EXPECT_EQ(ReadText(good.substr(0, size), &frame), Status::kCorrupt) << size;
  for (const char* bad : {"t02E4CDCCCC3D0", "t82E0", "t02E9", "t02EX", "t0 E0", "t02E1G0", "x", "T00000000", "\x07"})
    EXPECT_EQ(ReadText(bad, &frame), Status::kCorrupt) << bad;
  for (const char* answer : {"", "z", "Z"}) EXPECT_EQ(ReadText(answer, &frame), Status::kNotReady);
  EXPECT_EQ(ReadText("t02E4CDt7FF0", &frame), Status::kOk);  // the line before has lost its end
  EXPECT_EQ(frame.id, 0x7FF);
}

TEST(CanText, TakesAnyBytes) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    Bytes bytes(random() % 40);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() % 3 == 0 ? 't' : random());
    CanFrame frame;
    if (can_text::Read(bytes, &frame) != Status::kOk) continue;
    ASSERT_LE(frame.size, 8);
    ASSERT_LE(frame.id, 0x7FF);
  }
}

// Source: node << 5 | command; 0.1 = 0x3DCCCCCD, least byte first.
TEST(ODriveCodec, WritesItsFrames) {
  EXPECT_EQ(TextOf(odrive::WriteTorque(1, 0.1f)), "t02E4CDCCCC3D\r");
  EXPECT_EQ(TextOf(odrive::WriteTorque(0, 0)), "t00E400000000\r");
  EXPECT_EQ(TextOf(odrive::WriteState(0, odrive::AxisState::kClosedLoop)), "t007408000000\r");
  EXPECT_EQ(TextOf(odrive::WriteState(1, odrive::AxisState::kIdle)), "t027401000000\r");
  EXPECT_EQ(TextOf(odrive::WriteTorqueMode(0)), "t00B80100000001000000\r");
  EXPECT_EQ(TextOf(odrive::WriteClearErrors(1)), "t0380\r");
  EXPECT_EQ(TextOf(odrive::WriteQuestion(0, odrive::Command::kCurrents)), "r0148\r");
  EXPECT_EQ(TextOf(odrive::WriteQuestion(1, odrive::Command::kBus)), "r0378\r");
}

/// An estimate: position and no velocity.
std::string Estimates(int node, float turns, std::uint8_t size = 8) {
  CanFrame frame{.id = odrive::IdOf(node, odrive::Command::kEstimates), .size = size};
  std::memcpy(frame.data.data(), &turns, 4);  // this machine is little endian, as the drive
  return TextOf(frame);
}
std::string Heartbeat(int node, std::uint32_t error, std::uint8_t state) {
  CanFrame frame{.id = odrive::IdOf(node, odrive::Command::kHeartbeat), .size = 8};
  std::memcpy(frame.data.data(), &error, 4);
  frame.data[4] = state;
  return TextOf(frame);
}

TEST(ODriveCodec, RefusesPositionsThatAreNone) {
  float turns = 7;
  for (const float bad : {NAN, INFINITY, -INFINITY, 1001.0f, -1e30f}) {
    CanFrame frame;
    std::string text = Estimates(0, bad);
    text.pop_back();
    ASSERT_EQ(ReadText(text, &frame), Status::kOk);
    EXPECT_EQ(odrive::ReadEstimates(frame, &turns), Status::kOutOfRange) << bad;
  }
  EXPECT_EQ(turns, 7);
  EXPECT_EQ(odrive::ReadEstimates({.id = 9, .size = 4}, &turns), Status::kCorrupt);
  odrive::Heartbeat heartbeat;
  EXPECT_EQ(odrive::ReadHeartbeat({.id = 1, .size = 7}, &heartbeat), Status::kCorrupt);
}

struct Bus {
  MemoryLink link;
  ODrivePort port{link};
  std::uint32_t now_us = 0;
  PortReading reading;
  std::string asked;    ///< questions that have not been answered
  bool answers = true;  ///< they are, at once
  std::vector<std::string> writes;

  MotorPort& motors() { return port; }
  PortReading Poll(const std::string& text = "") {
    const std::string all = text + (answers ? Answers(std::exchange(asked, "")) : "");
    link.incoming.insert(link.incoming.end(), all.begin(), all.end());
    return reading = motors().Poll(now_us += 1000);
  }
  /// What was sent, without the questions.
  std::string Sent() {
    std::string sent;
    for (const Bytes& bytes : std::exchange(link.sent, {})) {
      writes.emplace_back(bytes.begin(), bytes.end());
      const std::size_t at = std::min(writes.back().find('r'), writes.back().size());
      sent += writes.back().substr(0, at);
      asked += writes.back().substr(at);
    }
    return sent;
  }
  /// What drives answer to questions.
  static std::string Answers(const std::string& questions) {
    std::string text;
    for (std::size_t at = 0; at < questions.size(); at += 6)
      text += "t" + questions.substr(at + 1, 4) + "0000000000000000\r";
    return text;
  }
  std::string Zero() { return (void)motors().Zero(), Sent(); }
  std::string Write(float a, float b) {
    const float torque_Nm[kMaxMotors] = {a, b};
    status = motors().Write(torque_Nm);
    return Sent();
  }
  std::string Positions(float a = 0.1f, float b = -0.1f) const { return Estimates(0, a) + Estimates(1, b); }
  std::string Hearts(std::uint8_t state, std::uint32_t error = 0) const {
    return Heartbeat(0, 0, state) + Heartbeat(1, error, state);
  }
  void Start() {
    (void)Poll();
    (void)Zero();
    (void)Poll(Positions() + Hearts(1));
    (void)Zero();
    (void)Poll(Positions());
    (void)Zero();
  }
  void Run() {
    Start();
    motors().Enable();
    (void)Write(0, 0);
    (void)Poll(Positions() + Hearts(8));
  }
  Status status = Status::kOk;
};

TEST(ODrivePort, OpensTheChannelAndTakesTorqueAndDrivesAwayFirst) {  // of whoever was there before
  Bus bus;
  (void)bus.Poll();
  EXPECT_EQ(bus.reading.state, DeviceState::kUninitialised);
  EXPECT_EQ(bus.Zero(), "C\rS8\rO\rt00E400000000\rt02E400000000\rt007401000000\rt027401000000\r");
  EXPECT_EQ(bus.Poll(bus.Positions()).state, DeviceState::kUninitialised) << "no heartbeat has come";
  EXPECT_EQ(bus.Poll(bus.Positions() + bus.Hearts(1)).state, DeviceState::kUninitialised) << "one has not been asked yet";
  (void)bus.Zero();
  EXPECT_EQ(bus.Poll(bus.Positions()).state, DeviceState::kReady);
  EXPECT_TRUE(bus.reading.is_new);
  EXPECT_EQ(bus.reading.count[0], 819);  // 0.1 of 8192
  EXPECT_EQ(bus.reading.count[1], -819);
}

TEST(ODrivePort, ANewReadingHasBothDrives) {
  Bus bus;
  bus.Start();
  EXPECT_FALSE(bus.Poll(Estimates(0, 0.1f)).is_new);
  EXPECT_TRUE(bus.Poll(Estimates(1, 0.1f)).is_new);
  EXPECT_EQ(bus.reading.age_us, 1000u) << "of the older one";
}

TEST(ODrivePort, EnablesWithTorqueModeAndClosedLoopBehindZeros) {
  Bus bus;
  bus.Start();
  EXPECT_EQ(bus.Write(0.1f, 0), "t00E400000000\rt02E400000000\r") << "not enabled";
  EXPECT_EQ(bus.status, Status::kNotReady);
  bus.motors().Enable();
  EXPECT_EQ(bus.Write(0, 0),
            "t00E400000000\rt02E400000000\rt00B80100000001000000\rt007408000000\rt02B80100000001000000\rt027408000000\r");
  (void)bus.Poll(bus.Positions() + bus.Hearts(8));
  EXPECT_EQ(bus.reading.state, DeviceState::kEnabled);
  EXPECT_EQ(bus.Write(0.1f, -0.1f), "t00E4CDCCCC3D\rt02E4CDCCCCBD\r");
  bus.motors().Disable();
  EXPECT_EQ(bus.Sent(), "t00E400000000\rt02E400000000\rt007401000000\rt027401000000\r") << "at once";
  EXPECT_EQ(bus.Zero(), "t00E400000000\rt02E400000000\r");
}

TEST(ODrivePort, SendsNoMoreThanItsCeilingAndNothingThatIsNoNumber) {
  Bus bus;
  bus.Run();
  EXPECT_EQ(bus.Write(1e9f, -1e9f), TextOf(odrive::WriteTorque(0, 0.25f)) + TextOf(odrive::WriteTorque(1, -0.25f)));
  EXPECT_EQ(bus.Write(NAN, 0.1f), "t00E400000000\rt02E400000000\r");
  EXPECT_EQ(bus.status, Status::kNotFinite);
}

TEST(ODrivePort, AsksOnlyBesideTorquesInTurn) {  // a question feeds the drives' watchdogs
  Bus bus;
  bus.Run();
  bus.asked.clear();
  bus.writes.clear();
  std::string questions;
  for (int i = 0; i < 400; ++i) {
    (void)bus.Write(0.01f, 0);
    questions += bus.asked;
    (void)bus.Poll(bus.Positions());
    if (i % 10 == 0) bus.motors().Disable(), bus.motors().Enable();  // two writes in one period
  }
  for (const std::string& write : bus.writes) {
    if (write.find('r') == write.npos) continue;
    EXPECT_LT(write.find("t00E4"), write.find("t02E4"));
    EXPECT_LT(write.find("t02E4"), write.find('r'));
    EXPECT_EQ(write.size(), write.find('r') + 6) << "one, at the end";
  }
  ASSERT_GE(questions.size(), 24u * 99);  // each drive each 2 ms
  for (const char* one : {"r0148\r", "r0178\r", "r0348\r", "r0378\r"}) EXPECT_LT(questions.find(one), 24u) << one;
  for (std::size_t at = 24; at < questions.size(); ++at) ASSERT_EQ(questions[at], questions[at - 24]) << at;
}

TEST(ODrivePort, TakesNoAnswerForThatToANewerQuestion) {
  Bus bus;
  bus.Run();
  bus.answers = false;
  (void)bus.Write(0, 0);
  for (int i = 0; i < 6; ++i) (void)bus.Poll(bus.Positions()), (void)bus.Write(0, 0);
  EXPECT_EQ(bus.asked.size(), 24u) << "of each drive one of each kind, and no more";
  const std::string first = bus.asked.substr(0, 12);
  const std::uint32_t answers = bus.port.counters().answers;
  (void)bus.Poll(Bus::Answers(first));
  EXPECT_EQ(bus.port.counters().answers, answers + 2);
  const std::uint32_t unasked = bus.port.counters().unasked;
  (void)bus.Poll(bus.Positions() + Bus::Answers(first));
  EXPECT_EQ(bus.port.counters().unasked, unasked + 2) << "repeated";
}

// Of a drive that answers nothing: not ready; and where it does no longer: 10 ms.
TEST(ODrivePort, PositionsAloneAreNotEnough) {
  Bus bus;
  bus.answers = false;
  bus.Start();
  EXPECT_EQ(bus.reading.state, DeviceState::kUninitialised);
  Bus ended;
  ended.Run();
  ended.answers = false;
  int periods = 0;
  for (; periods < 20 && ended.reading.cause == PortCause::kNone; ++periods) {
    (void)ended.Write(0, 0);
    (void)ended.Poll(ended.Positions());
  }
  EXPECT_EQ(ended.reading.cause, PortCause::kSilent);
  EXPECT_LE(periods, 10);
}

TEST(ODrivePort, AnAnswerThatIsLostIsNoSilence) {
  Bus bus;
  bus.Run();
  for (int i = 0; i < 500; ++i) {
    (void)bus.Write(0, 0);
    if (i % 5 == 0) bus.asked.clear();
    ASSERT_EQ(bus.Poll(bus.Positions() + (i % 100 == 0 ? bus.Hearts(8) : "")).cause, PortCause::kNone) << i;
    ASSERT_LE(bus.reading.age_us, 1000u) << i;
  }
}

/// A line that keeps its order, whose delay goes as it likes [periods].
class OrderedLine {
 public:
  void Put(const std::string& text, int now, int delay) {
    last_ = std::max(last_, now + delay);
    waiting_.push_back({last_, text});
  }
  std::string Take(int now) {
    std::string text;
    for (; !waiting_.empty() && waiting_.front().first <= now; waiting_.pop_front()) text += waiting_.front().second;
    return text;
  }

 private:
  std::deque<std::pair<int, std::string>> waiting_;
  int last_ = 0;
};

/// Drives whose counts are the period in which they were told, at the end of two lines.
struct LateBus {
  Bus bus;
  OrderedLine to_drives, to_host;
  int now = 0;
  LateBus() { bus.answers = false; }
  /// @returns how old the positions are [periods]
  int Period(int there, int back) {
    (void)bus.Zero();
    to_drives.Put(std::exchange(bus.asked, ""), now, there);
    const float turns = static_cast<float>(now) / 8192;
    to_host.Put(Bus::Answers(to_drives.Take(now)), now, back);
    to_host.Put(bus.Positions(turns, turns) + (now % 100 == 0 ? bus.Hearts(1) : ""), now, back);
    ++now;
    (void)bus.Poll(to_host.Take(now - 1));
    return now - bus.reading.count[0];
  }
};

// Source: what comes behind an answer was said behind its question, which is 10 ms old at most.
TEST(ODrivePort, NoPositionIsUsedThatIsOlderThanTenMilliseconds) {
  std::mt19937 random(5);
  for (int run = 0; run < 60; ++run) {
    LateBus late;
    int there = 0, back = 0, used = 0;
    const auto pace = 1 + random() % 20;  // how fast the line becomes late, and early again
    for (int i = 0; i < 3000; ++i) {
      if (random() % pace == 0) there = std::max(0, there + static_cast<int>(random() % 3) - 1);
      if (random() % pace == 0) back = std::max(0, back + static_cast<int>(random() % 3) - 1);
      const int age = late.Period(run % 3 == 0 ? 0 : there, run % 3 == 1 ? 0 : back);
      if (!late.bus.reading.valid) continue;
      ++used;
      ASSERT_LE(age, 10) << run << ' ' << i;
    }
    EXPECT_GT(used, 20) << run;
  }
}

TEST(ODrivePort, ALineThatIsLateFromItsFirstWordIsSaidToBe) {  // a period each way is usual, and 0.5 ms more
  for (const int late : {0, 1, 2, 5, 30, 90, 150}) {
    LateBus bus;
    bool used = false;
    for (int i = 0; i < 600; ++i) {
      const int age = bus.Period(0, late);
      if (!bus.bus.reading.valid) continue;
      used = true;
      ASSERT_GE(bus.bus.reading.age_us + 1500, 1000u * static_cast<unsigned>(age)) << late << ' ' << i;
    }
    EXPECT_EQ(used, late <= 5) << late;
  }
}

TEST(ODrivePort, NamesWhatTheHeartbeatsTell) {
  const auto cause = [](std::uint8_t state, std::uint32_t error) {
    Bus bus;
    bus.Run();
    return bus.Poll(bus.Positions() + bus.Hearts(state, error)).cause;
  };
  EXPECT_EQ(cause(8, 0), PortCause::kNone);
  EXPECT_EQ(cause(1, 0), PortCause::kRestarted);
  EXPECT_EQ(cause(1, 0x40), PortCause::kDriveFault);
  EXPECT_EQ(cause(1, 0x800), PortCause::kDriveFault);
  EXPECT_EQ(cause(1, 0x100), PortCause::kSensorFault);
}

TEST(ODrivePort, ADriveThatDoesNotGoIntoClosedLoopRefuses) {
  Bus bus;
  bus.Start();
  bus.motors().Enable();
  int periods = 0;
  for (; periods < 1000 && bus.reading.cause != PortCause::kRefused; ++periods) {
    (void)bus.Write(0, 0);
    (void)bus.Poll(bus.Positions() + (periods % 100 == 50 ? bus.Hearts(1) : ""));
  }
  EXPECT_NEAR(periods, 151, 2);
}

TEST(ODrivePort, ADriveThatHasFailedIsNotSwitchedOnAgain) {
  Bus bus;
  bus.Run();
  (void)bus.Write(0, 0);
  (void)bus.Poll(bus.Positions() + bus.Hearts(1));  // it has started anew
  std::string sent;
  for (int i = 0; i < 200; ++i) (void)bus.Poll(bus.Positions() + bus.Hearts(1)), sent += bus.Write(0.1f, 0.1f);
  EXPECT_EQ(sent.find("t007408"), std::string::npos);
}

TEST(ODrivePort, ClearsErrorsOnlyWhileTheDrivesAreOff) {
  Bus bus;
  bus.Run();
  (void)bus.Poll(bus.Positions() + bus.Hearts(1, 0x40));
  std::string sent;
  for (int i = 0; i < 60; ++i) (void)bus.Poll(bus.Positions()), sent += bus.Zero();
  EXPECT_EQ(sent.find("t0380"), std::string::npos);
  bus.motors().Disable();
  for (int i = 0; i < 60; ++i) (void)bus.Poll(bus.Positions()), sent += bus.Zero();
  EXPECT_NE(sent.find("t0380"), std::string::npos);
}

TEST(ODrivePort, SilenceOfOneDriveIsSilence) {
  Bus bus;
  bus.Run();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(bus.Poll(Estimates(1, -0.1f)).cause, PortCause::kNone) << i;
    (void)bus.Write(0, 0);
  }
  EXPECT_EQ(bus.Poll(Estimates(1, -0.1f)).cause, PortCause::kSilent);
  Bus deaf;  // estimates alone, no heartbeats
  deaf.Run();
  for (int i = 0; i < 350; ++i) {
    EXPECT_EQ(deaf.Poll(deaf.Positions()).cause, PortCause::kNone) << i;
    (void)deaf.Write(0, 0);
  }
  EXPECT_EQ(deaf.Poll(deaf.Positions()).cause, PortCause::kSilent);
}

TEST(ODrivePort, TakesFramesCutAtEveryByte) {
  Bus whole;
  whole.Start();
  const std::string text = whole.Positions(0.2f, 0.3f);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Bus bus;
    bus.Start();
    bus.answers = false;
    (void)bus.Poll(text.substr(0, cut));
    const bool early = bus.reading.is_new;
    (void)bus.Poll(text.substr(cut));
    EXPECT_EQ(bus.reading.is_new, !early) << cut;
    EXPECT_EQ(bus.reading.count[1], 2458) << cut;
  }
}

TEST(ODrivePort, ALineThatIsGoneTakesAllThatWasSaidWithIt) {
  Bus bus;
  bus.Run();
  bus.link.closed = true;
  EXPECT_EQ(bus.Poll().cause, PortCause::kClosed);
  EXPECT_EQ(bus.Write(0.1f, 0), "");
  bus.link.closed = false;
  bus.motors().Disable();
  EXPECT_EQ(bus.Poll().state, DeviceState::kUninitialised);
  EXPECT_EQ(bus.Zero().substr(0, 7), "C\rS8\rO\r") << "the adapter may have started anew";
}

TEST(ODrivePort, ReadsABoundedNumberOfBytesOfAFlood) {
  Bus bus;
  bus.Run();
  std::string flood;
  for (int i = 0; i < 5000; ++i) flood += "t7FF8AAAAAAAAAAAAAAAA\r";
  (void)bus.Poll(flood);
  EXPECT_GT(bus.link.incoming.size(), flood.size() - 17 * 64);
}

TEST(ODriveArms, FeelTheForceThatWasCommanded) {  // Source: statics, F on the hand = F commanded, in the plane
  DeviceRig rig(Real());
  rig.force_N[0] = 0.5f, rig.force_N[1] = 7, rig.force_N[2] = -1;  // across the plane nothing is made
  ASSERT_TRUE(rig.Drive()) << rig.device().why();
  rig.Periods(500);
  const Vec<double, 3>& felt_N = static_cast<ODriveBoard&>(rig.board()).arms().force_W_N();
  EXPECT_NEAR(felt_N(0), 0.5, 5e-3);
  EXPECT_NEAR(felt_N(1), 0, 1e-9);
  EXPECT_NEAR(felt_N(2), -1, 5e-3);
}

TEST(ODriveArms, AreWhereTheEmulatedHandIs) {
  DeviceRig rig(Real());
  rig.Periods(800);
  const auto& handle = static_cast<ODriveBoard&>(rig.board()).arms().handle().state();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(rig.reading.sample.p_WH_m[i]), handle.p_WH_m(i), 1e-4) << i;
}

TEST(ODriveArms, TolerateALineThatSplitsMergesAndAddsBytes) {  // shift takes an answer of the adapter
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

TEST(ODriveArms, ALineThatBecomesLateLittleByLittleIsNamed) {  // no gap of it is longer than 2 ms
  for (const int each : {2, 5, 20, 100}) {
    DeviceRig rig(Real());
    rig.force_N[2] = 1;
    ASSERT_TRUE(rig.Drive());
    int late = 0, ticks = 0;
    for (; ticks < 2000 && !rig.off(); ++ticks) {
      if (ticks % each == each - 1) ++late;
      rig.wrong.line.late_periods = static_cast<std::uint32_t>(late);
      rig.Period();
    }
    EXPECT_EQ(rig.why, "no answer in time") << each;
    EXPECT_LE(late, 10) << each;
    rig.Periods(100);
    EXPECT_TRUE(rig.off()) << each;
  }
}

TEST(ODriveBoard, AnswersQuestionsEvenIfTheyHaveNoRequestBit) {  // as its firmware: by RTR, or without data
  ODriveBoard board(ODriveBoard::Arms({}, 1));
  EmulatedBoard& drives = board;
  drives.Receive(Of("S8\rO\rr0148\rt0370\r"));
  const auto said = drives.Say();
  EXPECT_EQ(std::string(said.begin(), said.end()), "\r\r\rt01480000000000000000\r\rt03780000C04100000000\r");
}

TEST(ODriveBoard, ItsWatchdogIsFedByQuestionsToo) {  // which the driver asks beside torques only
  const auto torque_after = [](bool asks) {
    ODriveBoard board(ODriveBoard::Arms({}, 1));
    EmulatedBoard& drives = board;
    drives.Receive(Of("S8\rO\rt00B80100000001000000\rt007408000000\rt00E4CDCCCC3D\r"));
    for (int i = 0; i < 200; ++i) {
      if (asks) drives.Receive(Of("r0098\r"));
      drives.Advance();
      (void)drives.Say();
    }
    return drives.largest_A();
  };
  EXPECT_EQ(torque_after(true), 0.1f);
  EXPECT_EQ(torque_after(false), 0);
}

TEST(ODriveBoard, TorqueEndsFiftyMillisecondsAfterTheLastWord) {
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  for (int i = 1; i < 50; ++i) rig.board().Advance();  // one has passed since
  EXPECT_FALSE(rig.off());
  rig.board().Advance();
  EXPECT_TRUE(rig.off());
}

TEST(ODriveBoard, LastWordsTakeAllAway) {
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.board().Receive(Real().last_words.then);
  EXPECT_TRUE(rig.off());
}

}  // namespace
}  // namespace tactus::hal
