#pragma once

namespace tactus::hal::cortex_m {

/// Until every write before it has reached its block.
inline void WaitForWrites() { asm volatile("dsb" ::: "memory"); }

}  // namespace tactus::hal::cortex_m
