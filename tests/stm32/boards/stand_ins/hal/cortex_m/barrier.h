#pragma once
#include "tests/stm32/machine.h"

namespace tactus::hal::cortex_m {

// In place of hal/cortex_m/barrier.h.
inline std::size_t writes_before_barrier = 0;  ///< before the last one

inline void WaitForWrites() { writes_before_barrier = stm32::model::Machine::Current().log.size(); }

}  // namespace tactus::hal::cortex_m
