// Presets through the whole servo application and the command: the loop holds, the replay has the same bits, wrong names are
// refused with the right ones, and the document has the numbers.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "hal/sim/presets.h"
#include "host_tools/devices/presets_command.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "host_tools/rig/held_as_device.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/session/finish.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// Nearly three rounds of the scene wall_tap.
RunSummary Touch(const SimulatedChoice& choice, int scalar_bits, std::uint32_t period_us, const std::string& log_path) {
  RunSummary run;
  const SceneFile scene = LoadScene("wall_tap");
  LogFile log(log_path);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(scalar_bits, std::nullopt, period_us);
  BoardClient board(*transport, &log);
  PlayOptions options = QuietOptions(3'500'000 / period_us);
  options.config = servo::ConfigToWire(choice.ConfigOf(period_us));
  options.period_us = period_us;
  options.scene = scene.Image();
  scene.Tell(&options.config);
  const auto device = choice.Make(scene.Hand(), 1, period_us);
  Play(board, *device, options, &run);
  log.Close();
  return run;
}

class EveryPreset : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Presets, EveryPreset,
                         testing::Values("falcon", "omega3", "touch", "inverse3", "pantograph", "hapkit", "woodenhaptics"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(EveryPreset, TouchesTheWallWithEveryHandAndReplaysWithTheSameBits) {  // Source: docs/presets.md, 0 faults.
  for (const hal::Hand& hand : hal::Hands()) {
    const LogPlace log({});
    SimulatedChoice choice;
    choice.device = GetParam();
    choice.hand = hand.name;
    const RunSummary run = Touch(choice, 64, 1000, log.path());
    EXPECT_TRUE(run.faults.empty()) << hand.name << ": " << run.faults.front();
    EXPECT_GT(run.largest_force_N, 0.3) << hand.name;  // the soft fingers on the Hapkit press 0.35 N
    EXPECT_LT(run.given_J, run.taken_J) << hand.name;  // the second law: friction and damper take, nothing gives
    const ReplayResult replay = Replay(log.path());
    EXPECT_TRUE(replay.ok()) << hand.name << ": " << replay.first_difference;
  }
}

TEST_P(EveryPreset, HoldsInSinglePrecisionAndAtOtherRates) {
  SimulatedChoice choice;
  choice.device = GetParam();
  for (const auto& [bits, period_us] : {std::pair(32, 1000u), std::pair(64, 500u), std::pair(64, 100u)}) {
    const LogPlace log({});
    const RunSummary run = Touch(choice, bits, period_us, log.path());
    EXPECT_TRUE(run.faults.empty()) << bits << ' ' << period_us << ": " << run.faults.front();
    EXPECT_TRUE(Replay(log.path()).ok());
  }
}

int CountOf(const std::string& log_path, wire::MessageType type) {
  int count = 0;
  (void)ReadLog(log_path, [&](wire::LogDirection, const wire::Frame& frame) { count += frame.type == type ? 1 : 0; });
  return count;
}

// The steps of the counts come with the sample, and a replay needs each of them.
TEST(CountedRun, IsReplayedWithTheStepsOfItsMotors) {
  const LogPlace log({});
  const TemporaryFile changed("changed");
  SimulatedChoice choice;
  choice.device = "woodenhaptics";
  (void)Touch(choice, 64, 1000, log.path());
  EXPECT_EQ(CountOf(log.path(), wire::MessageType::kSample), 0);
  EXPECT_GE(CountOf(log.path(), wire::MessageType::kCountedSample), 3500);
  int seen = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kCountedSample && ++seen == 2000) payload[43] ^= 0x01;  // the first step's exponent
  });
  EXPECT_FALSE(Replay(changed.path()).ok());
}

// The same with the device on the controller's side.
TEST(CountedRun, OfABoardWithItsOwnDeviceTellsTheSteps) {
  for (const int bits : {64, 32}) {
    const LogPlace log({});
    const TemporaryFile changed("changed");
    SimulatedChoice choice;
    choice.device = "woodenhaptics";
    const SceneFile scene = LoadScene("wall_tap");
    HeldAsDevice device(choice.Make(scene.Hand(), 1, 1000), {.name = "woodenhaptics", .peak_force_N = 10});
    LogFile file(log.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoardWith(bits, device);
    BoardClient board(*transport, &file);
    PlayOptions options = QuietOptions(3500);
    options.config = servo::ConfigToWire(choice.ConfigOf(1000));
    options.scene = scene.Image();
    scene.Tell(&options.config);
    RunSummary run;
    Watch(board, options, &run);
    file.Close();
    EXPECT_TRUE(run.faults.empty()) << run.faults.front();
    EXPECT_GT(run.largest_force_N, 0.3);
    EXPECT_EQ(CountOf(log.path(), wire::MessageType::kSampleCounts), CountOf(log.path(), wire::MessageType::kTelemetry));
    const ReplayResult replay = Replay(log.path());
    EXPECT_TRUE(replay.ok()) << replay.first_difference;
    EXPECT_EQ(replay.identical, run.ticks);
    int seen = 0;
    CopyLog(log.path(), changed.path(), [&](const wire::Frame& frame) {
      return frame.type == wire::MessageType::kSampleCounts && ++seen == 2000 ? 0 : 1;
    });
    EXPECT_FALSE(Replay(changed.path()).ok());
    seen = 0;
    RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
      if (type == wire::MessageType::kSampleCounts && ++seen == 2000) payload[11] ^= 0x01;
    });
    EXPECT_FALSE(Replay(changed.path()).ok());
  }
}

// Source: docs/presets.md, section 1: the paddle on an arc along z, the five-bar in x and z, no handle turns.
TEST(SimulatedDevice, SaysWhichAxesItLacks) {
  const auto expected = [](const char* device, const char* words) {
    SimulatedChoice choice;
    choice.device = device;
    bool said = false;
    for (const std::string& sentence : choice.Expect({})) said = said || sentence.find(words) != std::string::npos;
    return said;
  };
  EXPECT_TRUE(expected("hapkit", "moves along z alone: along x, y neither"));
  EXPECT_TRUE(expected("pantograph", "moves along x, z alone: along y neither"));
  EXPECT_TRUE(expected("falcon", "moves along x, y, z; torques are not felt"));
}

TEST(SimulatedDevice, TheDefaultHandOnTheDefaultDeviceIsTheOldOne) {  // Source: bit for bit, hal::SimDevice.
  const LogPlace log({});
  const RunSummary before = RecordLocalRun(log.path(), 1500);
  RunSummary now;
  const LogPlace place({});
  LogFile second(place.path());
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient board(*transport, &second);
  const auto device = SimulatedChoice().Make(hal::PegInHoleScript(), 1, 1000);
  Play(board, *device, QuietOptions(1500), &now);
  EXPECT_EQ(before.given_J, now.given_J);
  EXPECT_EQ(before.taken_J, now.taken_J);
  EXPECT_EQ(before.largest_force_N, now.largest_force_N);
  EXPECT_EQ(before.least_credit_J, now.least_credit_J);
}

TEST(SimulatedDevice, HandsThatChangeActOnTheDefaultDeviceToo) {
  double given_J[2];
  for (int i = 0; i < 2; ++i) {
    SimulatedChoice choice;
    choice.hand = i == 0 ? "firm" : "changing";
    const LogPlace log({});
    const RunSummary run = Touch(choice, 64, 1000, log.path());
    EXPECT_TRUE(run.faults.empty());
    given_J[i] = run.given_J;
  }
  EXPECT_NE(given_J[0], given_J[1]);
}

struct Outcome {
  int code = -1;
  std::string output;
};

Outcome Tactus(const std::string& arguments) {
  const std::string line = std::string("{ timeout -k 1 60 ") + TACTUS_COMMAND + " " + arguments + "; } 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe))
    outcome.output.append(chunk.data(), count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

void Expect(const std::string& arguments, int code, const std::vector<std::string>& words) {
  const Outcome outcome = Tactus(arguments);
  EXPECT_EQ(outcome.code, code) << arguments << ": " << outcome.output;
  for (const std::string& word : words)
    EXPECT_NE(outcome.output.find(word), std::string::npos) << arguments << ": " << outcome.output;
}

TEST(PresetCommands, RefuseUnknownNamesWithTheList) {
  Expect("run --device phantom", kExitUsage, {"no device 'phantom'", "falcon, omega3, touch", "falcon-emulator"});
  Expect("hil --device phantom", kExitUsage, {"no device 'phantom'; there is: host, local, falcon, omega3"});
  Expect("run --hand left", kExitUsage, {"no hand 'left'; there is: relaxed, firm, tremor, two-finger, changing"});
  Expect("hil --hand left", kExitUsage, {"no hand 'left'"});
  Expect("presets nosuch", kExitUsage, {"no preset 'nosuch'; there is: falcon"});
  Expect("run --device local --hand firm", kExitUsage, {"--hand is for a device at the host"});
  Expect("run --device haply-emulator --hand firm", kExitUsage, {"--hand is for a device at the host"});
  Expect("hil --device local --hand firm", kExitUsage, {"--hand is for a device at the host"});
}

TEST(PresetCommands, ListTheNames) {
  Expect("run --device list", 0, {"woodenhaptics", "woodenhaptics-emulator", "two-finger"});
  Expect("run --hand list", 0, {"changing"});
  Expect("hil --device list", 0, {"inverse3", "tremor"});
}

TEST(PresetCommands, RunTouchesTheWallWithAPresetAndSaysWhatItIs) {
  Expect("run --quiet --device omega3 --hand two-finger --ticks 1500", 0,
         {"Wall tap at 1 kHz", "omega.3 class", "in a hand: fingertips", "host replay: 1520/1520 ticks bit-identical",
          "thermal budget"});
  Expect("run --quiet --device touch --scene knob --ticks 600", 0, {"Knob with detents"});
}

TEST(PresetCommands, DocumentHasTheNumbers) {  // Source: hal/sim/preset_numbers.cc; `tactus presets` writes the tables.
  std::ifstream file(TACTUS_SOURCE_FOLDER "/docs/presets.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    EXPECT_NE(text.str().find(PresetTables(preset.name)), std::string::npos)
        << preset.name << ": put the output of `tactus presets` into docs/presets.md";
  }
}

}  // namespace
}  // namespace tactus::host
