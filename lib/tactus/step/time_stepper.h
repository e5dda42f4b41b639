#pragma once
#include "tactus/step/projection.h"
#include "tactus/step/step_scene.h"
#include "tactus/step/step_solver.h"

namespace tactus {

enum class StepOutcome : std::uint8_t {
  kDone,          ///< solved, moved, feasible
  kInexact,       ///< the solver gave its energy-safe answer instead of an exact one; moved, feasible
  kNotProjected,  ///< moved, but a constraint is still violated by more than the tolerance
  kRefused,       ///< nothing changed: see `status` and `fault`
};

constexpr const char* Name(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::kDone: return "done";
    case StepOutcome::kInexact: return "inexact";
    case StepOutcome::kNotProjected: return "not projected";
    case StepOutcome::kRefused: return "refused";
  }
  return "unknown";
}

/// A step length that follows the error of linearising the constraints: a step h leaves them violated by about h² times the
/// curvature, so after a violation e the next h is h √(allowed/e), at most doubled, at least a quarter.
template <class Scalar>
struct AdaptiveStep {
  bool on = false;
  Scalar allowed_violation_m = Scalar(1e-4);  ///< before projection; a step with more is taken back and made shorter
  Scalar least_s = Scalar(1e-5);              ///< is kept whatever the violation
  Scalar most_s = Scalar(0.05);
  int max_attempts = 12;  ///< of one step; the last is kept
};

/// What steps 1, 2 and 3 of the algorithm are given.
template <class Scalar>
struct TimeStepOptions {
  Scalar step_s = Scalar(1e-3);   ///< h; adaptive: of the first step
  Scalar reach_m = Scalar(1e-3);  ///< ε: contacts with Φ_c ≤ ε are in the active set; above the distance of one step
  AdaptiveStep<Scalar> adaptive = {};
  ProjectionOptions<Scalar> projection = {};
};

/// What survives a step.
template <class Scene>
struct MechanismState {
  using Configuration = typename Scene::Configuration;

  typename Scene::Scalar time_s{0};
  Configuration q;
  typename SceneTypes<Scene>::Twists v;   ///< one a body
  typename Scene::Scalar next_step_s{0};  ///< adaptive h; 0: take TimeStepOptions::step_s
};

template <class Scalar>
struct StepReport {
  StepOutcome outcome = StepOutcome::kRefused;
  Status status = Status::kOk;  ///< of kRefused
  ProblemFault fault;           ///< of kRefused with kOutOfRange: what the scene gave, or the solver cannot do
  Scalar step_s = Scalar(0);    ///< h_l
  int attempts = 0;             ///< 1 unless adaptive
  int contacts = 0;             ///< in the active set
  StepSolverReport<Scalar> solver;
  ProjectionReport<Scalar> projection;
};

/// Anitescu and Hart's time stepping for joints, contact and friction, their steps 1 to 12 ([AnitescuHart] section 4.A;
/// docs/time_stepping.md): one LCP on velocities a step, in impulses, with the constraints linearised at q⁽ˡ⁾:
///
///     νᵀv = 0,    nᵀv + Φ_c/h ≥ 0,    q⁽ˡ⁺¹⁾ = Π(q⁽ˡ⁾ ⊕ h v)
///
/// Collisions are plastic: a contact that comes into the active set is one more inequality. LCP0, LCP1 and LCP2 differ in
/// `Solver` alone (step_solver.h). No heap, every loop bounded; `sizeof` is the whole memory.
template <StepScene Scene, class Solver = Lcp0<typename Scene::Scalar, Scene::kCapacity>>
class TimeStepper {
 public:
  using Scalar = typename Scene::Scalar;
  static constexpr Capacity kCapacity = Scene::kCapacity;
  using State = MechanismState<Scene>;
  using Options = TimeStepOptions<Scalar>;
  using Report = StepReport<Scalar>;
  using Problem = ContactProblem<Scalar, kCapacity>;
  using Solution = ContactSolution<Scalar, kCapacity>;
  static_assert(StepSolver<Solver, Problem, Solution>);

  /// @param options  of the solver
  template <class... SolverOptions>
  explicit TimeStepper(const SolverOptions&... options) : solver_(options...) {}

  /// One pass through steps 2 to 11.
  /// @param[in,out] state  q feasible within the projection's tolerance; unchanged after kRefused
  Report Step(const Scene& scene, const Options& options, State* state) noexcept;

  /// Steps 2 to 12: until t ≥ end_s, at most max_steps.
  /// @param[in] observe  observe(state, report) after every step; what it returns, true: go on
  /// @returns the report of the last step
  template <class Observe>
  Report Run(const Scene& scene, const Options& options, Scalar end_s, int max_steps, State* state, Observe observe) {
    Report report;
    for (int l = 0; l < max_steps && state->time_s < end_s; ++l) {
      report = Step(scene, options, state);
      if (!observe(*state, report) || report.outcome == StepOutcome::kRefused) break;
    }
    return report;
  }

  const Solver& solver() const { return solver_; }
  /// What the last step solved, and its answer: velocities, impulses.
  const Problem& problem() const { return problem_; }
  const Solution& solution() const { return solution_; }

 private:
  Status CheckInput(const Scene& scene, const Options& options, const State& state) const;
  Status BuildProblem(const Scene& scene, const Options& options, const State& state, Scalar step_s);
  static Status StatusOf(ProjectionOutcome outcome);
  Report Attempt(const Scene& scene, const Options& options, Scalar step_s, State* state);
  Scalar NextStep(const AdaptiveStep<Scalar>& adaptive, Scalar step_s, Scalar violation_m) const;

  Solver solver_;
  Projection<Scene> projection_;
  Problem problem_;
  Solution solution_;
  typename SceneTypes<Scene>::JointErrors errors_;
  State trial_;
};

}  // namespace tactus

#include "tactus/step/internal/time_stepper_impl.h"
