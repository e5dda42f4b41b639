#include "tests/target/bit_cases.h"

#include "tactus/core/spatial.h"
#include "tactus/core/trig.h"
#include "tactus/haptic/config.h"
#include "tactus/solve/contact_solver.h"
#include "tests/target/hash.h"

namespace tactus::target {
namespace {

using Problem = ContactProblem<double, kServoCapacity>;

Vec<double, 3> RandomVector(Random* random, double size) {
  Vec<double, 3> vector;
  for (int i = 0; i < 3; ++i) vector(i) = random->Between(-size, size);
  return vector;
}

/// A body that moves against up to kServoCapacity.contacts random half spaces around it.
Problem RandomProblem(Random* random) {
  Problem problem;
  Body<double, 6> body;
  body.mass_kg = random->Between(0.05, 0.5);
  const Vec<double, 3> moments(2e-5, 3e-5, 4e-5);
  body.inertia_kgm2 = moments.asDiagonal();
  for (int i = 0; i < 3; ++i) body.velocity(i) = random->Between(-0.2, 0.2);
  for (int i = 3; i < 6; ++i) body.velocity(i) = random->Between(-2, 2);
  for (int i = 0; i < 3; ++i) body.wrench(i) = random->Between(-5, 5);
  (void)problem.bodies.push_back(body);  // there is room for one
  const int contacts = static_cast<int>(random->Between(1, kServoCapacity.contacts + 1));
  for (int i = 0; i < contacts; ++i) {
    Contact<double, 6> contact;
    contact.id = i;
    contact.point_m = RandomVector(random, 0.03);
    contact.normal = RandomVector(random, 1);
    contact.normal /= Sqrt(contact.normal.dot(contact.normal));
    contact.friction = random->Between(0, 0.8);
    contact.gap_m = random->Between(0, 2e-4);
    (void)problem.contacts.push_back(contact);  // there is room for all
  }
  return problem;
}

template <class Scalar>
void AddTrigonometry(Random* random, Hash* hash) {
  for (int i = 0; i < 2000; ++i) {
    const Scalar angle = static_cast<Scalar>(random->Between(-100, 100));
    const Scalar y = static_cast<Scalar>(random->Between(-1, 1)), x = static_cast<Scalar>(random->Between(-1, 1));
    hash->AddValue(Sin(angle));
    hash->AddValue(Cos(angle));
    hash->AddValue(Atan2(y, x));
  }
}

}  // namespace

std::uint64_t TrigonometryBits() {
  Random random(1);
  Hash hash;
  AddTrigonometry<double>(&random, &hash);
  AddTrigonometry<float>(&random, &hash);
  return hash.value();
}

std::uint64_t SolverBits() {
  Random random(2);
  Hash hash;
  static ContactSolver<double, kServoCapacity> solver;  // static: too large for a small stack
  static ContactSolution<double, kServoCapacity> solution;
  for (int i = 0; i < 100; ++i) {
    const Problem problem = RandomProblem(&random);
    solver.Solve(problem, SolverOptions<double>{}, &solution);
    hash.AddValue(solution.status);
    hash.AddValue(solution.rung);
    hash.AddValue(solution.pivots);
    for (int k = 0; k < 6; ++k) hash.AddValue(solution.velocity[0](k));
    for (const auto& impulse : solution.impulse) hash.AddValue(impulse.normal_Ns);
  }
  return hash.value();
}

}  // namespace tactus::target
