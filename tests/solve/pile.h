#pragma once
#include <cmath>
#include <random>

#include "tests/contact/scenes.h"

namespace tactus::test {

inline constexpr Capacity kDisks{.bodies = 21, .contacts = 64, .joints = 0, .directions = 2, .dof = 3};
template <class Scalar = double>
using DiskProblem = ContactProblem<Scalar, kDisks>;

/// The cannonball arrangement of [AnitescuHart] Fig. 2: disks of diameter 3 in a triangle with `base` of them on a plank,
/// each touching its neighbours; step 0.05 s. `push` > 0: random forces and torques of that size on top of the weight.
template <class Scalar = double, Capacity kCapacity = kDisks>
ContactProblem<Scalar, kCapacity> Pile(int base, double friction, double push = 0, unsigned seed = 0) {
  constexpr double kRadius = 1.5;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  ContactProblem<Scalar, kCapacity> problem;
  problem.step_s = Scalar(0.05);
  problem.directions = 2;
  const auto touch = [&](int a, int b, double x, double y, double nx, double ny) {
    Contact<Scalar, 3> contact;
    contact.id = problem.contacts.size();
    contact.a = a;
    contact.b = b;
    contact.point_m << Scalar(x), Scalar(y);
    contact.normal << Scalar(nx), Scalar(ny);
    contact.tangent << Scalar(-ny), Scalar(nx);
    contact.friction = Scalar(friction);
    (void)problem.contacts.push_back(contact);  // the capacity is ours
  };
  int row_below = kFixed;
  for (int row = 0; row < base; ++row) {
    const int first = problem.bodies.size();
    for (int i = 0; i < base - row; ++i) {
      const int disk = first + i;
      const double x = kRadius * (2 * i + row), y = kRadius * (1 + row * std::sqrt(3.0));
      Body<Scalar, 3> body;
      body.inertia_kgm2(0, 0) = Scalar(0.5 * kRadius * kRadius);
      body.position_m << Scalar(x), Scalar(y);
      body.wrench << Scalar(push * normal(random)), Scalar(-9.81), Scalar(push * normal(random));
      (void)problem.bodies.push_back(body);
      if (row == 0) touch(disk, kFixed, x, 0, 0, 1);
      if (i > 0) touch(disk, disk - 1, x - kRadius, y, 1, 0);
      for (int side = 0; row > 0 && side < 2; ++side) {
        const double nx = side == 0 ? 0.5 : -0.5, ny = std::sqrt(0.75);
        touch(disk, row_below + i + side, x - kRadius * nx, y - kRadius * ny, nx, ny);
      }
    }
    row_below = first;
  }
  return problem;
}

}  // namespace tactus::test
