#include "tests/audit/audit.h"

#include <algorithm>

#include "host_tools/solve/compiled_solvers.h"
#include "tests/audit/law_case.h"

namespace tactus::audit {
namespace {

template <class Scalar, Capacity kCapacity>
struct Bench {
  ContactProblem<Scalar, kCapacity> problem;
  ContactSolver<Scalar, kCapacity> solver;
  ContactSolution<Scalar, kCapacity> solution;

  bool IsDriven() const {
    const auto moves = [](const auto& joint) { return joint.speed != 0; };
    const auto comes = [](const auto& contact) { return contact.surface_normal_velocity_mps > 0; };
    return std::any_of(problem.joints.begin(), problem.joints.end(), moves) ||
           std::any_of(problem.contacts.begin(), problem.contacts.end(), comes);
  }

  LawReport Run(const Family& family) {
    SolverOptions<Scalar> options;
    options.warm = false;
    options.merge = family.merge;
    options.work_budget = family.work_budget;
    options.cone = family.cone;
    solver.Reset();
    solver.Solve(problem, options, &solution);
    return solution.status == SolveStatus::kInvalid ? LawReport{} : CheckLaw(ToLawCase(problem, solution));
  }

  Outcome Count(const Family& family, std::uint64_t seed, const Limits& limits, Tally* tally) {
    const LawReport report = Run(family);
    const Outcome outcome{solution.status,       solution.rung,           solution.pivots,
                          problem.bodies.size(), problem.contacts.size(), report};
    ++tally->problems;
    tally->pivots += solution.pivots;
    if (solution.status == SolveStatus::kSolved && solution.cone == Cone::kRound) ++tally->round;
    switch (solution.status) {
      case SolveStatus::kInvalid: ++tally->invalid; return outcome;
      case SolveStatus::kJammed: ++tally->jammed; break;
      case SolveStatus::kBudget: ++tally->budget; break;
      case SolveStatus::kSolved: {
        ++tally->solved;
        const Real worst = report.Worst();
        if (!(worst <= limits.loose)) ++tally->loose;
        if (!(worst <= limits.wrong)) {
          ++tally->wrong;
          tally->failed_seed = seed;
        }
        if (!(worst <= tally->worst)) tally->worst = worst, tally->worst_seed = seed;
        return outcome;
      }
    }
    // What joints and surfaces squeeze together no answer keeps apart.
    const bool squeezes = solution.status == SolveStatus::kJammed && IsDriven();
    if (!squeezes && !(report.pushed <= limits.fallback)) ++tally->penetrate, tally->failed_seed = seed;
    if (!(report.energy <= limits.fallback)) ++tally->explode, tally->failed_seed = seed;
    return outcome;
  }
};

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  problems += other.problems;
  solved += other.solved;
  round += other.round;
  jammed += other.jammed;
  budget += other.budget;
  invalid += other.invalid;
  wrong += other.wrong;
  loose += other.loose;
  penetrate += other.penetrate;
  explode += other.explode;
  pivots += other.pivots;
  if (!(other.worst <= worst)) worst = other.worst, worst_seed = other.worst_seed;
  if (other.failed_seed != 0) failed_seed = other.failed_seed;
  return *this;
}

struct Auditor::Memory {
  ManyProblem problem;
  Bench<double, kOne> one_double;
  Bench<float, kOne> one_float;
  Bench<double, kMany> many_double;
  Bench<float, kMany> many_float;

  Outcome Count(const ManyProblem& given, const Family& family, std::uint64_t seed, bool in_double, Tally* tally) {
    const auto count = [&](auto& one, auto& many, const Limits& limits) {
      if (CopyProblem(given, &one.problem)) return one.Count(family, seed, limits, tally);
      TACTUS_CHECK(CopyProblem(given, &many.problem));
      return many.Count(family, seed, limits, tally);
    };
    return in_double ? count(one_double, many_double, kDoubleLimits) : count(one_float, many_float, kFloatLimits);
  }
};

Auditor::Auditor() : memory_(std::make_unique<Memory>()) {}
Auditor::~Auditor() = default;

Outcome Auditor::Run(const Family& family, std::uint64_t seed, bool in_double, Tally* tally) {
  Random random(seed);
  ManyProblem& problem = memory_->problem;
  problem = {};
  family.make(&random, &problem);
  return memory_->Count(problem, family, seed, in_double, tally);
}

Outcome Auditor::Run(const ManyProblem& problem, const Family& how, bool in_double) {
  Tally tally;
  return memory_->Count(problem, how, 0, in_double, &tally);
}

}  // namespace tactus::audit
