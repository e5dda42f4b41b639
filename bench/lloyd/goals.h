#pragma once
#include <array>

#include "bench/lloyd/method.h"

namespace tactus::bench {

/// What a time is held against.
enum class Against {
  kOwnLu,    ///< the LU of the same problem's LCP matrix
  kPeg16Lu,  ///< the LU of the peg's 160 × 160
  kLimit,    ///< one LU of 7 × 7 and one pass over the contacts
  kTime,     ///< nothing: microseconds
};

constexpr const char* Name(Against against) {
  switch (against) {
    case Against::kOwnLu: return "of the LU of its LCP matrix";
    case Against::kPeg16Lu: return "of the LU of 160 × 160";
    case Against::kLimit: return "of the physical limit";
    case Against::kTime: break;
  }
  return "";
}

struct Goal {
  const char* scene;
  Method method;
  Against against;
  double at_most;
};

/// Goals of speed on the host, d = 8, double. They come from one machine on which the LU of 160 × 160 took 258 µs, the limit
/// 0.24 µs.
inline constexpr std::array kGoals{
    Goal{"peg n=16", Method::kReducedCold, Against::kOwnLu, 0.015},
    Goal{"peg n=16", Method::kStructural, Against::kOwnLu, 0.2},
    Goal{"peg n=16", Method::kConvexCold, Against::kOwnLu, 0.005},
    Goal{"peg n=16", Method::kReducedVerify, Against::kLimit, 2},
    Goal{"peg n=16", Method::kReducedTick, Against::kLimit, 2},
    Goal{"peg n=16", Method::kConvexTick, Against::kLimit, 2},
    Goal{"stack m=4 n=16", Method::kReducedCold, Against::kOwnLu, 0.10},
    Goal{"stack m=4 n=16", Method::kReducedTick, Against::kOwnLu, 0.04},
    Goal{"stack m=4 n=16", Method::kConvexCold, Against::kOwnLu, 0.07},
    Goal{"ball on plane", Method::kReducedCold, Against::kPeg16Lu, 0.0016},
    Goal{"face on surface", Method::kReducedCold, Against::kPeg16Lu, 0.012},
    Goal{"block in corner", Method::kReducedCold, Against::kPeg16Lu, 0.016},
    Goal{"peg n=16", Method::kSolverTick, Against::kTime, 1.0},
    Goal{"peg n=16", Method::kSolverCold, Against::kTime, 4.5},
    Goal{"peg n=16", Method::kVerdict, Against::kTime, 0.3},
};

inline constexpr double kPegExponent = 0.8;    // of the time of reduced cold in n, n = 8…32
inline constexpr double kStackExponent = 1.0;  // of the same in n m + m³
inline constexpr double kFloatOfDouble = 1.0;  // time in single precision

/// What [Lloyd04] section 5.4 prints, in milliseconds on his machine: mean times at the ends of the ranges of Figs. 5,
/// 7, 10. The figures themselves are not in the text that we have.
struct PaperRange {
  const char* figure;
  const char* what;
  Method method;
  const char* first;  ///< scene
  double first_ms;
  const char* last;
  double last_ms;
};
inline constexpr std::array kPaperRanges{
    PaperRange{"5", "peg", Method::kDense, "peg n=8", 6.18, "peg n=32", 400.75},
    PaperRange{"5", "peg", Method::kStructural, "peg n=8", 2.55, "peg n=32", 26.63},
    PaperRange{"5", "peg", Method::kReducedCold, "peg n=8", 1.08, "peg n=32", 4.58},
    PaperRange{"7", "one body", Method::kDense, "block in groove", 5.2, "peg in hole", 50.9},
    PaperRange{"7", "one body", Method::kStructural, "block in groove", 2.1, "peg in hole", 12.5},
    PaperRange{"7", "one body", Method::kReducedCold, "block in groove", 0.57, "peg in hole", 1.34},
    PaperRange{"10", "stack", Method::kDense, "stack m=1 n=4", 2.1, "stack m=5 n=32", 2136},
    PaperRange{"10", "stack", Method::kStructural, "stack m=1 n=4", 1.45, "stack m=5 n=32", 224},
    PaperRange{"10", "stack", Method::kReducedCold, "stack m=1 n=4", 1.32, "stack m=5 n=32", 96},
};

}  // namespace tactus::bench
