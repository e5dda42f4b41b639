#pragma once
#include <string_view>

#include "host_tools/solve/problem_document.h"
#include "host_tools/solve/solution_document.h"

namespace tactus::host {

enum class ScalarKind { kDouble, kFloat };

constexpr std::string_view Name(ScalarKind scalar) { return scalar == ScalarKind::kDouble ? "double" : "float"; }

/// How a problem is to be solved; the options of `tactus solve`.
struct SolveRequest {
  ScalarKind scalar = ScalarKind::kDouble;
  bool warm = false;           ///< start from the previous problem's basis, by contact id
  bool merge = false;          ///< merge near-duplicate contacts
  unsigned seed = 0;           ///< of the covering vector
  Cone cone = Cone::kPolygon;  ///< kRound: where Newton converges; the solution says which
};

/// Solves problems one after the other.
class ProblemSolver {
 public:
  virtual ~ProblemSolver() = default;

  /// Solves `problem`, whatever its size. Every outcome is `status` of the answer; kInvalid names field and reason in
  /// `fault` (the caller, who has the text of the problem, makes the sentence) or in `error`.
  SolutionDocument Solve(const ProblemDocument& problem) { return DoSolve(problem); }

 private:
  virtual SolutionDocument DoSolve(const ProblemDocument& problem) = 0;
};

}  // namespace tactus::host
