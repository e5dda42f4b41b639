#pragma once
#include "hal/api/byte_link.h"
#include "hal/api/byte_ring.h"
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

inline constexpr std::uint32_t kBaud = 921'600;

/// BRR for 16 samples a bit, to the nearest: RM0090 30.3.4, RM0433 48.5.5, RM0440 37.5.7.
constexpr std::uint32_t BaudWord(std::uint32_t bus_Hz, std::uint32_t baud) { return (bus_Hz + baud / 2) / baud; }

inline constexpr std::uint32_t kReceiveBytes = 2048;
inline constexpr std::size_t kSendBytes = 4096, kCommandReserve = 1024;

/// What every link on a USART has: a ring of bytes to be sent, counters, the lock.
///
/// @tparam Core  PendTick(), which asks for the servo tick; Guard, which keeps tick and link's interrupts out while it
/// lives;
///               Lock() and Unlock(), which keep the tick out
template <class Registers, class Core>
class UartLinkBase : public ByteLink {
 protected:
  /// @param bus_Hz  of the USART's bus
  UartLinkBase(Registers& block, std::uint32_t bus_Hz) : block_(block), bus_Hz_(bus_Hz) {}

  /// @returns whether the frame is in the ring
  Status Queue(std::span<const std::uint8_t> frame, Lane lane) {
    const std::size_t reserve = lane == Lane::kCommand ? 0 : kCommandReserve;
    if (to_be_sent_.room() < frame.size() + reserve || !to_be_sent_.Push(frame)) {
      ++counters_.refused_frames;
      return Status::kWouldBlock;
    }
    counters_.sent_bytes += static_cast<std::uint32_t>(frame.size());
    return Status::kOk;
  }

  Registers& block_;
  const std::uint32_t bus_Hz_;
  ByteRing<kSendBytes> to_be_sent_;
  volatile bool sending_ = false;
  LinkCounters counters_;

 private:
  void DoLock() noexcept override { Core::Lock(); }
  void DoUnlock() noexcept override { Core::Unlock(); }
  LinkCounters DoCounters() const noexcept override { return counters_; }
};

}  // namespace tactus::hal::stm32
