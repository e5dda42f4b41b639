// The checks that look at each tick: they hold where they should, and each of them can be broken.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "host_tools/report/length.h"
#include "host_tools/scene/timed_checks.h"
#include "local_run.h"
#include "scene_folder.h"

namespace tactus::host {
namespace {

/// A body that goes along x at 0.1 m/s and turns about z at 1 rad/s; a force of 2 t newtons against x: 1000 ticks of 1 ms.
SceneTimeline Ramp() {
  SceneTimeline run;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const double t_s = i * 1e-3;
    ReplayedTick tick{.sample_sequence = i + 1, .force_N = {-2 * t_s, 0, 0}, .bodies = std::vector<BodyPose>(2)};
    tick.bodies[1] = {{0.1 * t_s, 0.5, 0}, {std::cos(t_s / 2), 0, 0, std::sin(t_s / 2)}};
    run.ticks.push_back({t_s, tick});
  }
  run.end = {{}, {{0.1, 0.5, 0}, {std::cos(0.5), 0, 0, std::sin(0.5)}}};
  run.end_s = 1;
  return run;
}

TimedChecks Read(const std::string& checks) {
  const SceneFolder folder;
  return LoadScene(folder.Write("a.toml",
                                "[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n[[bodies]]\nname = \"b\"\n"
                                "[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n" +
                                    checks))
      .checks.timed;
}

/// 'y' and 'n' of each result.
std::string Verdicts(const std::string& checks) {
  std::string verdicts;
  for (const CheckResult& result : Check(Read(checks), Ramp())) verdicts += result.passed ? 'y' : 'n';
  return verdicts;
}

std::string Force(const std::string& bounds) { return "[[checks.force_at]]\nfrom_s = 0.2\nto_s = 0.4\n" + bounds; }

// Source: of a force of 2 t in [0.2, 0.4] s the least is 0.4 N, the most 0.8 N, the mean 0.6 N.
TEST(SceneChecks, ForceAtATime) {
  EXPECT_EQ(Verdicts(Force("min_N = 0.399\n") + Force("min_N = 0.401\n")), "yn");
  EXPECT_EQ(Verdicts(Force("max_N = 0.801\n") + Force("max_N = 0.799\n")), "yn");
  EXPECT_EQ(Verdicts(Force("mean_N = 0.6\nwithin_N = 1e-9\n") + Force("mean_N = 0.61\nwithin_N = 0.009\n")), "yn");
  EXPECT_EQ(Verdicts(Force("along = [3, 0, 0]\nmean_N = -0.6\nwithin_N = 1e-9\n") +
                     Force("along = [0, 1, 0]\nmean_N = 0.6\nwithin_N = 0.1\n")),
            "yn");
  EXPECT_EQ(Verdicts("[[checks.force_at]]\nfrom_s = 0.9\nto_s = 1.2\nmax_N = 100\n"), "n");  // the run ends before
}

std::string Pose(const std::string& bounds) { return "[[checks.body_at]]\nbody = \"b\"\nat_s = 0.5\n" + bounds; }

// Source: after 0.5 s it is at x = 0.05 m, and turned by 0.5 rad = 28.6479°.
TEST(SceneChecks, BodyAtATime) {
  EXPECT_EQ(Verdicts(Pose("position_m = [0.05, 0.5, 0]\nwithin_m = 1e-9\n") +
                     Pose("position_m = [0.05, 0.5, 0.002]\nwithin_m = 0.001\n")),
            "yn");
  EXPECT_EQ(Verdicts(Pose("turned_deg = 28.6479\nwithin_deg = 0.001\n") + Pose("turned_deg = 29\nwithin_deg = 0.3\n")),
            "yn");
  const std::string last = "[[checks.body_at]]\nbody = \"b\"\nat_s = 1\nposition_m = [0.1, 0.5, 0]\nwithin_m = 1e-9\n";
  EXPECT_EQ(Verdicts(last), "y");  // the last tick begins 1 ms before it
  EXPECT_EQ(Verdicts("[[checks.body_at]]\nbody = \"tool\"\nat_s = 1.5\nturned_deg = 0\nwithin_deg = 180\n"), "n");
}

TEST(SceneChecks, OfAPoseThatIsNoNumberDoNotPass) {
  const auto verdicts = [](double x, double w, const std::string& checks) {
    SceneTimeline run = Ramp();
    for (SceneTimeline::Tick& tick : run.ticks) {
      if (tick.time_s > 0.1) tick.seen.bodies[1] = {{x, 0, 0}, {w, 0, 0, 0}};
    }
    std::string text;
    for (const CheckResult& result : Check(Read(checks), run)) text += result.passed ? 'y' : 'n';
    return text;
  };
  const std::string there = Pose("position_m = [0, 0, 0]\nwithin_m = 100\n"),
                    turned = Pose("turned_deg = 90\nwithin_deg = 180\n");
  const double nan = std::nan("");
  EXPECT_EQ(verdicts(0, 1, there + turned), "yy");
  EXPECT_EQ(verdicts(nan, 1, there + turned), "nn");  // the other number of the same pose passes no bound either
  EXPECT_EQ(verdicts(0, nan, there + turned), "nn");
}

// Source: IEEE 754, a root of a sum with a NaN; libstdc++'s hypot(0, NaN, 0) is 0.
TEST(Length, OfWhatIsNoNumberIsNone) {
  EXPECT_EQ(Length(2, -3, 6), 7);
  for (int i = 0; i < 3; ++i) {
    double v[3] = {0, 0, 0};
    v[i] = std::nan("");
    EXPECT_TRUE(std::isnan(Length(v[0], v[1], v[2]))) << i;
  }
}

std::string Event(const std::string& bounds) { return "[[checks.events]]\n" + bounds; }

TEST(SceneChecks, EventsInTheirOrder) {
  const std::string pressed = Event("force_above_N = 1\n"), moved = Event("body = \"b\"\nmoved_above_m = 0.07\n"),
                    near = Event("body = \"b\"\nmoved_below_m = 0.03\n"),
                    turned = Event("body = \"b\"\nturned_above_deg = 50\n");
  EXPECT_EQ(Verdicts(near + pressed + moved + turned), "yyyy");  // at 0, 0.5, 0.7, 0.87 s
  EXPECT_EQ(Verdicts(pressed + near), "yn");                     // it has gone too far by then
  EXPECT_EQ(Verdicts(pressed + near + moved), "yn");             // what comes after is not looked for
  EXPECT_EQ(Verdicts(Event("force_above_N = 1\nby_s = 0.502\n") + Event("force_above_N = 1.2\nby_s = 0.502\n")), "yn");
  EXPECT_EQ(Verdicts(Event("force_above_N = 1\nforce_below_N = 0.9\n")), "n");
  EXPECT_EQ(Verdicts(pressed + Event("body = \"b\"\nturned_below_deg = 20\n")), "yn");
}

TEST(SceneChecks, OfARunWithoutTicksDoNotPass) {
  const TimedChecks checks =
      Read(Force("min_N = 0\n") + Pose("turned_deg = 0\nwithin_deg = 180\n") + Event("force_below_N = 9\n"));
  for (const CheckResult& result : Check(checks, SceneTimeline{})) EXPECT_FALSE(result.passed) << result.name;
}

// Source: 50 g at 9.81 m/s²; behind a map with φ = 2 and s = 5 the hand feels 2/5 of its energy.
TEST(SceneChecks, KnowTheToolsWeightAsTheHandFeelsIt) {
  const std::vector<std::string> map = {"workspace.scale=5", "workspace.force_scale=2"};
  EXPECT_NEAR(LoadScene("pendulum").checks.weight_N[0][2], -0.4905, 1e-12);
  EXPECT_NEAR(LoadScene("pendulum", map).checks.weight_N[0][2], -0.4905 * 2 / 5, 1e-12);
  EXPECT_EQ(LoadScene("pendulum").checks.weight_N[1][2], 0);
  EXPECT_NEAR(LoadScene("carry").checks.weight_N[1][2], -9.81 * LoadScene("carry").scene.bodies[1].mass_kg, 1e-12);
}

TEST(SceneChecks, AreRefusedWithFieldAndRange) {
  const auto expect = [](const std::string& checks, const std::string& words) {
    try {
      (void)Read(checks);
      ADD_FAILURE() << checks;
    } catch (const HostError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what() << "\nwanted " << words;
    }
  };
  expect("[[checks.force_at]]\nto_s = 1\nmin_N = 1\n", "force_at[0].from_s: is missing");
  expect("[[checks.force_at]]\nfrom_s = 2\nto_s = 1\nmin_N = 1\n", "to_s: 1 is out of range: 2 to");
  expect(Force("second_hand = true\nmin_N = 1\n"), "force_at[0].second_hand: is true, and the scene has no [second_tool]");
  expect(Force(""), ": checks.force_at[0]: asserts nothing; give one of: min_N, max_N, mean_N");
  expect(Force("mean_N = 1\n"), "needs within_N too");
  expect(Force("min_N = nan\n"), "min_N: nan is not finite; its range is -1000 to 1000");
  expect(Force("along = [0, 0, 0]\nmin_N = 1\n"), "has no direction");
  expect(Pose("position_m = [0, 0, 0]\n"), "needs within_m too");
  expect(Pose("turned_deg = 200\nwithin_deg = 1\n"), "turned_deg: 200 is out of range: 0 to 180");
  expect(Pose("position_m = [0, nan, 0]\nwithin_m = 1\n"), "position_m: nan is not finite; its range is -100 to 100");
  expect("[[checks.body_at]]\nbody = \"c\"\nat_s = 1\n", "\"c\" is none of: tool, b");
  expect(Event("moved_above_m = 1\n"), "needs body too");
  expect(Event("by_s = 1\n"), "asserts nothing");
  expect(Event("force_obove_N = 1\nforce_below_N = 1\n"), "did you mean force_above_N?");
  expect("[checks]\nevents = 3\n", "is no list of tables");
}

/// Ticks of a recording: the bodies' way, where Telemetry knows the tool's alone.
TEST(SceneChecks, SeeAllBodiesOfARecording) {
  const SceneFolder folder;
  // Source: a ball that falls for n steps, each with the velocity of its end: g h² n (n + 1)/2; 0.5 s are 500 of them.
  const SceneFile file = LoadScene(folder.Write("a.toml",
                                                "gravity_mps2 = [0, 0, -9.81]\n[tool]\n[[tool.shapes]]\nkind = \"sphere\"\n"
                                                "radius_m = 0.01\n[[bodies]]\nname = \"b\"\nposition_m = [1, 0, 0]\n"
                                                "[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n"));
  const TemporaryFile log("log");
  RunSummary run;
  {
    LogFile writer(log.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
    BoardClient board(*transport, &writer);
    hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), file.Hand(), 1);
    PlayOptions options = QuietOptions(600);
    options.scene = file.Image();
    Play(board, device, options, &run);
    writer.Close();
  }
  const SceneTimeline timeline = ReadTimeline(log.path(), 1e-3);
  ASSERT_EQ(timeline.ticks.size(), 600u);
  const auto fallen_m = [](int steps) { return 9.81e-6 * steps * (steps + 1) / 2; };
  constexpr double kRounding = 1e-12;  // of 600 sums
  for (const int steps : {0, 1, 500}) {
    const SceneTimeline::Tick& tick = timeline.ticks[static_cast<std::size_t>(steps)];
    ASSERT_EQ(tick.seen.bodies.size(), 2u);
    EXPECT_NEAR(tick.time_s, 1e-3 * steps, 1e-9);
    EXPECT_NEAR(tick.seen.bodies[1].p_WB_m[2], -fallen_m(steps), kRounding);
    EXPECT_EQ(tick.seen.bodies[1].p_WB_m[0], 1);
  }
  EXPECT_NEAR(timeline.end_s, 0.6, 1e-9);
  EXPECT_NEAR(timeline.end[1].p_WB_m[2], -fallen_m(600), kRounding);
  // Source: the tool starts in the hand, which starts at the origin of its script.
  EXPECT_EQ(timeline.ticks[0].seen.bodies[0].p_WB_m[0], 0);
}

constexpr const char* kBall = "[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";

// Source: the hand's own way: what it did in a free space it does again, behind by what the spring of 135 N/m and the
// device's friction of 0.3 N let it be: 2.2 mm, twice, and the way of 10 ms at up to 57 mm/s.
TEST(RecordedHand, GoesWhereTheHandleWas) {
  const SceneFolder folder;
  const std::string first = folder.Write("first.toml", std::string(kBall) +
                                                           "[[hand]]\nduration_s = 1\nto_m = [0.03, 0, 0.01]\n[[hand]]\n"
                                                           "duration_s = 1\nto_m = [0, 0, 0]\n");
  const std::string log = folder.Write("run.log", "");
  const std::string command = std::string(TACTUS_COMMAND) + " run --quiet --ticks 2000 --scene ";
  ASSERT_EQ(std::system((command + first + " --log " + log + " > /dev/null").c_str()), 0);
  const SceneFile again = LoadScene(folder.Write("again.toml", std::string(kBall) + "[hand]\nrecording = \"run.log\"\n"));
  const SceneFile script = LoadScene(first);
  EXPECT_NEAR(again.Hand().duration_s(), 3.02, 0.021);  // 2 s and the fade's 20 ms, every 20 ms, and a second to go back
  for (double t_s = 0; t_s < 2; t_s += 0.1) {
    const auto wanted = script.Hand().TargetAt(t_s).p_WS_m, recorded = again.Hand().TargetAt(t_s).p_WS_m;
    EXPECT_LT((wanted - recorded).norm(), 0.005 + 0.057 * 0.07) << t_s;  // damping 0.4/6.45: behind by 65 ms at the most
  }
  EXPECT_NEAR(again.Hand().TargetAt(1).p_WS_m(0), 0.03, 0.004);
}

TEST(RecordedHand, IsRefusedWithItsLine) {
  const SceneFolder folder;
  const auto error = [&](const std::string& hand) { return ErrorOfScene(folder.Write("a.toml", kBall + hand)); };
  EXPECT_NE(error("[hand]\nrecording = \"none.log\"\n").find("a.toml:6: hand.recording: "), std::string::npos)
      << error("[hand]\nrecording = \"none.log\"\n");
  folder.Write("bad.log", "no recording at all");
  EXPECT_NE(error("[hand]\nrecording = \"bad.log\"\n").find("hand.recording: "), std::string::npos);
  EXPECT_NE(error("[hand]\nduration_s = 1\n").find("recording: is missing"), std::string::npos);
  EXPECT_NE(error("[hand]\nrecording = 3\n").find("is no text in quotes"), std::string::npos);
}

}  // namespace
}  // namespace tactus::host
