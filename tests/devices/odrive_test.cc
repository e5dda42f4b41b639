// ODrives over CAN: text of the adapter, frames, driver against scripted frames, driver against the emulator. Source of all
// bytes: docs/devices.md, section 4 (ODrive's CAN-Simple; the CAN232's commands).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "bench/safety/device_rig.h"
#include "hal/devices/odrive_port.h"
#include "hal/sim/odrive_board.h"
#include "tests/devices/odrive_bus.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using test::Bus;
using test::Bytes;
using test::Estimates;
using test::Of;
using test::TextOf;

const host::RealDevice& Real() { return *host::FindRealDevice("odrive"); }
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

std::string Supply(int node, float supply_V) {
  CanFrame frame{.id = odrive::IdOf(node, odrive::Command::kBus), .size = 8};
  std::memcpy(frame.data.data(), &supply_V, 4);
  return TextOf(frame);
}

TEST(ODrivePort, NamesASupplyOfNoDriveAndForgetsIt) {
  for (const float bad : {-1.0f, 1000.0f, INFINITY, NAN}) {
    Bus bus;
    bus.Run();
    (void)bus.Write(0, 0);
    EXPECT_EQ(bus.Poll(bus.Positions() + Supply(1, bad)).cause, PortCause::kOutOfRange) << bad;
    EXPECT_FALSE(bus.reading.valid);
    for (int i = 0; i < 12; ++i) (void)bus.Write(0, 0), (void)bus.Poll(bus.Positions() + Supply(1, 24));
    EXPECT_EQ(bus.reading.cause, PortCause::kNone);
  }
}

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
