#pragma once
#include "hal/cortex_m/registers.h"

namespace tactus::hal::cortex_m {

/// Instruction and data cache on, of a core that has them (Cortex-M7). Armv7-M ARM (DDI 0403E) B2.2.7: invalidate, then
/// enable; B4.8.3 to B4.8.5 for the registers. Call once, before anything that DMA shares is in use.
inline void EnableCaches() {
  struct Maintenance {
    Register iciallu, gap, icimvau, dcimvac, dcisw;
  };
  auto& maintenance = *reinterpret_cast<Maintenance*>(0xE000EF50u);
  auto& ccsidr = *reinterpret_cast<Register*>(0xE000ED80u);
  auto& csselr = *reinterpret_cast<Register*>(0xE000ED84u);
  constexpr std::uint32_t kDataCache = 1u << 16, kInstructionCache = 1u << 17;  // CCR
  asm volatile("dsb\n isb" ::: "memory");
  maintenance.iciallu = 0;
  csselr = 0;  // the data cache of level 1
  asm volatile("dsb" ::: "memory");
  const std::uint32_t geometry = ccsidr;
  const std::uint32_t sets = (geometry >> 13 & 0x7FFFu) + 1, ways = (geometry >> 3 & 0x3FFu) + 1;
  for (std::uint32_t set = 0; set < sets; ++set) {
    for (std::uint32_t way = 0; way < ways; ++way) maintenance.dcisw = set << 5 | way << 30;  // four ways of 32 B lines
  }
  asm volatile("dsb" ::: "memory");
  Scb().ccr = Scb().ccr | kDataCache | kInstructionCache;
  asm volatile("dsb\n isb" ::: "memory");
}

}  // namespace tactus::hal::cortex_m
