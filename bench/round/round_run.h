#pragma once
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include "host_tools/solve/to_problem.h"
#include "tactus/solve/contact_solver.h"

namespace tactus::bench {

/// What became of a list of problems on one cone.
struct RoundRun {
  int problems = 0, solved = 0, round = 0;
  int from_last_tick = 0;            ///< round, without a pivot
  double mean_us = 0, worst_us = 0;  ///< of all problems; each the least of the passes
  double steps = 0;                  ///< Newton steps a problem
  double residual = 0;               ///< worst round residual of the round ones

  double Share() const { return solved > 0 ? static_cast<double>(round) / solved : 0; }
};

/// Solves all problems in their order, `passes` times from the beginning.
/// @param[in] warm  as consecutive ticks; else each cold
template <class Scalar, Capacity kCapacity>
RoundRun RunAll(const std::vector<host::ProblemDocument>& documents, Cone cone, bool warm, int passes) {
  using Clock = std::chrono::steady_clock;
  std::vector<ContactProblem<Scalar, kCapacity>> problems(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) host::ToContactProblem(documents[i], &problems[i]);
  std::vector<double> least_us(documents.size(), std::numeric_limits<double>::infinity());
  RoundRun run;
  for (int pass = 0; pass < passes; ++pass) {
    const auto solver = std::make_unique<ContactSolver<Scalar, kCapacity>>();
    const auto solution = std::make_unique<ContactSolution<Scalar, kCapacity>>();
    run = RoundRun{.problems = static_cast<int>(documents.size())};
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!warm) solver->Reset();
      const Clock::time_point start = Clock::now();
      solver->Solve(problems[i], {.warm = warm, .cone = cone}, solution.get());
      least_us[i] = std::min(least_us[i], std::chrono::duration<double, std::micro>(Clock::now() - start).count());
      run.solved += solution->status == SolveStatus::kSolved;
      run.steps += solution->round_steps;
      if (solution->status != SolveStatus::kSolved || solution->cone != Cone::kRound) continue;
      ++run.round;
      run.from_last_tick += solution->pivots == 0;
      run.residual = std::max(run.residual, static_cast<double>(solution->round_residual));
    }
  }
  for (const double us : least_us) {
    run.mean_us += us / static_cast<double>(problems.size());
    run.worst_us = std::max(run.worst_us, us);
  }
  run.steps /= static_cast<double>(problems.size());
  return run;
}

}  // namespace tactus::bench
