#pragma once
#include <cstdint>

#include "hal/api/byte_link.h"

namespace tactus::hal {

/// A serial line whose chip takes orders: a terminal of the kernel, or an FTDI chip behind its own USB pipe. Before the loop
/// only: an order may wait for the chip. Read and Write as every link's.
///
/// Each order @returns kOk; kNotReady: this line has no such thing (a pseudo terminal has no modem lines), and goes on
/// without; kOutOfRange: the chip does not take the value; kClosed: the line is gone.
class SerialLine : public ByteLink {
 public:
  /// @param baud  the nominal rate; the chip takes the nearest that it has, within 3 %
  Status SetRate(std::uint32_t baud) noexcept { return DoSetRate(baud); }
  Status SetDtr(bool high) noexcept { return DoSetDtr(high); }
  Status SetRts(bool high) noexcept { return DoSetRts(high); }
  /// How long the chip keeps bytes that do not fill a packet.
  Status SetLatency(std::uint32_t latency_ms) noexcept { return DoSetLatency(latency_ms); }
  /// Throws away what stands in the buffers, both ways.
  Status Purge() noexcept { return DoPurge(); }

 private:
  virtual Status DoSetRate(std::uint32_t baud) noexcept = 0;
  virtual Status DoSetDtr(bool high) noexcept = 0;
  virtual Status DoSetRts(bool high) noexcept = 0;
  virtual Status DoSetLatency(std::uint32_t latency_ms) noexcept = 0;
  virtual Status DoPurge() noexcept = 0;
};

}  // namespace tactus::hal
