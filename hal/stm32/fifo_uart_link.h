#pragma once
#include "hal/stm32/interrupt_link_base.h"

namespace tactus::hal::stm32 {

/// USART of H7 and G4, with a FIFO of eight bytes each way: RM0433 48.7, RM0440 37.8.
template <class R>
struct FifoUsartRegisters {
  R cr1, cr2, cr3, brr, gtpr, rtor, rqr, isr, icr, rdr, tdr, presc;
};
namespace fifo_usart {
inline constexpr std::uint32_t kEnable = 1u, kReceive = 1u << 2, kTransmit = 1u << 3, kIdleInterrupt = 1u << 4,
                               kReceivedInterrupt = 1u << 5, kRoomInterrupt = 1u << 7, kFifo = 1u << 29;  // CR1
inline constexpr std::uint32_t kErrorInterrupt = 1u;                                                      // CR3
inline constexpr std::uint32_t kFraming = 1u << 1, kNoise = 1u << 2, kOverrun = 1u << 3, kIdle = 1u << 4,
                               kReceived = 1u << 5, kRoom = 1u << 7;  // ISR, ICR
inline constexpr std::uint32_t kErrors = kFraming | kNoise | kOverrun;
}  // namespace fifo_usart

/// The last words of a failed program: past all queues, and whatever the USART was set to.
template <class R>
void SendPastQueues(FifoUsartRegisters<R>& block, std::span<const std::uint8_t> words) {
  constexpr int kTries = 100'000;  // reads of the state for each byte: 10 bits at 921 600 baud are 5 200 core clocks at most
  block.cr1 = fifo_usart::kFifo | fifo_usart::kTransmit | fifo_usart::kEnable;
  for (const std::uint8_t byte : words) {
    for (int i = 0; i < kTries && (block.isr & fifo_usart::kRoom) == 0; ++i) {
    }
    block.tdr = byte;
  }
}

struct FifoUsartAccess {
  static constexpr std::uint32_t kRoom = fifo_usart::kRoom, kRoomInterrupt = fifo_usart::kRoomInterrupt;
  static auto& In(auto& block) { return block.rdr; }
  static auto& Out(auto& block) { return block.tdr; }
  static std::uint32_t State(const auto& block) { return block.isr; }
};

/// A link by interrupts and the USART's own FIFOs: at 921 600 baud one interrupt in 11 us at most, and eight bytes of
/// patience.
template <class R, class Core>
class FifoUartLink final : public InterruptLinkBase<FifoUsartRegisters<R>, Core, FifoUsartAccess> {
  using Base = InterruptLinkBase<FifoUsartRegisters<R>, Core, FifoUsartAccess>;

 public:
  FifoUartLink(FifoUsartRegisters<R>& block, const UsartClock& clock) : Base(block, clock) {}

  void Start() {
    using namespace fifo_usart;
    this->block_.cr1 = 0;  // what follows is not taken while it is on: RM0433 48.7
    this->block_.brr = this->baud_word_;
    this->block_.cr3 = kErrorInterrupt;
    this->block_.cr1 = kFifo | kReceive | kTransmit | kReceivedInterrupt | kIdleInterrupt | kEnable;
  }

  void OnInterrupt() {
    using namespace fifo_usart;
    const std::uint32_t state = this->block_.isr;
    if ((state & kOverrun) != 0) ++this->counters_.receive_overruns;
    this->block_.icr = state & (kErrors | kIdle);  // a flag that is left interrupts again at once, for ever
    for (int i = 0; i < kMostBytes && (this->block_.isr & kReceived) != 0; ++i) this->TakeByte();
    if ((state & kIdle) != 0) Core::PendTick();
    for (int i = 0; i < kMostBytes && this->sending_ && this->has_room(); ++i) this->SendNext();
  }

 private:
  static constexpr int kMostBytes = 16;  // of an interrupt; it comes again for the rest
};

}  // namespace tactus::hal::stm32
