#include "tactus/solve/dantzig/impending_motion.h"

#include <fmt/format.h>

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/make_whitened_solver.h"
#include "host_tools/solve/methods/refuse.h"
#include "tactus/solve/judge/residual.h"

namespace tactus::host {
namespace {

// The contact forces, called solved only if the formulations agree: the least constraint, and for contacts that all touch
// the steepest descent.
template <class Scalar, Capacity kCapacity>
class ImpendingMotionMethod final : public WhitenedMethod<Scalar, kCapacity> {
  std::string DoRefuse(const ProblemDocument& document) const override {
    if (const std::string refused = RefuseFriction(document); !refused.empty()) return refused;
    if (const std::string refused = RefuseCompliance(document); !refused.empty()) return refused;
    return RefuseContacts(
        document, "gap_m", &ContactDocument::gap_m, [](double x) { return x >= 0; }, ">= 0 for this solver");
  }

  MethodAnswer<Scalar, kCapacity> DoSolve(const WhitenedProblem<Scalar, kCapacity>& problem) override {
    MethodAnswer<Scalar, kCapacity> answer;
    answer.refused = RefuseApproach(problem);
    if (!answer.refused.empty()) return answer;
    const int limit = 20 * (problem.contacts.size() + 10);
    constexpr Scalar kAgree = Tolerances<Scalar>::kAccept;
    const Motion<Scalar, kCapacity> forces = impending_.ByContactForces(problem, limit);
    const Motion<Scalar, kCapacity> gauss = impending_.ByLeastConstraint(problem, limit);
    const Motion<Scalar, kCapacity> descent = impending_.BySteepestDescent(problem, limit);
    answer.impulses = forces.force;
    const Scalar k = Sqrt(problem.k.squaredNorm());
    Scalar scale = k;
    for (const Scalar theta : forces.force.theta) scale = Max(scale, theta);
    const typename WhitenedProblem<Scalar, kCapacity>::Velocity difference = forces.acceleration - gauss.acceleration;
    const bool agree = forces.outcome == MotionOutcome::kFound && gauss.outcome == MotionOutcome::kFound &&
                       Sqrt(difference.squaredNorm()) <= kAgree * scale;
    const bool descends =
        descent.outcome == MotionOutcome::kRefused || Abs(DescentGap(problem, descent)) * k <= kAgree * scale;
    if (agree && descends) answer.status = SolveStatus::kSolved;
    return answer;
  }

  bool DoSolvesTheLaw() const override { return true; }

  double DoResidual(const WhitenedProblem<double, kCapacity>& problem,
                    const WhitenedImpulses<double, kCapacity>& impulses) const override {
    return ComplementarityResidual(problem, impulses);
  }

  static std::string RefuseApproach(const WhitenedProblem<Scalar, kCapacity>& problem) {
    for (const auto& contact : problem.contacts) {
      if (!ImpendingMotion<Scalar, kCapacity>::Presses(problem, contact)) continue;
      return fmt::format(
          "contacts[{}]: its surface or a joint's speed presses the bodies together, and this solver is for bodies that can "
          "rest",
          contact.source);
    }
    return "";
  }

  ImpendingMotion<Scalar, kCapacity> impending_;
};

constexpr Size kSpatial[] = {
    {kSpatialCompliant, MakeWhitenedSolver<kSpatialCompliant, ImpendingMotionMethod>},
};
constexpr Size kPlanar[] = {
    {kPlanarCompliant, MakeWhitenedSolver<kPlanarCompliant, ImpendingMotionMethod>},
};

}  // namespace

SizeList ImpendingMotionSizes() { return {kSpatial, kPlanar}; }

}  // namespace tactus::host
