#pragma once
#include "hal/api/byte_link.h"
#include "hal/api/byte_ring.h"

namespace tactus::hal::mps2 {

/// UART0 as the link to the host. Interrupts move bytes between the UART and two rings; the servo never waits for it.
/// The end of a frame asks for a tick (PendSV), so that an answer does not wait for the clock. There is one UART0, so there
/// is one of these: UartLink::Instance().
class UartLink final : public ByteLink {
 public:
  static UartLink& Instance();

  void Start(std::uint32_t baud);

  /// Whether everything that was written has left.
  bool idle() const { return transmit_.size() == 0 && !sending_; }

  void OnReceiveInterrupt();
  void OnTransmitInterrupt();

 private:
  static constexpr std::size_t kReceiveBytes = 4096;    // a burst of some 60 samples while a tick runs
  static constexpr std::size_t kTransmitBytes = 8192;   // 8 ms of commands and telemetry at 1 MB/s
  static constexpr std::size_t kCommandReserve = 1024;  // telemetry leaves this for commands

  UartLink() = default;
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override;
  void DoWriteInFault(std::span<const std::uint8_t> bytes) noexcept override;
  void DoLock() noexcept override;
  void DoUnlock() noexcept override;
  LinkCounters DoCounters() const noexcept override { return counters_; }

  ByteRing<kReceiveBytes> receive_;
  ByteRing<kTransmitBytes> transmit_;
  volatile bool sending_ = false;  // a byte is in the UART; its interrupt will come
  LinkCounters counters_;
};

}  // namespace tactus::hal::mps2
