#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/core/status.h"

namespace tactus::hal {

/// Which bytes go first when room is short. kCommand may use the whole buffer; kTelemetry leaves a reserve for commands, so
/// that a flood of telemetry never delays a force.
enum class Lane : std::uint8_t { kCommand, kTelemetry };

/// What a link lost since it started. Bytes are never lost silently.
struct LinkCounters {
  std::uint32_t received_bytes = 0;
  std::uint32_t sent_bytes = 0;
  std::uint32_t receive_overruns = 0;  ///< received bytes that found the buffer full
  std::uint32_t refused_frames = 0;    ///< Write() calls that returned kWouldBlock
};

/// A full-duplex stream of bytes to the host: a UART, a USB endpoint, a pair of FIFOs, a ring in memory.
///
/// Read is called in the tick context only; Write in the tick context, and in the background between Lock and Unlock. No
/// call allocates, and none waits on a product link. A link whose clock stands still while it waits (semihosting in an
/// emulator with virtual time) may wait in Read: see frame_per_tick.
class ByteLink {
 public:
  virtual ~ByteLink() = default;

  /// Moves bytes that have arrived into `room`, oldest first.
  ///
  /// @param[out] room   bytes; [0, *count) are written
  /// @param[out] count  how many; 0 with kOk: nothing is there now
  /// @returns kOk; kClosed: the other side is gone and everything it sent has been read.
  Status Read(std::span<std::uint8_t> room, std::size_t* count) noexcept { return DoRead(room, count); }

  /// Queues one encoded frame, all of it or nothing.
  ///
  /// @returns kOk; kWouldBlock: no room for all of it now, nothing was taken; kClosed: the other side is gone.
  Status Write(std::span<const std::uint8_t> frame, Lane lane) noexcept { return DoWrite(frame, lane); }

  /// Keeps the tick context out until Unlock. For the background, and for microseconds only. Where there is one context:
  /// nothing.
  void Lock() noexcept { DoLock(); }
  void Unlock() noexcept { DoUnlock(); }

  /// True: one Read returns the bytes of exactly one frame, up to and including its 0x00, and waits for it. A run is then
  /// the same function of the host's bytes every time, whatever the host's speed. The host sends a single 0x00 for a tick in
  /// which nothing arrives. False: Read returns what is there.
  bool frame_per_tick() const noexcept { return DoFramePerTick(); }

  LinkCounters counters() const noexcept { return DoCounters(); }

 private:
  virtual Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept = 0;
  virtual Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept = 0;
  virtual void DoLock() noexcept {}
  virtual void DoUnlock() noexcept {}
  virtual bool DoFramePerTick() const noexcept { return false; }
  virtual LinkCounters DoCounters() const noexcept = 0;
};

}  // namespace tactus::hal
