#pragma once
#include <cstdint>

namespace tactus::target {

// Calculations whose results must have the same bits on the board and on the host. Each returns a hash of them.

template <class Scalar>
std::uint64_t TrigonometryBits();
template <class Scalar>
std::uint64_t SolverBits();

/// What a run of the servo application gave.
struct ServoRun {
  std::uint64_t hash = 0;  ///< over every byte the controller sent
  std::uint32_t commands = 0, telemetry = 0, ticks = 0, missed_deadlines = 0;
  std::uint32_t contact_ticks = 0;   ///< ticks with contacts
  std::uint32_t unsolved_ticks = 0;  ///< ticks whose contact problem was not solved exactly
  bool faulted = false;
};
inline constexpr int kServoTicks = 2000;

/// The servo application on a scripted motion: a peg goes into its hole, presses on the floor, twists and leans, comes out,
/// and presses on the plate. kServoTicks ticks, one telemetry each.
template <class Scalar>
ServoRun RunServo();

}  // namespace tactus::target
