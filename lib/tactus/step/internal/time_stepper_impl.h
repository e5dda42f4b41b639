#pragma once
#include "tactus/core/spatial.h"
#include "tactus/step/time_stepper.h"

namespace tactus {

// [AnitescuHart] section 4.A as coded; the numbers are the paper's. Its errata: after step 11, l grows by one, and step 12
// goes back to step 2, not 3: the active set belongs to q⁽ˡ⁾.
//
//     1  caller: q⁽⁰⁾, v⁽⁰⁾, μ̃ (in the scene), TOL (in the solver), T, ε
//     2  A := {j : Φ_c(q) ≤ ε}                              BuildProblem: Scene::AddContacts
//     3  M, k, D̃, ν̃, ñ, h, Δ = Φ_c/h, -M v - h k            BuildProblem
//     4-7  Γ, Λ until they agree                            Solver (LCP1; LCP2 stops after the first; LCP0 pivots)
//     8  v⁽ˡ⁺¹⁾                                             Attempt
//     9  q⁽ˡ⁺¹⁾ = q⁽ˡ⁾ ⊕ h v⁽ˡ⁺¹⁾                           Attempt: Scene::Move
//     10 projection onto (1), (2)                           Projection
//     11 t⁽ˡ⁺¹⁾ = t⁽ˡ⁾ + h_l                                Step
//     12 until t ≥ T                                        Run

template <StepScene Scene, class Solver>
Status TimeStepper<Scene, Solver>::CheckInput(const Scene& scene, const Options& options, const State& state) const {
  for (const Scalar value : {options.step_s, options.projection.tolerance_m, options.reach_m, state.time_s}) {
    if (!IsFinite(value)) return Status::kNotFinite;
  }
  const AdaptiveStep<Scalar>& adaptive = options.adaptive;
  if (!(options.step_s > Scalar(0)) || options.reach_m < Scalar(0)) return Status::kOutOfRange;
  if (!(options.projection.tolerance_m > Scalar(0)) || options.projection.max_iterations < 0) return Status::kOutOfRange;
  if (adaptive.on) {
    const bool ordered = Scalar(0) < adaptive.least_s && adaptive.least_s <= adaptive.most_s && IsFinite(adaptive.most_s);
    if (!ordered || !(adaptive.allowed_violation_m > Scalar(0)) || adaptive.max_attempts < 1) return Status::kOutOfRange;
  }
  if (scene.body_count() != state.v.size()) return Status::kOutOfRange;
  for (const auto& velocity : state.v) {
    if (!IsFinite<Scalar, kCapacity.dof>(velocity)) return Status::kNotFinite;
  }
  return Status::kOk;
}

// Steps 2 and 3. Δ ≥ 0, as the paper assumes: what the projection's tolerance leaves of a penetration is not pushed out by
// velocities, which would add energy, but by the next projection.
template <StepScene Scene, class Solver>
Status TimeStepper<Scene, Solver>::BuildProblem(const Scene& scene, const Options& options, const State& state,
                                                Scalar step_s) {
  problem_.step_s = step_s;
  scene.SetBodies(state.time_s, state.q, state.v, &problem_.bodies);
  const Status status = GatherConstraints(scene, state.q, options.reach_m, &problem_, &errors_);
  if (status != Status::kOk) return status;
  if (!IsFinite(Violation(problem_, errors_))) return Status::kNotFinite;
  for (auto& contact : problem_.contacts) contact.gap_m = Max(contact.gap_m, Scalar(0));
  return Status::kOk;
}

// A configuration that the next step could not start from is refused now, while there is one to keep.
template <StepScene Scene, class Solver>
Status TimeStepper<Scene, Solver>::StatusOf(ProjectionOutcome outcome) {
  if (outcome == ProjectionOutcome::kOverCapacity) return Status::kOverCapacity;
  return outcome == ProjectionOutcome::kNotFinite ? Status::kNotFinite : Status::kOk;
}

// Steps 2 to 10 from `state` to `trial_` with the step h.
template <StepScene Scene, class Solver>
auto TimeStepper<Scene, Solver>::Attempt(const Scene& scene, const Options& options, Scalar step_s, State* state) -> Report {
  Report report;
  report.step_s = step_s;
  report.status = BuildProblem(scene, options, *state, step_s);
  if (report.status != Status::kOk) return report;
  report.contacts = problem_.contacts.size();
  report.solver = solver_.Solve(problem_, &solution_);
  if (report.solver.status == SolveStatus::kInvalid) {
    report.status = Status::kOutOfRange;
    report.fault = solution_.fault;
    return report;
  }
  trial_ = *state;
  for (int k = 0; k < trial_.v.size(); ++k) {
    trial_.v[k] = solution_.velocity[k];
    solution_.velocity[k] *= step_s;
  }
  scene.Move(solution_.velocity, &trial_.q);
  solution_.velocity = trial_.v;
  report.projection = projection_.Run(scene, state->time_s + step_s, options.reach_m, options.projection, &trial_.q);
  report.status = StatusOf(report.projection.outcome);
  if (report.status != Status::kOk) return report;
  report.outcome = StepOutcome::kDone;
  if (report.solver.status != SolveStatus::kSolved) report.outcome = StepOutcome::kInexact;
  if (report.projection.outcome != ProjectionOutcome::kFeasible) report.outcome = StepOutcome::kNotProjected;
  return report;
}

template <StepScene Scene, class Solver>
typename Scene::Scalar TimeStepper<Scene, Solver>::NextStep(const AdaptiveStep<Scalar>& adaptive, Scalar step_s,
                                                            Scalar violation_m) const {
  constexpr Scalar kMargin = Scalar(0.9), kShrink = Scalar(0.25), kGrow = Scalar(2);
  const Scalar ratio = violation_m > Scalar(0) ? kMargin * Sqrt(adaptive.allowed_violation_m / violation_m) : kGrow;
  return Clamp(step_s * Clamp(ratio, kShrink, kGrow), adaptive.least_s, adaptive.most_s);
}

template <StepScene Scene, class Solver>
auto TimeStepper<Scene, Solver>::Step(const Scene& scene, const Options& options, State* state) noexcept -> Report {
  Report report;
  report.status = CheckInput(scene, options, *state);
  if (report.status != Status::kOk) return report;
  const AdaptiveStep<Scalar>& adaptive = options.adaptive;
  Scalar step_s = options.step_s;
  if (adaptive.on && state->next_step_s > Scalar(0)) step_s = state->next_step_s;
  for (int attempt = 1;; ++attempt) {
    report = Attempt(scene, options, step_s, state);
    report.attempts = attempt;
    if (report.outcome == StepOutcome::kRefused) return report;
    if (!adaptive.on) break;
    const Scalar violation_m = report.projection.before_m;
    trial_.next_step_s = NextStep(adaptive, step_s, violation_m);
    const bool keep = violation_m <= adaptive.allowed_violation_m || step_s <= adaptive.least_s;
    if (keep || attempt == adaptive.max_attempts) break;
    step_s = trial_.next_step_s;
  }
  trial_.time_s += report.step_s;
  *state = trial_;
  return report;
}

}  // namespace tactus
