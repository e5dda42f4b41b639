#pragma once
#include <cstdint>

namespace tactus::hal {

/// What a device's line did since it was opened.
struct LineDeviceCounters {
  std::uint32_t requests = 0;  ///< sent
  std::uint32_t answers = 0;   ///< taken
  std::uint32_t unasked = 0;   ///< answers that nobody awaited: repeated
  std::uint32_t corrupt = 0;   ///< lines or packets that are no answer
  std::uint32_t refused = 0;   ///< answers that say: not taken
  std::uint32_t waited = 0;    ///< commands that did not go out, for an answer was awaited
};

}  // namespace tactus::hal
