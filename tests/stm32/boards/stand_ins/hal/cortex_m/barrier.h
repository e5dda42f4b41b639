#pragma once

namespace tactus::hal::cortex_m {
inline void WaitForWrites() {}
}  // namespace tactus::hal::cortex_m
