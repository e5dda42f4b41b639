#pragma once

namespace tactus::hal::stm32 {

/// Waits for hardware, which may never answer. A turn takes some ten core clocks.
/// @returns whether `is_there()` was true within so many turns.
template <class Condition>
bool WaitFor(int turns, Condition is_there) {
  for (int turn = 0; turn < turns; ++turn) {
    if (is_there()) return true;
  }
  return false;
}

}  // namespace tactus::hal::stm32
