#include "tactus/solve/convex/convex_step.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/whitened_solver.h"

namespace tactus::host {
namespace {

template <class Scalar, Capacity kCapacity>
class ConvexStepMethod {
 public:
  static std::string Refuse(const ProblemDocument& document) { return RefuseCompliance(document); }

  MethodAnswer<Scalar, kCapacity> Solve(const WhitenedProblem<Scalar, kCapacity>& problem) {
    MethodAnswer<Scalar, kCapacity> answer;
    if (step_.Solve(problem, {}, 20 * (problem.contacts.size() + 10))) {
      answer.status = SolveStatus::kSolved;
    } else if (step_.GetCertificate(problem, &answer.certificate)) {
      answer.status = SolveStatus::kJammed;
    }
    answer.pivots = step_.iterations();
    step_.GetImpulses(problem, &answer.impulses);
    return answer;
  }

  static double Residual(const WhitenedProblem<double, kCapacity>& problem,
                         const WhitenedImpulses<double, kCapacity>& impulses) {
    return ConvexResidual(problem, {}, impulses);
  }

 private:
  ConvexStep<Scalar, kCapacity> step_;
};

constexpr Size kSpatial[] = {
    {kSpatialCompliant, MakeWhitenedSolver<kSpatialCompliant, ConvexStepMethod>},
    {kSpatialLarge, MakeWhitenedSolver<kSpatialLarge, ConvexStepMethod>},
};
constexpr Size kPlanar[] = {
    {kPlanarCompliant, MakeWhitenedSolver<kPlanarCompliant, ConvexStepMethod>},
    {kPlanarLarge, MakeWhitenedSolver<kPlanarLarge, ConvexStepMethod>},
};

}  // namespace

SizeList ConvexStepSizes() { return {kSpatial, kPlanar}; }

}  // namespace tactus::host
