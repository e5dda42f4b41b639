#pragma once
#include <array>

#include "tactus/scene/scene_joints.h"

namespace tactus {

/// A step is solved so many times more at most, because drives turned out to do otherwise than they began it.
inline constexpr int kDriveRounds = 4;

/// Of its budget another solve takes so much before the solver begins [instructions]: whitening, the verdict and the change
/// of the problem are not all in its counts. An estimate: of the 44 000 to 134 000 that a tick of many bodies takes beside
/// its counts (haptic/config.h) the search for contacts is not done again. What ticks then take: docs/benchmarks.md.
inline constexpr std::int64_t kWorkOfAnotherSolve = 60'000;

/// Solves the problem that BuildProblem has made of a scene so that motors and frictions keep their bounds. The solver knows
/// rows and forces; which of the two a drive is, its own answer tells:
///
///     row      ẋ = speed,      right if |F| ≤ bound
///     force    F = ± bound,    right if ẋ has not come past the speed in F's way
///
/// A drive begins a step as it ended the last one. What is not right is changed, and the problem solved again, kDriveRounds
/// times at most and within the budget. Drives of one mechanism lean on each other: where they do not settle, the last
/// change makes them hold, for what holds gives no energy, and what pushes past its speed does. What is not right in the end
/// begins the next step changed.
///
/// @param[in]     options   the solver's; its budget is that of all solves
/// @param[in]     least_work  that a solve needs for its safe answer, with two contacts more than the problem has
/// @param[in,out] problem   has the drives' rows and forces as the solution has them
/// @param[in,out] state     its drives
/// @param[out]    solution  work and pivots are those of all solves
template <class Scalar, SceneCapacity kScene, Capacity kCapacity, class Options, class Solver, class Solution>
void SolveScene(const PreparedScene<Scalar, kScene>& scene, Options options, std::int64_t least_work, Solver* solver,
                ContactProblem<Scalar, kCapacity>* problem, Solution* solution, SceneState<Scalar, kScene>* state) noexcept;

namespace internal {

/// The drives of a scene in one step.
template <class Scalar, SceneCapacity kScene, Capacity kCapacity, class Solution>
class StepDrives {
  using State = SceneState<Scalar, kScene>;
  using Drive = typename State::Drive;
  using Problem = ContactProblem<Scalar, kCapacity>;

 public:
  StepDrives(const PreparedScene<Scalar, kScene>& scene, Problem* problem, State* state)
      : scene_(scene), problem_(*problem), state_(*state) {}

  /// What each should have done, by the answer.
  void Ask(const Solution& solution) {
    int row = 0;
    for (int i = 0; i < scene_.links.size(); ++i) {
      const int rows = state_.held_rows[At(i)];
      row += RowsOf(scene_.links[i].kind);
      if (scene_.links[i].drive_force != Scalar(0))
        wishes_[At(i)] = WishOfDrive(scene_, i, row, rows, problem_, solution, state_);
      row += rows;
    }
  }
  /// Makes them do it in the problem. @param[in] may_let_go  else a change is to hold. @returns whether it has changed
  bool Change(bool may_let_go) {
    JointBuilder<Scalar, kScene, Problem> builder(scene_, &state_, &problem_);
    bool has_changed = false;
    int row = 0;
    for (int i = 0; i < scene_.links.size(); ++i) {
      row += RowsOf(scene_.links[i].kind);
      const bool may = may_let_go || wishes_[At(i)].drive == Drive::kHolds;
      if (may && Differs(i)) has_changed |= builder.Change(i, row, wishes_[At(i)]) == Status::kOk;
      row += state_.held_rows[At(i)];
    }
    if (has_changed) builder.PushAgain();
    return has_changed;
  }
  /// So they begin the next step.
  void Keep() {
    for (int i = 0; i < scene_.links.size(); ++i) {
      if (scene_.links[i].drive_force == Scalar(0)) continue;
      state_.drive[At(i)] = wishes_[At(i)].drive;
      state_.slip_W[At(i)] = wishes_[At(i)].slip_W;
    }
  }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  bool Differs(int i) const {
    return scene_.links[i].drive_force != Scalar(0) && wishes_[At(i)].drive != state_.drive[At(i)];
  }

  const PreparedScene<Scalar, kScene>& scene_;
  Problem& problem_;
  State& state_;
  std::array<DriveWish<Scalar, Drive>, State::kJoints> wishes_;
};

}  // namespace internal

template <class Scalar, SceneCapacity kScene, Capacity kCapacity, class Options, class Solver, class Solution>
[[gnu::noinline]] void SolveScene(const PreparedScene<Scalar, kScene>& scene, Options options, std::int64_t least_work,
                                  Solver* solver, ContactProblem<Scalar, kCapacity>* problem, Solution* solution,
                                  SceneState<Scalar, kScene>* state) noexcept {
  const std::int64_t whole = options.work_budget;
  const int tools = kScene.hands > 1 ? scene.hands : 1;
  for (int i = 0; i < tools; ++i) state->joint_wrench_W[static_cast<std::size_t>(i)] -= problem->bodies[i].wrench;
  std::int64_t work = 0;
  int pivots = 0;
  internal::StepDrives<Scalar, kScene, kCapacity, Solution> drives(scene, problem, state);
  for (int round = 0;; ++round) {
    solver->Solve(*problem, options, solution);
    work += solution->work;
    pivots += solution->pivots;
    if (solution->status == SolveStatus::kInvalid || scene.links.empty()) break;
    drives.Ask(*solution);
    const std::int64_t left = whole - work - kWorkOfAnotherSolve * (round + 1);
    const bool has_work = whole == 0 || left >= least_work;
    if (round == kDriveRounds || !has_work || !drives.Change(round + 1 < kDriveRounds)) {
      drives.Keep();
      break;
    }
    if (whole > 0) options.work_budget = static_cast<int>(left);
  }
  for (int i = 0; i < tools; ++i) state->joint_wrench_W[static_cast<std::size_t>(i)] += problem->bodies[i].wrench;
  solution->work = work;
  solution->pivots = pivots;
}

}  // namespace tactus
