#include "tactus/solve/convex/convex_step.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/make_whitened_solver.h"
#include "host_tools/solve/methods/refuse.h"

namespace tactus::host {
namespace {

template <class Scalar, Capacity kCapacity>
class ConvexStepMethod final : public WhitenedMethod<Scalar, kCapacity> {
  std::string DoRefuse(const ProblemDocument& document) const override { return RefuseCompliance(document); }

  MethodAnswer<Scalar, kCapacity> DoSolve(const WhitenedProblem<Scalar, kCapacity>& problem) override {
    MethodAnswer<Scalar, kCapacity> answer;
    const int limit = 20 * (problem.contacts.size() + 10);
    if (step_.Solve(problem, {}, limit)) {
      answer.status = SolveStatus::kSolved;
    } else if (step_.GetCertificate(problem, &answer.certificate)) {
      answer.status = SolveStatus::kJammed;
    } else if (step_.iterations() >= limit) {
      answer.shortfall = Shortfall::kPivots;
    }
    answer.pivots = step_.iterations();
    step_.GetImpulses(problem, &answer.impulses);
    return answer;
  }

  bool DoSolvesTheLaw() const override { return false; }

  double DoResidual(const WhitenedProblem<double, kCapacity>& problem,
                    const WhitenedImpulses<double, kCapacity>& impulses) const override {
    return ConvexResidual(problem, {}, impulses);
  }

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
