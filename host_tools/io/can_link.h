#pragma once
#include <array>
#include <string>

#include "hal/api/byte_link.h"
#include "hal/devices/can_text.h"
#include "hal/devices/canfd_text.h"

struct canfd_frame;  // linux/can.h

namespace tactus::host {

/// Frames of a bus: classic CAN, or CAN-FD with the faster data rate.
enum class CanKind : std::uint8_t { kClassic, kFd };

/// A socket that carries Linux' `struct can_frame` or `struct canfd_frame`, in the words of a serial adapter
/// (hal/devices/can_text.h, canfd_text.h): a driver is the same on both. A SOCK_RAW socket of SocketCAN, or a SOCK_SEQPACKET
/// pair where a kernel has no CAN.
///
/// A frame for which the controller has no room ends a Write with kWouldBlock; those before it are on their way. A bus that
/// is off, an interface that is down or gone is kClosed.
class CanLink final : public hal::ByteLink {
 public:
  /// Takes over a descriptor.
  explicit CanLink(int fd, CanKind kind = CanKind::kClassic);
  ~CanLink() override;
  CanLink(const CanLink&) = delete;
  CanLink& operator=(const CanLink&) = delete;

 private:
  static constexpr int kFramesPerRead = 16;

  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> bytes, hal::Lane lane) noexcept override;
  hal::LinkCounters DoCounters() const noexcept override { return counters_; }
  bool Receive() noexcept;
  void TakeClassic(const canfd_frame& raw) noexcept;
  void TakeFd(const canfd_frame& raw) noexcept;
  Status SendLine(std::span<const std::uint8_t> line) noexcept;
  Status Send(const canfd_frame& raw, std::size_t size) noexcept;

  const int fd_;
  const CanKind kind_;
  std::array<std::uint8_t, kFramesPerRead * hal::canfd_text::kMostSize> text_{};
  std::size_t begin_ = 0, end_ = 0;
  bool closed_ = false;
  hal::LinkCounters counters_;
};

/// @param[in] name  of a CAN interface that is up: "can0". @throws HostError: there is none, this kernel has no CAN, or the
///                  interface has no CAN-FD.
int OpenCan(const std::string& name, CanKind kind = CanKind::kClassic);

}  // namespace tactus::host
