// The command as a user runs it: exit codes and messages.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "scene_folder.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

struct Outcome {
  int code = -1;
  std::string output;  ///< standard output and standard error
};

Outcome Tactus(const std::string& arguments) {
  const std::string line = std::string("{ timeout -k 1 300 ") + TACTUS_COMMAND + " " + arguments + "; } 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe))
    outcome.output.append(chunk.data(), count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

void ExpectRefusal(const std::string& arguments, int code, const std::string& message) {
  const Outcome outcome = Tactus(arguments);
  EXPECT_EQ(outcome.code, code) << arguments << ": " << outcome.output;
  EXPECT_NE(outcome.output.find(message), std::string::npos) << arguments << ": " << outcome.output;
}

TEST(TactusCommand, RunsAndReplaysOnTheHost) {
  const TemporaryFile log("log"), json("json");
  // 400 ticks, and 20 in which the force fades: guard_ramp_down_s.
  const Outcome run = Tactus("run --quiet --ticks 400 --log " + log.path() + " --json " + json.path());
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("host replay: 420/420 ticks bit-identical"), std::string::npos) << run.output;
  const std::vector<char> report = json.Bytes();
  EXPECT_NE(std::string(report.begin(), report.end()).find("\"tactus.run/1\""), std::string::npos);
  const Outcome replay = Tactus("replay " + log.path());
  EXPECT_EQ(replay.code, 0);
  EXPECT_NE(replay.output.find("host replay: 420/420 ticks bit-identical"), std::string::npos) << replay.output;
}

// At full force the fade takes guard_ramp_down_s, 20 ms at any rate.
TEST(TactusCommand, RunsAndReplaysAtOtherRates) {
  const std::pair<const char*, const char*> cases[] = {{"2000", "2 kHz"}, {"5000", "5 kHz"}, {"10000", "10 kHz"}};
  for (const auto& [rate, said] : cases) {
    const int ticks = 2 * std::atoi(rate), all = ticks + std::atoi(rate) / 50;
    const Outcome run = Tactus("run --quiet --ticks " + std::to_string(ticks) + " --rate " + rate);
    EXPECT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find(std::string("peg in hole at ") + said), std::string::npos) << run.output;
    const std::string identical = "host replay: " + std::to_string(all) + "/" + std::to_string(all) + " ticks bit-identical";
    EXPECT_NE(run.output.find(identical), std::string::npos) << identical << run.output;
  }
}

TEST(TactusCommand, FailsWhenItsOutputIsLost) {
  const TemporaryFile log("log");
  ASSERT_EQ(Tactus("run --quiet --ticks 50 --log " + log.path()).code, 0);
  for (const std::string arguments : {"run --quiet --ticks 50", "--help"}) {
    const Outcome outcome = Tactus(arguments + " 2>&1 >/dev/full");
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.output.find("standard output"), std::string::npos) << arguments << ": " << outcome.output;
  }
  EXPECT_EQ(Tactus("replay " + log.path() + " >/dev/full").code, 2);
}

TEST(TactusCommand, HelpsWhenAsked) {
  const Outcome help = Tactus("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* name : {"hil", "run", "replay", "solve"}) EXPECT_NE(help.output.find(name), std::string::npos) << name;
}

TEST(TactusCommand, RefusesBadArguments) {
  ExpectRefusal("", 2, "subcommand");
  ExpectRefusal("run --ticks 0", 2, "--ticks");
  ExpectRefusal("run --ticks many", 2, "--ticks");
  ExpectRefusal("run --scalar 16", 2, "--scalar");
  ExpectRefusal("run --rate 999", 2, "--rate");
  ExpectRefusal("run --rate 3000", 2, "3000 Hz has no period of whole microseconds");
  ExpectRefusal("hil --transport pigeon", 2, "--transport");
}

TEST(TactusCommand, SaysWhatIsMissing) {
  ExpectRefusal("replay /nowhere/at.all", 2, "there is no recording");
  ExpectRefusal("run --ticks 5 --log /nowhere/at.all", 2, "cannot write");
  ExpectRefusal("hil --link qemu:no-such-board", 2, "run ./dev build no-such-board");
  ExpectRefusal("hil --image /nowhere/at.all", 2, "there is no firmware image");
}

TEST(TactusCommand, RefusesAnImageThatIsNone) {
  if (std::system("command -v qemu-system-arm >/dev/null") != 0) GTEST_SKIP() << "needs qemu-system-arm";
  if (!std::filesystem::exists(TACTUS_SOURCE_FOLDER "/build/mps2-an500/build.ninja"))
    GTEST_SKIP() << "needs the board's build: ./dev build mps2-an500";
  const TemporaryFile image("elf");
  image.Write(std::vector<char>(1000, 'x'));
  ExpectRefusal("hil --image " + image.path(), 2, "not a 32-bit little-endian ELF image");
}

TEST(TactusCommand, RefusesLinksThatItCannotOpen) {
  ExpectRefusal("hil --link pigeon", 2, "unknown link");
  ExpectRefusal("hil --link tcp:localhost:99999", 2, "not a port number");
  ExpectRefusal("hil --link serial:/dev/null:fast", 2, "not a baud rate");
  ExpectRefusal("hil --link unix:/nowhere/at.all", 3, "cannot open link");
  ExpectRefusal("hil --link tcp:127.0.0.1:1", 3, "cannot open link");
}

TEST(TactusCommand, SetsValuesOfAScene) {
  ExpectRefusal("run --ticks 5 --set coupling.stiffness_N_per_m=800", 2, "give --scene NAME or FILE too");
  const std::string wrong =
      "--set coupling.stiffness_N_per_m=-3: coupling.stiffness_N_per_m: -3 is out of range: 1 to 20000";
  for (const std::string command : {"run --scene ", "hil --link tcp:127.0.0.1:1 --scene ", "scene check ", "scene draw "})
    ExpectRefusal(command + "door --set coupling.stiffness_N_per_m=-3", 1, wrong);
  ExpectRefusal("test door --set coupling.stiffness_N_per_m=-3", 1, wrong);
  ExpectRefusal("run --scene door --ticks 3000 --quiet --set checks.max_force_N=0.01", 1, "the scene's check max_force_N");
  EXPECT_EQ(Tactus("run --scene door --ticks 3000 --quiet --set bodies[door].mass_kg=0.35 --set \"title=My door\"").code, 0);
}

// What a shipped scene asserts is sharp: the scene with one number a little off fails, and says by which check.
/// A shipped scene with one value changed, and the check that then fails.
struct ChangedScene {
  const char *name, *arguments, *check;
};
constexpr ChangedScene kChangedScenes[] = {
    {"carry", "carry --set checks.force_at[1].mean_N=2", "force_at the second hand presses as hard"},
    {"jack", "jack --set bodies[load].mass_kg=1.01", "force_at pushed down"},
    {"crank", "crank --set joints[0].high_deg=59.9", "body_at at the stop"},
    {"peg", "peg --set world[0].position_m=[0.02003,0,-0.05]", "body_at on the bottom"},
    {"gear_pair", "gear_pair --set joints[2].ratio=-2.01", "body_at 1 (large wheel)"},
    {"conveyor", "conveyor --set pairs[0].friction=0.41", "force_at the belt draws"},
    {"rim", "rim --set tool.shapes[0].radius_m=0.01201", "body_at seated"},
    {"block_feeder", "block_feeder --set pairs[0].friction=0.6", "force_at both blocks slide"},
    {"drawer", "drawer --set joints[0].high_m=0.0301", "body_at 0 (drawer)"},
    {"door", "door --set joints[0].high_deg=39", "events open: has not happened after"},
    {"pile_moved", "pile --set world[1].position_m=[0.0065,0,-0.014]", "body_at 1.1 at rest"},
    {"pile_slippery", "pile --set pairs[0].friction=0.02", "body_at 5.1 after the poke"},
    {"pile_hurried", "pile --work 1000000", "min_exact_share: 0."},
};

class ShippedScene : public testing::TestWithParam<ChangedScene> {};

TEST_P(ShippedScene, FailsWhenItIsAnother) {
  ExpectRefusal(std::string("test ") + GetParam().arguments, 1, GetParam().check);
}
INSTANTIATE_TEST_SUITE_P(TactusCommand, ShippedScene, testing::ValuesIn(kChangedScenes),
                         [](const auto& changed) { return std::string(changed.param.name); });

/// A controller behind a socket, for one client.
TEST(TactusCommand, TestsScenesOnABoard) {
  const TemporaryFile socket("socket"), junit("xml");
  const std::string board = std::string(TACTUS_WIRE_SERVER) + " " + socket.path() + " > /dev/null & while ! test -S " +
                            socket.path() + "; do sleep 0.01; done; ";
  ASSERT_EQ(std::system(board.c_str()), 0);
  const Outcome good = Tactus("test wall_tap --link unix:" + socket.path() + " --junit " + junit.path());
  EXPECT_EQ(good.code, 0) << good.output;
  const std::vector<char> report = junit.Bytes();
  EXPECT_NE(std::string(report.begin(), report.end()).find("tests=\"1\" failures=\"0\""), std::string::npos);
  std::filesystem::remove(socket.path());
  ASSERT_EQ(std::system(board.c_str()), 0);
  ExpectRefusal("test wall_tap --set checks.max_force_N=0.01 --link unix:" + socket.path(), 1, "FAILED wall_tap");
  ExpectRefusal("test wall_tap --link unix:/nowhere/at.all", 3, "cannot open link");
  ExpectRefusal("test wall_tap door --link qemu:no-such-board", 2, "run ./dev build no-such-board");
  const Outcome unwritable = Tactus("test wall_tap --junit /nowhere/at.all");
  EXPECT_EQ(unwritable.code, 2);
  EXPECT_EQ(unwritable.output.find("wall_tap"), std::string::npos) << "said before a scene has run: " << unwritable.output;
}

/// A controller with a device and a hand of its own: what a user is told who comes with a scene that has another.
TEST(TactusCommand, SaysWhoseHandItIsOfAServedDevice) {
  const TemporaryFile socket("socket");
  std::filesystem::remove(socket.path());
  const std::string board = std::string("timeout 60 ") + TACTUS_COMMAND +
                            " serve --quiet --device sim --priority 0 --ticks 10000 --listen unix:" + socket.path() +
                            " > /dev/null 2>&1 & for i in $(seq 3000); do test -S " + socket.path() +
                            " && break; sleep 0.01; done";
  ASSERT_EQ(std::system(board.c_str()), 0);
  const Outcome tested = Tactus("test wall_tap --link unix:" + socket.path());
  EXPECT_EQ(tested.code, 1) << tested.output;
  EXPECT_NE(tested.output.find("start tactus serve with --device host"), std::string::npos) << tested.output;
  EXPECT_EQ(tested.output.find("--device local"), std::string::npos) << "test has no such option: " << tested.output;
  const Outcome watched =
      Tactus("hil --quiet --no-replay --device local --scene wall_tap --ticks 100 --link unix:" + socket.path());
  EXPECT_NE(watched.output.find("note: the hand is the controller's, not that of the scene: tactus serve --scene wall_tap"),
            std::string::npos)
      << watched.output;
}

/// A controller that nobody has sent a scene.
TEST(TactusCommand, ReadsWhichSceneIsInForce) {
  const TemporaryFile socket("socket");
  const std::string board = std::string(TACTUS_WIRE_SERVER) + " " + socket.path() + " > /dev/null & while ! test -S " +
                            socket.path() + "; do sleep 0.01; done; ";
  ASSERT_EQ(std::system(board.c_str()), 0);
  const Outcome none = Tactus("scene read door --link unix:" + socket.path());
  EXPECT_EQ(none.code, 1) << none.output;
  EXPECT_NE(none.output.find("no scene is in force"), std::string::npos) << none.output;
  EXPECT_NE(none.output.find("it differs from door"), std::string::npos) << none.output;
  ExpectRefusal("serve --scene nosuch", 2, "there is no scene 'nosuch'");
  ExpectRefusal("export no.log --csv /tmp/same --npz /tmp/same", 2, "is given twice");
  ExpectRefusal("selftest --device omega3 --hand tremor --seed 2", 1, "a hand moves it");
  ExpectRefusal("serve --scene carry --device sim", 2, "has two tools: give --second-device too");
  ExpectRefusal("scene read nosuch --link unix:/nowhere/at.all", 2, "nosuch");
  ExpectRefusal("scene read --link unix:/nowhere/at.all", 3, "cannot open link");
}

TEST(TactusCommand, RefusesAnEmulatorsTimeThatIsNone) {
  for (const char* const time : {"nan", "-1", "1e300"}) {
    ExpectRefusal(std::string("emulate haply --seconds ") + time, 2, "--seconds: give a time up to 1e9");
    ExpectRefusal(std::string("io-emulator --seconds ") + time, 2, "--seconds: give a time up to 1e9");
  }
}

/// Of an option as left out: the ceiling or the token that was meant would be gone.
TEST(TactusCommand, RefusesAnEmptyValue) {
  ExpectRefusal("identify --device falcon-emulator --force \"\" --seconds 1", 2, "the word behind '--force' is empty");
  ExpectRefusal("serve --device sim --listen tcp:127.0.0.1:0 --token-file \"\"", 2,
                "the word behind '--token-file' is empty");
  ExpectRefusal("serve --device sim --token-file=", 2, "the word behind '--token-file' is empty");
}

/// Taken in silence it would have shown that the driver masters a fault which never was.
TEST(TactusCommand, RefusesAFaultThatTheDeviceCannotHave) {
  ExpectRefusal("emulate woodenhaptics --fault refuse@0 --seconds 0.01", 2,
                "woodenhaptics has no fault 'refuse'; it has: mute");
  ExpectRefusal("emulate falcon --fault other-model@0 --seconds 0.01", 2, "falcon has no fault 'other-model'; it has: mute");
  EXPECT_EQ(Tactus("emulate falcon --fault drive-fault@0 --seconds 0.01").code, 0);
  ExpectRefusal("emulate falcon --press 5@0 --seconds 0.01", 2, "falcon has no button '5': give 1 to 4");
  ExpectRefusal("emulate haply --press 1@0 --seconds 0.01", 2, "--press: haply has no buttons");
}

/// A device that falls silent under force: its driver fails, what is left of the fade is cut, and the replay follows. 50 ms
/// for each silent period would be 75 s.
TEST(TactusCommand, ReplaysARunWhoseDeviceFallsSilent) {
  const Outcome run = Tactus("run --quiet --device haply-emulator --fault mute@1000 --ticks 2500");
  EXPECT_EQ(run.code, 1) << "a fault is a failure: " << run.output;
  EXPECT_NE(run.output.find("device failed"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("problem"), std::string::npos) << run.output;
}

TEST(TactusCommand, DoesNotBakeAPartThatNoSampleNeedSee) {  // a grain of 2 um beside a body of 20 mm
  const TemporaryFile mesh("obj"), grid("tsdf");
  std::ofstream file(mesh.path());
  const double place_m[] = {0, 0.05}, half_m[] = {0.01, 1e-6};
  for (int part = 0; part < 2; ++part) {
    for (int i = 0; i < 8; ++i) {
      file << "v " << place_m[part] + (i & 1 ? 1 : -1) * half_m[part] << ' ' << (i & 2 ? 1 : -1) * half_m[part] << ' '
           << (i & 4 ? 1 : -1) * half_m[part] << '\n';
    }
  }
  const int corners[][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
  for (int part = 0; part < 2; ++part)
    for (const auto& c : corners)
      for (const int last : {2, 3})
        file << "f " << c[0] + 8 * part << ' ' << c[last - 1] + 8 * part << ' ' << c[last] + 8 * part << '\n';
  file.close();
  ExpectRefusal("scene bake " + mesh.path() + " --resolution 1mm --out " + grid.path(), 2,
                "part 2 of the mesh is smaller than a sample: 0.002 mm at (0.049999, -1e-06, -1e-06) m");
}

// What others of its folder include, and has no tool, is no scene; what asserts nothing has passed no check.
TEST(TactusCommand, TestsAFolderWithoutItsParts) {
  const SceneFolder folder;
  folder.Write("room.toml", "[[world]]\nkind = \"half-space\"\nposition_m = [0, 0, -0.1]\n");
  const std::string scene = folder.Write("scene.toml",
                                         "include = [\"room.toml\"]\n[tool]\n[[tool.shapes]]\nkind = \"sphere\"\n"
                                         "radius_m = 0.005\n[[hand]]\nduration_s = 0.1\n");
  const std::string place = std::filesystem::path(scene).parent_path().string();
  const Outcome good = Tactus("test --ticks 50 " + place);
  EXPECT_EQ(good.code, 0) << good.output;
  EXPECT_NE(good.output.find("part   room "), std::string::npos) << good.output;
  EXPECT_NE(good.output.find("no checks"), std::string::npos) << good.output;
  EXPECT_EQ(good.output.find("0 checks"), std::string::npos) << good.output;
  folder.Write("lonely.toml", "title = \"no part of any\"\n");
  const Outcome bad = Tactus("test --ticks 50 " + place);
  EXPECT_EQ(bad.code, 1) << bad.output;
  EXPECT_NE(bad.output.find("FAILED lonely "), std::string::npos) << bad.output;
  EXPECT_EQ(Tactus("test --ticks 50 " + place + "/room.toml").code, 1) << "who names a file wants it run";
}

// Source: K q/2 with K 20 kN/m and the simulated device's q of 38 um, against its friction of 0.3 N [AbbottOkamura05].
TEST(TactusCommand, TellsTheLimitCycleOfTheScenesOwnCoupling) {
  const Outcome stiff = Tactus(
      "run --scene wall_tap --quiet --ticks 20 --set coupling.stiffness_N_per_m=20000 --allow-unstable "
      "--set coupling.damping_Ns_per_m=1e-9");
  EXPECT_NE(stiff.output.find("translation: limit cycle"), std::string::npos) << stiff.output;
  EXPECT_NE(stiff.output.find("K q/2 0.38"), std::string::npos) << stiff.output;
}

// A tool that starts in a wall feels nothing until the hand has drawn it out, and this hand never does.
TEST(TactusCommand, SaysThatAToolNeverLeftItsWall) {
  const SceneFolder folder;
  const std::string scene =
      folder.Write("wall.toml",
                   "[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n"
                   "[[world]]\nkind = \"half-space\"\nposition_m = [0, 0, -0.009]\n[[hand]]\nduration_s = 0.1\n"
                   "[checks]\nmin_contact_share = 0.9\nmin_exact_share = 0.9\nmax_force_N = 1\n");
  ExpectRefusal("run --quiet --ticks 300 --scene " + scene, 1, "the tool was inside an obstacle to the end");
  ExpectRefusal("test --ticks 300 " + scene, 1, "the tool was inside an obstacle to the end");
  ExpectRefusal("test --ticks 300 " + scene, 1, "min_contact_share");
}

// Source: a body that falls freely by ½ g t², but for the step's half a period: g h t/2.
TEST(TactusCommand, ExportsWhereBodiesAre) {
  const SceneFolder folder;
  const std::string scene = folder.Write(
      "fall.toml",
      "gravity_mps2 = [0, 0, -9.81]\n[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.005\n"
      "[[bodies]]\nname = \"ball\"\nmass_kg = 0.1\nposition_m = [0.1, 0, 0.5]\n[[bodies.shapes]]\nkind = \"sphere\"\n"
      "radius_m = 0.01\n[[hand]]\nduration_s = 0.1\n");
  const TemporaryFile log("log"), csv("csv");
  EXPECT_EQ(Tactus("run --quiet --ticks 101 --scene " + scene + " --log " + log.path()).code, 0);
  const Outcome outcome = Tactus("export " + log.path() + " --bodies " + csv.path());
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  std::ifstream file(csv.path());
  std::string line, last;
  std::getline(file, line);
  EXPECT_EQ(line, "time_s [s],tick,body,p_WB_x [m],p_WB_y [m],p_WB_z [m],q_WB_w,q_WB_x,q_WB_y,q_WB_z");
  while (std::getline(file, line)) {
    if (line.starts_with("0.101000,101,1,")) last = line;
  }
  double x_m = 0, y_m = 0, z_m = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "0.101000,101,1,%lf,%lf,%lf", &x_m, &y_m, &z_m), 3) << last;
  EXPECT_EQ(x_m, 0.1);
  EXPECT_NEAR(z_m, 0.5 - 9.81 * 0.1 * 0.1 / 2 - 9.81 * 1e-3 * 0.1 / 2, 1e-9);
}

TEST(TactusCommand, WritesEventsWhileItRunsAsItsExportDoesAfterwards) {
  const TemporaryFile log("log"), live("live"), exported("exported");
  const Outcome run = Tactus("run --quiet --scene conveyor --ticks 1500 --log " + log.path() + " --events " + live.path());
  EXPECT_EQ(run.code, 0) << run.output;
  const Outcome outcome = Tactus("export " + log.path() + " --events " + exported.path());
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_GT(live.Bytes().size(), 150u) << "more than the head";
  EXPECT_EQ(live.Bytes(), exported.Bytes());
  ExpectRefusal("run --events /nowhere/at.all", 2, "cannot write '/nowhere/at.all'");
}

TEST(TactusCommand, ChecksBeforeARunThatItsReportCanBeWritten) {
  ExpectRefusal("run --ticks 100000000 --json /nowhere/at.all", 2, "cannot write '/nowhere/at.all'");
  ExpectRefusal("hil --counts /nowhere/at.all", 2, "cannot write '/nowhere/at.all'");
}

TEST(TactusCommand, StopsInGoodOrderBySignal) {
  const TemporaryFile log("log");
  for (const auto& [name, code] : {std::pair("INT", 130), std::pair("TERM", 143)}) {
    const std::string arguments = "run --quiet --no-replay --ticks 100000000 --log " + log.path();
    const Outcome run = Tactus(arguments + " & sleep 1; kill -" + name + " $!; wait $!");
    EXPECT_EQ(run.code, code) << run.output;
    EXPECT_NE(run.output.find("stopped by signal"), std::string::npos) << run.output;
    const Outcome replay = Tactus("replay " + log.path());
    EXPECT_EQ(replay.code, 0) << replay.output;
  }
}

TEST(TactusCommand, FailsOnADamagedRecording) {
  const TemporaryFile log("log");
  ASSERT_EQ(Tactus("run --quiet --no-replay --ticks 20 --log " + log.path()).code, 0);
  std::vector<char> bytes = log.Bytes();
  bytes[bytes.size() / 2] ^= 1;
  log.Write(bytes);
  ExpectRefusal("replay " + log.path(), 1, "at byte");
}

}  // namespace
}  // namespace tactus::host
