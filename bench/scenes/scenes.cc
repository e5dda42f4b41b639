#include "bench/scenes/scenes.h"

#include <cmath>
#include <numbers>

#include "tactus/core/check.h"

namespace tactus::bench {
namespace {

using host::BodyDocument;
using host::ProblemDocument;
using host::Vector3;

constexpr double kGravity = 9.81;  // m/s²
constexpr double kPi = std::numbers::pi;

double Dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 Unit(const Vector3& v) {
  const double length = std::sqrt(Dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}
Vector3 Times(double s, const Vector3& v) { return {s * v[0], s * v[1], s * v[2]}; }
Vector3 Plus(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

BodyDocument MakeBody(double mass_kg, const Vector3& moments_kgm2, const Vector3& position_m) {
  BodyDocument body;
  body.mass_kg = mass_kg;
  for (std::size_t i = 0; i < 3; ++i) body.inertia_kgm2[4 * i] = moments_kgm2[i];
  body.position_m = position_m;
  return body;
}

BodyDocument Cube(double mass_kg, double size_m, const Vector3& position_m) {
  const double moment = mass_kg * size_m * size_m / 6;
  return MakeBody(mass_kg, {moment, moment, moment}, position_m);
}

BodyDocument Ball(double mass_kg, double radius_m) {
  const double moment = 0.4 * mass_kg * radius_m * radius_m;
  return MakeBody(mass_kg, {moment, moment, moment}, {0, 0, 0});
}

void Touch(ProblemDocument* problem, int a, int b, const Vector3& point, const Vector3& normal, Random* random) {
  host::ContactDocument contact;
  contact.id = static_cast<std::int32_t>(problem->contacts.size());
  contact.a = a;
  contact.b = b;
  contact.point_m = point;
  contact.normal = normal;
  contact.friction = random->Uniform(0.2, 0.3);
  problem->contacts.push_back(contact);
}

// Contacts evenly around a circle in the plane z = height; normals lean from inwards towards up.
void Ring(ProblemDocument* problem, int contacts, double radius, double height, double lean_rad, Random* random) {
  for (int i = 0; i < contacts; ++i) {
    const double angle = 2 * kPi * i / contacts;
    const Vector3 out{std::cos(angle), std::sin(angle), 0};
    const Vector3 normal = Plus(Times(-std::cos(lean_rad), out), {0, 0, std::sin(lean_rad)});
    Touch(problem, 0, -1, Plus(Times(radius, out), {0, 0, height}), normal, random);
  }
}

// The four corners of a square of 2·half around `centre`, spanned by two unit vectors.
void Square(ProblemDocument* problem, const Vector3& centre, const Vector3& e, const Vector3& f, double half,
            const Vector3& normal, Random* random) {
  for (int corner = 0; corner < 4; ++corner) {
    const double x = corner % 2 == 0 ? -half : half, y = corner / 2 == 0 ? -half : half;
    Touch(problem, 0, -1, Plus(centre, Plus(Times(x, e), Times(y, f))), normal, random);
  }
}

// A ball in a valley of `walls` planes, each 45° steep, evenly around the vertical.
void BallBetween(ProblemDocument* problem, int walls, Random* random) {
  constexpr double kRadius = 0.02, kMass = 0.2;
  problem->bodies.push_back(Ball(kMass, kRadius));
  if (walls == 1) return Touch(problem, 0, -1, {0, 0, -kRadius}, {0, 0, 1}, random);
  Ring(problem, walls, kRadius * std::sqrt(0.5), -kRadius * std::sqrt(0.5), kPi / 4, random);
}

void BlockInGroove(ProblemDocument* problem, Random* random) {
  problem->bodies.push_back(Cube(1, 0.1, {0, 0, 0}));
  const double s = std::sqrt(0.5);
  Square(problem, {0.05 * s, 0, -0.05 * s}, {s, 0, s}, {0, 1, 0}, 0.05, {-s, 0, s}, random);
  Square(problem, {-0.05 * s, 0, -0.05 * s}, {s, 0, -s}, {0, 1, 0}, 0.05, {s, 0, s}, random);
}

void BlockInCorner(ProblemDocument* problem, Random* random) {
  problem->bodies.push_back(Cube(1, 0.1, {0, 0, 0}));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vector3 normal{}, e{}, f{};
    normal[axis] = e[(axis + 1) % 3] = f[(axis + 2) % 3] = 1;
    Square(problem, Times(-0.05, normal), e, f, 0.05, normal, random);
  }
}

// A cube on a plane or on another face; the overlap has `corners` corners.
void FaceOnFace(ProblemDocument* problem, int corners, Random* random) {
  problem->bodies.push_back(Cube(1, 0.1, {0, 0, 0}));
  if (corners == 4) return Square(problem, {0, 0, -0.05}, {1, 0, 0}, {0, 1, 0}, 0.05, {0, 0, 1}, random);
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * kPi * i / corners;
    Touch(problem, 0, -1, {0.052 * std::cos(angle), 0.052 * std::sin(angle), -0.05}, {0, 0, 1}, random);
  }
}

}  // namespace

ProblemDocument Peg(int contacts, Random* random) {
  constexpr double kRadius = 0.01, kLength = 0.04, kMass = 0.2;
  TACTUS_CHECK(contacts % 2 == 0);
  ProblemDocument problem;
  const double across = kMass * (3 * kRadius * kRadius + kLength * kLength) / 12;
  problem.bodies.push_back(MakeBody(kMass, {across, across, kMass * kRadius * kRadius / 2}, {0, 0, 0}));
  for (const double height : {kLength / 2, -kLength / 2}) Ring(&problem, contacts / 2, kRadius, height, 0, random);
  return problem;
}

ProblemDocument Situation(int index, Random* random) {
  ProblemDocument problem;
  switch (index) {
    case 0: BallBetween(&problem, 1, random), problem.name = "ball on plane"; break;
    case 1: BallBetween(&problem, 2, random), problem.name = "ball in groove"; break;
    case 2: BallBetween(&problem, 3, random), problem.name = "ball in corner"; break;
    case 3: FaceOnFace(&problem, 4, random), problem.name = "face on surface"; break;
    case 4: FaceOnFace(&problem, 6, random), problem.name = "face on face, 6 corners"; break;
    case 5: BlockInGroove(&problem, random), problem.name = "block in groove"; break;
    case 6: FaceOnFace(&problem, 8, random), problem.name = "face on face, 8 corners"; break;
    case 7: BallBetween(&problem, 10, random), problem.name = "ball in rim of a hole"; break;
    case 8: BlockInCorner(&problem, random), problem.name = "block in corner"; break;
    default: problem = Peg(16, random), problem.name = "peg in hole"; break;
  }
  return problem;
}

ProblemDocument Stack(std::span<const int> contacts, Random* random) {
  constexpr double kSize = 0.1, kMass = 1;
  ProblemDocument problem;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double bottom = kSize * static_cast<double>(k), octagon = kSize / 2 / std::cos(kPi / 8);
    problem.bodies.push_back(Cube(kMass, kSize, {0, 0, bottom + kSize / 2}));
    problem.bodies[k].wrench[2] = -kGravity * kMass;
    const double radius = contacts[k] == 4 ? kSize * std::sqrt(0.5) : octagon;
    for (int i = 0; i < contacts[k]; ++i) {
      const double angle = 2 * kPi * (i + 0.5) / contacts[k];
      const int body = static_cast<int>(k);
      Touch(&problem, body, body - 1, {radius * std::cos(angle), radius * std::sin(angle), bottom}, {0, 0, 1}, random);
    }
  }
  return problem;
}

ProblemDocument RandomBodies(int bodies, int contacts, Random* random) {
  constexpr double kRadius = 0.03;
  ProblemDocument problem;
  for (int k = 0; k < bodies; ++k) problem.bodies.push_back(MakeBody(0.2, {8e-5, 5e-5, 2e-5}, {2 * kRadius * k, 0, 0}));
  for (int i = 0; i < contacts; ++i) {
    const int a = random->Integer(0, bodies - 1), b = a > 0 && random->Chance(0.5) ? a - 1 : -1;
    const Vector3 out = Unit(random->Normal3(1)), normal = Unit(Plus(Times(-1, out), Times(0.8, Unit(random->Normal3(1)))));
    const Vector3& centre = problem.bodies[static_cast<std::size_t>(a)].position_m;
    Touch(&problem, a, b, Plus(centre, Times(kRadius, out)), normal, random);
  }
  return problem;
}

ProblemDocument CrowdedCorner(int contacts, Random* random) {
  ProblemDocument problem;
  problem.bodies.push_back(Cube(1, 0.1, {0, 0, 0}));
  for (int i = 0; i < contacts; ++i) {
    const std::size_t axis = static_cast<std::size_t>(i % 3);
    Vector3 point{}, normal{};
    normal[axis] = 1;
    point[axis] = -0.05;
    point[(axis + 1) % 3] = random->Uniform(-0.05, 0.05);
    point[(axis + 2) % 3] = random->Uniform(-0.05, 0.05);
    Touch(&problem, 0, -1, point, normal, random);
  }
  return problem;
}

ProblemDocument DiskPile(int base, Random* random) {
  constexpr double kRadius = 1.5;
  const double friction = random->Uniform(0.1, 0.8);
  ProblemDocument problem;
  problem.dof = 3;
  problem.directions = 2;
  problem.step_s = 0.05;
  int below = 0;  // first disk of the row below
  for (int row = 0; row < base; ++row) {
    const int first = static_cast<int>(problem.bodies.size());
    for (int i = 0; i < base - row; ++i) {
      const Vector3 centre{kRadius * (2 * i + row), kRadius * (1 + row * std::sqrt(3.0)), 0};
      problem.bodies.push_back(MakeBody(1, {0.5 * kRadius * kRadius, 0, 0}, centre));
      problem.bodies.back().wrench = {random->Normal(), -kGravity, random->Normal(), 0, 0, 0};
      const auto touch = [&](int other, const Vector3& normal) {
        Touch(&problem, first + i, other, Plus(centre, Times(-kRadius, normal)), normal, random);
        problem.contacts.back().friction = friction;
      };
      if (row == 0) touch(-1, {0, 1, 0});
      if (i > 0) touch(first + i - 1, {1, 0, 0});
      for (int side = 0; row > 0 && side < 2; ++side) touch(below + i + side, {side == 0 ? 0.5 : -0.5, std::sqrt(0.75), 0});
    }
    below = first;
  }
  return problem;
}

void Push(int body, double size_m, Random* random, ProblemDocument* problem) {
  BodyDocument& pushed = problem->bodies[static_cast<std::size_t>(body)];
  const double force_N = 50 * pushed.mass_kg, torque_Nm = 0.9 * size_m * force_N;
  for (std::size_t i = 0; i < 3; ++i) {
    pushed.wrench[i] += force_N * random->Normal();
    pushed.wrench[3 + i] += torque_Nm * random->Normal();
  }
}

ProblemDocument Nudged(ProblemDocument problem, double share, Random* random) {
  for (BodyDocument& body : problem.bodies) {
    for (double& entry : body.wrench) entry *= 1 + share * random->Normal();
  }
  return problem;
}

void RemoveFriction(ProblemDocument* problem) {
  for (host::ContactDocument& contact : problem->contacts) contact.friction = 0;
}

}  // namespace tactus::bench
