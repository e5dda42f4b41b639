#include "tactus/solve/dantzig/dantzig.h"

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/whitened_solver.h"
#include "tactus/solve/judge/residual.h"

namespace tactus::host {
namespace {

template <class Scalar, Capacity kCapacity>
class DantzigMethod {
 public:
  static std::string Refuse(const ProblemDocument& document) { return RefuseFriction(document); }

  MethodAnswer<Scalar, kCapacity> Solve(const WhitenedProblem<Scalar, kCapacity>& problem) {
    const DantzigReport<Scalar> report = dantzig_.Solve(problem, 20 * (problem.contacts.size() + 10));
    MethodAnswer<Scalar, kCapacity> answer;
    if (report.outcome == DantzigOutcome::kSolved) answer.status = SolveStatus::kSolved;
    if (report.outcome == DantzigOutcome::kRay) {
      answer.status = SolveStatus::kJammed;
      dantzig_.GetRay(problem, &answer.certificate);
    }
    answer.pivots = report.steps;
    dantzig_.GetImpulses(problem, &answer.impulses);
    return answer;
  }

  static double Residual(const WhitenedProblem<double, kCapacity>& problem,
                         const WhitenedImpulses<double, kCapacity>& impulses) {
    return ComplementarityResidual(problem, impulses);
  }

 private:
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
