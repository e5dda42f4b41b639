#pragma once
#include "tactus/mechanism/step_scene.h"
#include "tactus/mechanism/step_solver.h"

namespace tactus {

enum class ProjectionOutcome : std::uint8_t {
  kFeasible,        ///< every constraint holds to the tolerance
  kIterationLimit,  ///< the violation is still falling, or has stopped falling
  kNoStep,          ///< the linearised constraints contradict each other: q is where the last linearisation took it
  kOverCapacity,    ///< more contacts than the capacity holds
  kNotFinite,       ///< the scene gave a NaN
};

constexpr const char* Name(ProjectionOutcome outcome) {
  switch (outcome) {
    case ProjectionOutcome::kFeasible: return "feasible";
    case ProjectionOutcome::kIterationLimit: return "iteration limit";
    case ProjectionOutcome::kNoStep: return "no step";
    case ProjectionOutcome::kOverCapacity: return "over capacity";
    case ProjectionOutcome::kNotFinite: return "not finite";
  }
  return "unknown";
}

template <class Scalar>
struct ProjectionOptions {
  Scalar tolerance_m = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);  ///< of max(|Φ_j|, -Φ_c)
  int max_iterations = 20;  ///< each about squares the violation's share of a radius of curvature
};

template <class Scalar>
struct ProjectionReport {
  ProjectionOutcome outcome = ProjectionOutcome::kFeasible;
  int iterations = 0;              ///< linearisations that moved q
  Scalar before_m = Scalar(0);     ///< violation of q as it came
  Scalar violation_m = Scalar(0);  ///< as it is left
};

/// Step 10 of [AnitescuHart]'s algorithm: the configuration nearest to q that satisfies (1) and (2),
///
///     min ½ dᵀM d    subject to    Φ_j(q ⊕ d) = 0,   Φ_c(q ⊕ d) ≥ 0
///
/// by sequential quadratic programming. With the displacement d so far, the next δ is that of
///
///     min ½ (d + δ)ᵀM (d + δ)    subject to    νᵀδ = -Φ_j,   nᵀδ ≥ -Φ_c
///
/// which is a frictionless contact problem in δ: step 1, velocities -d, gaps Φ_c, joint speeds -Φ_j; one convex step solves
/// it. d is the sum of the δ: exact in the plane and for translations, to first order in rotations.
///
/// The velocities are not touched: they satisfy the constraints of the step's beginning, and the next step's solver makes
/// them satisfy those of its own.
template <StepScene Scene>
class Projection {
 public:
  using Scalar = typename Scene::Scalar;
  static constexpr Capacity kCapacity = Scene::kCapacity;
  using Configuration = typename Scene::Configuration;

  /// @param[in]     reach_m  contacts with Φ_c up to this take part: more than δ moves bodies
  /// @param[in,out] q        out: feasible, or the last iterate
  ProjectionReport<Scalar> Run(const Scene& scene, Scalar time_s, Scalar reach_m, const ProjectionOptions<Scalar>& options,
                               Configuration* q) noexcept {
    ProjectionReport<Scalar> report;
    for (int iteration = 0;; ++iteration) {
      report.iterations = iteration;
      if (GatherConstraints(scene, *q, reach_m, &problem_, &errors_) != Status::kOk) {
        report.outcome = ProjectionOutcome::kOverCapacity;
        return report;
      }
      report.violation_m = Violation(problem_, errors_);
      if (iteration == 0) report.before_m = report.violation_m;
      report.outcome = OutcomeOf(report.violation_m, options.tolerance_m);
      if (report.outcome != ProjectionOutcome::kIterationLimit || iteration == options.max_iterations) return report;
      if (iteration == 0) ClearDisplacement(scene.body_count());
      if (!Linearise(scene, time_s, *q)) {
        report.outcome = ProjectionOutcome::kNoStep;
        return report;
      }
      scene.Move(solution_.velocity, q);
      for (int k = 0; k < displacement_.size(); ++k) displacement_[k] += solution_.velocity[k];
    }
  }

 private:
  static ProjectionOutcome OutcomeOf(Scalar violation_m, Scalar tolerance_m) {
    if (!IsFinite(violation_m)) return ProjectionOutcome::kNotFinite;
    return violation_m <= tolerance_m ? ProjectionOutcome::kFeasible : ProjectionOutcome::kIterationLimit;
  }

  void ClearDisplacement(int bodies) {
    displacement_.resize(bodies);
    for (auto& d : displacement_) d.setZero();
  }

  // δ as the velocities of a contact problem. @returns false: there is none.
  bool Linearise(const Scene& scene, Scalar time_s, const Configuration& q) {
    scene.SetBodies(time_s, q, displacement_, &problem_.bodies);
    problem_.step_s = Scalar(1);
    for (int k = 0; k < displacement_.size(); ++k) {
      problem_.bodies[k].velocity = -displacement_[k];
      problem_.bodies[k].wrench.setZero();
    }
    for (auto& contact : problem_.contacts) {
      contact.friction = Scalar(0);
      contact.surface_velocity_mps.setZero();
      contact.surface_normal_velocity_mps = Scalar(0);
      contact.compliance_mps_per_Ns = Scalar(0);
    }
    for (int j = 0; j < problem_.joints.size(); ++j) problem_.joints[j].speed = -errors_[j];
    return solver_.Solve(problem_, &solution_).status == SolveStatus::kSolved;
  }

  Lcp2<Scalar, kCapacity> solver_;
  ContactProblem<Scalar, kCapacity> problem_;
  ContactSolution<Scalar, kCapacity> solution_;
  typename SceneTypes<Scene>::JointErrors errors_;
  typename SceneTypes<Scene>::Twists displacement_;
};

}  // namespace tactus
