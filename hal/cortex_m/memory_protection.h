#pragma once

namespace tactus::hal::cortex_m {

/// Bytes below the stack that nothing may touch. A frame larger than this could step over it: the stack gate checks every frame.
inline constexpr unsigned kStackGuardBytes = 1024;

/// Switches the memory protection unit on: code is read-only, data is not executable, and the guard below the stack faults.
void ProtectMemory();

/// Off: a fault handler must be able to read everything.
void UnprotectMemory();

}  // namespace tactus::hal::cortex_m
