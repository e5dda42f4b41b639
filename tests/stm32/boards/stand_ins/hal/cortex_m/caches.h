#pragma once

namespace tactus::hal::cortex_m {
inline int caches_enabled = 0;
inline void EnableCaches() { ++caches_enabled; }
}  // namespace tactus::hal::cortex_m
