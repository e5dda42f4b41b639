#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware/servo/servo_app.h"
#include "hal/linux/histogram.h"
#include "hal/linux/periodic_clock.h"
#include "hal/linux/realtime_thread.h"
#include "hal/linux/thread_link.h"
#include "hal/linux/timed_device.h"

namespace tactus::host {

struct LoopOptions {
  DeviceLimits limits = {};  ///< what no Config may go beyond
  std::uint32_t period_us = 1000;
  std::uint64_t ticks = 0;  ///< periods until the loop stops by itself; 0: none
  hal::RealtimeWish wish;
  /// The image of the scene that each session begins with, one that servo::SceneLoader takes; it outlives the loop. Empty:
  /// the peg and the plate.
  std::span<const std::uint8_t> scene = {};
};

/// What the loop has counted. Written by its thread, read by others at any time.
struct LoopCounts {
  hal::Histogram wake_up, compute;
  std::atomic<std::uint64_t> periods{0};   ///< that the loop has run
  std::atomic<std::uint64_t> overruns{0};  ///< periods whose work ended after the next edge
  std::atomic<std::uint64_t> missed{0};    ///< edges without a period of their own
  std::atomic<std::uint64_t> sessions{0};  ///< that have ended
  std::atomic<std::uint64_t> faults{0};    ///< of the sessions: times that one latched
};

/// The servo application of the boards, ticked by a real-time thread of Linux.
///
/// One *session* is one servo application, from its start to its stop: as a board from one reset to the next. A session ends
/// when its host stops it, when the link is closed, or when the loop is told to stop; the force fades first. After it the
/// loop goes on, writes zeros, and starts the next session when asked to.
class ServoLoop {
 public:
  /// @param device     nullptr: the device is at the host's end of the link
  /// @param boot_seed  differs from start to start: the nonces of Arm follow from it
  ServoLoop(const LoopOptions& options, hal::Device* device, hal::ThreadLink& link, hal::TimeSource& time,
            std::uint32_t boot_seed);

  /// The thread's body: returns after Stop, when the force has faded and zeros have been written.
  void Run();

  // From the other thread.
  /// Starts the next session. The other thread leaves the link alone until session_runs().
  void NextSession() { wanted_.fetch_add(1, std::memory_order_release); }
  bool session_runs() const { return running_.load(std::memory_order_acquire); }
  /// No further session; the one that runs is ended by the link's OrderStop.
  void Stop() { stop_.store(true, std::memory_order_release); }
  /// The ticks asked for are over.
  bool ticks_are_over() const { return ticks_are_over_.load(std::memory_order_acquire); }
  bool done() const { return done_.load(std::memory_order_acquire); }

  const LoopCounts& counts() const { return counts_; }
  const hal::TimedDevice* device() const { return timed_device_ ? &*timed_device_ : nullptr; }
  /// The loop has begun.
  bool grant_known() const { return grant_known_.load(std::memory_order_acquire); }
  /// Valid when grant_known().
  const hal::RealtimeGrant& grant() const { return grant_; }
  /// Of the loop's thread, from its first period to its last. Valid when done().
  const hal::ThreadCounters& kernel_counts() const { return kernel_counts_; }
  /// The last zeros reached the device. Valid when done().
  bool zeros_written() const { return zeros_written_; }

 private:
  bool HasEnded();
  void RunPeriod();
  void StartSession();
  void GiveScene();
  void RunSession();
  void EndSession();
  bool WriteZeros();
  void WriteLastZeros();

  const LoopOptions options_;
  hal::ThreadLink& link_;
  hal::PeriodicClock clock_;
  hal::NoWatchdog watchdog_;
  std::optional<hal::TimedDevice> timed_device_;
  std::uint32_t boot_seed_;
  std::optional<servo::ServoApp<double>> app_;  // its memory is here: a session allocates nothing
  std::uint32_t started_ = 0;
  std::size_t scene_given_ = 0;  // bytes of it that the session has
  bool faulted_ = false;
  std::uint64_t ending_periods_ = 0;  // since Stop()
  hal::RealtimeGrant grant_;
  hal::ThreadCounters kernel_counts_;
  bool zeros_written_ = false;

  LoopCounts counts_;
  std::atomic<std::uint32_t> wanted_{0};
  std::atomic<bool> running_{false}, stop_{false}, ticks_are_over_{false}, done_{false}, grant_known_{false};
};

}  // namespace tactus::host
