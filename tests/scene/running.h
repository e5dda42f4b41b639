#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "scenes.h"
#include "tactus/scene/scene_solve.h"
#include "tactus/scene/scene_step.h"
#include "tactus/solve/contact_solver.h"

namespace tactus {

/// A scene that runs by itself: no hand, the tool is one body of many. Compiled in running.cc alone, solver and all.
template <class Scalar, Capacity kSize = kSceneCapacity>
class Running {
 public:
  using Problem = ContactProblem<Scalar, kSize>;
  using Solution = ContactSolution<Scalar, kSize>;

  explicit Running(const Scene<>& scene);

  /// One millisecond; each answer has to hold.
  void Step(const Vec<Scalar, 6>& wrench_on_tool = Vec<Scalar, 6>::Zero());
  void Steps(int count);
  /// The problem of a step from `state`, before it is solved.
  void Build(const Vec<Scalar, 6>& wrench_on_tool, SceneState<Scalar>* from, Problem* built);
  /// Force that the world gives to the bodies, over all contacts [N].
  Vec<double, 3> ForceOfWorld() const;
  const PreparedScene<Scalar>& scene() const { return *scene_; }
  const RigidBodyState<Scalar>& body(int i) const { return state.bodies[i]; }

  SceneState<Scalar> state;
  SceneContacts<Scalar> found;
  bool may_jam = false;  ///< a jammed answer will do
  int work_budget = 0;   ///< of a tick; where there is one, an answer may be out of it
  std::unique_ptr<Problem> problem = std::make_unique<Problem>();
  std::unique_ptr<Solution> solution = std::make_unique<Solution>();

 private:
  std::unique_ptr<PreparedScene<Scalar>> scene_ = std::make_unique<PreparedScene<Scalar>>();
  std::unique_ptr<ContactSolver<Scalar, kSize>> solver_ = std::make_unique<ContactSolver<Scalar, kSize>>();
};

extern template class Running<double>;
extern template class Running<float>;
extern template class Running<double, kLargeSceneCapacity>;

}  // namespace tactus
