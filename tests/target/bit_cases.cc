#include "tests/target/bit_cases.h"

#include "tactus/core/spatial.h"
#include "tactus/core/trig.h"
#include "tactus/haptic/config.h"
#include "tactus/solve/contact_solver.h"
#include "tests/target/hash.h"
#include "tests/target/scalars.h"

namespace tactus::target {
namespace {

template <class Scalar>
Scalar Draw(Random* random, double low, double high) {
  return static_cast<Scalar>(random->Between(low, high));
}

template <class Scalar>
Vec<Scalar, 3> DrawVector(Random* random, double size) {
  Vec<Scalar, 3> vector;
  for (int i = 0; i < 3; ++i) vector(i) = Draw<Scalar>(random, -size, size);
  return vector;
}

/// A body that moves against up to kServoCapacity.contacts random half spaces around it.
template <class Scalar>
ContactProblem<Scalar, kServoCapacity> DrawProblem(Random* random) {
  ContactProblem<Scalar, kServoCapacity> problem;
  Body<Scalar, 6> body;
  body.mass_kg = Draw<Scalar>(random, 0.05, 0.5);
  const Vec<Scalar, 3> moments(Scalar(2e-5), Scalar(3e-5), Scalar(4e-5));
  body.inertia_kgm2 = moments.asDiagonal();
  for (int i = 0; i < 3; ++i) body.velocity(i) = Draw<Scalar>(random, -0.2, 0.2);
  for (int i = 3; i < 6; ++i) body.velocity(i) = Draw<Scalar>(random, -2, 2);
  for (int i = 0; i < 3; ++i) body.wrench(i) = Draw<Scalar>(random, -5, 5);
  (void)problem.bodies.push_back(body);  // there is room for one
  const int contacts = static_cast<int>(random->Between(1, kServoCapacity.contacts + 1));
  for (int i = 0; i < contacts; ++i) {
    Contact<Scalar, 6> contact;
    contact.id = i;
    contact.point_m = DrawVector<Scalar>(random, 0.03);
    contact.normal = DrawVector<Scalar>(random, 1);
    contact.normal /= Sqrt(contact.normal.dot(contact.normal));
    contact.friction = Draw<Scalar>(random, 0, 0.8);
    contact.gap_m = Draw<Scalar>(random, 0, 2e-4);
    (void)problem.contacts.push_back(contact);  // there is room for all
  }
  return problem;
}

}  // namespace

template <class Scalar>
std::uint64_t TrigonometryBits() {
  Random random(1);
  Hash hash;
  for (int i = 0; i < 2000; ++i) {
    const Scalar angle = Draw<Scalar>(&random, -100, 100), y = Draw<Scalar>(&random, -1, 1),
                 x = Draw<Scalar>(&random, -1, 1);
    hash.AddValue(Sin(angle));
    hash.AddValue(Cos(angle));
    hash.AddValue(Atan2(y, x));
  }
  return hash.value();
}

template <class Scalar>
std::uint64_t SolverBits() {
  Random random(2);
  Hash hash;
  static ContactSolver<Scalar, kServoCapacity> solver;  // static: too large for a small stack
  static ContactSolution<Scalar, kServoCapacity> solution;
  for (int i = 0; i < 100; ++i) {
    const ContactProblem<Scalar, kServoCapacity> problem = DrawProblem<Scalar>(&random);
    solver.Solve(problem, SolverOptions<Scalar>{}, &solution);
    hash.AddValue(solution.status);
    hash.AddValue(solution.rung);
    hash.AddValue(solution.pivots);
    for (int k = 0; k < 6; ++k) hash.AddValue(solution.velocity[0](k));
    for (const auto& impulse : solution.impulse) hash.AddValue(impulse.normal_Ns);
  }
  return hash.value();
}

#define TACTUS_BITS(Scalar)                          \
  template std::uint64_t TrigonometryBits<Scalar>(); \
  template std::uint64_t SolverBits<Scalar>();
TACTUS_FOR_EACH_SCALAR(TACTUS_BITS)

}  // namespace tactus::target
