#pragma once
#include <cstdint>
#include <map>

namespace tactus::hal::cortex_m {

// In place of hal/cortex_m/interrupts.h: the same priorities, and an interrupt controller that the tests look at.
inline constexpr std::uint8_t kTimerPriority = 1u << 5, kLinkPriority = 2u << 5, kTickPriority = 7u << 5;

inline std::map<int, std::uint8_t> enabled_interrupts;  ///< and their priority
inline int asked_ticks = 0;

inline void PendTick() { ++asked_ticks; }
inline void EnableInterrupt(int number, std::uint8_t priority) { enabled_interrupts[number] = priority; }
inline std::uint32_t SetBasePriority(std::uint32_t) { return 0; }

class LinkLock {
 public:
  LinkLock() {}
  ~LinkLock() {}
};

}  // namespace tactus::hal::cortex_m
