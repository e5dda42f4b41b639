#include "running.h"

namespace tactus {

template <class Scalar, Capacity kSize>
Running<Scalar, kSize>::Running(const Scene<>& scene) {
  const SceneFault fault = Prepare(scene, scene_.get());
  EXPECT_FALSE(fault) << fault.list << "[" << fault.index << "]." << fault.field << " " << fault.what;
  EXPECT_EQ(LacksRoom(*scene_), nullptr);
  Restart(*scene_, &state);
}

template <class Scalar, Capacity kSize>
void Running<Scalar, kSize>::Build(const Vec<Scalar, 6>& wrench_on_tool, SceneState<Scalar>* from, Problem* built) {
  const ToolDrive<Scalar> drive{.step_s = Scalar(1e-3),
                                .mass_kg = scene_->bodies[kTool].mass_kg,
                                .inertia_kgm2 = scene_->bodies[kTool].inertia_kgm2,
                                .gravity_W_mps2 = scene_->gravity_W_mps2,
                                .coupling = {.constant_W = wrench_on_tool},
                                .handle_speed_mps = Scalar(0),
                                .search_factor = Scalar(1.5),
                                .directions = 8,
                                .direction_offset_rad = Scalar(0.1)};
  ASSERT_EQ(BuildProblem(*scene_, drive, from, &found, built), Status::kOk);
}

template <class Scalar, Capacity kSize>
void Running<Scalar, kSize>::Step(const Vec<Scalar, 6>& wrench_on_tool) {
  Build(wrench_on_tool, &state, problem.get());
  SolverOptions<Scalar> options;
  options.cone = Cone::kRound;
  options.max_push_out_mps = scene_->max_push_out_mps;
  options.work_budget = work_budget;
  SolveScene(*scene_, options, work::Least, solver_.get(), problem.get(), solution.get(), &state);
  const bool may_end = work_budget > 0 && solution->status == SolveStatus::kBudget;
  if (!may_end && (!may_jam || solution->status != SolveStatus::kJammed)) {
    ASSERT_EQ(solution->status, SolveStatus::kSolved) << solution->fault.what;
  }
  Advance(*scene_, *problem, *solution, &state);
}

template <class Scalar, Capacity kSize>
void Running<Scalar, kSize>::Steps(int count) {
  for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) Step();
}

template <class Scalar, Capacity kSize>
Vec<double, 3> Running<Scalar, kSize>::ForceOfWorld() const {
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

template class Running<double>;
template class Running<float>;
template class Running<double, kLargeSceneCapacity>;

}  // namespace tactus
