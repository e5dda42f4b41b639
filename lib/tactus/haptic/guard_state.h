#pragma once
#include <cstdint>

namespace tactus {

/// What the checks of the samples remember.
struct GuardState {
  bool has_sample = false;       ///< a good sample has been seen since the tool was placed
  std::uint32_t sequence = 0;    ///< of that sample, as are
  float p_WH_m[3] = {0, 0, 0};   ///< position of the handle
  float q_WH[4] = {1, 0, 0, 0};  ///< orientation of the handle
  int ticks_without_sample = 0;  ///< since the last good one
};

}  // namespace tactus
