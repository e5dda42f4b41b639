#pragma once

namespace tactus::hal::cortex_m {

/// Takes the force away: drives off, and zeros to actuators at the other end of a link. The first thing in every fault,
/// failed check and unexpected interrupt, and again if that is interrupted by another. The board supplies it.
///
/// It runs with interrupts off, without memory protection, on a stack of its own. It may touch registers at constant
/// addresses, constants in read-only memory and its stack, nothing else: no object in RAM can be believed by then. It ends
/// in bounded time.
extern "C" void OutputsSafe();

}  // namespace tactus::hal::cortex_m
