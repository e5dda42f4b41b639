#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "tactus/haptic/config.h"
#include "tactus/scene/scene_step.h"
#include "tactus/solve/contact_solver.h"

namespace tactus {

inline constexpr double kGravity_mps2 = 9.81;

/// A solid cube of `side_m`.
inline SceneBody Cube(double mass_kg, double side_m, const Vector3& p_WB_m) {
  const double J = mass_kg * side_m * side_m / 6;
  return {.mass_kg = mass_kg, .inertia_kgm2 = {J, J, J}, .p_WB_m = p_WB_m};
}
inline SceneShape CubeShape(int body, double side_m) {
  return {.kind = ShapeKind::kBox,
          .body = static_cast<std::int16_t>(body),
          .radius_m = 2e-4,
          .half_m = {side_m / 2, side_m / 2, side_m / 2}};
}
inline Rotation TurnAbout(const Vector3& axis, double angle_rad) {
  const double s = std::sin(angle_rad / 2);
  return {std::cos(angle_rad / 2), s * axis[0], s * axis[1], s * axis[2]};
}

/// A scene that runs by itself: no hand, the tool is one body of many.
template <class Scalar, Capacity kSize = kSceneCapacity>
class Running {
 public:
  using Problem = ContactProblem<Scalar, kSize>;
  using Solution = ContactSolution<Scalar, kSize>;

  explicit Running(const Scene<>& scene) {
    const SceneFault fault = Prepare(scene, scene_.get());
    EXPECT_FALSE(fault) << fault.list << "[" << fault.index << "]." << fault.field << " " << fault.what;
    EXPECT_EQ(LacksRoom(*scene_), nullptr);
    Restart(*scene_, &state);
  }

  /// One millisecond; each answer has to hold.
  void Step(const Vec<Scalar, 6>& wrench_on_tool = Vec<Scalar, 6>::Zero()) {
    const ToolDrive<Scalar> drive{.step_s = Scalar(1e-3),
                                  .mass_kg = scene_->bodies[kTool].mass_kg,
                                  .inertia_kgm2 = scene_->bodies[kTool].inertia_kgm2,
                                  .gravity_W_mps2 = scene_->gravity_W_mps2,
                                  .coupling = {.constant_W = wrench_on_tool},
                                  .handle_speed_mps = Scalar(0),
                                  .search_factor = Scalar(1.5),
                                  .directions = 8,
                                  .direction_offset_rad = Scalar(0.1)};
    ASSERT_EQ(BuildProblem(*scene_, drive, &state, &found, problem.get()), Status::kOk);
    SolverOptions<Scalar> options;
    options.cone = Cone::kRound;
    options.max_push_out_mps = scene_->max_push_out_mps;
    solver_->Solve(*problem, options, solution.get());
    ASSERT_EQ(solution->status, SolveStatus::kSolved) << solution->fault.what;
    Advance(*scene_, *problem, *solution, &state);
  }
  void Steps(int count) {
    for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) Step();
  }
  /// Force that the world gives to the bodies, over all contacts [N].
  Vec<double, 3> ForceOfWorld() const {
    Vec<double, 3> sum = Vec<double, 3>::Zero();
    for (int i = 0; i < problem->contacts.size(); ++i) {
      const auto& contact = problem->contacts[i];
      if (contact.a != kWorld && contact.b != kWorld) continue;
      const Vec<Scalar, 3> n = contact.normal, t = solution->tangent[i];
      const Vec<Scalar, 2> friction = solution->friction_Ns[i];
      const Vec<Scalar, 3> impulse = solution->impulse[i].normal_Ns * n + friction(0) * t + friction(1) * Cross(n, t);
      sum += (contact.a == kWorld ? -1 : 1) * impulse.template cast<double>() * 1000;
    }
    return sum;
  }
  const PreparedScene<Scalar>& scene() const { return *scene_; }
  const RigidBodyState<Scalar>& body(int i) const { return state.bodies[i]; }

  SceneState<Scalar> state;
  SceneContacts<Scalar> found;
  std::unique_ptr<Problem> problem = std::make_unique<Problem>();
  std::unique_ptr<Solution> solution = std::make_unique<Solution>();

 private:
  std::unique_ptr<PreparedScene<Scalar>> scene_ = std::make_unique<PreparedScene<Scalar>>();
  std::unique_ptr<ContactSolver<Scalar, kSize>> solver_ = std::make_unique<ContactSolver<Scalar, kSize>>();
};

}  // namespace tactus
