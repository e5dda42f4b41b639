#pragma once
#include "hal/stm32/dma_uart_link.h"
#include "hal/stm32/g4/dma_channel.h"

namespace tactus::hal::stm32::g4 {

/// The channels of DMA1 that serve USART2, the third and the fourth, and their requests (RM0440 table 91).
struct Usart2Channels {
  static constexpr unsigned kReceive = 2, kSend = 3;
  static constexpr std::uint32_t kReceiveRequest = 26, kSendRequest = 27;
};

/// The parts of a link by DMA on one of the G431's USARTs.
template <class R, class CoreOfLink>
struct DmaLinkParts {
  using Registers = FifoUsartRegisters<R>;
  using Usart = FifoDmaUsart;
  using Stream = DmaChannel<R>;
  using Core = CoreOfLink;
  static constexpr std::uint32_t kReceiveWord = dma::kRingWord, kSendWord = dma::kRunWord;
};

template <class R, class Core, class Channels>
class DmaUartLink final : public DmaUartLinkBase<DmaLinkParts<R, Core>> {
 public:
  DmaUartLink(FifoUsartRegisters<R>& block, const UsartClock& clock, DmaRegisters<R>& dma, DmaMuxRegisters<R>& mux,
              LinkBuffers& buffers)
      : DmaUartLinkBase<DmaLinkParts<R, Core>>(block, clock, buffers,
                                               {dma, mux, Channels::kReceive, Channels::kReceiveRequest},
                                               {dma, mux, Channels::kSend, Channels::kSendRequest}) {}
};

}  // namespace tactus::hal::stm32::g4
