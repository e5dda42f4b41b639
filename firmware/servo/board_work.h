#pragma once
#include <cstdint>

#include "tactus/haptic/config.h"
#include "tactus/solve/work.h"

namespace tactus::servo {

/// [instructions a second] counted, of a Cortex-M7 with 480 MHz that does 500 000 in a millisecond: for
/// Board::kWorkPerSecond.
inline constexpr std::int64_t kM7WorkPerSecond = 1000ll * kWorkBudget;

/// The same core's work in the shortest period, 100 µs, for Board::kLeastTickWork. It is just below BareWork(3), 38 972,
/// from which on a tick would have three contacts. In the demonstration's first second at 10 kHz 99.7 % of the ticks with
/// contacts have an exact answer, and the dearest takes 44 400 of 50 000 instructions. With the share of the second, 35 000,
/// it is 96 % and 43 300.
inline constexpr std::int64_t kM7LeastTickWork = 38'850;

/// Of scenes with more bodies than the tool, which take more than they count (config.h): for Board::kManyWorkPerSecond of a
/// Cortex-M4F that does as much. With it a tick of `stack` takes 432 000 of 500 000 instructions at most there; with the
/// M7's work it took 535 000, for Newton's step takes all that it counts in single precision, and two thirds in double.
inline constexpr std::int64_t kM4fManyWorkPerSecond = 240'000'000;

/// A safe answer alone, if the convex step ends early or is given up. work::Least keeps passes for it that one start in ten
/// needs; a board whose period has no room for them gives up sooner.
constexpr work::Cost BareWork(work::Cost contacts) {
  return work::Setup(contacts) + work::Search(contacts * contacts) + work::Fallback(contacts) + work::Nearest(contacts) +
         work::ConvexStep(contacts);
}

/// Contacts of the peg whose safe answer leaves half of so much work to the exact one: all, or the most important ones
/// (KeepContacts); but no fewer than five unless the safe answer takes it all. Of the demonstration's ticks with contacts on
/// the M7 have an exact answer: at 4 kHz 97 % with 5 or 6 contacts and 91 % with 8, at 2 kHz 98 % with 10, 13 or 16. At 10
/// kHz 99.7 % with 2 (kM7LeastTickWork). Stirred by a stiff hand at 10 kHz the peg goes 3.5 µm into its hole's wall.
constexpr int ContactsWithin(work::Cost work) {
  constexpr int kFew = 5;  // with them the F405 feels the peg (docs/boards.md, "Ticks")
  int contacts = kServoCapacity.contacts;
  while (contacts > kFew && 2 * BareWork(contacts) > work) --contacts;
  while (contacts > 1 && BareWork(contacts) > work) --contacts;
  return contacts;
}

/// What a tick of the board may spend, as its board.h says (docs/porting.md).
template <class Board>
constexpr WorkBudget WorkOf(std::uint32_t period_us) {
  constexpr bool kSaysContacts = requires { Board::kTickContacts; };
  static_assert(
      requires { Board::kWorkPerSecond; }, "board.h: how much work has the core for a tick? (docs/porting.md)");
  static_assert(
      kSaysContacts == requires { Board::kTickBesideSolver; }, "board.h: kTickContacts and kTickBesideSolver go together");
  work::Cost of_device = 0;  // of each period, whatever its length
  if constexpr (requires { Board::kDeviceTick; }) of_device = Board::kDeviceTick;
  work::Cost wanted = Board::kWorkPerSecond / 1'000'000 * period_us - of_device;
  if constexpr (requires { Board::kLeastTickWork; }) wanted = Max<work::Cost>(wanted, Board::kLeastTickWork - of_device);
  WorkBudget budget;
  if constexpr (kSaysContacts) {
    static_assert(0 < Board::kTickContacts && Board::kTickContacts <= kServoCapacity.contacts);
    static_assert(!kHasScenes || Board::kTickContacts == kServoCapacity.contacts, "a scene's contacts are kSceneCapacity's");
    wanted -= Board::kTickBesideSolver;
    budget.contacts = Board::kTickContacts;
  } else {
    budget.contacts = ContactsWithin(wanted);
  }
  constexpr work::Cost kMost = 1'000'000'000;
  const work::Cost least = BareWork(budget.contacts);
  budget.alone = budget.of_many = static_cast<int>(wanted < least ? least : wanted < kMost ? wanted : kMost);
  if constexpr (kHasScenes) {  // the same share as the M7's, or the board's own
    constexpr int kUnit = 10'000;
    std::int64_t of_many = budget.alone / (kWorkBudget / kUnit) * (kWorkBudgetOfMany / kUnit);
    if constexpr (requires { Board::kManyWorkPerSecond; })
      of_many = Board::kManyWorkPerSecond / 1'000'000 * period_us - of_device;
    budget.of_many = static_cast<int>(Clamp<std::int64_t>(of_many, kLeastWorkBudget, kMost));
  }
  return budget;
}

}  // namespace tactus::servo
