#pragma once

namespace tactus::hal::cortex_m {

/// Switches the memory protection unit on: code is read-only, data is not executable, and the guard below the stack faults.
void ProtectMemory();

}  // namespace tactus::hal::cortex_m
