#pragma once
#include <memory>
#include <utility>

#include "host_tools/solve/methods/whitened_method.h"
#include "host_tools/solve/sized_solver.h"

namespace tactus::host {

/// SizedSolver for an algorithm outside the ladder. CMake makes a source for each capacity, which all algorithms share.
/// Where the algorithm fails the answer is the nearest velocity that does not penetrate, which adds no energy.
template <class Scalar, Capacity kCapacity>
std::unique_ptr<SizedSolver> SolveWith(std::unique_ptr<WhitenedMethod<Scalar, kCapacity>> method);

/// For a table of sizes. `Method<Scalar, kCapacity>` is a WhitenedMethod.
template <Capacity kCapacity, template <class, Capacity> class Method>
std::unique_ptr<SizedSolver> MakeWhitenedSolver(ScalarKind scalar) {
  if (scalar == ScalarKind::kFloat) return SolveWith<float, kCapacity>(std::make_unique<Method<float, kCapacity>>());
  return SolveWith<double, kCapacity>(std::make_unique<Method<double, kCapacity>>());
}

}  // namespace tactus::host
