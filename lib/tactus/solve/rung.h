#pragma once
#include <cstdint>

namespace tactus {

/// Which step of the ladder gave the answer (docs/theory, section 11). From kClampedGaps on the answer is safe, and
/// exact only where the status is kSolved: it cannot add energy.
enum class Rung : std::uint8_t {
  kNone,               ///< nothing yet
  kWarmVerified,       ///< last tick's basis still solves the problem, or last tick's round impulses lead to
                       ///< a round answer: no pivot
  kWarmRepaired,       ///< last tick's basis and a few pivots, or last tick's impulses swept, and Newton from there
  kCold,               ///< from nothing
  kReseeded,           ///< from nothing with another covering vector, or from beyond a squeeze
  kClampedGaps,        ///< exact for gaps max(Φ, 0): stops penetration from growing, does not push out
  kPreviousProjected,  ///< F1: last tick's impulse, swept or not, then the nearest velocity that does not penetrate
  kIterateProjected,   ///< F2: the last iterate of a cold start, then the nearest velocity that does not penetrate
  kFrictionless,       ///< F4: the nearest velocity that does not penetrate
  kRest,               ///< all velocities zero: what is left when even that fails
  kConvexStep,         ///< F3: the convex step, with friction (theory 8). Exact where no loaded contact slips
};
inline constexpr int kRungCount = 11;

/// Whether an answer of rung `a` is worse than one of rung `b`. The convex step has friction: it stands behind F1, before
/// F2.
constexpr bool IsWorse(Rung a, Rung b) {
  const auto place = [](Rung rung) {
    return rung == Rung::kConvexStep ? 2 * static_cast<int>(Rung::kPreviousProjected) + 1 : 2 * static_cast<int>(rung);
  };
  return place(a) > place(b);
}

constexpr const char* Name(Rung rung) {
  switch (rung) {
    case Rung::kNone: return "none";
    case Rung::kWarmVerified: return "warm_verified";
    case Rung::kWarmRepaired: return "warm_repaired";
    case Rung::kCold: return "cold";
    case Rung::kReseeded: return "reseeded";
    case Rung::kClampedGaps: return "clamped_gaps";
    case Rung::kPreviousProjected: return "previous_projected";
    case Rung::kIterateProjected: return "iterate_projected";
    case Rung::kFrictionless: return "frictionless";
    case Rung::kRest: return "rest";
    case Rung::kConvexStep: return "convex_step";
  }
  return "unknown";
}

}  // namespace tactus
