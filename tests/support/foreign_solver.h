#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/dense_lemke.h"
#include "tests/support/generators.h"

namespace tactus::test {

/// A solver that is not ours.
struct ForeignMethod {
  std::string name;
  /// What it calls a solution; nothing: it gave up. Neither is checked.
  std::function<std::optional<DenseVector>(const Lcp& lcp)> solve;
  std::size_t max_rows = 400;  ///< of the problems it is given: the dense ones take rows² each pivot
};

// With friction the velocities are not unique (theory, section 3), so what is compared is whether there is a solution;
// without friction the velocity is unique, and is compared. A foreign answer is judged by the same independent residual as
// everything else: what is called a solution and is none proves nothing. How many each solves is printed, not asserted. Both
// report through GoogleTest.

/// Whatever one of `methods` solves, the solver solves, friction included.
void ExpectNoMissedSolution(const Family& family, const std::vector<ForeignMethod>& methods);

/// Without friction it gives their velocity.
void ExpectTheSameVelocityWithoutFriction(const Family& family, const std::vector<ForeignMethod>& methods);

}  // namespace tactus::test
