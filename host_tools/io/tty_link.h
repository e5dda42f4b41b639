#pragma once
#include <array>
#include <string>

#include "hal/api/byte_link.h"
#include "tactus/wire/frame.h"

namespace tactus::host {

/// A terminal as a link: a USB-CDC line, a UART, or either end of a pseudo terminal. Never waits, never allocates after it
/// is open.
class TtyLink final : public hal::ByteLink {
 public:
  /// Takes over a descriptor. @param[in] silent_hang_up  true: an other end that is gone only says nothing (the side of a
  /// device, to which another host may come)
  explicit TtyLink(int fd, bool silent_hang_up = false);
  ~TtyLink() override;
  TtyLink(const TtyLink&) = delete;
  TtyLink& operator=(const TtyLink&) = delete;

  int fd() const { return fd_; }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override;
  hal::LinkCounters DoCounters() const noexcept override { return counters_; }
  Status Flush() noexcept;

  const int fd_;
  const bool silent_hang_up_;
  std::array<std::uint8_t, wire::kMaxEncodedSize> rest_;  // of a frame that the terminal took in part
  std::size_t rest_begin_ = 0, rest_end_ = 0;
  hal::LinkCounters counters_;
};

/// Opens a terminal raw and for this descriptor alone, at `baud` where it is one that has it, and throws away what stands in
/// its buffers. @throws HostError: not there, no terminal, in use, a rate that no terminal has.
int OpenTty(const std::string& path, unsigned baud);

/// Bytes as they are: no echo, no lines, no signals. What a pseudo terminal has no use for (baud, modem lines) it ignores.
/// @returns false: `fd` is no terminal, or does not take the rate. @throws HostError: a rate that no terminal has.
bool MakeRaw(int fd, unsigned baud);

}  // namespace tactus::host
