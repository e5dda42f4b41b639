#pragma once
#include <array>

#include "hal/api/byte_link.h"

namespace tactus::hal::cortex_m {

/// A link through two FIFOs of the machine that runs the emulator: DIR/h2g (host to guest) and DIR/g2h. Both sides open them
/// in this order; each open waits for the other side.
///
/// Read gives exactly one frame and waits for it. The emulated processor stands still in a semihosting call, and with it its
/// clock (QEMU -icount shift=N): the run is the same, instruction by instruction, however slow the host is.
class SemihostingLink final : public ByteLink {
 public:
  /// @returns kOk; kClosed: one of the FIFOs cannot be opened; kOverCapacity: the path is too long.
  Status Open(const char* directory);

  /// Handle of the FIFO to the host; -1: not open.
  int guest_to_host() const { return guest_to_host_; }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override;
  void DoLock() noexcept override;
  void DoUnlock() noexcept override;
  bool DoFramePerTick() const noexcept override { return true; }
  LinkCounters DoCounters() const noexcept override { return counters_; }

  /// Moves bytes from the buffer to `room` up to and including a 0x00. @returns whether one was among them.
  bool TakeFrame(std::span<std::uint8_t> room, std::size_t* count);

  int host_to_guest_ = -1, guest_to_host_ = -1;
  std::array<std::uint8_t, 1024> buffer_{};  // [begin_, end_): read from the FIFO, not yet taken
  std::size_t begin_ = 0, end_ = 0;
  LinkCounters counters_;
};

}  // namespace tactus::hal::cortex_m
