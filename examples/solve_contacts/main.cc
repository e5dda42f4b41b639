// A 0.2 kg cube of 20 mm stands on four corners and is pushed sideways, first less, then more than friction holds.
#include <cstdio>
#include <cstdlib>

#include "tactus/solve/contact_solver.h"

// What the library does when it finds a bug in itself. Here: say so and stop.
void tactus::CheckFailed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

namespace {

constexpr tactus::Capacity kCapacity{.bodies = 1, .contacts = 4, .joints = 0, .directions = 8, .dof = 6};
using Problem = tactus::ContactProblem<double, kCapacity>;
using Solution = tactus::ContactSolution<double, kCapacity>;

Problem CubeOnTable(double push_N) {
  constexpr double kMass_kg = 0.2, kHalf_m = 0.01, kInertia_kgm2 = kMass_kg * 4 * kHalf_m * kHalf_m / 6;
  Problem problem;
  problem.direction_offset_rad = 0;  // one of the eight friction directions opposes the push exactly
  tactus::Body<double, 6> cube;
  cube.mass_kg = kMass_kg;
  cube.inertia_kgm2 *= kInertia_kgm2;
  cube.position_m << 0, 0, kHalf_m;
  cube.wrench << push_N, 0, -9.81 * kMass_kg, 0, -push_N * kHalf_m, 0;  // the push acts at the height of the table
  (void)problem.bodies.push_back(cube);                                 // fits: the capacity is ours
  for (int corner = 0; corner < 4; ++corner) {
    tactus::Contact<double, 6> contact;
    contact.id = corner;
    contact.point_m << (corner & 1 ? kHalf_m : -kHalf_m), (corner & 2 ? kHalf_m : -kHalf_m), 0;
    contact.normal << 0, 0, 1;
    contact.tangent << 1, 0, 0;
    contact.friction = 0.5;
    (void)problem.contacts.push_back(contact);
  }
  return problem;
}

}  // namespace

int main() {
  tactus::ContactSolver<double, kCapacity> solver;
  std::printf("solver: %zu bytes, solution: %zu bytes, no heap\n", sizeof solver, sizeof(Solution));
  for (const double push_N : {0.5, 2.0}) {
    const Problem problem = CubeOnTable(push_N);
    Solution solution;
    solver.Solve(problem, {}, &solution);
    if (solution.status != tactus::SolveStatus::kSolved) {
      std::fprintf(stderr, "not solved: %s\n", tactus::Name(solution.status));
      return EXIT_FAILURE;
    }
    double normal_N = 0;
    for (const auto& impulse : solution.impulse) normal_N += impulse.normal_Ns / problem.step_s;
    std::printf("push %.1f N: %s after %d pivots, residual %.1e; speed %.4f mm/s; table carries %.3f N\n", push_N,
                tactus::Name(solution.rung), solution.pivots, solution.residual, 1e3 * solution.velocity[0](0), normal_N);
  }
  return EXIT_SUCCESS;
}
