#pragma once
#include <array>

#include "hal/api/byte_link.h"

namespace tactus::hal {

/// A link to a host in the same process and thread: two rings in memory. The controller has the ByteLink, the host the other
/// end. Like the emulator's FIFOs it gives the controller one frame per tick, so a run is a function of its bytes alone.
class MemoryLink final : public ByteLink {
 public:
  static constexpr std::size_t kCapacity_B = 16384;

  /// Queues bytes for the controller. @returns kWouldBlock: no room for all of them, nothing was taken.
  Status HostWrite(std::span<const std::uint8_t> bytes) noexcept { return to_controller_.Push(bytes); }

  /// Moves what the controller has sent into `room`. @returns how many bytes; 0: nothing is there.
  std::size_t HostRead(std::span<std::uint8_t> room) noexcept { return to_host_.Pop(room, false); }

 private:
  class Ring {
   public:
    Status Push(std::span<const std::uint8_t> bytes) noexcept;
    /// At most `room`; with `one_frame` no further than the first 0x00.
    std::size_t Pop(std::span<std::uint8_t> room, bool one_frame) noexcept;

   private:
    std::array<std::uint8_t, kCapacity_B> bytes_{};
    std::size_t first_ = 0, count_ = 0;
  };

  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override;
  bool DoFramePerTick() const noexcept override { return true; }
  LinkCounters DoCounters() const noexcept override { return counters_; }

  Ring to_controller_, to_host_;
  LinkCounters counters_;
};

}  // namespace tactus::hal
