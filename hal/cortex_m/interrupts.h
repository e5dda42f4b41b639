#pragma once
#include <cstdint>

#include "hal/cortex_m/registers.h"

namespace tactus::hal::cortex_m {

// Priorities. Only the top three bits are used: real parts implement three or four, QEMU eight. A lower number interrupts a
// higher.
inline constexpr std::uint8_t kTimerPriority = 1u << 5;  ///< SysTick: counts edges even when everything else is late
inline constexpr std::uint8_t kLinkPriority = 2u << 5;   ///< bytes in and out
inline constexpr std::uint8_t kTickPriority = 7u << 5;   ///< PendSV: the servo tick, below every interrupt

/// Asks for the servo tick: PendSV runs when no other interrupt does.
inline void PendTick() { Scb().icsr = kIcsrPendSvSet; }

inline void EnableInterrupt(int number, std::uint8_t priority) {
  Nvic().ipr[number] = priority;
  Nvic().iser[number / 32] = 1u << (number % 32);
}

/// Sets the priority of system exception `number` (4 to 15).
inline void SetExceptionPriority(int number, std::uint8_t priority) {
  const int shift = 8 * (number % 4);
  Register& word = Scb().shpr[(number - 4) / 4];
  word = (word & ~(0xFFu << shift)) | (std::uint32_t{priority} << shift);
}

/// Sets BASEPRI: exceptions of this priority and below wait. 0: none does. @returns what it was.
inline std::uint32_t SetBasePriority(std::uint32_t priority) {
  std::uint32_t before = 0;
  asm volatile("mrs %0, basepri" : "=r"(before));
  asm volatile("msr basepri, %0" : : "r"(priority) : "memory");
  return before;
}

/// Keeps out the servo tick and the link's interrupts while it lives; the timer goes on counting. Hold it for microseconds
/// only.
class LinkLock {
 public:
  LinkLock() : before_(SetBasePriority(kLinkPriority)) {}
  ~LinkLock() { SetBasePriority(before_); }
  LinkLock(const LinkLock&) = delete;
  LinkLock& operator=(const LinkLock&) = delete;

 private:
  std::uint32_t before_;
};

}  // namespace tactus::hal::cortex_m
