// Instantiates what a user instantiates, at several capacities: GCC's warnings come from the optimiser, not from the parser.
#include <cstdlib>

#include "tactus/haptic/tick.h"
#include "tactus/mechanism/time_stepper.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/supervise/supervisor.h"

void tactus::CheckFailed(const char*, const char*, int) noexcept { std::abort(); }

namespace {

using tactus::Capacity;

constexpr Capacity kCube{.bodies = 1, .contacts = 4, .joints = 0, .directions = 8, .dof = 6};
constexpr Capacity kTool{.bodies = 1, .contacts = 24, .joints = 0, .directions = 8, .dof = 6};
constexpr Capacity kHand{.bodies = 4, .contacts = 16, .joints = 6, .directions = 8, .dof = 6};
constexpr Capacity kPlane{.bodies = 3, .contacts = 12, .joints = 1, .directions = 2, .dof = 3};

template <class Scalar, Capacity kCapacity>
int Solve() {
  tactus::ContactSolver<Scalar, kCapacity> solver;
  tactus::ContactSolution<Scalar, kCapacity> solution;
  const tactus::ContactProblem<Scalar, kCapacity> problem;
  solver.Solve(problem, {}, &solution);
  return static_cast<int>(solution.status);
}

template <class Scalar>
float Hold() {
  tactus::Config<Scalar> config;
  tactus::State<Scalar, kTool> state;
  tactus::CommandFrame command;
  tactus::Telemetry<Scalar> telemetry;
  (void)tactus::Tick<Scalar, kTool>({}, config, &state, &command, &telemetry);  // compiled only
  return static_cast<float>(telemetry.residual);
}

}  // namespace

int main() {
  const int statuses = Solve<double, kCube>() + Solve<double, kHand>() + Solve<double, kPlane>() + Solve<float, kCube>();
  return statuses < 0 || Hold<double>() < 0;
}
