// A scene through the whole controller in this process: sent over the wire, run, recorded, replayed from the recording
// alone.
#include <algorithm>
#include <array>
#include <cmath>

#include "../scene/scenes.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/scene_room.h"
#include "local_run.h"
#include "tactus/scene/scene_image.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// A ball in the hand; a block of 0.1 kg on a plane, and a door on a hinge.
Scene<> Workshop() {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = 0.05, .inertia_kgm2 = {2e-6, 2e-6, 2e-6}}), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.03, {0.05, 0, -0.005})), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Cube(0.2, 0.04, {-0.06, 0.05, 0.02})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 0, .radius_m = 0.01}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(1, 0.03)), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(2, 0.04)), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .p_BS_m = {0, 0, -0.02}}), Status::kOk);
  EXPECT_EQ(scene.joints.push_back(
                {.a = 2, .p_AJ_m = {-0.04, 0, 0}, .p_BJ_m = {-0.1, 0.05, 0.02}, .limited = true, .low = -1, .high = 1}),
            Status::kOk);
  return scene;
}

std::vector<std::uint8_t> ImageOf(const Scene<>& scene) {
  std::vector<std::uint8_t> image(kSceneImageBytes<kServoScene>);
  image.resize(WriteScene(scene, image));
  return image;
}

/// Down onto the plane, then against the block and back.
const hal::HandScript& Visit() {
  static const std::array<hal::HandMove, 5> moves{{{.name = "down", .duration_s = 0.5, .p_m = {0, 0, -0.012}},
                                                   {.name = "push", .duration_s = 1.0, .p_m = {0.05, 0, -0.012}},
                                                   {.name = "up", .duration_s = 0.5, .p_m = {0.0, 0, 0.02}},
                                                   {.name = "door", .duration_s = 1.0, .p_m = {-0.06, 0.05, 0.02}},
                                                   {.name = "back", .duration_s = 0.5, .p_m = {0, 0, 0}}}};
  static const hal::HandScript script{moves.data(), static_cast<int>(moves.size())};
  return script;
}

RunSummary Record(const std::string& path, int scalar_bits, const Scene<>& scene, std::uint32_t ticks) {
  RunSummary run;
  LogFile log(path);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(scalar_bits);
  BoardClient board(*transport, &log);
  hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), Visit(), 1);
  PlayOptions options = QuietOptions(ticks);
  options.scene = ImageOf(scene);
  Play(board, device, options, &run);
  log.Close();
  return run;
}

void ExpectFeltAndReplayed(int scalar_bits) {
  const TemporaryFile log("scene");
  const RunSummary run = Record(log.path(), scalar_bits, Workshop(), 4000);
  EXPECT_TRUE(run.faults.empty());
  EXPECT_EQ(run.ticks, 4020u);
  const ReplayResult replay = Replay(log.path());
  EXPECT_EQ(replay.identical, replay.ticks) << replay.first_difference;
  EXPECT_EQ(replay.ticks, 4020u);
  EXPECT_EQ(replay.jam.duration_s, 0);
  int contacts = 0;
  double block_m = 0, most_N = 0;
  ASSERT_EQ(ReadLog(log.path(),
                    [&](wire::LogDirection, const wire::Frame& frame) {
                      wire::Telemetry tick;
                      if (wire::ReadMessage(frame, &tick) != Status::kOk) return;
                      contacts += tick.contacts() > 0;
                      const auto& f = *tick.command_wrench_W();
                      most_N = std::max(most_N, std::hypot(f.Get(0), f.Get(1), f.Get(2)));
                      block_m = std::max(block_m, tick.p_WT_m()->Get(0));
                    }),
            "");
  EXPECT_GT(contacts, 3900);  // the block lies on the plane
  EXPECT_GT(most_N, 1.0);
  EXPECT_LT(most_N, 8.01);
  EXPECT_GT(block_m, 0.03);  // the hand got to where the block was, so the block has moved on
}

TEST(SceneRun, IsFeltAndReplayedFromItsRecordingAlone) { ExpectFeltAndReplayed(64); }
TEST(SceneRun, IsFeltAndReplayedFromItsRecordingAloneInSinglePrecision) { ExpectFeltAndReplayed(32); }

// The free ball is drawn by some 1e-23 N when this run is stopped: no fade of it may look like a rise.
TEST(SceneRun, EndsAStopWhoseForceIsNextToNothing) {
  constexpr std::uint32_t kPeriod_us = 100;
  const SceneFile file = LoadScene("wall_tap");
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64, std::nullopt, kPeriod_us);
  BoardClient board(*transport, nullptr);
  hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), file.Hand(), 1, kPeriod_us);
  PlayOptions options = QuietOptions(39000);
  options.period_us = kPeriod_us;
  options.scene = file.Image();
  file.Tell(&options.config);
  RunSummary run;
  Play(board, device, options, &run);
  EXPECT_TRUE(run.faults.empty());
  EXPECT_EQ(run.ticks, 39200u);
}

/// A ball in the hand, and a cube of 30 mm between two planes or under one, without weight.
Scene<> Cramped() {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = 0.05, .inertia_kgm2 = {2e-6, 2e-6, 2e-6}}), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.03, {0.2, 0, 0})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kSphere, .body = 0, .radius_m = 0.01}), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(1, 0.03)), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .p_BS_m = {0, 0, 0.014}, .q_BS = {0, 1, 0, 0}}),
            Status::kOk);
  return scene;
}

/// Runs the scene for 0.3 s. @returns the longest jam, and the one problem that names it
LongestJam JamOf(const Scene<>& scene, std::string* problem) {
  const TemporaryFile log("jam");
  Record(log.path(), 64, scene, 300);
  const ReplayResult replay = Replay(log.path());
  EXPECT_TRUE(replay.ok()) << replay.first_difference;
  const std::vector<std::string> problems = ProblemsOf(replay);
  EXPECT_EQ(problems.size(), 1u);
  *problem = problems.empty() ? "" : problems[0];
  return replay.jam;
}

// Source: 28 mm of room for 30 mm, 1 mm too little on each side; no motion undoes both.
TEST(SceneRun, TellsOfAFitThatNoMotionUndoes) {
  Scene<> scene = Cramped();
  ASSERT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace, .p_BS_m = {0, 0, -0.014}}), Status::kOk);
  std::string problem;
  const LongestJam jam = JamOf(scene, &problem);
  EXPECT_GE(jam.duration_s, 0.29);
  EXPECT_NEAR(jam.overlap_m, 1e-3, 1e-9);
  EXPECT_NE(problem.find("a contact overlaps by up to 1 mm"), std::string::npos) << problem;
}

// Source: a rope of 17 mm whose ends are 20 mm apart draws the cube against the plane that it touches.
TEST(SceneRun, TellsOfARopeThatAContactForbids) {
  Scene<> scene = Cramped();
  scene.bodies[1].p_WB_m[2] = -0.001;  // touches
  ASSERT_EQ(scene.joints.push_back({.kind = JointKind::kRope, .a = 1, .p_BJ_m = {0.2, 0, 0.019}, .length_m = 0.017}),
            Status::kOk);
  std::string problem;
  const LongestJam jam = JamOf(scene, &problem);
  EXPECT_GE(jam.duration_s, 0.29);
  EXPECT_NEAR(jam.past_stop, 0.003, 1e-6);
  EXPECT_NE(problem.find("a joint is past its stop"), std::string::npos) << problem;
}

/// The Hello of a controller with room for so much.
wire::Hello HelloOf(int bodies, int shapes) {
  wire::Hello hello;
  hello.mutate_scene_bodies(static_cast<std::uint8_t>(bodies));
  hello.mutate_scene_shapes(static_cast<std::uint8_t>(shapes));
  return hello;
}

// Source: the pile's file has the tool and 21 disks, each of one shape, a plank, two edges and two panes.
TEST(SceneRefusal, TellsWhatIsThereAndWhatTheControllerTakes) {
  const std::vector<std::uint8_t> pile = LoadScene("pile").Image();
  EXPECT_EQ(WhatExceeds(pile, HelloOf(4, 24)), "bodies: 22, the controller takes 4; shapes: 27, the controller takes 24");
  EXPECT_EQ(WhatExceeds(pile, HelloOf(21, 27)), "bodies: 22, the controller takes 21");
  EXPECT_EQ(WhatExceeds(pile, HelloOf(0, 0)).substr(0, 35), "bodies: 22, the controller takes 0;");
  EXPECT_EQ(WhatExceeds(pile, HelloOf(24, 64)), "");
  EXPECT_EQ(WhatExceeds(LoadScene("stack").Image(), HelloOf(4, 24)), "");
  EXPECT_EQ(WhatExceeds(LoadScene("pebble").Image(), HelloOf(4, 24)), "grids: 1, the controller takes 0");
  EXPECT_EQ(WhatExceeds(LoadScene("pebble").Image(), HelloOf(4, 25)), "");
  EXPECT_EQ(WhatExceeds(std::vector<std::uint8_t>{}, HelloOf(0, 0)), "");  // no scene is none too large
  EXPECT_EQ(WhatExceeds(std::vector<std::uint8_t>(100), HelloOf(4, 24)), "");
}

// Source: a hinge takes 5 rows and a motor one; a board has room for 20.
TEST(SceneRefusal, CountsTheRowsOfJoints) {
  Scene<> scene = LoadScene("crank").scene;
  ASSERT_EQ(scene.joints.size(), 4);
  for (SceneJoint& joint : scene.joints) {
    joint.kind = JointKind::kHinge;
    joint.motor_force = joint.friction = 0;
  }
  EXPECT_EQ(WhatExceeds(scene, kBoardScene), "");
  scene.joints[0].motor_force = 1;
  EXPECT_EQ(WhatExceeds(scene, kBoardScene), "rows of joints: 21, the controller takes 20");
  EXPECT_EQ(WhatExceeds(scene, kComputerScene), "");
}

// All other shipped scenes are for boards, and have a board's work in this process too. Pebble and hills are grids and carry
// has two hands, for boards with memory for them.
TEST(SceneRefusal, OnlyThePileIsNotForBoards) {
  for (const std::string& path : ShippedScenes()) {
    const SceneFile file = LoadScene(path);
    const bool is_large = path.ends_with("pile.toml");
    const bool wants_memory = path.ends_with("pebble.toml") || path.ends_with("hills.toml") || path.ends_with("carry.toml");
    EXPECT_EQ(WhatExceeds(file.scene, kGridBoardScene).empty(), !is_large) << path;
    EXPECT_EQ(WhatExceeds(file.scene, kBoardScene).empty(), !is_large && !wants_memory) << path;
    EXPECT_EQ(WorkWithoutClock(file.scene) == 0, !is_large) << path;
  }
}

/// 14 welds take 84 rows of 80.
Scene<> Welded() {
  Scene<> scene = Workshop();
  scene.joints.clear();
  for (std::int16_t i = 0; i < 14; ++i)
    (void)scene.joints.push_back({.kind = JointKind::kWeld, .a = static_cast<std::int16_t>(i % 3)});  // room for 16
  return scene;
}

std::string ErrorOfSending(const Scene<>& scene, BoardClient* board) {
  try {
    board->SendScene(ImageOf(scene));
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

/// Sends a piece of an image and waits for its Ack. @param[in] count  of acks heard so far
void SendPiece(const std::vector<std::uint8_t>& image, std::uint32_t offset, const int& count, BoardClient* board) {
  wire::ScenePart part;
  part.mutate_total(static_cast<std::uint32_t>(image.size()));
  part.mutate_offset(offset);
  part.mutate_size(static_cast<std::uint32_t>(std::min<std::size_t>(480, image.size() - offset)));
  for (std::uint16_t i = 0; i < part.size(); ++i) part.mutable_bytes()->Mutate(i, image[offset + i]);
  const int before = count;
  board->Send(part);
  board->ReceiveUntil([&] { return count > before; }, "a piece");
}

// A host that does not count rows is refused by the controller.
TEST(SceneRefusal, OfTooManyRowsIsTheControllersToo) {
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient board(*transport, nullptr);
  int acks = 0;
  wire::AckCode last = wire::AckCode::kAccepted;
  board.set_listener([&](const wire::Frame& frame) {
    wire::Ack ack;
    if (wire::ReadMessage(frame, &ack) == Status::kOk) last = ack.code(), ++acks;
  });
  (void)board.Hello();
  const std::vector<std::uint8_t> image = ImageOf(Welded());
  for (std::uint32_t offset = 0; offset < image.size(); offset += 480) SendPiece(image, offset, acks, &board);
  EXPECT_EQ(last, wire::AckCode::kOverCapacity);
}

TEST(SceneRefusal, NamesWhatHasNoRoomAndKeepsTheSceneInForce) {
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient board(*transport, nullptr);
  (void)board.Hello();
  board.SendScene(ImageOf(Workshop()));
  board.Configure(servo::ConfigToWire(PegInHoleConfig()));
  Scene<> bad = Workshop();
  bad.bodies[1].mass_kg = -1;
  EXPECT_THROW(board.SendScene(ImageOf(bad)), HostError);
  const std::string said = ErrorOfSending(Welded(), &board);
  EXPECT_NE(said.find("rows of joints: 84, the controller takes 80"), std::string::npos) << said;
  std::vector<std::uint8_t> torn = ImageOf(Workshop());
  torn[40] ^= 1;
  EXPECT_THROW(board.SendScene(torn), HostError);
  EXPECT_THROW(board.SendScene(std::vector<std::uint8_t>(100'000)), HostError);
  EXPECT_NO_THROW(board.Arm());                                   // with the checksum of the first scene
  EXPECT_THROW(board.SendScene(ImageOf(Workshop())), HostError);  // not while force may be out
}

TEST(SceneRefusal, PiecesOutOfOrderAreNoScene) {
  const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
  BoardClient board(*transport, nullptr);
  int accepted = 0, refused = 0;
  board.set_listener([&](const wire::Frame& frame) {
    wire::Ack ack;
    if (wire::ReadMessage(frame, &ack) != Status::kOk) return;
    ack.code() == wire::AckCode::kAccepted ? ++accepted : ++refused;
  });
  (void)board.Hello();
  const std::vector<std::uint8_t> image = ImageOf(Workshop());
  const auto send = [&](std::uint32_t total, std::uint32_t offset, std::uint32_t size) {
    wire::ScenePart part;
    part.mutate_total(total);
    part.mutate_offset(offset);
    part.mutate_size(size);
    for (std::uint16_t i = 0; i < 480 && offset + i < image.size(); ++i) part.mutable_bytes()->Mutate(i, image[offset + i]);
    const int before = accepted + refused;
    board.Send(part);
    board.ReceiveUntil([&] { return accepted + refused > before; }, "a piece");
  };
  const auto total = static_cast<std::uint32_t>(image.size());
  send(total, 480, 480);          // not the first
  send(total, 0, 481);            // longer than a piece
  send(total, 0, 0);              // empty
  send(0xFFFFFFFFu, 0, 480);      // endless
  send(total, 0xFFFFFFF0u, 480);  // wraps
  EXPECT_EQ(accepted, 0);
  EXPECT_EQ(refused, 5);
  send(total, 0, 480);
  send(total, 0, 480);    // begins anew
  send(total, 960, 100);  // one is missing
  send(total, 480, 480);  // and it does not go on
  EXPECT_EQ(accepted, 2);
  EXPECT_EQ(refused, 7);
}

}  // namespace
}  // namespace tactus::host
