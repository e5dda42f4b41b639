#include "tests/support/generators.h"

#include <algorithm>
#include <string>

#include "tactus/core/check.h"
#include "tests/support/vector3.h"

namespace tactus::test {
namespace {

using host::BodyDocument;
using host::ContactDocument;
using host::JointDocument;
using host::ProblemDocument;

constexpr double kGravity = 9.81;  // m/s²

Vector3 RandomUnit(Random& random) { return Unit(random.Normal3(1)); }

// Principal moments turned to a random orientation: R diag(moments) Rᵀ.
std::array<double, 9> RandomInertia(Random& random, const Vector3& moments) {
  const Vector3 x = RandomUnit(random), y = Unit(Cross(x, RandomUnit(random))), z = Cross(x, y);
  const std::array<Vector3, 3> axes{x, y, z};
  std::array<double, 9> inertia{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t a = 0; a < 3; ++a) inertia[3 * i + j] += moments[a] * axes[a][i] * axes[a][j];
      inertia[3 * j + i] = inertia[3 * i + j];
    }
  }
  return inertia;
}

std::array<double, 9> Diagonal(const Vector3& d) { return {d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]}; }

BodyDocument Box(double mass_kg, const Vector3& size_m, const Vector3& position_m) {
  const auto moment = [&](std::size_t i, std::size_t j) {
    return mass_kg / 12 * (size_m[i] * size_m[i] + size_m[j] * size_m[j]);
  };
  BodyDocument body;
  body.mass_kg = mass_kg;
  body.inertia_kgm2 = Diagonal({moment(1, 2), moment(0, 2), moment(0, 1)});
  body.position_m = position_m;
  return body;
}

void Push(Random& random, double force_N, double torque_Nm, BodyDocument* body) {
  for (std::size_t i = 0; i < 3; ++i) {
    body->wrench[i] += force_N * random.Normal();
    body->wrench[3 + i] += torque_Nm * random.Normal();
  }
}

void Move(Random& random, double speed_mps, double spin_rad_s, BodyDocument* body) {
  for (std::size_t i = 0; i < 3; ++i) {
    body->velocity[i] = speed_mps * random.Normal();
    body->velocity[3 + i] = spin_rad_s * random.Normal();
  }
}

ContactDocument& AddContact(ProblemDocument* problem, int a, int b, const Vector3& point, const Vector3& normal,
                            double friction) {
  ContactDocument contact;
  contact.id = static_cast<std::int32_t>(problem->contacts.size());
  contact.a = a;
  contact.b = b;
  contact.point_m = point;
  contact.normal = normal;
  contact.tangent = Perpendicular(normal);
  contact.friction = friction;
  problem->contacts.push_back(contact);
  return problem->contacts.back();
}

BodyDocument RandomBody(Random& random, double thinnest) {
  BodyDocument body;
  body.mass_kg = random.LogUniform(0.1, 3);
  const double moment = body.mass_kg * 0.05 * 0.05;
  body.inertia_kgm2 = RandomInertia(random, {moment, moment * random.Uniform(0.3, 1), moment * thinnest});
  body.position_m = random.Normal3(0.03);
  Move(random, 0.1, 1, &body);
  Push(random, 10, 0.5, &body);
  return body;
}

ProblemDocument RandomBodies(Random& random, int bodies, int contacts, double thinnest) {
  ProblemDocument problem;
  for (int k = 0; k < bodies; ++k) problem.bodies.push_back(RandomBody(random, thinnest));
  for (int i = 0; i < contacts; ++i) {
    const int a = random.Integer(0, bodies - 1);
    int b = random.Integer(-1, bodies - 1);
    if (b == a) b = -1;
    AddContact(&problem, a, b, random.Normal3(0.05), RandomUnit(random), random.Uniform(0, 1));
  }
  return problem;
}

ProblemDocument MakeRandom(Random& random) { return RandomBodies(random, random.Integer(1, 3), random.Integer(1, 16), 0.3); }

ProblemDocument MakeRandomGaps(Random& random) {
  ProblemDocument problem = MakeRandom(random);
  for (ContactDocument& contact : problem.contacts) contact.gap_m = random.Chance(0.3) ? 0 : random.LogUniform(1e-7, 1e-3);
  return problem;
}

ProblemDocument MakeNeedle(Random& random) {
  return RandomBodies(random, random.Integer(1, 2), random.Integer(1, 12), 1e-5);
}

// A cylinder in a hole: `count` contacts in two rings, normals to the axis.
ProblemDocument Peg(Random& random, int count, double friction, double normal_noise_rad, double clearance_m) {
  constexpr double kRadius = 0.01, kLength = 0.04, kMass = 0.2;
  ProblemDocument problem;
  BodyDocument peg;
  peg.mass_kg = kMass;
  const double across = kMass * (3 * kRadius * kRadius + kLength * kLength) / 12;
  peg.inertia_kgm2 = Diagonal({across, across, kMass * kRadius * kRadius / 2});
  Move(random, 0.02, 0.5, &peg);
  Push(random, 5, 0.1, &peg);
  problem.bodies.push_back(peg);
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * (i / 2) / (count / 2);
    const Vector3 out{std::cos(angle), std::sin(angle), 0};
    const Vector3 point = kRadius * out + Vector3{0, 0, (i % 2 == 0 ? -0.5 : 0.5) * kLength};
    const Vector3 normal = Unit(-1.0 * out + random.Normal3(normal_noise_rad));
    AddContact(&problem, 0, -1, point, normal, friction).gap_m = clearance_m * random.Uniform(0, 1);
  }
  return problem;
}

ProblemDocument MakePeg(Random& random) {
  return Peg(random, 2 * random.Integer(4, 16), random.Uniform(0.05, 0.8), 1e-4, random.Chance(0.5) ? 0 : 5e-5);
}
ProblemDocument MakeExactPeg(Random& random) { return Peg(random, 16, 0.3, 0, 0); }
// No clearance, at rest, pushed hard, every contact with its own friction.
ProblemDocument MakePeg16(Random& random) {
  ProblemDocument problem = Peg(random, 16, 0, 0, 0);
  for (ContactDocument& contact : problem.contacts) contact.friction = random.Uniform(0.2, 0.3);
  problem.bodies[0].velocity = {};
  problem.bodies[0].wrench = {};
  Push(random, 10, 0.36, &problem.bodies[0]);
  return problem;
}

ProblemDocument MakeCorner(Random& random) {
  ProblemDocument problem;
  problem.bodies.push_back(Box(1, {0.1, 0.1, 0.1}, {0.05, 0.05, 0.05}));
  Push(random, 20, 0.5, &problem.bodies[0]);
  const double friction = random.Uniform(0, 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (int corner = 0; corner < 4; ++corner) {
      Vector3 point{}, normal{};
      point[(axis + 1) % 3] = corner % 2 == 0 ? 0 : 0.1;
      point[(axis + 2) % 3] = corner / 2 == 0 ? 0 : 0.1;
      normal[axis] = 1;
      AddContact(&problem, 0, -1, point, normal, friction);
    }
  }
  return problem;
}

ProblemDocument Stack(Random& random, const std::vector<double>& masses_kg) {
  ProblemDocument problem;
  const double friction = random.Uniform(0.1, 0.9);
  for (std::size_t k = 0; k < masses_kg.size(); ++k) {
    const double bottom = 0.1 * static_cast<double>(k);
    problem.bodies.push_back(Box(masses_kg[k], {0.1, 0.1, 0.1}, {0, 0, bottom + 0.05}));
    problem.bodies[k].wrench[2] = -kGravity * masses_kg[k];
    Push(random, 3 * masses_kg[k], 0.1 * masses_kg[k], &problem.bodies[k]);
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3 point{corner % 2 == 0 ? -0.05 : 0.05, corner / 2 == 0 ? -0.05 : 0.05, bottom};
      AddContact(&problem, static_cast<int>(k), static_cast<int>(k) - 1, point, {0, 0, 1}, friction);
    }
  }
  return problem;
}

ProblemDocument MakeStack(Random& random) {
  return Stack(random, std::vector<double>(static_cast<std::size_t>(random.Integer(2, 6)), 1.0));
}
ProblemDocument MakeMassRatio(Random& random) {
  return random.Chance(0.5) ? Stack(random, {1e-2, 1e2}) : Stack(random, {1e2, 1e-2, 1});
}

ProblemDocument MakeWedge(Random& random) {
  ProblemDocument problem;
  problem.bodies.push_back(Box(0.5, {0.05, 0.05, 0.05}, {0, 0, 0}));
  Push(random, 15, 0.2, &problem.bodies[0]);
  const double angle = random.Uniform(0.02, 0.5), friction = random.Uniform(0.05, 1.5);
  for (int i = 0; i < 8; ++i) {
    const double side = i < 4 ? -1 : 1;
    const Vector3 point{0.025 * side, i % 2 == 0 ? -0.025 : 0.025, (i / 2) % 2 == 0 ? -0.025 : 0.025};
    AddContact(&problem, 0, -1, point, {-side * std::cos(angle), 0, std::sin(angle)}, friction);
  }
  return problem;
}

// Held between two faces: impulses can balance each other without bound.
ProblemDocument Jam(Random& random, double friction, double gap_m) {
  ProblemDocument problem;
  problem.bodies.push_back(Box(0.5, {0.05, 0.05, 0.05}, {0, 0, 0}));
  Push(random, 12, 0.1, &problem.bodies[0]);
  for (int i = 0; i < 8; ++i) {
    const double side = i < 4 ? -1 : 1;
    const Vector3 point{0.025 * side, i % 2 == 0 ? -0.025 : 0.025, (i / 2) % 2 == 0 ? -0.025 : 0.025};
    AddContact(&problem, 0, -1, point, {-side, 0, 0}, friction).gap_m = gap_m;
  }
  return problem;
}

ProblemDocument MakeJam(Random& random) { return Jam(random, random.Uniform(0, 1), 0); }
ProblemDocument MakeJamMu5(Random& random) { return Jam(random, 5, 0); }
ProblemDocument MakeSqueezedJam(Random& random) { return Jam(random, random.Uniform(0, 1), -random.LogUniform(1e-7, 1e-4)); }

ProblemDocument MakeNearDuplicates(Random& random) {
  ProblemDocument problem = random.Chance(0.5) ? Peg(random, 8, 0.3, 1e-4, 0) : RandomBodies(random, 1, 6, 0.3);
  const std::vector<ContactDocument> originals = problem.contacts;
  for (const ContactDocument& original : originals) {
    const Vector3 normal = Unit(original.normal + random.Normal3(random.LogUniform(1e-8, 3e-4)));
    const Vector3 point = original.point_m + random.Normal3(random.LogUniform(1e-8, 2e-4));
    AddContact(&problem, original.a, original.b, point, normal, original.friction).gap_m = original.gap_m;
  }
  return problem;
}

ProblemDocument MakeAtRest(Random& random) {
  ProblemDocument problem = random.Chance(0.5) ? MakePeg(random) : MakeStack(random);
  for (BodyDocument& body : problem.bodies) {
    body.velocity = {};
    body.wrench = {};
  }
  return problem;
}

ProblemDocument MakeDirections(Random& random) {
  constexpr std::array<int, 7> kCounts{3, 4, 5, 6, 12, 16, 32};
  ProblemDocument problem = random.Chance(0.5) ? MakePeg(random) : MakeRandom(random);
  problem.directions = kCounts[static_cast<std::size_t>(random.Integer(0, 6))];
  if (random.Chance(0.3)) problem.direction_offset_rad = 0;
  return problem;
}

ProblemDocument MakeJoints(Random& random) {
  const int bodies = random.Integer(1, 3);
  ProblemDocument problem = RandomBodies(random, bodies, random.Integer(2, 10), 0.3);
  const int rows = random.Integer(1, 3 * bodies);
  for (int r = 0; r < rows; ++r) {
    JointDocument joint;
    joint.a = random.Integer(0, bodies - 1);
    joint.b = random.Integer(-1, bodies - 1);
    if (joint.b == joint.a) joint.b = -1;
    for (std::size_t i = 0; i < 6; ++i) {
      joint.jacobian_a[i] = random.Normal() * (i < 3 ? 1 : 0.1);
      joint.jacobian_b[i] = joint.b < 0 ? 0 : random.Normal() * (i < 3 ? 1 : 0.1);
    }
    problem.joints.push_back(joint);
  }
  return problem;
}

ProblemDocument MakeDrivenJoints(Random& random) {
  ProblemDocument problem = MakeJoints(random);
  for (JointDocument& joint : problem.joints) joint.speed = 0.05 * random.Normal();
  return problem;
}

ProblemDocument MakeConveyor(Random& random) {
  ProblemDocument problem = Stack(random, std::vector<double>(static_cast<std::size_t>(random.Integer(1, 3)), 1.0));
  const Vector3 w{0.3 * random.Normal(), 0.3 * random.Normal(), random.Chance(0.5) ? 0 : 0.05 * random.Normal()};
  const double spin_rad_s = random.Chance(0.5) ? 0 : random.Normal();
  for (ContactDocument& contact : problem.contacts) {
    if (contact.b < 0) contact.surface_velocity_mps = w + Cross({0, 0, spin_rad_s}, contact.point_m);
  }
  return problem;
}

ProblemDocument MakeFrictionless(Random& random) {
  ProblemDocument problem = random.Chance(0.5) ? MakePeg(random) : MakeStack(random);
  for (ContactDocument& contact : problem.contacts) contact.friction = random.Chance(0.7) ? 0 : random.Uniform(0, 1);
  return problem;
}

ProblemDocument MakeCompliant(Random& random) {
  ProblemDocument problem = random.Chance(0.5) ? MakePeg(random) : MakeStack(random);
  for (ContactDocument& contact : problem.contacts) contact.compliance_mps_per_Ns = random.LogUniform(1e-4, 1);
  return problem;
}

// Disks piled in a triangle on a floor.
ProblemDocument MakePile(Random& random) {
  constexpr double kRadius = 1.5;
  ProblemDocument problem;
  problem.dof = 3;
  problem.directions = 2;
  problem.step_s = 0.05;
  const int base = random.Integer(2, 6);
  const double friction = random.Uniform(0, 1);
  const auto touch = [&](int a, int b, const Vector3& point, const Vector3& normal) {
    AddContact(&problem, a, b, point, normal, friction).tangent.reset();
  };
  int above_first = 0, below_first = -1;
  for (int row = 0; row < base; ++row) {
    below_first = row == 0 ? -1 : above_first;
    above_first = static_cast<int>(problem.bodies.size());
    for (int i = 0; i < base - row; ++i) {
      const int disk = above_first + i;
      const Vector3 centre{kRadius * (2 * i + row), kRadius * (1 + row * std::sqrt(3.0)), 0};
      BodyDocument body;
      body.inertia_kgm2[0] = 0.5 * kRadius * kRadius;
      body.position_m = centre;
      body.wrench = {random.Normal(), -kGravity, random.Normal(), 0, 0, 0};
      problem.bodies.push_back(body);
      if (row == 0) touch(disk, -1, {centre[0], 0, 0}, {0, 1, 0});
      if (i > 0) touch(disk, disk - 1, centre - Vector3{kRadius, 0, 0}, {1, 0, 0});
      for (int side = 0; row > 0 && side < 2; ++side) {
        const Vector3 normal{side == 0 ? 0.5 : -0.5, std::sqrt(0.75), 0};
        touch(disk, below_first + i + side, centre - kRadius * normal, normal);
      }
    }
  }
  return problem;
}

constexpr Family kFamilies[] = {
    {"random", MakeRandom, true},
    {"random_gaps", MakeRandomGaps, true},
    {"needle", MakeNeedle, true},
    {"peg", MakePeg, true},
    {"exact_peg", MakeExactPeg, true},
    {"peg16", MakePeg16, true},
    {"corner", MakeCorner, true},
    {"stack", MakeStack, true},
    {"mass_ratio", MakeMassRatio, true},
    {"wedge", MakeWedge, true},
    {"jam", MakeJam, true},
    {"jam_mu5", MakeJamMu5, true},
    {"squeezed_jam", MakeSqueezedJam, false},
    {"near_duplicates", MakeNearDuplicates, true},
    {"at_rest", MakeAtRest, true},
    {"directions", MakeDirections, true},
    {"joints", MakeJoints, true},
    {"driven_joints", MakeDrivenJoints, false},
    {"conveyor", MakeConveyor, true},
    {"frictionless", MakeFrictionless, true},
    {"compliant", MakeCompliant, true},
    {"pile", MakePile, true},
};

}  // namespace

std::span<const Family> Families() { return kFamilies; }

const Family& FamilyNamed(std::string_view name) {
  const Family* family =
      std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const Family& f) { return f.name == name; });
  TACTUS_CHECK(family != std::end(kFamilies));
  return *family;
}

ProblemDocument Generate(const Family& family, std::uint64_t seed, int index) {
  Random random(seed * 1'000'003u + static_cast<std::uint64_t>(index));
  ProblemDocument problem = family.make(random);
  problem.name = std::string(family.name) + "/" + std::to_string(seed) + "/" + std::to_string(index);
  return problem;
}

std::vector<ProblemDocument> PegSequence(std::uint64_t seed, int ticks) {
  Random random(seed);
  const double friction = random.Uniform(0.1, 0.5), clearance_m = random.Uniform(2e-5, 1e-4);
  const int count = 2 * random.Integer(4, 12);
  const double sway_Hz = random.Uniform(1, 3), twist_Hz = random.Uniform(1, 4);
  std::vector<ProblemDocument> sequence;
  for (int tick = 0; tick < ticks; ++tick) {
    const double t = 1e-3 * tick;
    Random shape(seed);  // the same hole every tick
    ProblemDocument problem = Peg(shape, count, friction, 1e-4, 0);
    problem.name = "peg_sequence/" + std::to_string(seed) + "/" + std::to_string(tick);
    BodyDocument& peg = problem.bodies[0];
    const double sway = 2 * std::numbers::pi * sway_Hz * t, twist = 2 * std::numbers::pi * twist_Hz * t;
    peg.velocity = {2e-3 * std::cos(sway), 2e-3 * std::sin(1.3 * sway), -5e-3, 0.02 * std::cos(twist), 0,
                    0.05 * std::sin(twist)};
    peg.wrench = {4 * std::sin(sway), 4 * std::cos(0.7 * sway), -3, 0.05 * std::sin(twist), 0.05 * std::cos(twist), 0};
    const Vector3 shake = random.Normal3(1e-6);  // of the measured position
    std::vector<ContactDocument> near;
    for (ContactDocument contact : problem.contacts) {
      const Vector3 lean{clearance_m * std::sin(sway), clearance_m * std::cos(0.7 * sway), 0};
      contact.gap_m = clearance_m + Dot(contact.normal, lean + shake);
      if (contact.gap_m < 0) contact.gap_m = 0;
      if (contact.gap_m < 1.2 * clearance_m) near.push_back(contact);
    }
    problem.contacts = near;
    sequence.push_back(problem);
  }
  return sequence;
}

}  // namespace tactus::test
