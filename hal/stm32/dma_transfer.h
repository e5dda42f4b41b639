#pragma once
#include <cstdint>

namespace tactus::hal::stm32 {

/// As a register of a DMA takes it.
template <class T>
std::uint32_t DmaAddress(T* place) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
}

/// What a stream or a channel moves: between a peripheral's register and memory.
struct DmaTransfer {
  std::uint32_t peripheral, memory;  ///< addresses
  std::uint32_t count;               ///< of what it moves
  std::uint32_t word;                ///< its control register without EN
};

/// What has happened since the last look.
struct DmaEvents {
  bool done;    ///< all of a transfer, of a circular one at least once
  bool failed;  ///< an error on the bus: it has stopped
};

}  // namespace tactus::hal::stm32
