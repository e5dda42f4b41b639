#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "hal/api/device.h"
#include "host_tools/link/transport.h"
#include "tactus/haptic/config.h"

namespace tactus::host {

/// So many units of work (docs/servo_loop.md, "Work") for a tick. @returns nothing for 0: a computer's
inline std::optional<WorkBudget> WorkOfTick(int units) {
  return units > 0 ? std::optional(WorkBudget{.alone = units, .of_many = units}) : std::nullopt;
}

/// The servo application in this process, behind the same frames as a board: a transport whose other end answers within
/// Read. Its clock is the frames that come, one a tick, so no deadline can be missed.
///
/// @param scalar_bits  64 or 32: the numbers the tick computes with
/// @param seed         of the hand's tremor, if the simulated device is the board's own; nothing: the device is at the host
/// @param period_us    of its servo loop
/// @param work         of a tick; nothing: a computer's
std::unique_ptr<Transport> MakeLocalBoard(int scalar_bits, std::optional<std::uint64_t> seed = std::nullopt,
                                          std::uint32_t period_us = 1000, std::optional<WorkBudget> work = std::nullopt);

/// The same with a device of the board's own, which outlives it.
std::unique_ptr<Transport> MakeLocalBoardWith(int scalar_bits, hal::Device& device, std::uint32_t period_us = 1000);

}  // namespace tactus::host
