#include "tests/audit/families.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace tactus::audit {
namespace {

using V3 = Vec<double, 3>;
using M3 = Mat<double, 3, 3>;

double Uniform(Random* random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(*random);
}
double LogUniform(Random* random, double low, double high) {
  return std::exp(Uniform(random, std::log(low), std::log(high)));
}
int Integer(Random* random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(*random); }
bool Chance(Random* random, double p) { return Uniform(random, 0, 1) < p; }
V3 Gaussian(Random* random) {
  std::normal_distribution<double> normal;
  const double x = normal(*random), y = normal(*random);
  return {x, y, normal(*random)};
}
V3 Direction(Random* random) { return Gaussian(random).normalized(); }

M3 Rotation(Random* random) {
  const V3 x = Direction(random);
  const V3 y = x.cross(Direction(random)).normalized();
  M3 R;
  R << x, y, x.cross(y);
  return R;
}

double Friction(Random* random) {
  constexpr double kFrictions[] = {0, 1e-9, 0.1, 0.3, 0.5, 0.8, 1.2};
  return Chance(random, 0.5) ? kFrictions[Integer(random, 0, 6)] : Uniform(random, 0, 1);
}

// Inertia of a body of this mass and size, its principal moments up to `slender` apart.
M3 Inertia(Random* random, double mass, double size, double slender) {
  const V3 moments(1, Uniform(random, 0.5, 1), 1 / slender);
  const M3 R = Rotation(random);
  const M3 J = 0.4 * mass * size * size * R * moments.asDiagonal() * R.transpose();
  return 0.5 * (J + J.transpose());
}

void AddBody(Random* random, double mass, double size, const V3& position, ManyProblem* problem, double slender = 4) {
  Body<double, 6> body;
  body.mass_kg = mass;
  body.inertia_kgm2 = Inertia(random, mass, size, slender);
  body.position_m = position;
  const double speed = LogUniform(random, 1e-4, 1);
  body.velocity << speed * Gaussian(random), speed / size * Gaussian(random);
  body.wrench << mass * (V3(0, 0, -9.81) + 5 * Gaussian(random)), mass * size * Gaussian(random);
  (void)problem->bodies.push_back(body);
}

Contact<double, 6>& AddContact(int a, int b, const V3& point, const V3& normal, double friction, ManyProblem* problem) {
  Contact<double, 6> contact;
  contact.id = problem->contacts.size();
  contact.a = a;
  contact.b = b;
  contact.point_m = point;
  contact.normal = normal;
  contact.friction = friction;
  (void)problem->contacts.push_back(contact);
  return problem->contacts[problem->contacts.size() - 1];
}

void SetStep(Random* random, ManyProblem* problem) {
  problem->step_s = LogUniform(random, 1e-4, 1e-2);
  problem->directions = Chance(random, 0.7) ? 8 : Integer(random, 3, 8);
  problem->direction_offset_rad = Chance(random, 0.5) ? 0.1 : Uniform(random, 0, 1);
}

// A gap: mostly none, sometimes one that closes in the step, rarely a slight overlap.
double Gap(Random* random, const ManyProblem& problem) {
  const double chance = Uniform(random, 0, 1);
  if (chance < 0.7) return 0;
  return Uniform(random, 0, 1) * problem.step_s * (chance < 0.95 ? 0.3 : -0.01);
}

// Many bodies, each touching many others.
void DenseScene(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const bool crowded = Chance(random, 0.3);  // as many as there is room for
  const int m = crowded ? 8 : Integer(random, 2, 8), n = crowded ? 64 : Integer(random, 2 * m, 64);
  const double friction = crowded ? 0.8 : Friction(random);
  for (int k = 0; k < m; ++k) AddBody(random, LogUniform(random, 0.1, 2), 0.05, 0.1 * Gaussian(random), problem);
  for (int i = 0; i < n; ++i) {
    const int a = Integer(random, 0, m - 1), b = Integer(random, -1, m - 1);
    const V3 to = b < 0 || b == a ? V3(0, 0, -0.3) : problem->bodies[b].position_m;
    const V3 outward = ((to - problem->bodies[a].position_m).normalized() + 0.7 * Direction(random)).normalized();
    const V3 point = problem->bodies[a].position_m + 0.05 * outward;
    AddContact(a, b == a ? kFixed : b, point, (-outward + 0.3 * Direction(random)).normalized(), friction, problem).gap_m =
        crowded ? 0 : Gap(random, *problem);
  }
}

// A tower, or a heap on a floor, of bodies whose masses differ by up to 1e6.
void MassRatios(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const int m = Integer(random, 2, 6), corners = Integer(random, 3, 4);
  const double friction = Friction(random), ratio = LogUniform(random, 1e2, 1e6);
  for (int k = 0; k < m; ++k) {
    AddBody(random, LogUniform(random, 1 / std::sqrt(ratio), std::sqrt(ratio)), 0.05, V3(0, 0, 0.05 + 0.1 * k), problem);
  }
  for (int k = 0; k < m; ++k) {
    for (int corner = 0; corner < corners; ++corner) {
      const double angle = 2 * M_PI * corner / corners + 0.3 * k;
      const V3 tilt = Chance(random, 0.3) ? V3(0.2 * Direction(random)) : V3(V3::Zero());
      AddContact(k, k == 0 || Chance(random, 0.2) ? kFixed : k - 1,
                 V3(0.04 * std::cos(angle), 0.04 * std::sin(angle), 0.1 * k), (V3::UnitZ() + tilt).normalized(), friction,
                 problem)
          .gap_m = Gap(random, *problem);
    }
  }
}

// One slender body, principal moments 1e2 to 1e10 apart, touched along its length.
void Needles(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const int n = Integer(random, 0, 16);
  const double friction = Friction(random);
  AddBody(random, LogUniform(random, 1e-3, 1), 0.1, V3::Zero(), problem, LogUniform(random, 1e2, 1e10));
  for (int i = 0; i < n; ++i) {
    const V3 outward = Direction(random);
    AddContact(0, kFixed, 0.1 * Uniform(random, 0, 1) * Direction(random), (-outward + 0.8 * Direction(random)).normalized(),
               friction, problem)
        .gap_m = Gap(random, *problem);
  }
}

// Coplanar contacts: faces on a floor, or on each other.
void Patches(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const int m = Integer(random, 1, 3), each = Integer(random, 3, 20);
  const double friction = Friction(random);
  for (int k = 0; k < m; ++k) AddBody(random, LogUniform(random, 0.1, 2), 0.05, V3(0, 0, 0.05 + 0.1 * k), problem);
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < each; ++i) {
      const V3 point(Uniform(random, -0.05, 0.05), Uniform(random, -0.05, 0.05), 0.1 * k);
      AddContact(k, k - 1, point, V3::UnitZ(), friction, problem);
    }
  }
}

void AddJointRow(int a, int b, const V3& arm_a, const V3& arm_b, const V3& axis, double speed, ManyProblem* problem) {
  Joint<double, 6> joint;
  joint.a = a;
  joint.b = b;
  joint.jacobian_a << axis, arm_a.cross(axis);
  joint.jacobian_b << -axis, -arm_b.cross(axis);
  if (b == kFixed) joint.jacobian_b.setZero();
  joint.speed = speed;
  (void)problem->joints.push_back(joint);
}

// Bodies in a row, joined by balls or hinges; the first one is driven along one axis; all may touch a floor or a wall.
void DrivenChain(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const int m = Integer(random, 1, 6);
  const double friction = Friction(random);
  for (int k = 0; k < m; ++k) AddBody(random, LogUniform(random, 0.1, 2), 0.05, V3(0.1 * k, 0, 0), problem);
  const int held = Integer(random, 1, 3);
  for (int x = 0; x < held; ++x) {
    AddJointRow(0, kFixed, V3(-0.05, 0, 0), V3::Zero(), V3::Unit(x), Chance(random, 0.5) ? Uniform(random, -0.1, 0.1) : 0,
                problem);
  }
  for (int k = 1; k < m; ++k) {
    for (int x = 0; x < 3; ++x) AddJointRow(k, k - 1, V3(-0.05, 0, 0), V3(0.05, 0, 0), V3::Unit(x), 0, problem);
  }
  for (int k = 0; k < m; ++k) {
    for (int i = Integer(random, 0, 4); i > 0; --i) {
      const V3 point = problem->bodies[k].position_m + V3(Uniform(random, -0.05, 0.05), Uniform(random, -0.03, 0.03), -0.03);
      AddContact(k, kFixed, point, (V3::UnitZ() + 0.2 * Direction(random)).normalized(), friction, problem).gap_m =
          Gap(random, *problem);
    }
  }
}

// Every contact two to four times, nearly.
void Duplicates(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const double friction = Friction(random), size = LogUniform(random, 1e-4, 0.1), spread = LogUniform(random, 1e-9, 1e-3);
  const int n = Integer(random, 2, 8);
  AddBody(random, LogUniform(random, 0.01, 2), size, V3::Zero(), problem);
  for (int i = 0; i < n; ++i) {
    const V3 outward = Direction(random), normal = (-outward + 0.8 * Direction(random)).normalized();
    for (int copies = Integer(random, 2, 4); copies > 0; --copies) {
      AddContact(0, kFixed, size * outward + spread * Gaussian(random), (normal + spread * Gaussian(random)).normalized(),
                 friction, problem)
          .gap_m = 0.01 * Gap(random, *problem);
    }
  }
}

// A body on a floor, and walls between a millimetre and a hundred metres away.
void FarWalls(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const double friction = Friction(random);
  AddBody(random, LogUniform(random, 0.01, 2), 0.05, V3(0, 0, 0.05), problem);
  for (int corner = 0; corner < 4; ++corner) {
    AddContact(0, kFixed, V3(corner % 2 ? 0.04 : -0.04, corner / 2 ? 0.04 : -0.04, 0), V3::UnitZ(), friction, problem);
  }
  for (int walls = Integer(random, 1, 8); walls > 0; --walls) {
    const V3 outward = Direction(random);
    AddContact(0, kFixed, problem->bodies[0].position_m + 0.05 * outward, -outward, friction, problem).gap_m =
        LogUniform(random, 1e-3, 100);
  }
}

// Bodies on moving surfaces, some of them held by joints.
void Conveyors(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const int m = Integer(random, 1, 4);
  const double friction = Friction(random);
  for (int k = 0; k < m; ++k) {
    AddBody(random, LogUniform(random, 0.1, 2), 0.05, V3(0, 0, 0.05 + 0.1 * k), problem);
    for (int corner = 0; corner < 4; ++corner) {
      auto& contact = AddContact(k, k - 1, V3(corner % 2 ? 0.04 : -0.04, corner / 2 ? 0.04 : -0.04, 0.1 * k), V3::UnitZ(),
                                 friction, problem);
      contact.surface_velocity_mps << Uniform(random, -1, 1), Uniform(random, -1, 1);
      if (Chance(random, 0.1)) contact.surface_normal_velocity_mps = Uniform(random, -0.1, 0.1);
    }
  }
  if (!Chance(random, 0.5)) return;
  const V3 axis = Chance(random, 0.5) ? V3::UnitX() : Direction(random);
  AddJointRow(0, kFixed, V3::Zero(), V3::Zero(), axis, Chance(random, 0.3) ? Uniform(random, -0.2, 0.2) : 0, problem);
  if (Chance(random, 0.5)) AddJointRow(0, kFixed, V3::Zero(), V3::Zero(), V3::UnitY(), 0, problem);
}

// Bodies that have nothing to do with each other, from a microgram to a tonne, from rest to 100 m/s.
void Islands(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const int m = Integer(random, 2, 8);
  for (int k = 0; k < m; ++k) {
    AddBody(random, LogUniform(random, 1e-6, 1e3), 0.05, V3(0, 0, 0.05), problem);
    auto& body = problem->bodies[k];
    if (Chance(random, 0.3)) body.velocity *= 100;
    if (Chance(random, 0.3)) body.velocity.setZero();
    const double friction = Friction(random);
    const int corners = Chance(random, 0.2) ? 0 : 4;
    for (int corner = 0; corner < corners; ++corner) {
      AddContact(k, kFixed, V3(corner % 2 ? 0.04 : -0.04, corner / 2 ? 0.04 : -0.04, 0), V3::UnitZ(), friction, problem);
    }
  }
}

// A round peg in a hole: rings of contacts that press from all around.
void Pegs(Random* random, ManyProblem* problem) {
  SetStep(random, problem);
  const double friction = Friction(random), radius = 0.01, clearance = LogUniform(random, 1e-7, 1e-4);
  const int rings = Integer(random, 1, 4), each = Integer(random, 3, 8);
  AddBody(random, LogUniform(random, 0.05, 1), 0.02, V3::Zero(), problem);
  for (int ring = 0; ring < rings; ++ring) {
    for (int i = 0; i < each; ++i) {
      const double angle = 2 * M_PI * i / each + 0.05 * ring;
      const V3 outward(std::cos(angle), std::sin(angle), 0);
      AddContact(0, kFixed, radius * outward + V3(0, 0, 0.01 * ring - 0.02), -outward, friction, problem).gap_m =
          Chance(random, 0.5) ? 0 : clearance;
    }
  }
}

constexpr int kTick = 350000;  // [instructions] of the servo loop's tick

constexpr Family kFamilies[] = {
    {"dense", DenseScene},
    {"mass ratios", MassRatios},
    {"needles", Needles},
    {"patches", Patches},
    {"driven chains", DrivenChain},
    {"duplicates", Duplicates},
    {"merged duplicates", Duplicates, true},
    {"far walls", FarWalls},
    {"far walls, deadline", FarWalls, false, kTick},
    {"conveyors", Conveyors},
    {"islands", Islands},
    {"pegs", Pegs},
    {"pegs, deadline", Pegs, false, kTick},
};

}  // namespace

std::span<const Family> Families() { return kFamilies; }

}  // namespace tactus::audit
