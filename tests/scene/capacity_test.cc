// A scene in the room of a board and in that of a computer: the same bits, and refused by name where there is no room.
#include <bit>
#include <cstring>

#include "scenes.h"
#include "tactus/scene/scene_image.h"
#include "tactus/scene/scene_solve.h"
#include "tactus/scene/scene_step.h"
#include "tactus/solve/contact_solver.h"

namespace tactus {
namespace {

/// Steps a scene, kept in room of any size, as a board's tick does.
template <SceneCapacity kScene>
class Roomy {
 public:
  static constexpr Capacity kSize = kSceneCapacity;

  explicit Roomy(const Scene<kScene>& scene) {
    EXPECT_FALSE(Prepare(scene, scene_.get()));
    EXPECT_FALSE(scene_->is_large);
    Restart(*scene_, state.get());
  }
  void Step(const Vec<double, 6>& wrench_on_tool) {
    const ToolDrive<double> drive{.step_s = 1e-3,
                                  .mass_kg = scene_->bodies[kTool].mass_kg,
                                  .inertia_kgm2 = scene_->bodies[kTool].inertia_kgm2,
                                  .gravity_W_mps2 = scene_->gravity_W_mps2,
                                  .coupling = {.constant_W = wrench_on_tool},
                                  .handle_speed_mps = 0,
                                  .search_factor = 1.5,
                                  .directions = 8,
                                  .direction_offset_rad = 0.1};
    ASSERT_EQ(BuildProblem(*scene_, drive, state.get(), &found, problem_.get()), Status::kOk);
    SolverOptions<double> options;
    options.cone = Cone::kRound;
    options.max_push_out_mps = scene_->max_push_out_mps;
    options.work_budget = kWorkBudgetOfMany;
    SolveScene(*scene_, options, work::Least, solver_.get(), problem_.get(), solution.get(), state.get());
    Advance(*scene_, *problem_, *solution, state.get());
  }

  SceneContacts<double> found;
  std::unique_ptr<SceneState<double, kScene>> state = std::make_unique<SceneState<double, kScene>>();
  std::unique_ptr<ContactSolution<double, kSize>> solution = std::make_unique<ContactSolution<double, kSize>>();

 private:
  std::unique_ptr<PreparedScene<double, kScene>> scene_ = std::make_unique<PreparedScene<double, kScene>>();
  std::unique_ptr<ContactProblem<double, kSize>> problem_ = std::make_unique<ContactProblem<double, kSize>>();
  std::unique_ptr<ContactSolver<double, kSize>> solver_ = std::make_unique<ContactSolver<double, kSize>>();
};

/// Four cubes side by side on a plane: 16 contacts with it, and 12 between them; a slider adds rows.
template <SceneCapacity kScene>
Scene<kScene> Row(bool with_joint) {
  Scene<kScene> scene;
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.03, {0.03 * i, 0, 0.015})), Status::kOk);
    EXPECT_EQ(scene.shapes.push_back(CubeShape(i, 0.03)), Status::kOk);
  }
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  if (with_joint) {
    const Rotation along_x = TurnAbout({0, 1, 0}, std::numbers::pi / 2);
    EXPECT_EQ(scene.joints.push_back({.kind = JointKind::kSlider,
                                      .a = 3,
                                      .p_BJ_m = {0.09, 0, 0.015},
                                      .q_AJ = along_x,
                                      .q_BJ = along_x,
                                      .friction = 0.1}),
              Status::kOk);
  }
  return scene;
}

// A scene that fits a board has a board's bits on a computer. Source: the same scene in the other room.
TEST(SceneRoom, AComputerFindsABoardsBitsWhereABoardHasRoom) {
  for (const bool with_joint : {false, true}) {
    Roomy<kBoardScene> board(Row<kBoardScene>(with_joint));
    Roomy<kComputerScene> computer(Row<kComputerScene>(with_joint));
    int dropped = 0;
    for (int step = 0; step < 400 && !HasFatalFailure(); ++step) {
      Vec<double, 6> wrench = Vec<double, 6>::Zero();
      if (step > 100) wrench(0) = 1.5 * std::sin(0.02 * step), wrench(2) = 0.3;
      board.Step(wrench);
      computer.Step(wrench);
      dropped += board.found.dropped;
      ASSERT_EQ(board.found.dropped, computer.found.dropped) << step;
      ASSERT_EQ(board.solution->status, computer.solution->status) << step;
      ASSERT_EQ(board.solution->work, computer.solution->work) << step;
      for (int i = 0; i < 4; ++i) {
        const auto &one = board.state->bodies[i], &other = computer.state->bodies[i];
        ASSERT_EQ(std::memcmp(&one.p_WT_m, &other.p_WT_m, sizeof one.p_WT_m), 0) << step;
        ASSERT_EQ(std::memcmp(&one.q_WT, &other.q_WT, sizeof one.q_WT), 0) << step;
        ASSERT_EQ(std::memcmp(&one.twist_W, &other.twist_W, sizeof one.twist_W), 0) << step;
      }
    }
    EXPECT_GT(dropped, 0);  // the room mattered: 28 points, and 24 contacts
  }
}

/// The row, and so many balls far above it.
Scene<kComputerScene> RowAndBalls(int balls) {
  Scene<kComputerScene> scene = Row<kComputerScene>(false);
  for (int i = 0; i < balls; ++i)
    EXPECT_EQ(scene.shapes.push_back({.radius_m = 0.01, .p_BS_m = {0.03 * i, 0, 1}}), Status::kOk);
  return scene;
}

// One shape more than any board takes makes a scene large; then every point is a contact. Source: 4 corners of each cube
// below, 4 of each of 3 faces.
TEST(SceneRoom, ALargeSceneHasAllOfIt) {
  const auto scene = std::make_unique<PreparedScene<double, kComputerScene>>();
  const auto state = std::make_unique<SceneState<double, kComputerScene>>();
  const auto contacts_of = [&](int balls) {
    EXPECT_FALSE(Prepare(RowAndBalls(balls), scene.get()));
    Restart(*scene, state.get());
    FixedVector<Contact<double, 6>, kLargeSceneCapacity.contacts> contacts;
    EXPECT_EQ(FindContacts(*scene, 1e-3, 0.0, 0.0, state.get(), &contacts).found, 28);
    return contacts.size();
  };
  EXPECT_EQ(contacts_of(20), 24);
  EXPECT_FALSE(scene->is_large);
  EXPECT_EQ(contacts_of(21), 28);
  EXPECT_TRUE(scene->is_large);
}

// What the two have. Source: docs/scenes.md, "Capacity".
TEST(SceneCapacity, OfABoardAndOfAComputer) {
  EXPECT_EQ(kBoardScene.bodies, 4);
  EXPECT_EQ(kBoardScene.shapes, 24);
  EXPECT_EQ(kBoardScene.contacts, 24);
  EXPECT_EQ(kBoardScene.joints, 4);
  EXPECT_EQ(kServoScene, kComputerScene);
  EXPECT_EQ(kBoardScene.hands, 1);
  EXPECT_EQ(kGridBoardScene.hands, 2);
  EXPECT_EQ(kComputerScene.hands, 2);
  EXPECT_GE(kComputerScene.bodies, 24);
  EXPECT_GE(kComputerScene.shapes, 64);
  EXPECT_GE(kComputerScene.contacts, 96);
  EXPECT_GE(kComputerScene.joints, 16);
  EXPECT_EQ(CapacityOf(4, 24), kBoardScene);
  EXPECT_EQ(CapacityOf(4, 25), kGridBoardScene);
  EXPECT_EQ(CapacityOf(kComputerScene.bodies, kComputerScene.shapes), kComputerScene);
}

// An image does not tell for which room it was made; a list that is too long is named, with its length.
TEST(SceneCapacity, ABoardReadsOneItemMoreAsTooMany) {
  const auto large = std::make_unique<Scene<kComputerScene>>(Row<kComputerScene>(false));
  const auto read = std::make_unique<Scene<kBoardScene>>();
  std::vector<std::uint8_t> image(kSceneImageBytes<kComputerScene>);
  const auto fault_of = [&] {
    return ReadScene(std::span<const std::uint8_t>(image).first(WriteScene(*large, image)), read.get());
  };
  EXPECT_FALSE(fault_of());
  EXPECT_EQ(read->shapes.size(), 5);
  ASSERT_EQ(large->bodies.push_back(Cube(0.1, 0.03, {0.12, 0, 0.015})), Status::kOk);
  const SceneFault fault = fault_of();
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.list, "bodies");
  EXPECT_EQ(fault.value, 5);
}

}  // namespace
}  // namespace tactus
