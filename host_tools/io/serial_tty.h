#pragma once
#include <memory>
#include <string>

#include "hal/devices/serial_line.h"
#include "host_tools/io/tty_link.h"

namespace tactus::host {

/// A terminal of the kernel that takes orders: ftdi_sio gives all of them, a pseudo terminal the rate alone.
class SerialTty final : public hal::SerialLine {
 public:
  /// @throws HostError: as OpenTty.
  SerialTty(const std::string& path, unsigned baud);

  /// The open terminal, to go on with; this is of no use any more.
  std::unique_ptr<TtyLink> Release() { return std::move(tty_); }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override { return tty_->Read(room, count); }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override { return tty_->Write(frame, lane); }
  hal::LinkCounters DoCounters() const noexcept override { return tty_->counters(); }
  Status DoSetRate(std::uint32_t baud) noexcept override;
  Status DoSetDtr(bool high) noexcept override;
  Status DoSetRts(bool high) noexcept override;
  Status DoSetLatency(std::uint32_t latency_ms) noexcept override;
  Status DoPurge() noexcept override;

  const std::string path_;
  std::unique_ptr<TtyLink> tty_;
};

}  // namespace tactus::host
