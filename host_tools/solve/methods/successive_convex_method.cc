#include "tactus/solve/convex/successive_convex.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/make_whitened_solver.h"
#include "host_tools/solve/methods/refuse.h"
#include "tactus/solve/judge/residual.h"

namespace tactus::host {
namespace {

template <class Scalar, Capacity kCapacity>
class SuccessiveConvexMethod final : public WhitenedMethod<Scalar, kCapacity> {
  std::string DoRefuse(const ProblemDocument& document) const override { return RefuseCompliance(document); }

  MethodAnswer<Scalar, kCapacity> DoSolve(const WhitenedProblem<Scalar, kCapacity>& problem) override {
    FixedPointOptions<Scalar> options;
    options.max_iterations = 1000;
    options.max_step_iterations = 20 * (problem.contacts.size() + 10);
    const FixedPointReport<Scalar> report = solver_.Solve(problem, options);
    MethodAnswer<Scalar, kCapacity> answer;
    if (report.outcome == FixedPointOutcome::kConverged) answer.status = SolveStatus::kSolved;
    if (report.outcome == FixedPointOutcome::kIterationLimit) answer.shortfall = Shortfall::kPivots;
    answer.pivots = report.step_iterations;
    solver_.GetImpulses(problem, &answer.impulses);
    return answer;
  }

  bool DoSolvesTheLaw() const override { return true; }

  double DoResidual(const WhitenedProblem<double, kCapacity>& problem,
                    const WhitenedImpulses<double, kCapacity>& impulses) const override {
    return ComplementarityResidual(problem, impulses);
  }

  SuccessiveConvex<Scalar, kCapacity> solver_;
};

constexpr Size kSpatial[] = {
    {kSpatialCompliant, MakeWhitenedSolver<kSpatialCompliant, SuccessiveConvexMethod>},
    {kSpatialLarge, MakeWhitenedSolver<kSpatialLarge, SuccessiveConvexMethod>},
};
constexpr Size kPlanar[] = {
    {kPlanarCompliant, MakeWhitenedSolver<kPlanarCompliant, SuccessiveConvexMethod>},
    {kPlanarLarge, MakeWhitenedSolver<kPlanarLarge, SuccessiveConvexMethod>},
};

}  // namespace

SizeList SuccessiveConvexSizes() { return {kSpatial, kPlanar}; }

}  // namespace tactus::host
