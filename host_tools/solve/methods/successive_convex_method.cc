#include "tactus/solve/convex/successive_convex.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/whitened_solver.h"
#include "tactus/solve/judge/residual.h"

namespace tactus::host {
namespace {

template <class Scalar, Capacity kCapacity>
class SuccessiveConvexMethod {
 public:
  static std::string Refuse(const ProblemDocument& document) { return RefuseCompliance(document); }

  MethodAnswer<Scalar, kCapacity> Solve(const WhitenedProblem<Scalar, kCapacity>& problem) {
    FixedPointOptions<Scalar> options;
    options.max_iterations = 1000;
    options.max_step_iterations = 20 * (problem.contacts.size() + 10);
    const FixedPointReport<Scalar> report = solver_.Solve(problem, options);
    MethodAnswer<Scalar, kCapacity> answer;
    if (report.outcome == FixedPointOutcome::kConverged) answer.status = SolveStatus::kSolved;
    answer.pivots = report.step_iterations;
    solver_.GetImpulses(problem, &answer.impulses);
    return answer;
  }

  static double Residual(const WhitenedProblem<double, kCapacity>& problem,
                         const WhitenedImpulses<double, kCapacity>& impulses) {
    return ComplementarityResidual(problem, impulses);
  }

 private:
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
