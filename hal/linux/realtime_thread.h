#pragma once
#include <pthread.h>

#include <cstddef>

namespace tactus::hal {

/// What a real-time thread asks of the kernel.
struct RealtimeWish {
  int priority = 80;  ///< SCHED_FIFO, 1 to 99; 0: none asked for. Above 90 it competes with the kernel's own threads
  int cpu = -1;       ///< the one that it runs on; -1: any
};

/// What it got: 0, or the error (errno) why not.
struct RealtimeGrant {
  int priority = 0, cpu = 0, memory = 0;
  bool all() const { return priority == 0 && cpu == 0 && memory == 0; }
};

/// Counters of the calling thread that the kernel keeps.
struct ThreadCounters {
  long minor_faults = 0, major_faults = 0;
  long waits = 0;        ///< gave the processor up: a sleep each period
  long preemptions = 0;  ///< lost it to somebody else
};

inline constexpr std::size_t kRealtimeStack_B = 1024 * 1024;

/// What must still fit under the limit of locked memory after LockMemory: stacks, buffers of hosts.
inline constexpr std::size_t kLockedRoom_B = 16 << 20;

/// Locks all memory of the process that there is and that will be; each page is there from then on. @returns errno. ENOMEM:
/// nothing is locked; the limit has no room for kLockedRoom_B more, and an allocation would fail later, with force out.
int LockMemory() noexcept;

/// Starts a thread with a stack of kRealtimeStack_B and all signals blocked. @returns errno.
int StartThread(void* (*body)(void*), void* argument, pthread_t* thread) noexcept;

/// Makes the calling thread real-time as far as it is allowed to, and touches its stack. `memory` is left as it is.
void EnterRealtime(const RealtimeWish& wish, RealtimeGrant* grant) noexcept;

ThreadCounters CountersOfThread() noexcept;

}  // namespace tactus::hal
