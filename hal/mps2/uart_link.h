#pragma once
#include "hal/api/byte_link.h"

namespace tactus::hal::mps2 {

/// UART0 as the link to the host. Interrupts move bytes between the UART and two rings; the servo never waits for it.
/// The end of a frame asks for a tick (PendSV), so that an answer does not wait for the clock. There is one UART0, so there
/// is one of these: UartLink::Instance().
class UartLink final : public ByteLink {
 public:
  static constexpr std::uint32_t kBaud = 921'600;

  static UartLink& Instance();

  void Start();

  /// Whether everything that was written has left.
  bool idle() const;

  void OnReceiveInterrupt();
  void OnTransmitInterrupt();

 private:
  static constexpr std::size_t kCommandReserve = 1024;  // telemetry leaves this for commands

  UartLink() = default;
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override;
  void DoLock() noexcept override;
  void DoUnlock() noexcept override;
  LinkCounters DoCounters() const noexcept override { return counters_; }

  volatile bool sending_ = false;  // a byte is in the UART; its interrupt will come
  LinkCounters counters_;
};

}  // namespace tactus::hal::mps2
