#pragma once
#include <cstdint>

namespace tactus::hal::stm32 {

/// As a register of a DMA takes it.
template <class T>
std::uint32_t DmaAddress(T* place) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
}

}  // namespace tactus::hal::stm32
