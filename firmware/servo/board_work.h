#pragma once
#include <cstdint>

#include "tactus/haptic/config.h"
#include "tactus/solve/work.h"

namespace tactus::servo {

/// A safe answer alone, if the convex step ends early or is given up. work::Least keeps passes for it that one start in ten
/// needs; a board whose period has no room for them gives up sooner.
constexpr work::Cost BareWork(work::Cost contacts) {
  return work::Setup(contacts) + work::Search(contacts * contacts) + work::Fallback(contacts) + work::Nearest(contacts) +
         work::ConvexStep(contacts);
}

/// What a tick of the board may spend: as its board.h says (docs/porting.md), or a Cortex-M7's with 480 MHz.
template <class Board>
constexpr WorkBudget WorkOf(std::uint32_t period_us) {
  if constexpr (requires { Board::kTickContacts; }) {
    constexpr int kContacts = Board::kTickContacts;
    static_assert(0 < kContacts && kContacts <= kServoCapacity.contacts);
    static_assert(!kHasScenes || kContacts == kServoCapacity.contacts, "a scene's contacts are kSceneCapacity's");
    const std::int64_t wanted = Board::kWorkPerSecond / 1'000'000 * period_us - Board::kTickBesideSolver;
    constexpr std::int64_t kLeast = BareWork(kContacts), kMost = 1'000'000'000;
    const int work = static_cast<int>(wanted < kLeast ? kLeast : wanted < kMost ? wanted : kMost);
    return {.alone = work, .of_many = work, .contacts = kContacts};
  } else if constexpr (requires { Board::kWorkPerSecond; }) {
    return WorkBudget::At(Board::kWorkPerSecond, period_us);
  } else {
    return {};
  }
}

}  // namespace tactus::servo
