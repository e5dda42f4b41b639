#pragma once
#include <cstdint>

namespace tactus::hal::stm32 {

/// A register of the chip. Reading and writing it is one instruction. The boards' tests put a register model in its place
/// (tests/stm32/boards).
using Hardware = volatile std::uint32_t;

}  // namespace tactus::hal::stm32
