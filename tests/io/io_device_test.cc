// The host's device before the firmware's application: lines that are slow or double what they carry, boards that leave
// kArmed by themselves, take nothing or say what no board can. Each must be seen within some periods and have a name.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>

#include "slow_line.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kStale_us = 2000;  // Source: haptic/config.h, guard.max_age_us

TEST(IoDevice, DoesNotPunishARoundTripOfThreePeriods) {
  for (const std::uint32_t delay_us : {0u, 700u, 1000u, 1700u, 2000u}) {
    SCOPED_TRACE(delay_us);
    SlowLine line;
    line.delay_us = delay_us;
    line.Drive();
    for (int i = 0; i < 200; ++i) {
      line.Period();
      ASSERT_LE(line.reading.sample.age_us, kStale_us);
      ASSERT_FALSE(line.failed()) << line.why();
    }
    EXPECT_TRUE(line.drives());
    EXPECT_EQ(line.why(), "");
  }
}

TEST(IoDevice, CountsTheCommandsThatAStateDoesNotKnowIntoItsAge) {
  SlowLine line;
  line.Drive();
  line.delay_us = 18'000;
  line.Periods(20);
  for (int i = 0; i < 100; ++i) {
    line.Period();
    ASSERT_GT(line.reading.sample.age_us, 17'000u) << i;
  }
  EXPECT_TRUE(line.SaysWhy("late")) << line.why();
}

TEST(IoDevice, SeesALineThatSlowlyGrowsSlowerAndFailsBeforeItIsFarBehind) {
  SlowLine line;
  line.Drive();
  int stale_after = -1, failed_after = -1;
  for (int i = 1; i <= 1000; ++i) {
    line.delay_us = std::min(200'000u, line.delay_us + 200);
    line.Period();
    if (line.reading.sample.age_us > kStale_us && stale_after < 0) stale_after = i;
    ASSERT_TRUE(stale_after < 0 || line.reading.sample.age_us > kStale_us) << i;
    if (line.failed() && failed_after < 0) failed_after = i;
  }
  EXPECT_GT(stale_after, 0);
  EXPECT_LE(stale_after, 20);  // 4 ms behind by then
  EXPECT_GT(failed_after, 0);
  EXPECT_LE(failed_after, 150);
  EXPECT_TRUE(line.failed());
  EXPECT_TRUE(line.SaysWhy("late")) << line.why();
}

TEST(IoDevice, NamesAFixedDelayBeforeTheLoopGivesUp) {
  SlowLine line;
  line.Drive();
  line.delay_us = 3500;
  line.Periods(20);  // Source: the servo holds 3 periods and fades in 20 ms
  EXPECT_GT(line.reading.sample.age_us, kStale_us);
  EXPECT_TRUE(line.SaysWhy("late")) << line.why();
  EXPECT_FALSE(line.failed());
}

TEST(IoDevice, ForgivesAStallOfSomePeriods) {
  SlowLine line;
  line.Drive();
  line.delay_us = 6000;
  line.Periods(2);
  line.delay_us = 0;
  line.Periods(10);
  EXPECT_LE(line.reading.sample.age_us, kStale_us);
  EXPECT_FALSE(line.failed());
  EXPECT_EQ(line.why(), "");
}

TEST(IoDevice, TakesNoOffenceAtTheFirstCommands) {
  SlowLine line;
  line.writes = false;
  line.device.AskForSession(5);
  line.Periods(50);  // command_sequence 0, and no command sent
  EXPECT_LE(line.reading.sample.age_us, kStale_us);
  line.writes = true;
  for (int i = 0; i < 50; ++i) {
    line.Period();
    ASSERT_LE(line.reading.sample.age_us, kStale_us) << i;
    ASSERT_FALSE(line.failed());
  }
  EXPECT_EQ(line.why(), "");
}

// The first state may come with the hello, before the loop: the pose of no sample would be zero, and the next one a jump.
TEST(IoDevice, HasNoSampleOfAStateThatCameBeforeTheLoop) {
  SlowLine line;
  line.board.motors.count[0] = 500;
  line.device.AskForSession(5);
  line.board.PutBytes(std::exchange(line.end.sent, {}));
  line.board.Edge();
  for (const std::uint8_t byte : std::exchange(line.board.link.sent, {})) line.end.incoming.push_back(byte);
  line.device.Poll();
  ASSERT_TRUE(line.device.connected());
  ASSERT_EQ(line.device.counters().states, 1u);
  EXPECT_FALSE(line.device.Read(1000).valid);
  line.Periods(3);
  EXPECT_TRUE(line.reading.valid);
  EXPECT_NE(line.reading.sample.p_WH_m[0], 0);
}

TEST(IoDevice, DropsAStateThatComesAgain) {
  SlowLine line;
  line.Drive();
  line.copies = 2;
  const IoCounters before = line.device.counters();
  line.Periods(100);
  EXPECT_FALSE(line.failed()) << line.why();
  EXPECT_TRUE(line.drives());
  EXPECT_EQ(line.device.counters().sessions, before.sessions);
  EXPECT_GE(line.device.counters().repeated, before.repeated + 99);
  EXPECT_LE(line.device.counters().states, before.states + 101);
}

TEST(IoDevice, TakesABoardThatRepeatsItsLastStateForSilent) {
  SlowLine line;
  line.Drive();
  std::optional<wire::IoState> first;
  line.lie = [&first](wire::IoState* state) { *state = first ? *first : first.emplace(*state); };
  line.Periods(25);
  EXPECT_TRUE(line.failed());
  EXPECT_TRUE(line.SaysWhy("no answer")) << line.why();
}

/// What a board says while the drives are meant to be on.
struct Lie {
  const char* name;
  void (*tell)(wire::IoState* state);
  int periods;      ///< until it is a failure, at most
  const char* why;  ///< a part of its name
};

void PrintTo(const Lie& lie, std::ostream* out) { *out << lie.name; }

class IoDeviceBefore : public testing::TestWithParam<Lie> {};

TEST_P(IoDeviceBefore, ALyingBoardFailsHasANameAndGoesOn) {
  SlowLine line;
  line.Drive();
  ASSERT_TRUE(line.drives());
  line.lie = GetParam().tell;
  int periods = 0;
  for (; periods < 200 && !line.failed(); ++periods) line.Period();
  EXPECT_TRUE(line.failed());
  EXPECT_LE(periods, GetParam().periods);
  EXPECT_TRUE(line.SaysWhy(GetParam().why)) << line.why();
  line.lie = nullptr;
  line.Periods(10);
  EXPECT_TRUE(line.failed()) << "not before the controller has let go";
  EXPECT_FALSE(line.drives()) << "nothing goes out behind a failure";
  line.device.Disable();
  line.Periods(100);
  EXPECT_FALSE(line.failed()) << line.why();
  EXPECT_TRUE(line.SaysWhy(GetParam().why)) << "the last failure stays told: " << line.why();
  line.Drive();
  EXPECT_FALSE(line.failed()) << line.why();
  EXPECT_TRUE(line.drives());
  EXPECT_EQ(line.why(), "") << "the same failure again is to be told again";
}

INSTANTIATE_TEST_SUITE_P(
    IoDevice, IoDeviceBefore,
    testing::Values(
        Lie{"idle", [](wire::IoState* s) { s->mutate_state(wire::State::kIdle); }, 2, "switched its drives off"},
        Lie{"fading", [](wire::IoState* s) { s->mutate_state(wire::State::kFading); }, 2, "switched its drives off"},
        Lie{"stopped", [](wire::IoState* s) { s->mutate_state(wire::State::kStopped); }, 2, "has stopped"},
        Lie{"connecting", [](wire::IoState* s) { s->mutate_state(wire::State::kConnecting); }, 2, "has stopped"},
        Lie{"wrong_state", [](wire::IoState* s) { s->mutate_answer(wire::IoAnswer::kWrongState); }, 6, "takes no"},
        Lie{"standing_sequence", [](wire::IoState* s) { s->mutate_command_sequence(20); }, 15, "takes no"},
        Lie{"sequence_from_the_future", [](wire::IoState* s) { s->mutate_command_sequence(s->command_sequence() + 500); }, 2,
            "no I/O board"},
        // Source: kStanding_us, and a period to the state that shows it.
        Lie{"standing_time", [](wire::IoState* s) { s->mutate_time_us(5); }, 10, "stands still"},
        Lie{"unknown_state", [](wire::IoState* s) { s->mutate_state(static_cast<wire::State>(77)); }, 2, "no I/O board"},
        Lie{"unknown_fault", [](wire::IoState* s) { s->mutate_fault(static_cast<wire::IoFault>(99)); }, 2, "no I/O board"},
        Lie{"unknown_answer", [](wire::IoState* s) { s->mutate_answer(static_cast<wire::IoAnswer>(11)); }, 2,
            "no I/O board"}),
    [](const auto& lie) { return lie.param.name; });

TEST(IoDevice, LetsACommandSequenceStandForSomePeriods) {
  SlowLine line;
  line.Drive();
  const std::uint32_t stands_at = line.device.last().command_sequence();
  line.lie = [stands_at](wire::IoState* state) { state->mutate_command_sequence(stands_at); };
  line.Periods(6);
  EXPECT_FALSE(line.failed()) << line.why();
  line.lie = nullptr;
  line.Periods(20);
  EXPECT_FALSE(line.failed());
  EXPECT_TRUE(line.drives());
}

TEST(IoDevice, GivesABoardTimeToArmAndThenNamesOneThatDoesNot) {
  SlowLine line;
  line.Connect();
  line.lie = [](wire::IoState* state) { state->mutate_state(wire::State::kIdle); };
  line.device.Enable();
  line.Periods(20);
  EXPECT_FALSE(line.failed()) << line.why();
  line.Periods(40);
  EXPECT_TRUE(line.failed());
  EXPECT_TRUE(line.SaysWhy("does not switch its drives on")) << line.why();
}

// The board still fades when it is armed again: it must see kOff in kIdle first.
TEST(IoDevice, ArmsABoardAgainThatStillFades) {
  SlowLine line;
  line.Drive();
  line.device.Disable();
  line.Period();
  line.device.Enable();
  line.Periods(40);
  EXPECT_TRUE(line.drives());
  EXPECT_FALSE(line.failed()) << line.why();
  line.Periods(100);
  EXPECT_FALSE(line.failed()) << line.why();
}

TEST(IoDevice, OpensASessionWithABoardThatHasStopped) {
  SlowLine line;
  line.Connect();
  line.board.Put(wire::Action::kStop);
  line.Periods(2);
  EXPECT_TRUE(line.failed());
  EXPECT_TRUE(line.SaysWhy("has stopped")) << line.why();
  line.Periods(100);
  EXPECT_FALSE(line.failed());
  line.Drive();
  EXPECT_TRUE(line.drives());
}

/// What happens to board or line, and how `serve` hears of it.
struct Told {
  const char* name;
  void (*happen)(SlowLine& line);
  const char* why;
};

void PrintTo(const Told& told, std::ostream* out) { *out << told.name; }

class IoDeviceTells : public testing::TestWithParam<Told> {};

TEST_P(IoDeviceTells, WhyItHasFailed) {
  SlowLine line;
  line.Drive();
  ASSERT_TRUE(line.drives());
  EXPECT_EQ(line.why(), "");
  GetParam().happen(line);
  line.Periods(60);
  EXPECT_TRUE(line.failed());
  EXPECT_TRUE(line.SaysWhy(GetParam().why)) << line.why();
}

INSTANTIATE_TEST_SUITE_P(
    IoDevice, IoDeviceTells,
    testing::Values(
        Told{"e_stop", [](SlowLine& l) { l.board.faulty.faults.e_stop = true; }, "e-stop"},
        Told{"drive_fault", [](SlowLine& l) { l.board.faulty.faults.drive_fault = true; }, "a drive reports"},
        Told{"brown_out", [](SlowLine& l) { l.board.faulty.faults.brown_out = true; }, "supply"},
        Told{"encoder_fault", [](SlowLine& l) { l.board.faulty.faults.encoder_fault = true; }, "an encoder has failed"},
        Told{"encoder_jump", [](SlowLine& l) { l.board.motors.count[1] += 101; }, "jumped"},
        Told{"current_sense", [](SlowLine& l) { l.board.faulty.faults.current_saturated = true; }, "measured current"},
        Told{"late_periods", [](SlowLine& l) { l.board.faulty.faults.refuses_writes = true; }, "late periods"},
        Told{"unplugged", [](SlowLine& l) { l.end.closed = true; }, "line is gone"},
        Told{"wrong_crc", [](SlowLine& l) { l.breaks_frames = true; }, "wrong checksum"},
        Told{"silence", [](SlowLine& l) { l.copies = 0; }, "no answer"},
        Told{"timeout", [](SlowLine& l) { l.writes = false; }, "command came"},
        Told{"other_session",
             [](SlowLine& l) {
               l.board.Put(wire::HelloRequest(wire::kProtocolVersion, 12345));  // of another host
             },
             "session"},
        Told{"counts_anew",
             [](SlowLine& l) { l.lie = [](wire::IoState* state) { state->mutate_sequence(state->sequence() - 20); }; },
             "started anew"}),
    [](const auto& told) { return told.param.name; });

TEST(IoCommandTimes, AgesByTheOldestCommandThatIsNotKnown) {
  CommandTimes times;
  for (std::uint32_t i = 1; i <= 10; ++i) times.Note(i, i * 1000);
  EXPECT_EQ(times.Age_us(10, 10, 11'000), 0u);
  EXPECT_EQ(times.Age_us(9, 10, 11'000), 1000 - CommandTimes::kJitter_us);
  EXPECT_EQ(times.Age_us(3, 10, 11'000), 7000 - CommandTimes::kJitter_us);
  EXPECT_EQ(times.Age_us(12, 10, 11'000), 0u);  // never sent
}

TEST(IoCommandTimes, GoesOnWhereSequenceAndTimeWrap) {
  CommandTimes times;
  const std::uint32_t first = 0u - 5, start_us = 0u - 4000;
  for (std::uint32_t i = 0; i < 10; ++i) times.Note(first + i, start_us + i * 1000);
  EXPECT_EQ(times.Age_us(first + 9, first + 9, start_us + 10'000), 0u);
  for (std::uint32_t behind = 1; behind < 9; ++behind) {
    EXPECT_EQ(times.Age_us(first + 9 - behind, first + 9, start_us + 10'000), behind * 1000 - CommandTimes::kJitter_us);
  }
}

TEST(IoCommandTimes, KnowsThatWhatItHasForgottenIsOld) {
  CommandTimes times;
  for (std::uint32_t i = 1; i <= 5000; ++i) times.Note(i, i * 1000);
  EXPECT_GT(times.Age_us(7, 5000, 5'001'000), 200'000u);
}

}  // namespace
}  // namespace tactus::host
