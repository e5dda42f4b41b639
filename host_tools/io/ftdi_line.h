#pragma once
#include <pthread.h>

#include <atomic>
#include <memory>

#include "hal/api/byte_ring.h"
#include "hal/devices/serial_line.h"
#include "hal/linux/realtime_thread.h"
#include "host_tools/io/usb_pipe.h"

namespace tactus::host {

/// A serial line behind an FTDI chip, without the kernel's driver for it.
///
/// Read and Write never wait and never allocate: two threads of its own wait for the pipe, and rings lie between. An order
/// waits for the chip. A pipe that is gone, or does not take bytes for 0.1 s, stays closed.
class FtdiLine final : public hal::SerialLine {
 public:
  /// 8 bits, no parity, one stop bit, no flow control; the modem lines stay as they are.
  /// @param priority  of its threads, where the program may: the loop's, for bytes that wait are a force that is late
  /// @throws HostError: the chip refuses that; no thread to have.
  explicit FtdiLine(std::unique_ptr<UsbPipe> pipe, int priority = hal::RealtimeWish{}.priority);
  ~FtdiLine() override;  ///< behind the last bytes written
  FtdiLine(const FtdiLine&) = delete;
  FtdiLine& operator=(const FtdiLine&) = delete;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override;
  hal::LinkCounters DoCounters() const noexcept override;
  Status DoSetRate(std::uint32_t baud) noexcept override;
  Status DoSetDtr(bool high) noexcept override;
  Status DoSetRts(bool high) noexcept override;
  Status DoSetLatency(std::uint32_t latency_ms) noexcept override;
  Status DoPurge() noexcept override;

  static void* ReadAll(void* self);
  static void* WriteAll(void* self);
  void WaitForBytes() noexcept;
  void End() noexcept;

  const std::unique_ptr<UsbPipe> pipe_;
  const int priority_;
  hal::ByteRing<8192> received_;
  hal::ByteRing<8192> to_send_;
  int wake_ = -1;  // an eventfd: there are bytes to send
  bool reads_ = false, writes_ = false;
  pthread_t reader_{}, writer_{};
  std::atomic<bool> closed_{false}, end_{false};
  std::atomic<std::uint32_t> received_B_{0}, overruns_{0};
  std::uint32_t sent_B_ = 0, refused_ = 0;
};

}  // namespace tactus::host
