#include "tactus/solve/dantzig/dantzig.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/make_whitened_solver.h"
#include "host_tools/solve/methods/refuse.h"
#include "tactus/solve/judge/residual.h"

namespace tactus::host {
namespace {

template <class Scalar, Capacity kCapacity>
class DantzigMethod final : public WhitenedMethod<Scalar, kCapacity> {
  std::string DoRefuse(const ProblemDocument& document) const override { return RefuseFriction(document); }

  MethodAnswer<Scalar, kCapacity> DoSolve(const WhitenedProblem<Scalar, kCapacity>& problem) override {
    const DantzigReport<Scalar> report = dantzig_.Solve(problem, 20 * (problem.contacts.size() + 10));
    MethodAnswer<Scalar, kCapacity> answer;
    if (report.outcome == DantzigOutcome::kSolved) answer.status = SolveStatus::kSolved;
    if (report.outcome == DantzigOutcome::kStepLimit) answer.shortfall = Shortfall::kPivots;
    if (report.outcome == DantzigOutcome::kRay) {
      answer.status = SolveStatus::kJammed;
      dantzig_.GetRay(problem, &answer.certificate);
    }
    answer.pivots = report.steps;
    dantzig_.GetImpulses(problem, &answer.impulses);
    return answer;
  }

  bool DoSolvesTheLaw() const override { return true; }

  double DoResidual(const WhitenedProblem<double, kCapacity>& problem,
                    const WhitenedImpulses<double, kCapacity>& impulses) const override {
    return ComplementarityResidual(problem, impulses);
  }

  DantzigContacts<Scalar, kCapacity> dantzig_;
};

constexpr Size kSpatial[] = {
    {kSpatialCompliant, MakeWhitenedSolver<kSpatialCompliant, DantzigMethod>},
    {kSpatialLarge, MakeWhitenedSolver<kSpatialLarge, DantzigMethod>},
};
constexpr Size kPlanar[] = {
    {kPlanarCompliant, MakeWhitenedSolver<kPlanarCompliant, DantzigMethod>},
    {kPlanarLarge, MakeWhitenedSolver<kPlanarLarge, DantzigMethod>},
};

}  // namespace

SizeList DantzigSizes() { return {kSpatial, kPlanar}; }

}  // namespace tactus::host
