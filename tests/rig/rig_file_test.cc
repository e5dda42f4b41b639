// `tactus hil --rig`: what a file may say, what is refused and how, and that a check fails where the physics does.
#include "host_tools/hil/rig_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hal/sim/preset_numbers.h"
#include "host_tools/hil/rig_report.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

const std::string kRigs = std::string(TACTUS_SOURCE_FOLDER) + "/rigs/";
const std::string kHead = "format = \"tactus.rig/1\"\n[device]\nkind = \"simulated\"\nname = \"hapkit\"\n";

struct TempFile {
  explicit TempFile(const std::string& text = "", const std::string& ending = "toml")
      : path((std::filesystem::temp_directory_path() / ("tactus_rigfile_" + std::to_string(getpid()) + "." + ending))
                 .string()) {
    std::ofstream(path) << text;
  }
  ~TempFile() { std::filesystem::remove(path); }
  std::string Text() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::string path;
};

std::string ErrorOf(const std::string& text) {
  const TempFile file(text);
  try {
    (void)LoadRig(file.path);
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

std::pair<int, std::string> Hil(const std::string& arguments) {
  const std::string line = std::string("{ timeout -k 1 100 ") + TACTUS_COMMAND + " hil " + arguments + "; } 2>&1";
  std::string output;
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), count);
  return {WEXITSTATUS(pclose(pipe)), output};
}

std::vector<WallPoint> Pressed(double K, int count) {
  std::vector<WallPoint> points;
  for (int i = 1; i <= count; ++i) points.push_back({.depth_m = 1e-3 * i, .force_N = K * 1e-3 * i});
  return points;
}

TEST(RigFile, ShippedOnesAreTaken) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kRigs)) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW((void)LoadRig(entry.path().string())) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 4);
}

TEST(RigFile, SaysFileLineFieldValueAndRange) {
  struct Wrong {
    std::string text;
    const char* words;
  };
  for (const Wrong& wrong : {
           Wrong{kHead + "[limits]\nforce_N = 200\n", ".toml:6: limits.force_N: 200 is out of range: 0.001 to 100"},
           Wrong{kHead + "[limits]\nreach_m = nan\n", "limits.reach_m: nan is not finite; its range is 0.0001 to 0.1"},
           Wrong{kHead + "[limits]\nspeed_mps = \"fast\"\n", "limits.speed_mps: 'fast' is no number"},
           Wrong{kHead + "seed = 1.5\n", ".toml:5: device.seed: 1.5 is no whole number"},
           Wrong{kHead + "[mounted]\nscene_ticks = 10.5\n", "mounted.scene_ticks: 10.5 is no whole number"},
           Wrong{kHead + "[mounted]\nscene = \"\"\n", ".toml:6: mounted.scene: is empty"},
           Wrong{kHead + "[checks]\nidentify_s = inf\n", "checks.identify_s: inf is not finite; its range is 8 to 600"},
           Wrong{kHead + "[checks]\nselftst = true\n", "did you mean selftest?"},
           Wrong{kHead + "line = \"/dev/ttyACM0\"\n", "device.line: is for kind = \"line\""},
           Wrong{kHead + "hand = \"left\"\n", "device.hand: \"left\" is none of: none, relaxed"},
           Wrong{kHead + "[controller]\nlink = \"usb:1\"\n", "controller.link: \"usb:1\" is none of: qemu:BOARD"},
           Wrong{kHead + "[controller]\nimage = \"a.elf\"\n", "controller.image: is for link"},
           Wrong{kHead + "[mounted]\nscene = \"nowhere\"\n", "mounted.scene: "},
           Wrong{kHead + "[[numbers]]\naxis = \"w\"\n", "numbers[0].axis: \"w\" is none of: x, y, z"},
           Wrong{kHead + "[[numbers]]\naxis = \"x\"\nquantity = \"mass_kg\"\nvalue = 0\nwithin = 0.1\n",
                 ":8: numbers[0].value: 0 is out of range"},
           Wrong{kHead + "[wall]\nsurface_m = 0\nstiffness_N_per_m = 1500\n", "wall: needs mounted.scene"},
           Wrong{kHead + "[wall]\nnormal = [0, 0, 0]\n", "wall.normal: has no direction"},
           Wrong{kHead + "[checks]\nselftest = false\nstops = false\n", ".toml:1: asserts nothing: give "},
           Wrong{"format = \"tactus.rig/2\"\n", "format: must be \"tactus.rig/1\""},
           Wrong{"format = \"tactus.rig/1\"\n", "device.kind: is missing; it is one of: simulated, emulated, line"},
           Wrong{"format = \"tactus.rig/1\"\n[device]\nkind = \"line\"\nname = \"falcon\"\n", "device.line: is missing"},
           Wrong{"format = [", ".toml:1: "},
       })
    EXPECT_NE(ErrorOf(wrong.text).find(wrong.words), std::string::npos) << wrong.text << "->" << ErrorOf(wrong.text);
  EXPECT_THROW((void)LoadRig("/nowhere/rig.toml"), HostError);
  EXPECT_THROW((void)LoadRig("/"), HostError);
}

TEST(RigFile, CutAnywhereItIsRefusedOrAsksForLess) {  // Never a crash, never another number.
  std::ifstream file(kRigs + "simulated_omega3.toml");
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  const RigFile all = LoadRig(kRigs + "simulated_omega3.toml");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const TempFile cut(whole.substr(0, size));
    try {
      EXPECT_LE(LoadRig(cut.path).numbers.size(), all.numbers.size());
    } catch (const HostError&) {
    }
  }
}

void CollectKeys(const nlohmann::json& node, const std::string& table, std::vector<std::string>* keys) {
  for (const auto& [key, value] : node["properties"].items()) {
    keys->push_back(table.empty() ? key : table + "." + key);
    const nlohmann::json& of = value.contains("items") ? value["items"] : value;
    if (of.contains("properties")) CollectKeys(of, table.empty() ? key : table + "." + key, keys);
  }
}

TEST(RigSchema, HasTheKeysOfTheDocumentAndTheLoader) {
  std::vector<std::string> keys;
  CollectKeys(nlohmann::json::parse(std::ifstream(kRigs + "rig.schema.json")), "", &keys);
  std::ifstream page(std::string(TACTUS_SOURCE_FOLDER) + "/docs/rig.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const std::string& key : keys) {
    const std::string last = key.substr(key.rfind('.') + 1);
    EXPECT_NE(text.find("`" + last + "`"), std::string::npos) << key;
  }
  int loaded = 0;
  for (const std::string& key : keys) {  // a value that is wrong is refused as such; a key that is not known, by that
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos || key.starts_with("numbers") || key.starts_with("mounted.spring.")) continue;
    const std::string table = key.substr(0, dot), line = key.substr(dot + 1) + " = 0.123\n";
    const std::string file =
        table == "device" ? "format = \"tactus.rig/1\"\n[device]\n" + line : kHead + "[" + table + "]\n" + line;
    EXPECT_EQ(ErrorOf(file).find("not known here"), std::string::npos) << ErrorOf(file);
    ++loaded;
  }
  EXPECT_GT(loaded, 20);
}

TEST(RigWall, IsJudgedByItsStiffness) {  // Source: F = K d, by hand.
  const RigWall wall{.stiffness_N_per_m = 1500, .within = 0.02};
  EXPECT_EQ(CheckWall(wall, Pressed(1500, 10)).verdict, Verdict::kPass);
  EXPECT_EQ(CheckWall(wall, Pressed(1500 * 1.019, 10)).verdict, Verdict::kPass);
  EXPECT_EQ(CheckWall(wall, Pressed(1500 * 1.021, 10)).verdict, Verdict::kFail);
  EXPECT_EQ(CheckWall(wall, Pressed(1500 * 0.979, 10)).verdict, Verdict::kFail);
  EXPECT_EQ(CheckWall(wall, Pressed(-1500, 10)).verdict, Verdict::kFail);
  EXPECT_EQ(CheckWall(wall, Pressed(1500, 4)).verdict, Verdict::kFail);
  EXPECT_EQ(CheckWall(wall, {}).verdict, Verdict::kFail);
}

TEST(RigReport, KeepsItsTablesWhole) {
  RigFile rig;
  rig.title = "a | b <c>";
  RigResult result;
  result.checks.push_back({"scene", "x \"y\" & <z>", Verdict::kFail, "1 | 2\n3"});
  const std::string page = RigMarkdown(rig, result, "now", ""), xml = RigJunit(rig, result);
  EXPECT_NE(page.find("| **FAIL** | scene: x \"y\" & &lt;z> | 1 \\| 2 3 |\n"), std::string::npos) << page;
  EXPECT_NE(xml.find("name=\"x &quot;y&quot; &amp; &lt;z&gt;\"><failure message=\"1 | 2 3\"/>"), std::string::npos) << xml;
  EXPECT_TRUE(result.failed());
}

TEST(RigCommand, PassesTheSimulatedRigAndWritesItsPage) {
  const TempFile page("", "md"), junit("", "xml");
  const auto [code, output] =
      Hil("--rig " + kRigs + "simulated_omega3.toml --report " + page.path + " --junit " + junit.path);
  EXPECT_EQ(code, kExitOk) << output;
  EXPECT_NE(page.Text().find("| pass | wall: F = K d |"), std::string::npos) << page.Text();
  EXPECT_NE(junit.Text().find("failures=\"0\""), std::string::npos) << junit.Text();
  std::filesystem::path picture(page.path);
  EXPECT_TRUE(std::filesystem::remove(picture.replace_extension(".svg")));
}

TEST(RigRun, FindsTheStiffnessOnEveryPreset) {  // Source: F = K d, the default coupling's 1500 N/m; weak ones are clamped.
  RigFile rig = LoadRig(kRigs + "simulated_omega3.toml");
  rig.numbers.clear();
  rig.selftest = false;
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    rig.device.device = preset.name;
    const RigResult result = RunRig(rig);
    EXPECT_FALSE(result.failed()) << RigMarkdown(rig, result, "now", "");
    EXPECT_EQ(result.checks.back().group, "wall");
  }
}

TEST(RigCommand, PassesTheEmulatedRig) {
  const auto [code, output] = Hil("--rig " + kRigs + "woodenhaptics_emulator.toml");
  EXPECT_EQ(code, kExitOk) << output;
}

TEST(RigCommand, FailsWhereThePhysicsDoes) {  // Source: what is declared is 1.2 times what is so.
  std::ifstream file(kRigs + "simulated_omega3.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.replace(text.find("stiffness_N_per_m = 1500"), 24, "stiffness_N_per_m = 1800");
  text.replace(text.find("value = 0.183"), 13, "value = 0.220");
  text.replace(text.find("scenes/wall_press"), 17, kRigs + "scenes/wall_press");
  const TempFile wrong(text);
  const auto [code, output] = Hil("--rig " + wrong.path);
  EXPECT_EQ(code, kExitFailed) << output;
  EXPECT_NE(output.find("| **FAIL** | wall: F = K d |"), std::string::npos) << output;
  EXPECT_NE(output.find("| **FAIL** | identify: x: mass_kg |"), std::string::npos) << output;
}

/// `hil` with a rig file on the line of `emulator`, words of the command, which makes the terminal.
std::pair<int, std::string> HilOnTerminal(const std::string& terminal, const std::string& emulator, const std::string& rig) {
  const TempFile file(rig);
  const std::string start = std::string("timeout 60 ") + TACTUS_COMMAND + " " + emulator + " --pty " + terminal +
                            " >/dev/null 2>&1 & e=$!; for i in $(seq 100); do [ -e " + terminal +
                            " ] && break; sleep 0.1; done; ";
  const std::string line =
      start + "timeout -k 1 50 " + TACTUS_COMMAND + " hil --rig " + file.path + " 2>&1; c=$?; kill $e; exit $c";
  std::string output;
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), count);
  return {WEXITSTATUS(pclose(pipe)), output};
}

/// The shipped file of a line with `changes` in it, against the emulator's bytes on a pseudo terminal.
std::pair<int, std::string> HilOnLine(const std::string& emulator_options, const std::string& more) {
  const std::string still =
      "title = \"Still\"\nshows = \"s\"\n[tool]\nmass_kg = 0.05\n[[tool.shapes]]\nkind = \"sphere\"\n"
      "radius_m = 0.01\n[[hand]]\nname = \"stay\"\nduration_s = 0.5\nto_m = [0, 0, 0]\n";
  const TempFile scene(still, "scene.toml");
  const std::string terminal = scene.path + ".tty";
  return HilOnTerminal(terminal, "emulate woodenhaptics --in-step --scene " + scene.path + " " + emulator_options,
                       "format = \"tactus.rig/1\"\n[device]\nkind = \"line\"\nname = \"woodenhaptics\"\nline = \"" +
                           terminal + "\"\n" + more);
}

// A busy machine may take the time of later checks: those of the controller need a sample each period.
TEST(RigCommand, TestsADeviceOnItsLine) {  // Source: the emulator is the device; its driver's lift is declared.
  const auto [code, output] = HilOnLine("", "[checks]\nidentify = false\n");
  EXPECT_NE(output.find("| pass | selftest: samples come |"), std::string::npos) << output;
  EXPECT_EQ(output.find("holds up its links"), std::string::npos) << output;
  EXPECT_TRUE(code == kExitOk || code == kExitFailed) << output;
}

std::pair<int, std::string> HilOnIoBoard(const std::string& emulator_options, const std::string& set,
                                         const std::string& more) {
  const std::string terminal = TempFile("", "io").path + ".tty";
  return HilOnTerminal(terminal, "io-emulator --patience-us 1000 " + emulator_options,
                       "format = \"tactus.rig/1\"\n[device]\nkind = \"line\"\nname = \"tactus-io\"\nline = \"" + terminal +
                           ",set=" + set + "\"\n" + more);
}

TEST(RigCommand, TestsAnIoBoardOnItsLine) {  // Source: the emulator has the set's mechanics behind its motors.
  const auto [code, output] = HilOnIoBoard("--set hapkit", "hapkit", "[checks]\nidentify = false\nstops = false\n");
  EXPECT_NE(output.find("| pass | selftest: samples come |"), std::string::npos) << output;
  EXPECT_TRUE(code == kExitOk || code == kExitFailed) << output;
}

TEST(RigCommand, RefusesAnIoBoardWithTooFewMotors) {
  const auto [code, output] = HilOnIoBoard("--set hapkit", "pantograph", "");
  EXPECT_EQ(code, kExitUsage) << output;
  EXPECT_NE(output.find("has 1 motors, 'pantograph' 2"), std::string::npos) << output;
}

TEST(RigCommand, MovesNothingBehindASelftestThatFailed) {  // Source: the fault that the emulator was given.
  const auto [code, output] = HilOnLine("--fault frozen@0", "[mounted.spring]\naxis = \"z\"\nstiffness_N_per_m = 200\n");
  EXPECT_EQ(code, kExitFailed) << output;
  EXPECT_NE(output.find("| not run | identify: all | the selftest failed |"), std::string::npos) << output;
}

TEST(RigCommand, IsNoPassWhereNothingRan) {
  const TempFile rig(kHead + "[checks]\nselftest = false\nidentify = true\nstops = false\n[mounted]\ntool_kg = 1\n");
  EXPECT_EQ(Hil("--rig " + rig.path).first, kExitFailed);
  EXPECT_TRUE(RigResult{}.failed());
}

TEST(RigCommand, SaysWhichFileAsksForTooMuchForce) {
  const TempFile rig(kHead + "[limits]\nforce_N = 90\n");
  const auto [code, output] = Hil("--rig " + rig.path);
  EXPECT_EQ(code, kExitFailed);
  EXPECT_NE(output.find(rig.path + ": limits: --force 90: give a number up to "), std::string::npos) << output;
}

TEST(RigCommand, RefusesWhatCannotBe) {
  const std::string rig = "--rig " + kRigs + "simulated_omega3.toml ";
  EXPECT_NE(Hil(rig + "--ticks 5").second.find("--ticks: with --rig all stands in "), std::string::npos);
  EXPECT_NE(Hil("--junit x.xml").second.find("--junit is for --rig FILE"), std::string::npos);
  EXPECT_EQ(Hil(rig + "--report /nowhere/x.md").first, kExitUsage);
  EXPECT_EQ(Hil("--rig /nowhere.toml").first, kExitUsage);
  EXPECT_EQ(Hil("--rig " + kRigs + "scenes/wall_press.toml").first, kExitFailed);
}

}  // namespace
}  // namespace tactus::host
