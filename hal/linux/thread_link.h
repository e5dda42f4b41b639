#pragma once
#include <array>
#include <atomic>
#include <span>

#include "hal/api/byte_link.h"
#include "hal/api/byte_ring.h"

namespace tactus::hal {

/// A link between the servo's thread and the thread that has the sockets: two rings without a lock. Neither side ever waits
/// for the other, and the servo's side makes no system call.
///
/// The servo's thread has the ByteLink and Open; the other thread has the rest. Telemetry leaves a reserve for commands.
class ThreadLink final : public ByteLink {
 public:
  static constexpr std::size_t kIn_B = 4096;    ///< a host that sends more waits
  static constexpr std::size_t kOut_B = 65536;  ///< 160 Telemetry
  static constexpr std::size_t kReserve_B = 4096;

  /// @param last_order  what the controller reads after OrderStop, and nothing after it
  explicit ThreadLink(std::span<const std::uint8_t> last_order) : last_order_(last_order) {}

  /// Servo's thread, while the other neither reads nor writes: forgets what was under way.
  void Open() noexcept;

  /// Other thread. @returns how many of the bytes there was room for.
  std::size_t HostWrite(std::span<const std::uint8_t> bytes) noexcept;
  std::size_t host_room() const noexcept { return to_controller_.room(); }
  /// Other thread. @returns how many bytes of the controller's were moved to `room`.
  std::size_t HostRead(std::span<std::uint8_t> room) noexcept { return to_host_.Pop(room); }

  /// The host is gone. Any thread.
  void Close() noexcept { closed_.store(true, std::memory_order_release); }
  /// The controller shall stop, whatever the host sends. Any thread.
  void OrderStop() noexcept { stop_.store(true, std::memory_order_release); }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override;
  LinkCounters DoCounters() const noexcept override { return counters_; }

  const std::span<const std::uint8_t> last_order_;
  bool ordered_ = false;  // last_order_ has been read
  std::atomic<bool> closed_{false}, stop_{false};
  ByteRing<kIn_B> to_controller_;
  ByteRing<kOut_B> to_host_;
  LinkCounters counters_;  // of all sessions
};

}  // namespace tactus::hal
