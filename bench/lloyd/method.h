#pragma once
#include <array>
#include <string_view>
#include <vector>

namespace tactus::bench {

/// What solves the whitened problem; the two of ContactSolver take the problem in physical units and answer in them:
/// validation, whitening, the ladder, verification. The last one only judges their answer.
enum class Method {
  kDense,             ///< LemkeDense: Lloyd's "standard"
  kStructural,        ///< LemkeStructural
  kReducedCold,       ///< LemkeReduced from nothing
  kReducedVerify,     ///< LemkeReduced from the answer's own basis: what a tick costs in which nothing changes
  kReducedTick,       ///< LemkeReduced from the basis of a wrench 1 % away
  kConvexCold,        ///< ConvexStep from nothing
  kConvexTick,        ///< ConvexStep from the active set of a wrench 1 % away
  kReducedColdFloat,  ///< the same in single precision
  kReducedVerifyFloat,
  kSolverCold,  ///< ContactSolver, everything, from nothing
  kSolverTick,  ///< ContactSolver, everything, alternating between two wrenches 1 % apart
  kVerdict,     ///< JudgeAnswer on that answer
};
inline constexpr int kMethods = 12;

constexpr std::string_view Name(Method method) {
  constexpr std::array<std::string_view, kMethods> kNames{"dense",         "structural",  "reduced cold", "reduced verify",
                                                          "reduced tick",  "convex cold", "convex tick",  "cold, float",
                                                          "verify, float", "solver cold", "solver tick",  "verdict"};
  return kNames[static_cast<std::size_t>(method)];
}

/// What one method did with the problems of one scene.
struct MethodFigures {
  std::vector<double> time_us;  ///< median of each problem
  std::vector<double> of_lu;    ///< the same divided by the LU of its LCP matrix
  std::vector<double> of_beat;  ///< the same divided by LuYardstick::Beat_us() beside it
  std::vector<int> pivots;      ///< ConvexStep: iterations
  int failures = 0;             ///< no answer
  int wrong = 0;                ///< an answer called solved whose residual says no
  double worst_residual = 0;    ///< of what was called solved
};

struct SceneFigures {
  std::vector<double> lu_us;
  std::array<MethodFigures, kMethods> methods;

  const MethodFigures& operator[](Method method) const { return methods[static_cast<std::size_t>(method)]; }
};

}  // namespace tactus::bench
