#pragma once
#include "hal/stm32/dma_uart_link.h"
#include "hal/stm32/f4/registers.h"
#include "hal/stm32/interrupt_link_base.h"

namespace tactus::hal::stm32::f4 {

struct UsartAccess {
  static constexpr std::uint32_t kRoom = usart::kRoom, kRoomInterrupt = usart::kRoomInterrupt;
  static auto& In(auto& block) { return block.dr; }
  static auto& Out(auto& block) { return block.dr; }
  static std::uint32_t State(const auto& block) { return block.sr; }
};

/// A link by an interrupt for each byte: for the emulator, which has no DMA, and for USARTs that have no stream to spare.
template <class R, class Core>
class InterruptUartLink final : public InterruptLinkBase<UsartRegisters<R>, Core, UsartAccess> {
  using Base = InterruptLinkBase<UsartRegisters<R>, Core, UsartAccess>;

 public:
  InterruptUartLink(UsartRegisters<R>& block, const UsartClock& clock) : Base(block, clock) {}

  void Start() {
    this->block_.brr = this->baud_word_;
    this->block_.cr3 = 0;  // no DMA
    this->block_.cr1 = usart::kEnable | usart::kReceive | usart::kTransmit | usart::kReceivedInterrupt;
  }

  /// Reading SR and then DR clears an overrun; the byte in DR is good, the one behind it is lost (RM0090 30.3.3).
  void OnInterrupt() {
    const std::uint32_t state = this->block_.sr;
    if ((state & usart::kOverrun) != 0) ++this->counters_.receive_overruns;
    if ((state & usart::kReceived) != 0) {
      this->TakeByte();
    } else if ((state & usart::kErrors) != 0) {
      (void)static_cast<std::uint32_t>(this->block_.dr);
    }
    if (this->sending_ && (state & usart::kRoom) != 0) this->SendNext();
  }
};

/// What a link by DMA does with a USART.
struct DmaUsart : UsartAccess {
  static constexpr std::uint32_t kOverrun = usart::kOverrun;

  static void Start(auto& block, std::uint32_t baud_word) {
    block.brr = baud_word;
    block.cr3 = usart::kErrorInterrupt | usart::kDmaReceive | usart::kDmaTransmit;
    block.cr1 = usart::kEnable | usart::kReceive | usart::kTransmit | usart::kIdleInterrupt;
  }
  /// Reading SR and then DR clears all that interrupts (RM0090 30.6.1).
  static std::uint32_t Take(auto& block) {
    const std::uint32_t state = block.sr & (usart::kIdle | usart::kErrors);
    if (state != 0) (void)static_cast<std::uint32_t>(block.dr);
    return state;
  }
};

/// The streams of USART1: receiving DMA2 stream 2, sending stream 7, both on channel 4 (RM0090 table 43).
struct Usart1Streams {
  static constexpr unsigned kReceive = 2, kSend = 7, kChannel = 4;
};

/// The last words of a failed program: past all queues, and whatever the USART and its sending stream were set to.
template <class Streams, class R>
void SendPastQueues(UsartRegisters<R>& block, StreamDmaRegisters<R>& dma, std::span<const std::uint8_t> words) {
  constexpr int kTries = 100'000;  // reads of the state for each byte: 10 bits at 921 600 baud are 1 800 core clocks
  dma.stream[Streams::kSend].cr = 0;
  block.cr3 = 0;
  block.cr1 = usart::kEnable | usart::kTransmit;
  for (const std::uint8_t byte : words) {
    for (int i = 0; i < kTries && (block.sr & usart::kRoom) == 0; ++i) {
    }
    block.dr = byte;
  }
}

/// The parts of a link by DMA on one of the F405's USARTs.
template <class R, class CoreOfLink, class Streams>
struct DmaLinkParts {
  using Registers = UsartRegisters<R>;
  using Usart = DmaUsart;
  using Stream = DmaStream<R>;
  using Core = CoreOfLink;
  static constexpr std::uint32_t kReceiveWord = Channel(Streams::kChannel) | stream::kRingWord,
                                 kSendWord = Channel(Streams::kChannel) | stream::kRunWord;
};

template <class R, class Core, class Streams>
class DmaUartLink final : public DmaUartLinkBase<DmaLinkParts<R, Core, Streams>> {
 public:
  DmaUartLink(UsartRegisters<R>& block, const UsartClock& clock, StreamDmaRegisters<R>& dma, LinkBuffers& buffers)
      : DmaUartLinkBase<DmaLinkParts<R, Core, Streams>>(block, clock, buffers, {dma, Streams::kReceive},
                                                        {dma, Streams::kSend}) {}
};

}  // namespace tactus::hal::stm32::f4
