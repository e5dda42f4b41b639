#pragma once
#include "hal/stm32/dma_uart_link.h"
#include "hal/stm32/h7/muxed_stream.h"

namespace tactus::hal::stm32::h7 {

/// The streams of DMA1 that serve USART3, and their requests (RM0433 table 121).
struct Usart3Streams {
  static constexpr unsigned kReceive = 1, kSend = 2;
  static constexpr std::uint32_t kReceiveRequest = 45, kSendRequest = 46;
};

/// The parts of a link by DMA on one of the H743's USARTs. A stream that serves a USART locks up without kBufferable (RM0433
/// 15.5.5, TRBUFF; errata ES0392 2.20.6).
template <class R, class CoreOfLink>
struct DmaLinkParts {
  using Registers = FifoUsartRegisters<R>;
  using Usart = FifoDmaUsart;
  using Stream = MuxedStream<R>;
  using Core = CoreOfLink;
  static constexpr std::uint32_t kReceiveWord = kBufferable | stream::kRingWord, kSendWord = kBufferable | stream::kRunWord;
};

template <class R, class Core, class Streams>
class DmaUartLink final : public DmaUartLinkBase<DmaLinkParts<R, Core>> {
 public:
  DmaUartLink(FifoUsartRegisters<R>& block, const UsartClock& clock, StreamDmaRegisters<R>& dma, DmaMuxRegisters<R>& mux,
              LinkBuffers& buffers)
      : DmaUartLinkBase<DmaLinkParts<R, Core>>(block, clock, buffers,
                                               {dma, mux, Streams::kReceive, Streams::kReceiveRequest},
                                               {dma, mux, Streams::kSend, Streams::kSendRequest}) {}
};

}  // namespace tactus::hal::stm32::h7
