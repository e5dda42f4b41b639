// The peg moves by the solution of the dense reference, so that the sequence owes nothing to the library. Rotations stay
// below 5 mrad (clearance over length): they are vectors.
#include "tests/support/slow_peg.h"

#include <algorithm>
#include <numbers>
#include <string>

#include "tactus/core/check.h"
#include "tests/support/dense_lemke.h"
#include "tests/support/random.h"
#include "tests/support/vector3.h"

namespace tactus::test {
namespace {

using host::BodyDocument;
using host::ContactDocument;
using host::ProblemDocument;

constexpr double kStep_s = 1e-3, kRadius_m = 0.01, kLength_m = 0.04, kClearance_m = 1e-4;
constexpr int kRing = 8;  // contacts around the rim, and as many around the peg's end

struct Hand {
  explicit Hand(Random& random)
      : force_N(random.Uniform(1.8, 2.4)),
        torque_Nm(random.Uniform(0.08, 0.12)),
        turns_Hz(random.Uniform(0.5, 0.8)),
        lead_rad(random.Uniform(0, 2 * std::numbers::pi)),
        slide(random.Uniform(0.6, 0.8)) {}

  void Push(double t_s, Random& random, BodyDocument* peg) const {
    const double angle = 2 * std::numbers::pi * turns_Hz * t_s;
    const Vector3 force = force_N * Vector3{std::cos(angle), std::sin(angle), slide * std::sin(0.8 * angle)};
    const Vector3 torque = torque_Nm * Vector3{std::cos(angle + lead_rad), std::sin(angle + lead_rad), 0.1};
    const Vector3 force_noise = random.Normal3(0.01), torque_noise = random.Normal3(2.5e-4);  // N, N·m: a 6-axis sensor's
    for (std::size_t i = 0; i < 3; ++i) {
      peg->wrench[i] = force[i] + force_noise[i];
      peg->wrench[3 + i] = torque[i] + torque_noise[i];
    }
  }

  double force_N, torque_Nm, turns_Hz, lead_rad, slide;
};

BodyDocument Peg() {
  BodyDocument peg;
  peg.mass_kg = 0.2;
  const double across = peg.mass_kg * (3 * kRadius_m * kRadius_m + kLength_m * kLength_m) / 12;
  peg.inertia_kgm2 = {across, 0, 0, 0, across, 0, 0, 0, peg.mass_kg * kRadius_m * kRadius_m / 2};
  peg.position_m = {0, 0, -kLength_m / 2};  // the rim is at z = 0
  return peg;
}

void AddContacts(double friction, const Vector3& rotation_rad, ProblemDocument* problem) {
  const Vector3& centre = problem->bodies[0].position_m;
  for (int i = 0; i < 2 * kRing; ++i) {
    const double angle = 2 * std::numbers::pi * (i % kRing) / kRing;
    const double height = i < kRing ? 0 : centre[2] - kLength_m / 2;
    const Vector3 out{std::cos(angle), std::sin(angle), 0};
    const Vector3 axis = centre + Cross(rotation_rad, {0, 0, height - centre[2]});
    const double gap_m = std::max(0.0, kClearance_m - Dot(out, axis));
    if (gap_m > kClearance_m) continue;
    ContactDocument& contact = problem->contacts.emplace_back();
    contact.id = i;
    contact.point_m = (kRadius_m + kClearance_m) * out + Vector3{0, 0, height};
    contact.normal = -1.0 * out;
    contact.tangent = Vector3{-out[1], out[0], 0};
    contact.friction = friction;
    contact.gap_m = gap_m;
  }
}

// M⁻¹ (M v0 + h f + Nθ + Dφ)
DenseVector VelocityAfter(const ProblemDocument& problem) {
  const DenseAnswer answer = SolveDense(problem);
  TACTUS_CHECK(answer.outcome == LcpOutcome::kSolved && answer.residual < 1e-8L);
  const DenseContact dense = WriteOut(problem);
  DenseVector momentum = dense.momentum;
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    AddScaled(answer.impulse[i].normal_Ns, dense.N[i], &momentum);
    for (std::size_t j = 0; j < dense.directions; ++j) {
      AddScaled(answer.impulse[i].friction_Ns[j], dense.D[i][j], &momentum);
    }
  }
  return SolveLowerTransposed(dense.factor, SolveLower(dense.factor, momentum));
}

}  // namespace

std::vector<ProblemDocument> SlowPegSequence(std::uint64_t seed, int ticks) {
  Random random(seed);
  const double friction = random.Uniform(0.15, 0.35);
  const Hand hand(random);
  BodyDocument peg = Peg();
  Vector3 rotation_rad{};
  std::vector<ProblemDocument> sequence;
  for (int tick = 0; tick < ticks; ++tick) {
    ProblemDocument& problem = sequence.emplace_back();
    problem.name = "slow_peg/" + std::to_string(seed) + "/" + std::to_string(tick);
    problem.step_s = kStep_s;
    hand.Push(kStep_s * tick, random, &peg);
    problem.bodies.push_back(peg);
    AddContacts(friction, rotation_rad, &problem);
    const DenseVector v = VelocityAfter(problem);
    for (std::size_t i = 0; i < 6; ++i) peg.velocity[i] = static_cast<double>(v[i]);
    for (std::size_t i = 0; i < 3; ++i) {
      peg.position_m[i] += kStep_s * peg.velocity[i];
      rotation_rad[i] += kStep_s * peg.velocity[3 + i];
    }
  }
  return sequence;
}

}  // namespace tactus::test
