// A scene with two tools: its file, played with two simulated devices, recorded and replayed.
#include <cmath>

#include "host_tools/devices/play_hands.h"
#include "host_tools/export/recording_table.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/session/scene_room.h"
#include "local_run.h"
#include "scene_folder.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

const std::string kHead =
    "[tool]\nmotion = \"translation\"\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n"
    "[second_tool]\nmotion = \"translation\"\n[[second_tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
const std::string kHand = "[[hand]]\nduration_s = 1\nto_m = [0.03, 0, 0]\n[[hand]]\nduration_s = 1\nto_m = [0.02, 0, 0]\n";
const std::string kSecond = "[[second_hand]]\nduration_s = 2\nto_m = [-0.03, 0, 0]\n";

TEST(TwoHandedScene, IsRead) {
  const SceneFolder folder;
  const SceneFile file = LoadScene(folder.Write("two.toml", kHead + kHand + kSecond));
  EXPECT_TRUE(file.has_second_hand());
  EXPECT_EQ(file.bodies, (std::vector<std::string>{"tool", "second_tool"}));
  EXPECT_EQ(file.scene.bodies[kSecondTool].motion, BodyMotion::kHeldTranslation);
  EXPECT_EQ(file.SecondHand()->duration_s(), 2);
}

TEST(TwoHandedScene, SaysWhatIsWrongWithIt) {
  const SceneFolder folder;
  const auto error = [&](const std::string& text) { return ErrorOfScene(folder.Write("two.toml", text)); };
  EXPECT_NE(error(kHead + kHand).find("second_hand: is missing"), std::string::npos) << error(kHead + kHand);
  const std::string one = "[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  EXPECT_NE(error(one + kSecond).find("give a [second_tool] too"), std::string::npos) << error(one + kSecond);
  const std::string longer = "[[second_hand]]\nduration_s = 3\nto_m = [-0.03, 0, 0]\n";
  EXPECT_NE(error(kHead + kHand + longer).find("they are to take as long"), std::string::npos);
  EXPECT_NE(error(kHead + kHand + kSecond + "[workspace]\nscale = 2\n").find("two are 1 : 1"), std::string::npos);
  std::string turns = kHead;
  turns.replace(turns.rfind("translation"), 11, "free");
  EXPECT_NE(error(turns + kHand + kSecond).find("both turn or none does"), std::string::npos)
      << error(turns + kHand + kSecond);
}

TEST(TwoHandedScene, IsForNoBoard) {
  const SceneFolder folder;
  const SceneFile file = LoadScene(folder.Write("two.toml", kHead + kHand + kSecond));
  EXPECT_EQ(WhatExceeds(file.scene, kBoardScene), "hands: 2, the controller takes 1");
  EXPECT_EQ(WhatExceeds(file.scene, kComputerScene), "");
}

/// Plays the shipped scene.
RunSummary Carry(const std::string& log_path, const SimulatedChoice& sim, int scalar_bits = 64) {
  SceneChoice scene;
  scene.set_place("carry");
  scene.Load("host");
  RunSummary run;
  LogFile log(log_path);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(scalar_bits, std::nullopt, 1000, WorkOfTick(scene.work()));
  BoardClient board(*transport, &log);
  PlayOptions play{.ticks = 9000, .config = servo::ConfigToWire(sim.ConfigOf(1000)), .quiet = true};
  scene.Tell(&play);
  PlayHands(board, sim, scene.Script(), scene.SecondScript(), 1, play, &run);
  log.Close();
  scene.Judge(log_path, &run);
  return run;
}

// Source: statics. While the hands hold the box still (hand at 4.5 to 6 s), they carry its weight and the finger tips'; on
// the way its height follows the hand by 30 mm.
TEST(TwoHandedScene, CarriesABox) {
  for (const int scalar_bits : {64, 32}) {
    const TemporaryFile log("carry");
    const RunSummary run = Carry(log.path(), {}, scalar_bits);
    EXPECT_TRUE(run.faults.empty() && run.problems.empty()) << (run.problems.empty() ? "" : run.problems[0]);
    double mean_N = 0, highest_m = -1, first_N = 0, second_N = 0;
    int held = 0;
    const ReplayResult replay = Replay(log.path(), [&](const ReplayedTick& tick) {
      if (tick.bodies.size() > 2) highest_m = std::max(highest_m, tick.bodies[2].p_WB_m[2]);
      if (tick.tick < 5000 || tick.tick >= 6000) return;
      mean_N += tick.force_N[2] + tick.second_force_N[2];
      first_N += tick.force_N[0];
      second_N += tick.second_force_N[0];
      ++held;
    });
    EXPECT_TRUE(replay.ok()) << replay.first_difference;
    ASSERT_GT(held, 900);
    EXPECT_NEAR(mean_N / held, -0.16 * 9.81, 0.02);
    EXPECT_NEAR(first_N / held, -second_N / held, 0.1) << "they press against each other";
    EXPECT_LT(first_N / held, -0.8);
    EXPECT_NEAR(highest_m, 0.025, 0.006);
  }
}

TEST(TwoHandedScene, IsCarriedByPresets) {
  for (const char* const device : {"touch", "omega3", "woodenhaptics"}) {
    for (const char* const hand : {"relaxed", "firm"}) {
      const TemporaryFile log("carry");
      const RunSummary run = Carry(log.path(), {.device = device, .hand = hand});
      EXPECT_TRUE(run.faults.empty()) << device << " " << hand << ": " << run.faults[0];
      double highest_m = -1;
      const ReplayResult replay = Replay(log.path(), [&](const ReplayedTick& tick) {
        if (tick.bodies.size() > 2) highest_m = std::max(highest_m, tick.bodies[2].p_WB_m[2]);
      });
      EXPECT_TRUE(replay.ok()) << replay.first_difference;
      EXPECT_NEAR(highest_m, 0.025, 0.01) << device << " " << hand;
    }
  }
}

// Source: the recording's own frames, and that the hands carry the box: together its weight and the finger tips'.
TEST(TwoHandedScene, IsExportedWithBothHands) {
  const TemporaryFile log("carry");
  (void)Carry(log.path(), {});
  const RecordingTable table = ReadRecording(log.path());
  const auto column = [&](const std::string& name) -> const RecordingColumn& {
    for (const RecordingColumn& one : table.columns) {
      if (one.name == name) return one;
    }
    throw HostError("no column " + name);
  };
  const RecordingColumn &wrench = column("second_command_wrench_W"), &place = column("second_sample_position_m"),
                        &tool = column("second_p_WT_m");
  ASSERT_EQ(wrench.values.size(), 6 * table.ticks);
  ASSERT_EQ(place.values.size(), 3 * table.ticks);
  const RecordingColumn &first = column("command_wrench_W"), &sequence = column("sample_sequence"), &tick = column("tick");
  std::size_t row = 0, unknown = 0;
  wire::SecondCommand told;
  wire::SampleOfTwo sample;
  (void)ReadLog(log.path(), [&](wire::LogDirection, const wire::Frame& frame) {
    wire::Telemetry telemetry;
    (void)wire::ReadMessage(frame, &told);
    (void)wire::ReadMessage(frame, &sample);
    if (wire::ReadMessage(frame, &telemetry) != Status::kOk) return;
    if (tick.values[row] == told.tick()) {
      EXPECT_EQ(static_cast<float>(wrench.values[6 * row + 2]), told.force_N()->Get(2));
    }
    if (sequence.values[row] == sample.sequence()) {
      EXPECT_EQ(place.values[3 * row], static_cast<double>(sample.second_position_m()->Get(0)));
    }
    unknown += std::isnan(wrench.values[6 * row]) ? 1 : 0;
    ++row;
  });
  EXPECT_EQ(row, table.ticks);
  EXPECT_EQ(unknown, 0u);
  const std::size_t held = 5900;
  EXPECT_NEAR(first.values[6 * held + 2] + wrench.values[6 * held + 2], -0.16 * 9.81, 0.05);
  EXPECT_NEAR(tool.values[3 * held], 0.03, 1e-3) << "at the box of 40 mm, with its radius of 10 mm";
}

// A bit of what the second hand was told, and of what it measured, is a difference.
TEST(TwoHandedScene, IsReplayedWithBothHands) {
  const TemporaryFile log("carry"), changed("changed");
  (void)Carry(log.path(), {});
  struct Place {
    wire::MessageType type;
    std::size_t at;
  };
  for (const Place& place : {Place{wire::MessageType::kSecondCommand, 4},        // force_N
                             Place{wire::MessageType::kSampleOfTwo, 36},         // second_position_m
                             Place{wire::MessageType::kSecondTelemetry, 88}}) {  // p_WT_m
    int seen = 0;
    RewriteLog(log.path(), changed.path(), [&](wire::MessageType one, std::span<std::uint8_t> payload) {
      if (one == place.type && ++seen == 4000) payload[place.at] ^= 0x10;
    });
    ASSERT_GT(seen, 4000);
    EXPECT_FALSE(Replay(changed.path()).ok());
  }
}

// One frame of the second hand that is missing, doubled, or a tick later: only a doubled one changes nothing.
TEST(TwoHandedScene, IsReplayedWithEverySecondTelemetry) {
  const TemporaryFile log("carry"), changed("changed");
  (void)Carry(log.path(), {});
  const auto copies = [&](int of_one) {
    int seen = 0;
    CopyLog(log.path(), changed.path(), [&](const wire::Frame& frame) {
      return frame.type == wire::MessageType::kSecondTelemetry && ++seen == 4000 ? of_one : 1;
    });
    return Replay(changed.path());
  };
  EXPECT_NE(copies(0).first_difference.find("SecondTelemetry.it has none"), std::string::npos);
  EXPECT_TRUE(copies(2).ok());
  int seen = 0;
  RewriteLog(log.path(), changed.path(), [&](wire::MessageType type, std::span<std::uint8_t> payload) {
    if (type == wire::MessageType::kSecondTelemetry && ++seen == 4000) ++payload[0];
  });
  EXPECT_FALSE(Replay(changed.path()).ok());
}

// Where a tick has no second hand the export has none: the row whose SecondTelemetry is gone.
TEST(TwoHandedScene, IsExportedWithoutWhatIsNotThere) {
  const TemporaryFile log("carry"), changed("changed");
  (void)Carry(log.path(), {});
  int seen = 0;
  CopyLog(log.path(), changed.path(), [&](const wire::Frame& frame) {
    return frame.type == wire::MessageType::kSecondTelemetry && ++seen == 4000 ? 0 : 1;
  });
  const RecordingTable table = ReadRecording(changed.path());
  std::size_t missing = 0;
  for (const RecordingColumn& column : table.columns) {
    if (column.name != "second_p_WT_m") continue;
    for (std::size_t row = 0; row < table.ticks; ++row) missing += std::isnan(column.values[3 * row]) ? 1 : 0;
    EXPECT_TRUE(std::isnan(column.values[3 * 3999]));
  }
  EXPECT_EQ(missing, 1u);
}

}  // namespace
}  // namespace tactus::host
