// The start of a Falcon against its loader, emulated: every trap on the way. Source of what must happen: docs/devices.md, 3.
#include "hal/devices/falcon_start.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "bench/safety/falcon_program_bytes.h"
#include "bench/safety/falcon_start_rig.h"
#include "hal/devices/falcon_program.h"

namespace tactus::hal {
namespace {

using bench::safety::FalconProgramBytes;
using bench::safety::FalconStartRig;
using falcon::LineOrder;
using falcon::ProgramFault;
using falcon::Start;
using falcon::StartFault;
using Bytes = std::vector<std::uint8_t>;
using What = LineOrder::What;

const Bytes kProgram = FalconProgramBytes({100, 3, 33});  // 24 + 18 + 272 bytes: five pieces and a rest

/// With what must hold whatever happens.
struct StartRig : FalconStartRig {
  explicit StartRig(Bytes bytes = kProgram, bool keeps_program = false) : FalconStartRig(std::move(bytes), keeps_program) {}
  ~StartRig() {
    EXPECT_FALSE(flowed) << "no current while it starts";
    EXPECT_FALSE(never_ended);
  }
};

TEST(FalconProgram, HasTheFormThatItsLoaderTakes) {
  EXPECT_EQ(falcon::CheckProgram(kProgram), ProgramFault::kNone);
  EXPECT_EQ(falcon::CheckProgram(FalconProgramBytes({3643, 241, 336, 2})), ProgramFault::kNone);
  EXPECT_EQ(FalconProgramBytes({3643, 241, 336, 2}).size(), 8492u);  // Source: the known program's blocks and its size
  EXPECT_EQ(falcon::CheckProgram(FalconProgramBytes({})), ProgramFault::kEmpty);
  EXPECT_EQ(falcon::CheckProgram({}), ProgramFault::kNoKey);
  EXPECT_EQ(falcon::CheckProgram(FalconProgramBytes({60'000, 60'000})), ProgramFault::kTooLarge);
}

TEST(FalconProgram, IsRefusedCutAtEachByteAndWithOneMore) {
  for (std::size_t size = 0; size < kProgram.size(); ++size) {
    const auto fault = falcon::CheckProgram(std::span(kProgram).first(size));
    EXPECT_EQ(fault, size < 2 ? ProgramFault::kNoKey : ProgramFault::kTorn) << size;
  }
  Bytes longer = kProgram;
  longer.push_back(0);
  EXPECT_EQ(falcon::CheckProgram(longer), ProgramFault::kTooLong);
}

TEST(FalconStart, LoadsAProgramInTheOrderThatIsRead) {
  StartRig rig;
  ASSERT_TRUE(rig.Run()) << Name(rig.start.fault());
  EXPECT_FALSE(rig.start.ran_already());
  EXPECT_EQ(rig.start.attempts(), 1);
  EXPECT_EQ(rig.board.boot().loaded_words(), 136u);
  EXPECT_TRUE(rig.board.runs());
  std::vector<std::pair<What, std::uint32_t>> lines;
  for (const LineOrder& order : rig.orders) {
    if (order.what != What::kWrite) lines.emplace_back(order.what, order.value);
  }
  const std::vector<std::pair<What, std::uint32_t>> read = {
      {What::kLatency, 1},    {What::kRate, 1'500'000}, {What::kPurge, 0},  // does it run?
      {What::kPurge, 0},      {What::kLatency, 16},     {What::kRate, 9600},      {What::kRts, 0},
      {What::kDtr, 0},        {What::kDtr, 1},          {What::kPurge, 0},        {What::kDtr, 0},
      {What::kRate, 142'857}, {What::kLatency, 1},      {What::kRate, 1'500'000}, {What::kPurge, 0}};
  EXPECT_EQ(lines, read);
}

TEST(FalconStart, SendsNothingThatMovesAMotor) {
  StartRig rig;
  ASSERT_TRUE(rig.Run());
  for (const LineOrder& order : rig.orders) {
    falcon::Request request;
    if (order.what != What::kWrite || falcon::Read(order.bytes, &request) != Status::kOk) continue;
    EXPECT_EQ(request.motor, (std::array<std::int16_t, 3>{}));
  }
  for (const LineOrder& order : rig.orders) EXPECT_LE(order.bytes.size(), Start::kPiece_B);
}

TEST(FalconStart, LeavesAProgramThatRunsAlone) {
  StartRig rig(kProgram, true);
  ASSERT_TRUE(rig.Run());
  EXPECT_TRUE(rig.start.ran_already());
  for (const LineOrder& order : rig.orders) EXPECT_NE(order.what, What::kDtr) << "no reset of what runs";
  EXPECT_LT(rig.steps, 150);
}

TEST(FalconStart, WithoutAProgramOnlyLooks) {
  StartRig cold(Bytes{});
  EXPECT_FALSE(cold.Run());
  EXPECT_EQ(cold.start.fault(), StartFault::kNoProgram);
  EXPECT_LT(cold.steps, 150);
  for (const LineOrder& order : cold.orders) EXPECT_NE(order.what, What::kDtr);
  StartRig warm(Bytes{}, true);
  EXPECT_TRUE(warm.Run());
}

TEST(FalconStart, TakesBytesInAnyPiecesAndAtAnyDelayOfTheLine) {
  for (const std::size_t pieces_B : {1u, 2u, 3u, 61u, 1000u}) {
    for (const int delay : {1, 5, 16, 35, 60, 150}) {  // beyond 40 ms each question is asked more than once
      StartRig rig;
      rig.pieces_B = pieces_B;
      rig.delay = delay;
      ASSERT_TRUE(rig.Run()) << pieces_B << ' ' << delay << ' ' << Name(rig.start.fault());
      EXPECT_EQ(rig.board.boot().loaded_words(), 136u);
    }
  }
}

TEST(FalconStart, KnocksUntilItIsHeard) {
  for (const int ignored : {1, 7, 49}) {
    for (const bool zero : {false, true}) {
      StartRig rig;
      rig.board.boot().faults.ignored_knocks = ignored;
      rig.board.boot().faults.leading_zero = zero;
      ASSERT_TRUE(rig.Run()) << ignored << Name(rig.start.fault());
      EXPECT_EQ(rig.start.attempts(), 1);
    }
  }
}

TEST(FalconStart, TellsALoaderThatIsSilent) {
  StartRig rig;
  rig.board.boot().faults.ignored_knocks = 1'000'000;
  EXPECT_FALSE(rig.Run());
  EXPECT_EQ(rig.start.fault(), StartFault::kNoLoader);
  EXPECT_EQ(rig.start.attempts(), Start::kAttempts);
  EXPECT_LT(rig.steps, 120 + 10 * 2100);  // Source: its docstring
}

TEST(FalconStart, TellsALoaderThatDoesNotFindTheRate) {
  StartRig rig;
  rig.board.boot().faults.deaf_to_pace = true;
  EXPECT_FALSE(rig.Run());
  EXPECT_EQ(rig.start.fault(), StartFault::kNoPace);
}

TEST(FalconStart, TellsAnEchoThatStopsAtEachByte) {
  for (std::size_t at = 0; at < kProgram.size(); at += at < 130 ? 1 : 17) {
    StartRig rig;
    rig.board.boot().faults.stops_at = at;
    EXPECT_FALSE(rig.Run());
    ASSERT_EQ(rig.start.fault(), StartFault::kEchoStops) << at;
    EXPECT_EQ(rig.start.echoed_B(), at);
    EXPECT_EQ(rig.start.attempts(), Start::kAttempts);
    EXPECT_FALSE(rig.board.runs());
  }
}

TEST(FalconStart, TellsAnEchoThatDiffersOrIsDoubledAtEachByte) {
  for (std::size_t at = 0; at < kProgram.size(); at += at < 130 ? 1 : 17) {
    for (const bool doubled : {false, true}) {
      StartRig rig;
      (doubled ? rig.board.boot().faults.doubles_at : rig.board.boot().faults.differs_at) = at;
      const bool runs = rig.Run();
      if (doubled && runs) {  // the last of a piece: the next byte that comes is judged, and the byte behind all is none
        EXPECT_EQ(at, kProgram.size() - 1);
        continue;
      }
      ASSERT_FALSE(runs) << at;
      ASSERT_EQ(rig.start.fault(), StartFault::kEchoDiffers) << at << ' ' << doubled;
    }
  }
}

TEST(FalconStart, AnEchoThatWasWrongOnceIsMendedByTheNextAttempt) {
  StartRig rig;
  rig.board.boot().faults.differs_at = 70;
  for (int i = 0; i < 60'000 && rig.start.attempts() < 2; ++i) (void)rig.Step();
  rig.board.boot().faults = {};
  ASSERT_TRUE(rig.Run());
  EXPECT_EQ(rig.start.attempts(), 2);
  EXPECT_EQ(rig.start.fault(), StartFault::kEchoDiffers) << "of the attempt that failed, for the report";
  EXPECT_EQ(rig.board.boot().loaded_words(), 136u);
}

TEST(FalconStart, TellsAProgramThatIsLoadedAndDead) {
  StartRig rig;
  rig.board.boot().faults.dead_program = true;
  EXPECT_FALSE(rig.Run());
  EXPECT_EQ(rig.start.fault(), StartFault::kProgramSilent);
}

TEST(FalconStart, TellsAProgramOfTheWrongSizeThatNobodyLookedAt) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{62}, kProgram.size() - 2, kProgram.size() - 1}) {
    StartRig rig(Bytes(kProgram.begin(), kProgram.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_FALSE(rig.Run()) << size;
    EXPECT_EQ(rig.start.fault(), StartFault::kProgramSilent) << size;  // the loader waits for the rest
  }
}

TEST(FalconStart, EndsUnpluggedAtEachByte) {
  StartRig whole;
  ASSERT_TRUE(whole.Run());
  for (std::size_t at = 0; at < whole.moved; ++at) {
    StartRig rig;
    rig.unplug_at = at;
    ASSERT_FALSE(rig.Run()) << at;
    ASSERT_EQ(rig.start.fault(), StartFault::kClosed) << at;
    EXPECT_EQ(rig.start.Next(0).what, What::kFailed) << "and stays so";
  }
}

TEST(FalconStart, LoadsWithoutModemLinesAndWithoutARate) {  // a pseudo terminal; a socket
  for (const bool knows_rate : {true, false}) {
    StartRig rig;
    rig.has_lines = false;
    rig.knows_rate = knows_rate;
    ASSERT_TRUE(rig.Run()) << Name(rig.start.fault());
    EXPECT_EQ(rig.board.boot().loaded_words(), 136u);
  }
}

TEST(FalconStart, ADeviceThatLosesItsSupplyHasLostItsProgramAndIsLoadedAnew) {
  StartRig rig;
  ASSERT_TRUE(rig.Run());
  static_cast<EmulatedBoard&>(rig.board).PowerUp();
  EXPECT_FALSE(rig.board.runs());
  rig.start = Start({});
  EXPECT_FALSE(rig.Run());
  EXPECT_EQ(rig.start.fault(), StartFault::kNoProgram);
  rig.start = Start(rig.program);
  ASSERT_TRUE(rig.Run()) << Name(rig.start.fault());
  EXPECT_EQ(rig.board.boot().loaded_words(), 136u);
}

TEST(FalconStart,
     EndsWhateverTheClockDoes) {  // jumps, stands, goes back: it asks more often or waits, and never past its attempts
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Start start(kProgram);
    std::uint32_t now_us = 0;
    int orders = 0;
    What what = What::kWait;
    for (int i = 0; i < 400'000 && what != What::kFailed; ++i) {
      const auto jump = random() % 4;
      now_us += jump == 0 ? 0 : jump == 1 ? 1000 : jump == 2 ? 50'000 : static_cast<std::uint32_t>(random());
      what = start.Next(now_us).what;
      ASSERT_NE(what, What::kRuns);
      orders += what != What::kWait;
    }
    EXPECT_EQ(what, What::kFailed) << seed;
    EXPECT_EQ(start.attempts(), Start::kAttempts);
    EXPECT_LE(orders,
              3 + 4 + 10 * (6 + 50) + 1);  // Source: its docstring: probes, attempts, each one's orders and questions
  }
}

TEST(FalconStart, NoiseIsNoProgram) {  // and none makes it end as if one ran
  for (unsigned seed = 0; seed < 20; ++seed) {
    StartRig rig;
    std::mt19937 random(seed);
    rig.disturb = [&](const Bytes&) {
      Bytes noise(random() % 40);
      for (auto& byte : noise) byte = static_cast<std::uint8_t>(random());
      return noise;
    };
    EXPECT_FALSE(rig.Run());
    EXPECT_NE(rig.start.fault(), StartFault::kNone);
  }
}

TEST(FalconStart, TakesALoaderThatAnswersOnceMoreLate) {  // each knock has its answer, and the second comes behind the first
  StartRig rig;
  rig.disturb = [](Bytes bytes) {
    const Bytes answer = {0x0A, 0x44, 0x2C, 0x0D};
    if (bytes == answer) bytes.insert(bytes.end(), answer.begin(), answer.end());
    return bytes;
  };
  EXPECT_TRUE(rig.Run()) << Name(rig.start.fault());
  EXPECT_EQ(rig.start.attempts(), 1);
}

}  // namespace
}  // namespace tactus::hal
