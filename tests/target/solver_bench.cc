#include <array>

#include "firmware/servo/tick_markers.h"
#include "hal/api/last_words.h"
#include "hal/cortex_m/semihosting.h"
#include "tactus/contact/whiten.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/convex/convex_step.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/target/print.h"

// What the solvers cost on the board, in instructions: every problem of a table through every solver, each solve between the
// two markers that toolchain/tick_counter counts between. solver_instructions.py runs it and reads the counts, which come in
// the order of kSolvers, and for each in that of the problems.

namespace tactus::target {
namespace {

template <int kContactCount>
struct ProblemRow {
  struct ContactColumns {
    double point_m[3], normal[3], tangent[3], friction, gap_m;
  };
  double mass_kg, inertia_kgm2[9], position_m[3], velocity[6], wrench[6];
  std::array<ContactColumns, kContactCount> contacts;
};
#include "problems.inc"

using Scalar = TACTUS_BOARD_SCALAR;
constexpr Capacity kCapacity{.bodies = 1, .contacts = 32, .joints = 0, .directions = 8, .dof = 6};
constexpr int kMaxPivots = 200;

template <class Vector>
Vector ToVector(const double* numbers) {
  Vector vector;
  for (int i = 0; i < vector.size(); ++i) vector(i) = static_cast<Scalar>(numbers[i]);
  return vector;
}

void Fill(const ProblemRow<kContacts>& row, ContactProblem<Scalar, kCapacity>* problem) {
  using Vec3 = Vec<Scalar, 3>;
  using Vec6 = Vec<Scalar, 6>;
  problem->step_s = static_cast<Scalar>(kStep_s);
  problem->directions = kDirections;
  problem->direction_offset_rad = static_cast<Scalar>(kDirectionOffset_rad);
  problem->bodies.resize(1);
  auto& body = problem->bodies[0];
  body.mass_kg = static_cast<Scalar>(row.mass_kg);
  for (int i = 0; i < 9; ++i) body.inertia_kgm2(i / 3, i % 3) = static_cast<Scalar>(row.inertia_kgm2[i]);
  body.position_m = ToVector<Vec3>(row.position_m);
  body.velocity = ToVector<Vec6>(row.velocity);
  body.wrench = ToVector<Vec6>(row.wrench);
  problem->contacts.resize(kContacts);
  for (int i = 0; i < kContacts; ++i) {
    const auto& from = row.contacts[static_cast<std::size_t>(i)];
    auto& contact = problem->contacts[i];
    contact = {};
    contact.id = i;
    contact.a = 0;
    contact.b = kFixed;
    contact.point_m = ToVector<Vec3>(from.point_m);
    contact.normal = ToVector<Vec3>(from.normal);
    contact.tangent = ToVector<Vec3>(from.tangent);
    contact.friction = static_cast<Scalar>(from.friction);
    contact.gap_m = static_cast<Scalar>(from.gap_m);
  }
}

struct Bench {
  ContactProblem<Scalar, kCapacity> physical;
  WhitenedProblem<Scalar, kCapacity> whitened;
  ContactSolver<Scalar, kCapacity> solver;
  ContactSolution<Scalar, kCapacity> solution;
  LemkeReduced<Scalar, kCapacity> reduced;
  LemkeStructural<Scalar, kCapacity> structural;
  ConvexStep<Scalar, kCapacity> convex;
  typename ConvexStep<Scalar, kCapacity>::Gamma no_gamma{};
};
Bench bench;

bool Solved(const LemkeReport& report) { return report.outcome == LemkeOutcome::kSolved; }

struct Solver {
  const char* name;
  bool (*run)();
};
// A warm solve follows the cold one of the same problem: the basis is right, what is counted is its verification.
constexpr Solver kSolvers[] = {
    {"lemke_reduced cold", [] { return Solved(bench.reduced.SolveCold(bench.whitened, 0, kMaxPivots)); }},
    {"lemke_reduced warm", [] { return Solved(bench.reduced.SolveWarm(bench.whitened, 0, kMaxPivots)); }},
    {"lemke_structural cold", [] { return Solved(bench.structural.SolveCold(bench.whitened, 0, 10 * kMaxPivots)); }},
    {"convex_step cold", [] { return bench.convex.Solve(bench.whitened, bench.no_gamma, kMaxPivots); }},
    {"convex_step warm", [] { return bench.convex.SolveWarm(bench.whitened, bench.no_gamma, kMaxPivots); }},
    {"ContactSolver cold",
     [] {
       bench.solver.Solve(bench.physical, {}, &bench.solution);
       return bench.solution.status == SolveStatus::kSolved;
     }},
    {"ContactSolver warm",
     [] {
       bench.solver.Solve(bench.physical, {}, &bench.solution);
       return bench.solution.status == SolveStatus::kSolved;
     }},
};

}  // namespace

void Print(const char* text) { hal::cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

extern "C" void TickHandler() {}  // the clock is not started

constinit const std::span<const std::uint8_t> tactus::hal::kLastWords{};

int main() {
  using namespace tactus;
  using namespace tactus::target;
  for (const Solver& solver : kSolvers) {
    Print("solver ");
    Print(solver.name);
    Print("\n");
  }
  int unsolved = 0;
  for (const auto& row : kProblems) {
    Fill(row, &bench.physical);
    bench.solver.Reset();
    bench.solution.tangent.resize(kContacts);
    for (int i = 0; i < kContacts; ++i) bench.solution.tangent[i] = bench.physical.contacts[i].tangent;
    if (Whiten(bench.physical, bench.solution.tangent, {}, &bench.whitened)) return 1;
    for (const Solver& solver : kSolvers) {
      tactus_tick_begin();
      const bool solved = solver.run();
      tactus_tick_end();
      unsolved += solved ? 0 : 1;
    }
  }
  PrintHash("unsolved", static_cast<std::uint64_t>(unsolved));
  hal::cortex_m::semihosting::Exit(unsolved == 0 ? 0 : 1);
}
