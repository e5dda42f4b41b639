#pragma once
#include "hal/api/byte_link.h"
#include "hal/api/byte_ring.h"
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

inline constexpr std::uint32_t kBaud = 921'600;  // of a line for which a board says nothing else

/// What a USART makes its baud rate of.
struct UsartClock {
  std::uint32_t bus_Hz, baud = kBaud;
};

/// BRR for 16 samples a bit, to the nearest: RM0090 30.3.4, RM0433 48.5.5, RM0440 37.5.7.
constexpr std::uint32_t BaudWord(const UsartClock& clock) { return (clock.bus_Hz + clock.baud / 2) / clock.baud; }

/// The nearest rate is off by half a percent at most. A receiver bears 3.75 (RM0090 30.3.5), of which both oscillators and
/// the other end's divider want their part.
template <std::uint32_t kBus_Hz, std::uint32_t kLine>
concept DividesToBaud = [] {
  const std::int64_t made = std::int64_t{kLine} * BaudWord({kBus_Hz, kLine}), off = made - kBus_Hz;
  return (off < 0 ? -off : off) * 200 <= made;
}();

/// The clock of a board's USART. A bus that cannot give the rate does not compile: name another one, which the host gives
/// too (serial:TTY:BAUD).
template <std::uint32_t kBus_Hz, std::uint32_t kLine = kBaud>
requires DividesToBaud<kBus_Hz, kLine>
consteval UsartClock UsartClockOf() { return {kBus_Hz, kLine}; }

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
  UartLinkBase(Registers& block, const UsartClock& clock) : block_(block), baud_word_(BaudWord(clock)) {}

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
  const std::uint32_t baud_word_;
  ByteRing<kSendBytes> to_be_sent_;
  volatile bool sending_ = false;
  LinkCounters counters_;

 private:
  void DoLock() noexcept override { Core::Lock(); }
  void DoUnlock() noexcept override { Core::Unlock(); }
  LinkCounters DoCounters() const noexcept override { return counters_; }
};

}  // namespace tactus::hal::stm32
