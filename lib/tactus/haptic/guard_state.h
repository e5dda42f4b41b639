#pragma once
#include "tactus/core/frames.h"

namespace tactus {

/// What the checks of the samples remember.
struct GuardState {
  bool has_sample = false;       ///< a good sample has been seen since the tool was placed
  SensorFrame last_good;         ///< that sample
  int ticks_without_sample = 0;  ///< since the last good one
};

}  // namespace tactus
