#pragma once
#include <cstdint>

#include "tactus/haptic/config.h"
#include "tactus/solve/work.h"

namespace tactus::servo {

/// [instructions a second] counted, of a Cortex-M7 with 480 MHz that does 500 000 in a millisecond: for
/// Board::kWorkPerSecond.
inline constexpr std::int64_t kM7WorkPerSecond = 1000ll * kWorkBudget;

/// A safe answer alone, if the convex step ends early or is given up. work::Least keeps passes for it that one start in ten
/// needs; a board whose period has no room for them gives up sooner.
constexpr work::Cost BareWork(work::Cost contacts) {
  return work::Setup(contacts) + work::Search(contacts * contacts) + work::Fallback(contacts) + work::Nearest(contacts) +
         work::ConvexStep(contacts);
}

/// What a tick of the board may spend, as its board.h says (docs/porting.md).
template <class Board>
constexpr WorkBudget WorkOf(std::uint32_t period_us) {
  static_assert(
      requires { Board::kWorkPerSecond; }, "board.h: how much work has the core for a tick? (docs/porting.md)");
  static_assert(
      requires { Board::kTickContacts; } == requires { Board::kTickBesideSolver; },
      "board.h: kTickContacts and kTickBesideSolver go together");
  if constexpr (requires { Board::kTickContacts; }) {
    constexpr int kContacts = Board::kTickContacts;
    static_assert(0 < kContacts && kContacts <= kServoCapacity.contacts);
    static_assert(!kHasScenes || kContacts == kServoCapacity.contacts, "a scene's contacts are kSceneCapacity's");
    const std::int64_t wanted = Board::kWorkPerSecond / 1'000'000 * period_us - Board::kTickBesideSolver;
    constexpr std::int64_t kLeast = BareWork(kContacts), kMost = 1'000'000'000;
    const int work = static_cast<int>(wanted < kLeast ? kLeast : wanted < kMost ? wanted : kMost);
    return {.alone = work, .of_many = work, .contacts = kContacts};
  } else {
    WorkBudget budget = WorkBudget::At(Board::kWorkPerSecond, period_us);
    // Of scenes with more bodies the counts leave out more: the same share as at 1 ms (config.h).
    constexpr int kUnit = 10'000;
    const int of_many = budget.alone / (kWorkBudget / kUnit) * (kWorkBudgetOfMany / kUnit);
    budget.of_many = of_many < kLeastWorkBudget ? kLeastWorkBudget : of_many;
    return budget;
  }
}

}  // namespace tactus::servo
