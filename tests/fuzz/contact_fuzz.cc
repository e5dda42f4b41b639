// Bytes -> a contact problem -> the solver as it is shipped -> the independent checker of the law (tests/audit/law.h). A
// solved answer that breaks the law is a crash, and so is a fallback that closes a gap or makes energy. The ranges are those
// of desktop devices and of what people build with them, and a decade beyond.
#include "tactus/core/spatial.h"
#include "tests/audit/audit.h"
#include "tests/fuzz/fuzz.h"

using namespace tactus;

namespace {

using audit::ManyProblem;
using Vector = Vec<double, 3>;

Vector DrawVector(fuzz::Numbers& numbers, double size) {
  return {numbers.Between(-size, size), numbers.Between(-size, size), numbers.Between(-size, size)};
}

Vector DrawDirection(fuzz::Numbers& numbers) {
  if (const std::uint32_t axis = numbers.Below(8); axis < 6) {
    Vector unit = Vector::Zero();
    unit(static_cast<int>(axis / 2)) = axis % 2 == 0 ? 1 : -1;
    return unit;
  }
  const Vector v = DrawVector(numbers, 1);
  return v.norm() > 0.01 ? Vector(v.normalized()) : Vector::UnitZ();
}

void DrawBody(fuzz::Numbers& numbers, ManyProblem* problem) {
  (void)problem->bodies.push_back({});
  auto& body = problem->bodies[problem->bodies.size() - 1];
  body.mass_kg = numbers.Decade(-2, 4);
  const double size_m = numbers.Between(0.01, 0.2);
  body.inertia_kgm2 =
      body.mass_kg * size_m * size_m *
      Vector(numbers.Between(0.2, 1), numbers.Between(0.2, 1), numbers.Between(0.81, 1)).asDiagonal().toDenseMatrix();
  body.position_m = DrawVector(numbers, 0.2);
  body.velocity << DrawVector(numbers, 1), DrawVector(numbers, 5);
  body.wrench << DrawVector(numbers, 20 * body.mass_kg), DrawVector(numbers, body.mass_kg * size_m);
}

// A body, and another or the ground.
void DrawPair(fuzz::Numbers& numbers, const ManyProblem& problem, int* a, int* b) {
  const std::uint32_t bodies = static_cast<std::uint32_t>(problem.bodies.size());
  *a = static_cast<int>(numbers.Below(bodies));
  *b = static_cast<int>(numbers.Below(bodies + 1)) - 1;
  if (*a == *b) *b = kFixed;
}

void DrawContact(fuzz::Numbers& numbers, ManyProblem* problem) {
  int a = 0, b = kFixed;
  DrawPair(numbers, *problem, &a, &b);
  (void)problem->contacts.push_back({});
  auto& contact = problem->contacts[problem->contacts.size() - 1];
  contact.id = problem->contacts.size();
  contact.a = a;
  contact.b = b;
  contact.point_m = problem->bodies[a].position_m + DrawVector(numbers, 0.1);
  contact.normal = DrawDirection(numbers);
  constexpr double kFriction[] = {0, 0.2, 0.5, 1, 2};
  contact.friction = kFriction[numbers.Below(5)];
  const std::uint32_t kind = numbers.Below(4);
  contact.gap_m = kind == 0 ? numbers.Between(-1e-3, 1e-3) : 0;
  if (kind == 1) contact.surface_velocity_mps = {numbers.Between(-0.5, 0.5), numbers.Between(-0.5, 0.5)};
}

void DrawJoint(fuzz::Numbers& numbers, ManyProblem* problem) {
  int a = 0, b = kFixed;
  DrawPair(numbers, *problem, &a, &b);
  (void)problem->joints.push_back({});
  auto& joint = problem->joints[problem->joints.size() - 1];
  joint.a = a;
  joint.b = b;
  const Vector axis = DrawDirection(numbers), lever = DrawVector(numbers, 0.1);
  joint.jacobian_a << axis, Cross(lever, axis);
  if (b == kFixed) return;
  const Vector lever_b = lever + problem->bodies[a].position_m - problem->bodies[b].position_m;
  joint.jacobian_b << -axis, -Cross(lever_b, axis);
}

void Draw(fuzz::Numbers& numbers, ManyProblem* problem) {
  problem->directions = 3 + static_cast<int>(numbers.Below(6));
  const std::uint32_t bodies = 1 + numbers.Below(4), joints = numbers.Below(4);
  for (std::uint32_t i = 0; i < bodies; ++i) DrawBody(numbers, problem);
  for (std::uint32_t i = 0; i < joints; ++i) DrawJoint(numbers, problem);
  while (!numbers.done() && problem->contacts.size() < 16) DrawContact(numbers, problem);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static audit::Auditor auditor;
  static ManyProblem problem;
  fuzz::Numbers numbers(data, size);
  problem = {};
  const bool in_double = numbers.Below(4) != 0;
  const audit::Family how{.merge = numbers.Below(2) == 1, .work_budget = numbers.Below(4) == 3 ? 20000 : 0};
  Draw(numbers, &problem);
  const audit::Outcome outcome = auditor.Run(problem, how, in_double);
  const audit::Limits& limits = in_double ? audit::kDoubleLimits : audit::kFloatLimits;
  if (outcome.status == SolveStatus::kInvalid) return 0;
  if (outcome.status == SolveStatus::kSolved) {
    FUZZ_EXPECT(outcome.report.Worst() <= limits.wrong);
  } else {
    FUZZ_EXPECT(outcome.report.pushed <= limits.fallback);
    FUZZ_EXPECT(outcome.report.energy <= limits.fallback);
  }
  return 0;
}
