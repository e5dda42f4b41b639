#include "bench/anitescu_hart/pyramid.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "tactus/mechanism/step_solver.h"

namespace tactus::bench {
namespace {

constexpr Capacity kCapacity{.bodies = 1, .contacts = 6, .joints = 0, .directions = 8, .dof = 6};
using Problem = ContactProblem<double, kCapacity>;
using Whitened = WhitenedProblem<double, kCapacity>;
using Impulses = WhitenedImpulses<double, kCapacity>;
using Corners = std::array<double, 6>;

constexpr double kStep_s = 0.05, kMass_kg = 1, kGravity_mps2 = 9.81;
constexpr double kShare_Ns = kStep_s * kMass_kg * kGravity_mps2 / 3;  // h m g / 3
constexpr double kAccept = 1e-12;                                     // rounding

Problem MakeProblem(double friction) {
  constexpr double kRadius_m = 1, kHeight_m = 0.5;
  Problem problem;
  problem.step_s = kStep_s;
  Body<double, 6> body;
  body.mass_kg = kMass_kg;
  body.inertia_kgm2.diagonal() << 0.2, 0.2, 0.3;
  body.position_m << 0, 0, kHeight_m;
  body.wrench(2) = -kMass_kg * kGravity_mps2;
  (void)problem.bodies.push_back(body);
  for (int i = 0; i < 6; ++i) {
    const double angle = i * std::numbers::pi / 3;
    Contact<double, 6> contact;
    contact.id = i;
    contact.point_m << kRadius_m * std::cos(angle), kRadius_m * std::sin(angle), 0;
    contact.tangent << 1, 0, 0;
    contact.friction = friction;
    (void)problem.contacts.push_back(contact);
  }
  return problem;
}

std::unique_ptr<Whitened> Whiten(const Problem& problem) {
  auto whitened = std::make_unique<Whitened>();
  FixedVector<Vec<double, 3>, 6> tangents;
  for (const auto& contact : problem.contacts) (void)tangents.push_back(contact.tangent);
  const ProblemFault fault = tactus::Whiten(problem, tangents, WhitenOptions<double, kCapacity>{}, whitened.get());
  if (fault) throw BenchError(fmt::format("the pyramid is no valid problem: {}", fault.what));
  return whitened;
}

Impulses ToWhitened(const Whitened& problem, const Corners& normal_Ns) {
  Impulses impulses;
  for (int i = 0; i < 6; ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    impulses.theta[I] = normal_Ns[I] * problem.contacts[i].normal_scale;
  }
  return impulses;
}

// What the last row of (7), 0 ≤ μ c_n ⊥ λ ≥ 0, says of the λ that the paper lists: largest min(μ c_n, λ), of h m g.
double ListedViolation(double friction, const Corners& normal_Ns, const Corners& lambda) {
  double worst = 0;
  for (std::size_t i = 0; i < 6; ++i) worst = std::max(worst, std::min(friction * normal_Ns[i], lambda[i]));
  return worst / (3 * kShare_Ns);
}

void AddListed(double friction, Report* report, Table* table) {
  struct Listed {
    const char* name;
    Corners normal_Ns, lambda;
  };
  constexpr double c = kShare_Ns;
  constexpr std::array<Listed, 3> kListed{
      {{"first", {c, 0, c, 0, c, 0}, {0, 1, 0, 1, 0, 1}},
       {"second", {0, c, 0, c, 0, c}, {1, 0, 1, 0, 1, 0}},
       {"average", {c / 2, c / 2, c / 2, c / 2, c / 2, c / 2}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}}}};
  const std::unique_ptr<Whitened> problem = Whiten(MakeProblem(friction));
  for (const Listed& listed : kListed) {
    const Impulses impulses = ToWhitened(*problem, listed.normal_Ns);
    const double residual = ComplementarityResidual(*problem, impulses);
    table->AddRow({friction, listed.name, problem->VelocityFor(impulses).norm(), residual,
                   ListedViolation(friction, listed.normal_Ns, listed.lambda)});
    if (!(residual <= kAccept)) report->Fault(fmt::format("pyramid, {} solution: residual {:.1e}", listed.name, residual));
  }
}

template <class Solver>
void AddFound(const char* name, double friction, Report* report, Table* table) {
  const auto solver = std::make_unique<Solver>();
  const auto solution = std::make_unique<ContactSolution<double, kCapacity>>();
  const Problem problem = MakeProblem(friction);
  const StepSolverReport<double> found = solver->Solve(problem, solution.get());
  std::string corners;
  for (const auto& impulse : solution->impulse) corners += fmt::format(" {:.3f}", impulse.normal_Ns / (3 * kShare_Ns));
  table->AddRow({friction, name, Name(found.status), found.iterations, found.convex_steps, found.residual,
                 solution->velocity[0].norm(), corners.substr(1)});
  const bool good = found.status == SolveStatus::kSolved && found.residual <= kAccept;
  if (!good) report->Fault(fmt::format("pyramid, {} at mu = {}: residual {:.1e}", name, friction, found.residual));
}

}  // namespace

void AddPyramid(Report* report) {
  Table& listed = report->AddTable("pyramid", "Hexagonal pyramid (section 3): the paper's solutions",
                                   {{"mu"},
                                    {"solution"},
                                    {"|v|_M", "sqrt(J)"},
                                    {"residual, lambda = Lambda(v)"},
                                    {"min(mu c_n, lambda), lambda as listed", "of h m g"}});
  Table& found = report->AddTable("pyramid-found", "Hexagonal pyramid: what the solvers find",
                                  {{"mu"},
                                   {"solver"},
                                   {"status"},
                                   {"iterations"},
                                   {"convex steps"},
                                   {"residual"},
                                   {"|v|", "m/s"},
                                   {"c_n of the six corners, of h m g"}});
  for (const double friction : {0.0, 0.05, 0.3, 0.8}) {
    AddListed(friction, report, &listed);
    AddFound<Lcp0<double, kCapacity>>("LCP0", friction, report, &found);
    AddFound<Lcp1<double, kCapacity>>("LCP1", friction, report, &found);
    AddFound<Lcp2<double, kCapacity>>("LCP2", friction, report, &found);
  }
  report->Note(
      "Pyramid: with the lambda that the paper lists (1 at unloaded corners) the average breaks mu c_n _|_ lambda for every "
      "mu > 0; with lambda = Lambda(v) = 0 it is a solution like the two others. The set is not convex in lambda only; the "
      "velocity is unique.");
}

}  // namespace tactus::bench
