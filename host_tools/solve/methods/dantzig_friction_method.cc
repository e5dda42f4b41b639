#include "tactus/solve/dantzig/dantzig_friction.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/make_whitened_solver.h"

namespace tactus::host {
namespace {

// Static friction at every contact. In space the friction force is a vector in the round cone; the answer splits it between
// the two friction directions next to it.
template <class Scalar, Capacity kCapacity>
class DantzigFrictionMethod final : public WhitenedMethod<Scalar, kCapacity> {
  std::string DoRefuse(const ProblemDocument&) const override { return ""; }

  MethodAnswer<Scalar, kCapacity> DoSolve(const WhitenedProblem<Scalar, kCapacity>& problem) override {
    const FrictionReport<Scalar> report = solver_.Solve(problem, 200 * (problem.contacts.size() + 10));
    MethodAnswer<Scalar, kCapacity> answer;
    if (report.outcome == FrictionOutcome::kSolved) answer.status = SolveStatus::kSolved;
    if (report.outcome == FrictionOutcome::kStepLimit) answer.shortfall = Shortfall::kPivots;
    answer.pivots = report.steps;
    SplitIntoDirections(problem, solver_.impulses(), &answer.impulses);
    return answer;
  }

  bool DoSolvesTheLaw() const override { return kCapacity.dof == 3; }

  double DoResidual(const WhitenedProblem<double, kCapacity>& problem,
                    const WhitenedImpulses<double, kCapacity>& impulses) const override {
    CoulombImpulses<double, kCapacity> force;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      force.normal[i] = impulses.theta[i];
      for (int j = 0; j < problem.directions; ++j) force.friction[i] += impulses.phi[i][j] * problem.direction[j];
    }
    typename DantzigFriction<double, kCapacity>::Sliding resting;
    resting.fill(WhitenedProblem<double, kCapacity>::Tangential::Zero());
    return BaraffResidual(problem, resting, force);
  }

  DantzigFriction<Scalar, kCapacity> solver_;
};

constexpr Size kSpatial[] = {
    {kSpatialCompliant, MakeWhitenedSolver<kSpatialCompliant, DantzigFrictionMethod>},
};
constexpr Size kPlanar[] = {
    {kPlanarCompliant, MakeWhitenedSolver<kPlanarCompliant, DantzigFrictionMethod>},
};

}  // namespace

SizeList DantzigFrictionSizes() { return {kSpatial, kPlanar}; }

}  // namespace tactus::host
