#pragma once
#include <array>

#include "tactus/scene/scene_joints.h"

namespace tactus {

/// A step is solved so many times more at most, because drives turned out to do otherwise than they began it.
inline constexpr int kDriveRounds = 4;

/// Of its budget another solve takes so much before the solver begins [instructions], and kWorkOfJointRow for each row:
/// whitening, the verdict and the change of the problem are not all in its counts. An estimate: of the 44 000 to 134 000
/// that a tick of many bodies takes beside its counts (haptic/config.h) the search for contacts is not done again. What
/// ticks then take: docs/benchmarks.md.
inline constexpr std::int64_t kWorkOfAnotherSolve = 60'000;

/// Of its budget a row of a joint takes so much before the solver begins: the elimination is not in the counts. That of
/// crank takes some 1 200 a row on the M7. Beside their counts ticks of block_feeder, crank and jack, with 10 to 16 rows,
/// take 100 000 to 118 000 at most on the M7 and 146 000 to 151 000 on the M4F; those of stack, without a joint, 127 000 and
/// 189 000, for which the work of many bodies leaves room.
inline constexpr std::int64_t kWorkOfJointRow = 1'500;

/// Solves the problem that BuildProblem has made of a scene so that motors and frictions keep their bounds. The solver knows
/// rows and forces; which of the two a drive is, its own answer tells:
///
///     row      ẋ = speed,      right if |F| ≤ bound
///     force    F = ± bound,    right if ẋ has not come past the speed in F's way
///
/// A drive that holds a body against a shape needs no end of force: the answer is a jam, and the drive that has a part in
/// its certificate pushes with its bound.
///
/// A drive begins a step as it ended the last one. What is not right is changed, and the problem solved again, kDriveRounds
/// times at most and within the budget. Drives of one mechanism lean on each other. Where they do not settle, the last
/// change makes what shall stand hold, for what holds gives no energy, and what pushes past its speed does; and what shall
/// move push, which keeps its bound so. What is not right in the end begins the next step changed.
///
/// @param[in]     options   the solver's; its budget is that of all solves
/// @param[in]     least_work  work of a solve with so many contacts, if all that it finds is its safe answer
/// @param[in,out] problem   has the drives' rows and forces as the solution has them
/// @param[in,out] state     its drives
/// @param[out]    solution  work and pivots are those of all solves
template <class Scalar, SceneCapacity kScene, Capacity kCapacity, class Options, class LeastWork, class Solver,
          class Solution>
void SolveScene(const PreparedScene<Scalar, kScene>& scene, Options options, LeastWork least_work, Solver* solver,
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
    const Scalar least_squeeze_Ns = LeastSqueeze_Ns<Scalar>(solution);
    int row = 0;
    for (int i = 0; i < scene_.links.size(); ++i) {
      const int rows = state_.held_rows[At(i)];
      row += RowsOf(scene_.links[i].kind);
      if (scene_.links[i].drive_force != Scalar(0))
        wishes_[At(i)] = WishOfDrive(scene_, i, row, rows, problem_, solution, least_squeeze_Ns, state_);
      row += rows;
    }
  }
  /// Contacts that the problem has at most once they do it: those that let go may come to their stops.
  int MostContacts() const {
    int contacts = problem_.contacts.size();
    for (int i = 0; i < scene_.links.size(); ++i) {
      if (Differs(i)) contacts += int{scene_.links[i].has_low} + int{scene_.links[i].has_high};
    }
    return contacts;
  }
  /// Makes them do it in the problem. @param[in] is_last  the next answer is the step's. @returns whether it has changed
  bool Change(bool is_last) {
    JointBuilder<Scalar, kScene, Problem> builder(scene_, &state_, &problem_);
    bool has_changed = false;
    int row = 0;
    for (int i = 0; i < scene_.links.size(); ++i) {
      row += RowsOf(scene_.links[i].kind);
      if (Differs(i) && (!is_last || IsSafe(i))) has_changed |= builder.Change(i, row, wishes_[At(i)]) == Status::kOk;
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
  /// As what a drive ends a step with, unasked: what shall stand holds, what shall move pushes; and who is squeezed lets go.
  bool IsSafe(int i) const {
    const bool holds = wishes_[At(i)].drive == Drive::kHolds, shall_stand = scene_.links[i].drive_speed == Scalar(0);
    return wishes_[At(i)].is_squeezed || holds == shall_stand;
  }

  const PreparedScene<Scalar, kScene>& scene_;
  Problem& problem_;
  State& state_;
  std::array<DriveWish<Scalar, Drive>, State::kJoints> wishes_;
};

}  // namespace internal

template <class Scalar, SceneCapacity kScene, Capacity kCapacity, class Options, class LeastWork, class Solver,
          class Solution>
[[gnu::noinline]] void SolveScene(const PreparedScene<Scalar, kScene>& scene, Options options, LeastWork least_work,
                                  Solver* solver, ContactProblem<Scalar, kCapacity>* problem, Solution* solution,
                                  SceneState<Scalar, kScene>* state) noexcept {
  const int tools = kScene.hands > 1 ? scene.hands : 1;
  for (int i = 0; i < tools; ++i) state->joint_wrench_W[static_cast<std::size_t>(i)] -= problem->bodies[i].wrench;
  const std::int64_t around = kWorkOfAnotherSolve + kWorkOfJointRow * scene.joint_rows;
  std::int64_t work = 0, left = options.work_budget;
  int pivots = 0;
  internal::StepDrives<Scalar, kScene, kCapacity, Solution> drives(scene, problem, state);
  for (int round = 0;; ++round) {
    solver->Solve(*problem, options, solution);
    work += solution->work;
    pivots += solution->pivots;
    if (solution->status == SolveStatus::kInvalid || scene.links.empty()) break;
    drives.Ask(*solution);
    left -= solution->work + around;
    const std::int64_t needed = Max(solution->work, static_cast<std::int64_t>(least_work(drives.MostContacts())));
    const bool has_work = options.work_budget == 0 || left >= needed;
    if (round == kDriveRounds || !has_work || !drives.Change(round + 1 == kDriveRounds)) {
      drives.Keep();
      break;
    }
    options.same_step = true;
    if (options.work_budget > 0) options.work_budget = static_cast<int>(left);
  }
  for (int i = 0; i < tools; ++i) state->joint_wrench_W[static_cast<std::size_t>(i)] += problem->bodies[i].wrench;
  if (solution->status == SolveStatus::kInvalid) return;
  solution->work = work;
  solution->pivots = pivots;
}

}  // namespace tactus
