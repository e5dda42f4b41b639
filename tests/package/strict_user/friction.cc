// Prints the bits of Baraff's forces on a rod. Capacities at which GCC 12 addresses the rows of DantzigFriction's system,
// or the forces it stores, as null + 8 * counter: what the optimiser concludes from that must not change the answer.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tactus/contact/whiten.h"
#include "tactus/solve/dantzig/dantzig_friction.h"

void tactus::CheckFailed(const char*, const char*, int) noexcept { std::abort(); }

namespace {

using tactus::Capacity;

// A rod of 1 kg and half length 1 m on `contacts` points of a floor below, pushed sideways.
template <Capacity kCapacity>
void Print(int contacts) {
  static tactus::ContactProblem<double, kCapacity> problem;
  static tactus::WhitenedProblem<double, kCapacity> whitened;
  static tactus::DantzigFriction<double, kCapacity> solver;
  static tactus::FixedVector<tactus::Vec<double, tactus::LinearSize(kCapacity.dof)>, kCapacity.contacts> tangents;
  tactus::Body<double, kCapacity.dof> rod;
  rod.inertia_kgm2 *= 1.0 / 3;
  rod.wrench.setZero();
  rod.wrench(0) = 3;
  rod.wrench(kCapacity.dof == 6 ? 2 : 1) = -9.81;
  (void)problem.bodies.push_back(rod);
  problem.directions = kCapacity.directions;
  for (int i = 0; i < contacts; ++i) {
    tactus::Contact<double, kCapacity.dof> contact;
    contact.id = i;
    contact.friction = 0.2 + 0.1 * i;
    contact.normal.setZero();
    contact.tangent.setZero();
    contact.point_m.setZero();
    contact.point_m(0) = std::cos(2.0 * i);
    contact.normal(kCapacity.dof == 6 ? 2 : 1) = 1;
    contact.point_m(kCapacity.dof == 6 ? 2 : 1) = -0.5;
    contact.tangent(0) = kCapacity.dof == 6 ? 1 : -1;
    (void)problem.contacts.push_back(contact);
    (void)tangents.push_back(contact.tangent);
  }
  if (tactus::Whiten(problem, tangents, {}, &whitened)) std::abort();
  const auto report = solver.Solve(whitened, 1000);
  std::printf("outcome %d steps %d\n", static_cast<int>(report.outcome), report.steps);
  for (int i = 0; i < contacts; ++i) {
    std::printf("%a", solver.impulses().normal[static_cast<std::size_t>(i)]);
    for (const double f : solver.impulses().friction[static_cast<std::size_t>(i)]) std::printf(" %a", f);
    std::printf("\n");
  }
}

}  // namespace

int main() {
  Print<{.bodies = 3, .contacts = 12, .joints = 1, .directions = 2, .dof = 3}>(2);
  Print<{.bodies = 1, .contacts = 16, .joints = 2, .directions = 8, .dof = 6}>(3);
  Print<{.bodies = 2, .contacts = 8, .joints = 2, .directions = 8, .dof = 6}>(4);
}
