#include <gtest/gtest.h>

#include "io_board.h"

namespace tactus::io {
namespace {

using wire::IoAnswer;
using wire::IoFault;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(IoHello, TellsEveryCompiledBound) {
  IoBoard board;
  board.Connect();
  EXPECT_EQ(board.hello.compatible(), 1u);
  EXPECT_EQ(board.hello.nonce(), 7u);
  EXPECT_NE(board.hello.session(), 0u);
  EXPECT_EQ(board.hello.command_timeout_us(), 3000u);  // Source: the issue, 3 ms
  EXPECT_EQ(board.hello.command_hold_us(), kCommandHold_us);
  EXPECT_EQ(board.hello.period_us(), 250u);
  EXPECT_EQ(board.hello.lowest_rate_Hz(), 1000);
  EXPECT_EQ(board.hello.highest_rate_Hz(), 4000);
  EXPECT_EQ(board.hello.motors(), 2);
  EXPECT_EQ(board.hello.counts_per_turn()->Get(1), 4096u);
  EXPECT_EQ(board.hello.max_current_A()->Get(0), 2);
  EXPECT_EQ(board.hello.max_current_A()->Get(1), 1);
  EXPECT_EQ(board.hello.max_step_counts(), 100u);
  EXPECT_EQ(board.last.state(), wire::State::kIdle);
}

TEST(IoApp, SaysNothingAndWritesZerosUntilAHostAsks) {
  IoBoard board;
  board.Edges(100);
  EXPECT_TRUE(board.link.sent.empty());
  EXPECT_EQ(board.motors.zeros, 100);
  EXPECT_EQ(board.motors.writes, 0);
  EXPECT_TRUE(board.off());
}

TEST(IoApp, WritesTheCurrentsOfAnArmedHostWithinTheSoftStart) {
  IoBoard board;
  board.Drive(1.5f, -0.5f);
  EXPECT_EQ(board.motors.flowing_A[0], 1.5f);
  EXPECT_EQ(board.motors.flowing_A[1], -0.5f);
  EXPECT_TRUE(board.motors.enabled);
  EXPECT_EQ(board.last.state(), wire::State::kArmed);
  EXPECT_EQ(board.last.output_mA(), 1500);
  EXPECT_FALSE(board.motors.enabled_with_current);
}

TEST(IoApp, AnswersEachFrameInItsPeriodWithTheCounts) {
  IoBoard board;
  board.Connect();
  board.motors.count[0] = 42, board.motors.count[1] = -7;
  const wire::IoState state = board.Tell(board.Off());
  EXPECT_EQ(state.answer(), IoAnswer::kAccepted);
  EXPECT_EQ(state.command_sequence(), board.sequence);
  EXPECT_EQ(state.count()->Get(0), 42);
  EXPECT_EQ(state.count()->Get(1), -7);
  EXPECT_EQ(state.time_us(), board.clock.edge_count * 250);
}

TEST(IoApp, SendsAStateAMillisecondWhileTheHostIsSilent) {
  IoBoard board;
  board.Connect();
  board.Edges(40);
  EXPECT_EQ(board.Take().size(), 10u);  // 40 periods of 250 us
}

TEST(IoApp, HoldsThenFadesAndIsZeroBeforeTheTimeout) {
  IoBoard board;
  board.Drive(1);
  std::vector<float> flowing;
  for (int edge = 1; edge <= 12; ++edge) board.Edge(), flowing.push_back(board.motors.flowing_A[0]);
  // Source: the derivation in io_app.cc with p = 250 us: age + p = 500 ... 3250 us.
  const std::vector<float> expected = {1, 1, 1, 1, 1, 1, 1, 0.75f, 0.5f, 0.25f, 0, 0};
  EXPECT_EQ(flowing, expected);
  EXPECT_EQ(board.app.fault(), IoFault::kCommandTimeout);
  EXPECT_TRUE(board.off());
}

TEST(IoApp, TakesALateCommandAndRisesSlowly) {
  IoBoard board;
  board.Drive(1);
  board.Edges(9);
  EXPECT_EQ(board.motors.flowing_A[0], 0.5f);
  board.Tell(board.On(1));
  EXPECT_NEAR(board.motors.flowing_A[0], 0.5f + 0.025f, 1e-6f);  // 250 us of 10 ms
  EXPECT_EQ(board.app.fault(), IoFault::kNone);
}

TEST(IoApp, RecoversFromAFaultByClearOffOn) {
  IoBoard board;
  board.Drive(1);
  board.Edges(20);
  ASSERT_EQ(board.app.fault(), IoFault::kCommandTimeout);
  EXPECT_EQ(board.Tell(board.On(1)).answer(), IoAnswer::kWrongState);
  EXPECT_EQ(board.Tell(wire::Action::kClearFault).answer(), IoAnswer::kAccepted);
  EXPECT_EQ(board.Tell(board.On(1)).answer(), IoAnswer::kWrongState);  // it must see kOff first
  EXPECT_TRUE(board.off());
  EXPECT_EQ(board.Tell(board.Off()).answer(), IoAnswer::kAccepted);
  EXPECT_EQ(board.Tell(board.On(1)).answer(), IoAnswer::kAccepted);
  board.Tell(board.On(1));
  EXPECT_GT(board.motors.flowing_A[0], 0);
}

/// A frame that is no command, and what the board must say of it.
struct BadFrame {
  const char* name;
  std::vector<std::uint8_t> (*make)(IoBoard& board);
  IoAnswer answer;
  IoFault fault;  ///< kNone: the last command grows old as without it
};

std::vector<std::uint8_t> With(IoBoard& board, void (*change)(wire::IoCommand*)) {
  wire::IoCommand command = board.On(1);
  change(&command);
  return board.Frame(command);
}

const BadFrame kBadFrames[] = {
    {"torn",
     [](IoBoard& b) {
       auto f = b.Frame(b.On(1));
       f.erase(f.end() - 2);
       return f;
     },
     IoAnswer::kTorn, IoFault::kNone},
    {"flipped bit",
     [](IoBoard& b) {
       auto f = b.Frame(b.On(1));
       f[f.size() - 3] = f[f.size() - 3] == 4 ? 8 : 4;
       return f;
     },
     IoAnswer::kWrongChecksum, IoFault::kNone},
    {"a Sample", [](IoBoard& b) { return b.Frame(wire::Sample(1, 2)); }, IoAnswer::kUnknown, IoFault::kNone},
    {"an IoState", [](IoBoard& b) { return b.Frame(wire::IoState()); }, IoAnswer::kUnknown, IoFault::kNone},
    {"another session", [](IoBoard& b) { return With(b, [](wire::IoCommand* c) { c->mutate_session(c->session() + 1); }); },
     IoAnswer::kWrongSession, IoFault::kNone},
    {"no session", [](IoBoard& b) { return With(b, [](wire::IoCommand* c) { c->mutate_session(0); }); },
     IoAnswer::kWrongSession, IoFault::kNone},
    {"the same sequence",
     [](IoBoard& b) { return With(b, [](wire::IoCommand* c) { c->mutate_sequence(c->sequence() - 1); }); },
     IoAnswer::kNotNewer, IoFault::kNone},
    {"an old sequence", [](IoBoard& b) { return With(b, [](wire::IoCommand* c) { c->mutate_sequence(3); }); },
     IoAnswer::kNotNewer, IoFault::kNone},
    {"NaN", [](IoBoard& b) { return b.Frame(b.On(kNaN)); }, IoAnswer::kNotFinite, IoFault::kCommandNotFinite},
    {"NaN for a motor that is not there",
     [](IoBoard& b) { return With(b, [](wire::IoCommand* c) { c->mutable_current_A()->Mutate(5, kNaN); }); },
     IoAnswer::kNotFinite, IoFault::kCommandNotFinite},
    {"infinity", [](IoBoard& b) { return b.Frame(b.On(0, -std::numeric_limits<float>::infinity())); }, IoAnswer::kNotFinite,
     IoFault::kCommandNotFinite},
    {"absurd", [](IoBoard& b) { return b.Frame(b.On(1e30f)); }, IoAnswer::kTooLarge, IoFault::kCommandTooLarge},
    {"a bit above the ceiling", [](IoBoard& b) { return b.Frame(b.On(std::nextafter(2.0f, 3.0f))); }, IoAnswer::kTooLarge,
     IoFault::kCommandTooLarge},
    {"below the other ceiling", [](IoBoard& b) { return b.Frame(b.On(0, -1.01f)); }, IoAnswer::kTooLarge,
     IoFault::kCommandTooLarge},
    {"outputs that nobody knows", [](IoBoard& b) { return b.Frame(b.Command(static_cast<wire::IoOutputs>(2), 1)); },
     IoAnswer::kUnknown, IoFault::kNone},
};

TEST(IoApp, RefusesEachBadFrameInTheNextStateAndIsSafe) {
  for (const BadFrame& bad : kBadFrames) {
    SCOPED_TRACE(bad.name);
    IoBoard board;
    board.Drive(1);
    const wire::IoState before = board.last;
    board.PutBytes(bad.make(board));
    board.Edge();
    ASSERT_EQ(board.Take().size(), 1u);
    EXPECT_EQ(board.last.answer(), bad.answer);
    EXPECT_EQ(board.last.fault(), bad.fault);
    EXPECT_EQ(board.last.bad_frames() + board.last.refused_frames(), before.bad_frames() + before.refused_frames() + 1);
    EXPECT_TRUE(bad.fault == IoFault::kNone || board.off());
    EXPECT_LE(board.EdgesToZero(), 10);  // of 250 us, behind the one above: the time-out goes on
    EXPECT_TRUE(board.off());
  }
}

TEST(IoApp, KeepsTheCurrentsOfADoubledFrame) {
  IoBoard board;
  board.Drive(1);
  const auto frame = board.Frame(board.On(0.5f));
  board.PutBytes(frame), board.PutBytes(frame);
  board.Edge();
  board.Take();
  EXPECT_EQ(board.last.answer(), IoAnswer::kNotNewer);
  EXPECT_EQ(board.motors.flowing_A[0], 0.5f);
}

TEST(IoApp, DoesNotArmWhenAWholeSessionIsPlayedAgain) {
  IoBoard board;
  std::vector<std::vector<std::uint8_t>> tape;
  bool driven = false;
  board.Connect();
  tape.push_back(board.Frame(wire::HelloRequest(wire::kProtocolVersion, 7)));
  tape.push_back(board.Frame(board.Off()));
  for (int i = 0; i < 20; ++i) tape.push_back(board.Frame(board.On(1)));
  for (const auto& frame : tape) board.PutBytes(frame), board.Edge(), driven |= !board.off();
  board.Take();
  EXPECT_FALSE(driven);
  EXPECT_EQ(board.last.answer(), IoAnswer::kWrongSession);
}

TEST(IoApp, RefusesCommandsAfterAHelloOfAnotherVersion) {
  IoBoard board;
  board.Drive(1);
  const std::uint32_t session = board.session;
  board.Connect(wire::kProtocolVersion + 1);
  EXPECT_EQ(board.hello.compatible(), 0u);
  EXPECT_EQ(board.hello.session(), 0u);
  board.session = session;
  EXPECT_EQ(board.Tell(board.On(1)).answer(), IoAnswer::kWrongVersion);
  EXPECT_LE(board.EdgesToZero(), 12);
  EXPECT_EQ(board.Tell(wire::Action::kEStop).answer(), IoAnswer::kAccepted);  // of every version
}

TEST(IoApp, DisarmsForASecondHostAndFadesItsFirst) {
  IoBoard board;
  board.Drive(1);
  board.Connect();
  EXPECT_NEAR(board.motors.flowing_A[0], 1 - 1.0f / 12, 1e-6f);  // one of twelve periods of 250 us
  EXPECT_LE(board.EdgesToZero(), 12);
  board.Edge();
  EXPECT_TRUE(board.off());
  EXPECT_EQ(board.app.supervisor().phase, Phase::kIdle);
}

TEST(IoApp, TakesDisarmStopAndEStopInEveryState) {
  for (const wire::Action action : {wire::Action::kDisarm, wire::Action::kStop, wire::Action::kEStop}) {
    IoBoard board;
    board.Drive(1);
    EXPECT_EQ(board.Tell(action).answer(), IoAnswer::kAccepted);
    EXPECT_LE(board.EdgesToZero(), action == wire::Action::kEStop ? 0 : 11);
    board.Edge();
    EXPECT_TRUE(board.off());
  }
}

TEST(IoApp, AStoppedBoardWaitsForTheNextHost) {
  IoBoard board;
  board.Drive(1);
  board.Tell(wire::Action::kStop);
  board.Edges(20);
  EXPECT_EQ(board.app.supervisor().phase, Phase::kStopped);
  board.Drive(1);
  EXPECT_EQ(board.motors.flowing_A[0], 1);
}

TEST(IoApp, ClearsNoFaultWhileItsCauseIsThere) {
  IoBoard board;
  board.Drive(1);
  board.faulty.faults.e_stop = true;
  board.Tell(board.On(1));
  EXPECT_EQ(board.Tell(wire::Action::kClearFault).answer(), IoAnswer::kWrongState);
  board.faulty.faults.e_stop = false;
  board.Tell(board.Off());
  EXPECT_EQ(board.last.state(), wire::State::kFaulted);  // a released e-stop lets nothing out
  EXPECT_EQ(board.Tell(wire::Action::kClearFault).answer(), IoAnswer::kAccepted);
  EXPECT_EQ(board.last.state(), wire::State::kIdle);
}

// A frame calls between two edges: what it orders is taken there, and no reading has come since.
TEST(IoApp, TakesAClearFaultBetweenTwoEdges) {
  IoBoard board;
  board.Drive(1);
  board.Edges(40);  // silence
  ASSERT_EQ(board.app.fault(), IoFault::kCommandTimeout);
  board.Put(wire::Action::kClearFault);
  board.app.OnTick();
  board.Edges(2);
  (void)board.Take();
  EXPECT_EQ(board.last.state(), wire::State::kIdle);
  EXPECT_EQ(board.app.fault(), IoFault::kNone);
}

TEST(IoApp, WritesZerosWhenTheClockStands) {
  IoBoard board;
  board.Drive(1);
  for (int i = 0; i < 17; ++i) board.app.OnTick();  // frames call, and no time passes
  EXPECT_TRUE(board.motors.flowing_A[0] == 0);
  EXPECT_EQ(board.app.fault(), IoFault::kClockLost);
}

TEST(IoApp, FadesWhenTooManyOfItsPeriodsAreLate) {
  IoBoard board;
  board.Drive(1);
  for (int i = 0; i < 40 && board.app.fault() == IoFault::kNone; ++i) {
    board.Put(board.On(1));
    board.Edge(i % 5 == 0 ? 2 : 1);
  }
  EXPECT_EQ(board.app.fault(), IoFault::kLatePeriods);
  EXPECT_LE(board.EdgesToZero(), 12);
}

TEST(IoApp, GoesOnWithoutAReaderAndCountsIt) {
  IoBoard board;
  board.Drive(1);
  const std::uint32_t before = board.last.sequence();
  board.link.full = true;
  for (int i = 0; i < 8; ++i) board.Put(board.On(1)), board.Edge();
  EXPECT_EQ(board.motors.flowing_A[0], 1);
  board.link.full = false;
  board.Tell(board.On(1));
  EXPECT_EQ(board.last.sequence(), before + 9);
}

TEST(IoApp, CountsTheAgeOfACommandThatCameBetweenTheEdges) {
  IoBoard board;
  board.Drive(1);
  board.Put(board.On(1));
  board.clock.us_in_period = 100;
  board.app.OnTick();
  board.clock.us_in_period = 0;
  board.Edges(11);
  EXPECT_NEAR(board.motors.flowing_A[0], 0.1f, 1e-6f);  // 2.65 ms old, 2.9 ms at the period's end
  board.Edge();
  EXPECT_EQ(board.motors.flowing_A[0], 0);  // it would be 3.15 ms old
}

TEST(IoApp, TellsTheAgeOfTheLastCommandWithEitherOutput) {
  IoBoard board;
  board.Drive(1);
  EXPECT_EQ(board.last.command_age_us(), 0);
  board.Edges(8);
  EXPECT_EQ(board.Tell(board.Off()).command_age_us(), 0);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(board.Tell(board.Off()).command_age_us(), 0) << i;
  board.Take();
  board.Edges(5);  // the heartbeat, a millisecond later
  board.Take();
  EXPECT_EQ(board.last.command_age_us(), 1000);
}

TEST(IoApp, CutsBetweenTheEdgesWhenAFrameSaysSo) {
  IoBoard board;
  board.Drive(1);
  board.Put(wire::Action::kEStop);
  board.clock.us_in_period = 10;
  board.app.OnTick();
  EXPECT_EQ(board.motors.flowing_A[0], 0);
}

TEST(IoApp, FeedsTheWatchdogAtEdgesOnly) {
  IoBoard board;
  board.Edges(5);
  board.clock.us_in_period = 1;
  board.app.OnTick();
  EXPECT_EQ(board.watchdog.fed, 5);
}

TEST(IoApp, KeepsItsPromisesAtEveryPeriodAllowed) {
  for (const std::uint32_t period_us : {50u, 100u, 125u, 250u, 500u, 1000u}) {
    SCOPED_TRACE(period_us);
    IoBoard board(period_us);
    board.Drive(1);
    ASSERT_EQ(board.motors.flowing_A[0], 1);
    const int edges = board.EdgesToZero();
    EXPECT_LE(static_cast<std::uint32_t>(edges) * period_us, kCommandTimeout_us);
    EXPECT_GE(static_cast<std::uint32_t>(edges) * period_us, kCommandHold_us - period_us);
  }
}

}  // namespace
}  // namespace tactus::io
