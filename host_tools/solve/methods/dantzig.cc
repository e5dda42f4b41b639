#include "tactus/solve/dantzig.h"

#include "host_tools/solve/capacities/capacities.h"
#include "host_tools/solve/single_method_solver.h"
#include "tactus/contact/residual.h"

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

constexpr CompiledCapacity kSpatial[] = {
    {kSpatialCompliant, MakeSingleMethodSolver<kSpatialCompliant, DantzigMethod>},
    {kSpatialLarge, MakeSingleMethodSolver<kSpatialLarge, DantzigMethod>},
};
constexpr CompiledCapacity kPlanar[] = {
    {kPlanarCompliant, MakeSingleMethodSolver<kPlanarCompliant, DantzigMethod>},
    {kPlanarLarge, MakeSingleMethodSolver<kPlanarLarge, DantzigMethod>},
};

}  // namespace

CompiledCapacities DantzigCapacities() { return {kSpatial, kPlanar}; }

}  // namespace tactus::host
