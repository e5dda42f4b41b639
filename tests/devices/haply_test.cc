// The Haply pantograph: codec, driver against scripted bytes, driver against the emulator. Source of all bytes:
// docs/devices.md, section 2 (Haply-API and its firmware, read).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "bench/safety/device_rig.h"
#include "hal/devices/haply_port.h"
#include "hal/sim/haply_board.h"

namespace tactus::hal {
namespace {

using bench::safety::DeviceRig;
using bench::safety::MemoryLink;
using Bytes = std::vector<std::uint8_t>;

const host::RealDevice& Real() { return *host::FindRealDevice("haply"); }

Bytes Answer(float first_deg, float second_deg, std::uint8_t id = haply::kId) {
  Bytes bytes(9);
  bytes[0] = id;
  std::memcpy(bytes.data() + 1, &first_deg, 4);  // this machine is little endian, as the board
  std::memcpy(bytes.data() + 5, &second_deg, 4);
  return bytes;
}

TEST(HaplyCodec, WritesTheDemosSetUp) {  // 26 bytes: 180 = 0x43340000, 13824 = 0x46580000
  const auto bytes = haply::WriteSetup();
  const Bytes expected = {0x01, 0x05, 0x03, 0,    0, 0x03, 0,    0,    0, 0,  //
                          0,    0,    0x34, 0x43, 0, 0,    0x58, 0x46,        //
                          0,    0,    0,    0,    0, 0,    0x58, 0x46};
  EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), expected);
}

TEST(HaplyCodec, WritesTorques) {  // 0.1 = 0x3DCCCCCD
  const auto bytes = haply::WriteTorques({0.1f, -0.1f});
  EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), (Bytes{2, 5, 0xCD, 0xCC, 0xCC, 0x3D, 0xCD, 0xCC, 0xCC, 0xBD}));
}

TEST(HaplyCodec, ReadsEachCountThatAnAngleCanBe) {  // closed form: angle = 360 count / 13824, in single precision
  for (int count = -27648; count <= 27648; count += 7) {
    std::array<std::int32_t, 2> read{};
    const float angle = 360.0f * static_cast<float>(count) / 13824.0f;
    ASSERT_EQ(haply::ReadAnswer(Answer(angle, -angle), &read), Status::kOk) << count;
    ASSERT_EQ(read[0], count);
    ASSERT_EQ(read[1], -count);
  }
}

TEST(HaplyCodec, RefusesWhatIsNoAnswer) {
  std::array<std::int32_t, 2> read{};
  for (std::size_t size = 0; size < 20; ++size) {
    Bytes bytes = Answer(180, 0);
    bytes.resize(size);
    EXPECT_EQ(haply::ReadAnswer(bytes, &read) == Status::kOk, size == 9) << size;
  }
  EXPECT_EQ(haply::ReadAnswer(Answer(180, 0, 6), &read), Status::kCorrupt);
  for (const float bad : {NAN, INFINITY, -INFINITY, 721.0f, 1e30f, 180.013f})
    EXPECT_EQ(haply::ReadAnswer(Answer(180, bad), &read), Status::kOutOfRange) << bad;
}

TEST(HaplyCodec, SeesMostBitsThatAreTurned) {  // there is no checksum: an angle must be a whole count
  int wrong = 0, turned = 0;
  for (int count = 3000; count < 7000; count += 97) {
    const Bytes good = Answer(360.0f * static_cast<float>(count) / 13824.0f, 45);
    for (std::size_t byte = 1; byte < 5; ++byte) {
      for (int bit = 0; bit < 8; ++bit, ++turned) {
        Bytes bad = good;
        bad[byte] ^= static_cast<std::uint8_t>(1 << bit);
        std::array<std::int32_t, 2> read{};
        const bool taken = haply::ReadAnswer(bad, &read) == Status::kOk;
        wrong += taken && read[0] != count && std::abs(read[0] - count) <= 102;  // more in 1 ms is a jump for MotorDevice
      }
    }
  }
  EXPECT_LT(wrong, turned / 10) << "of " << turned;
}

struct Line {
  MemoryLink link;
  HaplyPort port{link};
  std::uint32_t now_us = 0;
  PortReading reading;

  PortReading Poll(const Bytes& bytes = {}) {
    link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end());
    return reading = static_cast<MotorPort&>(port).Poll(now_us += 1000);
  }
  Bytes Zero() {
    link.sent.clear();
    (void)static_cast<MotorPort&>(port).Zero();
    return link.sent.empty() ? Bytes{} : link.sent[0];
  }
  Bytes Write(float a, float b) {
    const float torque_Nm[kMaxMotors] = {a, b};
    link.sent.clear();
    status = static_cast<MotorPort&>(port).Write(torque_Nm);
    return link.sent.empty() ? Bytes{} : link.sent[0];
  }
  /// Through the start, to the first request behind the set-up. @returns all that was sent.
  std::vector<Bytes> Start() {
    std::vector<Bytes> all;
    for (int i = 0; i < 60 && (all.size() < 4); ++i) {
      (void)Poll();
      if (const Bytes bytes = Zero(); !bytes.empty()) all.push_back(bytes);
    }
    return all;
  }
  Status status = Status::kOk;
};

TEST(HaplyPort, TakesTheTorqueAwayBeforeTheResetAndSetsUpBehindIt) {  // a reset leaves the motors' PWM as it is
  Line line;
  const std::vector<Bytes> sent = line.Start();
  ASSERT_EQ(sent.size(), 4u);
  EXPECT_EQ(sent[0], (Bytes{2, 5, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent[1], (Bytes{0, 0}));
  EXPECT_EQ(sent[2].size(), 26u);
  EXPECT_EQ(sent[3], sent[0]);
  for (const Bytes& message : sent) EXPECT_LE(message.size(), 64u) << "one USB packet";
}

TEST(HaplyPort, MeasuresOnlyWhenTheArmsWereHeldAsTheSetUpSays) {
  Line held;
  (void)held.Start();
  EXPECT_EQ(held.Poll(Answer(180, 0)).state, DeviceState::kReady);
  EXPECT_EQ(held.reading.count[0], 6912);
  Line loose;  // directions or offsets that did not arrive
  (void)loose.Start();
  EXPECT_EQ(loose.Poll(Answer(0, 0)).cause, PortCause::kNotHomed);
  for (int i = 0; i < 100; ++i) (void)loose.Zero(), (void)loose.Poll(Answer(180, 0));
  EXPECT_EQ(loose.reading.cause, PortCause::kNotHomed) << "the program has to be started again";
}

TEST(HaplyPort, NamesABoardThatHasStartedAnew) {  // without a set-up it answers with its id alone
  Line line;
  (void)line.Start();
  (void)line.Poll(Answer(180, 0));
  for (int i = 0; i < 20; ++i) (void)line.Zero(), (void)line.Poll(i % 6 == 0 ? Bytes{5} : Bytes{});
  EXPECT_EQ(line.reading.cause, PortCause::kRestarted);
}

TEST(HaplyPort, ALineThatWasGoneNeedsAnotherSetUp) {
  Line line;
  (void)line.Start();
  (void)line.Poll(Answer(180, 0));
  line.link.closed = true;
  EXPECT_EQ(line.Poll().cause, PortCause::kClosed);
  line.link.closed = false;
  for (int i = 0; i < 40; ++i) (void)line.Zero(), (void)line.Poll(Answer(180, 0));
  EXPECT_EQ(line.reading.cause, PortCause::kRestarted);
}

/// A board that started anew without a word: it takes nothing until a set-up comes, and keeps its torque.
struct LostBoard {
  Bytes answer;         ///< to what it does not take
  float torque_Nm = 1;  ///< of the first motor
  bool is_set_up = false;
  int setups = 0;

  /// @returns its answer.
  Bytes Take(const Bytes& sent) {
    if (sent.size() == haply::kSetupSize) is_set_up = true, ++setups;
    if (sent.size() != haply::kTorqueSize) return {};
    if (!is_set_up) return answer;
    std::memcpy(&torque_Nm, sent.data() + 2, 4);
    return Answer(180, 0);
  }
};

/// Through the start and to a torque that flows.
void Push(Line* line) {
  (void)line->Start();
  (void)line->Poll(Answer(180, 0));
  static_cast<MotorPort&>(line->port).Enable();
  for (int i = 0; i < 5; ++i) {
    (void)line->Write(0.1f, 0);
    (void)line->Poll(Answer(180, 0));
  }
}

TEST(HaplyPort, SetsUpABoardThatDoesNotShowThatItTookZeros) {  // it keeps its torque, and need not say why
  for (const Bytes& answer : {Bytes{}, Bytes{0}, Bytes{5}, Bytes{5, 5}, Answer(0, 0), Answer(180, 0, 6), Bytes(40, 7)}) {
    Line line;
    Push(&line);
    LostBoard board{.answer = answer};
    Bytes said = board.Take(line.Write(0.1f, 0));
    for (int i = 0; i < 12; ++i) {
      (void)line.Poll(said);
      said = board.Take(line.Write(0.1f, 0));
    }
    int periods = 0;
    for (; periods < 100 && board.torque_Nm != 0; ++periods) {  // the failure is noticed: zeros from here on
      (void)line.Poll(said);
      said = board.Take(line.Zero());
    }
    EXPECT_LE(periods, 10) << answer.size();
    EXPECT_EQ(board.torque_Nm, 0) << answer.size();
    (void)line.Poll(said);
    EXPECT_EQ(line.reading.state, DeviceState::kFaulted) << "it counts from another place now";
    for (int i = 0; i < 40; ++i) (void)line.Poll(board.Take(line.Zero()));
    EXPECT_GE(board.setups, 3) << "for good: it may start anew once more";
  }
}

TEST(HaplyPort, KeepsItsReferenceThroughASilenceInWhichNoTorqueIsLeft) {
  for (const bool in_force : {false, true}) {
    Line line;
    Push(&line);
    for (int i = 0; !in_force && i < 5; ++i) (void)line.Write(0, 0), (void)line.Poll(Answer(180, 0));
    LostBoard board;
    for (int i = 0; i < (in_force ? 14 : 100); ++i) {  // in force: four periods of zeros, less than its patience
      if (i < 10) (void)line.Poll(), (void)line.Write(in_force ? 0.1f : 0, 0);
      if (i >= 10) (void)line.Poll(), (void)board.Take(line.Zero());
    }
    board.is_set_up = true;
    for (int i = 0; i < 100; ++i) (void)line.Poll(board.Take(line.Zero()));
    EXPECT_EQ(board.setups, 0) << in_force;
    EXPECT_EQ(line.reading.state, DeviceState::kEnabled) << in_force;
  }
}

TEST(HaplyPort, SendsNoMoreThanTheBoardsFullScaleAndNothingThatIsNoNumber) {
  Line line;
  (void)line.Start();
  (void)line.Poll(Answer(180, 0));
  EXPECT_EQ(line.Write(0.1f, 0), (Bytes{2, 5, 0, 0, 0, 0, 0, 0, 0, 0})) << "not enabled";
  static_cast<MotorPort&>(line.port).Enable();
  (void)line.Poll(Answer(180, 0));
  const auto most = haply::WriteTorques({0.123f, -0.123f});
  EXPECT_EQ(line.Write(1e9f, -1e9f), Bytes(most.begin(), most.end()));
  (void)line.Poll(Answer(180, 0));
  EXPECT_EQ(line.Write(NAN, 0.1f), (Bytes{2, 5, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(line.status, Status::kNotFinite);
}

TEST(HaplyPort, FindsTheBorderAgainAfterEveryPieceOfAnAnswer) {
  for (std::size_t cut = 0; cut <= 9; ++cut) {
    if (cut == 1) continue;  // the answer of a board that has started anew
    Line line;
    (void)line.Start();
    (void)line.Poll(Answer(180, 0));
    Bytes piece = Answer(180, 0);
    piece.resize(cut);
    (void)line.Zero();
    (void)line.Poll(piece);
    int periods = 0;
    for (bool again = false; periods < 40 && !again; ++periods) {
      const bool asked = !line.Zero().empty();
      again = line.Poll(asked ? Answer(180, 0) : Bytes{}).is_new && asked;
    }
    EXPECT_LT(periods, 20) << cut;
    EXPECT_EQ(line.reading.count[0], 6912) << cut;
  }
}

TEST(HaplyArms, FeelTheForceThatWasCommanded) {  // Source: statics, F on the hand = F commanded, in the plane
  DeviceRig rig(Real());
  rig.force_N[0] = 0.5f, rig.force_N[1] = 7, rig.force_N[2] = -1;  // across the plane nothing is made
  ASSERT_TRUE(rig.Drive()) << rig.device().why();
  rig.Periods(500);
  const Vec<double, 3>& felt_N = static_cast<HaplyBoard&>(rig.board()).arms().force_W_N();
  EXPECT_NEAR(felt_N(0), 0.5, 2e-3);
  EXPECT_NEAR(felt_N(1), 0, 1e-9);
  EXPECT_NEAR(felt_N(2), -1, 2e-3);
}

TEST(HaplyArms, TolerateAnswersInPieces) {
  for (const char* const fault : {"split", "merge"}) {
    DeviceRig rig(Real());
    rig.force_N[2] = 1;
    ASSERT_TRUE(rig.Drive());
    rig.wrong = host::DeviceFaultsAt({host::ParseDeviceFault(fault)}, 0, 1);
    rig.Periods(400);
    EXPECT_EQ(rig.why, "") << fault;
    EXPECT_FALSE(rig.off()) << fault;
  }
}

TEST(HaplyArms, AreHomedAgainByTheirPoseBehindAJump) {  // Source: straight out they are alike, x = 0
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  rig.wrong.board.jump = true;
  rig.Periods(20);
  EXPECT_EQ(rig.why, "a position jumped");
  EXPECT_FALSE(rig.Drive());
  EXPECT_STREQ(rig.device().why(), Name(PortCause::kReferenceLost));
  ASSERT_EQ(rig.device().Home(), Status::kOk);
  rig.Periods(600);
  EXPECT_EQ(rig.reading.state, DeviceState::kReady);
  EXPECT_NEAR(rig.reading.sample.p_WH_m[0], 0, 1e-3f);
}

TEST(HaplyArms, LoseTheirTorqueWhenTheBoardHasLostItsSetUp) {  // without one it takes no zeros, and keeps its torque
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  const auto reset = haply::WriteReset();
  rig.board().Receive(reset);
  rig.Periods(60);
  EXPECT_EQ(rig.why, "the device has started anew");
  EXPECT_TRUE(rig.off());
}

TEST(HaplyArms, LoseTheirTorqueWhenTheBoardHasLostItsSetUpAndSaysNothing) {
  DeviceRig rig(Real());
  rig.force_N[2] = 1;
  ASSERT_TRUE(rig.Drive());
  const auto reset = haply::WriteReset();
  rig.board().Receive(reset);
  rig.wrong.board.mute = rig.board().faults.mute = true;  // from the first message on
  rig.Periods(20);
  EXPECT_EQ(rig.why, "no answer in time");
  EXPECT_TRUE(rig.off());
  EXPECT_FALSE(rig.Drive()) << "the program has to be started again, arms held";
}

TEST(HaplyArms, AreWhereTheEmulatedHandIs) {
  DeviceRig rig(Real());
  rig.Periods(800);
  const auto& handle = static_cast<HaplyBoard&>(rig.board()).arms().handle().state();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(rig.reading.sample.p_WH_m[i]), handle.p_WH_m(i), 1e-4) << i;
}

TEST(HaplyBoard, KeepsItsTorqueOnResetAndWhenTheHostIsGone) {  // what the driver and its guard are there for
  HaplyBoard board(HaplyBoard::Arms({}, 1));
  EmulatedBoard& emulated = board;
  const auto setup = haply::WriteSetup();
  const auto torques = haply::WriteTorques({0.1f, 0});
  const auto reset = haply::WriteReset();
  emulated.Receive(setup);
  emulated.Receive(torques);
  EXPECT_EQ(emulated.largest_A(), 0.1f);
  emulated.Receive(reset);
  for (int i = 0; i < 10'000; ++i) emulated.Advance();
  EXPECT_EQ(emulated.largest_A(), 0.1f);
}

TEST(HaplyBoard,
     TakesOnesForWhatASplitMessageLacks) {  // 0xFFFFFFFF is no number: the firmware's clamp makes full scale of it
  HaplyBoard board(HaplyBoard::Arms({}, 1));
  EmulatedBoard& emulated = board;
  const auto setup = haply::WriteSetup();
  const auto torques = haply::WriteTorques({0, 0});
  emulated.Receive(setup);
  emulated.Receive(std::span(torques).first(6));
  EXPECT_EQ(emulated.largest_A(), 0.123f);
}

}  // namespace
}  // namespace tactus::hal
