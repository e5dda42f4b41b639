#include "host_tools/solve/any_size_solver.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace tactus::host {
namespace {

// "contacts: at most 256 fit, are 300": the first list that no capacity holds, or the limits of the capacities one by one
// when it is the combination that does not fit.
std::string OverCapacity(std::span<const Size> compiled, const ProblemDocument& problem) {
  const auto check = [&](const char* field, std::size_t size, int Capacity::*member) -> std::string {
    int most = 0;
    for (const Size& c : compiled) most = std::max(most, c.capacity.*member);
    if (size <= static_cast<std::size_t>(most)) return "";
    return std::string(field) + ": over capacity, must be at most " + std::to_string(most) + ", is " + std::to_string(size);
  };
  for (const std::string& error :
       {check("bodies", problem.bodies.size(), &Capacity::bodies),
        check("contacts", problem.contacts.size(), &Capacity::contacts),
        check("joints", problem.joints.size(), &Capacity::joints),
        check("directions", static_cast<std::size_t>(problem.directions), &Capacity::directions)}) {
    if (!error.empty()) return error;
  }
  for (const Size& c : compiled) {
    if (!c.capacity.compliant) continue;
    return "compliance_mps_per_Ns: over capacity, with compliance at most " + std::to_string(c.capacity.bodies) +
           " bodies, " + std::to_string(c.capacity.contacts) + " contacts and " + std::to_string(c.capacity.joints) +
           " joints";
  }
  return "problem: over capacity";
}

class AnySizeSolver final : public ProblemSolver {
 public:
  AnySizeSolver(const SizeList& compiled, const SolveRequest& request) : compiled_(compiled), request_(request) {}

 private:
  using Solvers = std::array<std::unique_ptr<SizedSolver>, 8>;  // by place in the list of compiled capacities

  struct Place {
    Solvers asked;   // in the scalar that was asked for
    Solvers rescue;  // in double, when that is not the same
    std::size_t current = 0;
  };

  SolutionDocument DoSolve(const ProblemDocument& problem) override {
    const std::span<const Size> compiled = problem.dof == 6 ? compiled_.spatial : compiled_.planar;
    Place& place = problem.dof == 6 ? spatial_ : planar_;
    const auto holds = [&](const Size& c) { return Holds(c.capacity, problem); };
    const std::span<const Size> from_current = compiled.subspan(request_.warm ? place.current : 0);
    auto found = std::find_if(from_current.begin(), from_current.end(), holds);
    if (found == from_current.end()) found = std::find_if(compiled.begin(), compiled.end(), holds);
    if (found == compiled.end()) {
      SolutionDocument refused;
      refused.error = OverCapacity(compiled, problem);
      return refused;
    }
    place.current = static_cast<std::size_t>(found - compiled.begin());
    SolutionDocument solution = SolveIn(request_.scalar, *found, &place.asked[place.current], problem);
    const bool gave_up = solution.status == SolveStatus::kBudget || solution.status == SolveStatus::kInvalid;
    if (!gave_up || request_.scalar == ScalarKind::kDouble) return solution;
    return Rescue(solution, SolveIn(ScalarKind::kDouble, *found, &place.rescue[place.current], problem));
  }

  SolutionDocument SolveIn(ScalarKind scalar, const Size& capacity, std::unique_ptr<SizedSolver>* solver,
                           const ProblemDocument& problem) {
    if (*solver == nullptr) *solver = capacity.make(scalar);
    SolutionDocument solution = (*solver)->Solve(problem, request_);
    solution.scalar = Name(scalar);
    return solution;
  }

  // Theory section 6: what single precision cannot solve, or not even hold, is answered in double. The answer says so. Where
  // that is no exact one either it is the safe one: a float answer that did not hold may close gaps.
  static SolutionDocument Rescue(const SolutionDocument& single, SolutionDocument rescued) {
    rescued.pivots += single.pivots;
    rescued.solve_ns += single.solve_ns;
    return rescued;
  }

  SizeList compiled_;
  SolveRequest request_;
  Place spatial_, planar_;
};

}  // namespace

std::unique_ptr<ProblemSolver> MakeAnySizeSolver(const SizeList& compiled, const SolveRequest& request) {
  return std::make_unique<AnySizeSolver>(compiled, request);
}

}  // namespace tactus::host
