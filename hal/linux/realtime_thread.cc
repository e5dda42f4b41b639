#include "hal/linux/realtime_thread.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace tactus::hal {
namespace {

constexpr std::size_t kPage_B = 4096;
constexpr std::size_t kTouched_B = kRealtimeStack_B / 2;  // the tick needs some 20 kB (Gate.StackHoldsTheWorstCase)

/// Writes to a word of each page of the stack below here, so that none is missing later.
[[gnu::noinline]] void TouchStack() noexcept {
  volatile std::uint8_t stack[kTouched_B];
  for (std::size_t page = 0; page < kTouched_B / kPage_B; ++page) stack[page * kPage_B] = 0;
  stack[kTouched_B - 1] = stack[0];
}

int SetPriority(int priority) noexcept {
  const sched_param parameters{.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

int BindTo(int cpu) noexcept {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return EINVAL;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(cpu), &set);
  return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

}  // namespace

int LockMemory() noexcept {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return errno;
  void* const room = mmap(nullptr, kLockedRoom_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room != MAP_FAILED) return munmap(room, kLockedRoom_B) == 0 ? 0 : errno;
  (void)munlockall();
  return ENOMEM;
}

int StartThread(void* (*body)(void*), void* argument, pthread_t* thread) noexcept {
  pthread_attr_t attributes;
  if (const int error = pthread_attr_init(&attributes); error != 0) return error;
  int error = pthread_attr_setstacksize(&attributes, kRealtimeStack_B);
  sigset_t all, before;
  (void)sigfillset(&all);
  if (error == 0) error = pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits the mask
  if (error == 0) {
    error = pthread_create(thread, &attributes, body, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  (void)pthread_attr_destroy(&attributes);
  return error;
}

void EnterRealtime(const RealtimeWish& wish, RealtimeGrant* grant) noexcept {
  if (wish.cpu >= 0) grant->cpu = BindTo(wish.cpu);
  if (wish.priority > 0) grant->priority = SetPriority(wish.priority);
  TouchStack();
}

ThreadCounters CountersOfThread() noexcept {
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return {};
  return {.minor_faults = usage.ru_minflt,
          .major_faults = usage.ru_majflt,
          .waits = usage.ru_nvcsw,
          .preemptions = usage.ru_nivcsw};
}

}  // namespace tactus::hal
