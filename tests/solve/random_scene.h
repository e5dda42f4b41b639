#pragma once
#include <random>

#include "tests/contact/scenes.h"

namespace tactus::test {

/// One body, `contacts` contacts all over it with normals towards its centre, up to 60° off; a random wrench. Solvable: no
/// gaps, nothing moves (theory 3).
template <class Scalar = double>
SmallProblem<Scalar> RandomScene(unsigned seed, int contacts, double friction) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto direction = [&] {
    Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  SmallProblem<Scalar> problem;
  Body<Scalar, 6> body;
  body.mass_kg = Scalar(0.2);
  body.inertia_kgm2.diagonal() << Scalar(8e-5), Scalar(5e-5), Scalar(2e-5);
  for (int i = 0; i < 6; ++i) body.wrench(i) = Scalar(normal(random) * (i < 3 ? 10 : 0.3));
  (void)problem.bodies.push_back(body);
  for (int i = 0; i < contacts; ++i) {
    const Vec<double, 3> outward = direction();
    Vec<double, 3> n = -outward + 0.8 * direction();
    n /= n.norm();
    Contact<Scalar, 6> contact;
    contact.id = i;
    contact.point_m = (0.03 * outward).template cast<Scalar>();
    contact.normal = n.template cast<Scalar>();
    contact.tangent = DefaultTangent(n).template cast<Scalar>();
    contact.friction = Scalar(friction);
    (void)problem.contacts.push_back(contact);
  }
  return problem;
}

}  // namespace tactus::test
