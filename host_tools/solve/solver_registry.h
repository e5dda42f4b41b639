#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "host_tools/solve/problem_solver.h"

namespace tactus::host {

/// One algorithm that `--solver` can name.
struct SolverEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<ProblemSolver> (*make)(const SolveRequest& request);
};

/// Every solver there is. A new one is one more entry.
std::span<const SolverEntry> Solvers();

/// @returns nullptr: no solver has that name.
const SolverEntry* FindSolver(std::string_view name);

}  // namespace tactus::host
