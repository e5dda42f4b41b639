#pragma once
#include "hal/stm32/dma_mux.h"
#include "hal/stm32/dma_uart_link.h"
#include "hal/stm32/fifo_usart.h"

namespace tactus::hal::stm32 {

/// The parts of a link by DMA on a USART of H7 and G4: eight bytes of FIFO, and a multiplexer before the DMA.
template <class Family, class R, class CoreOfLink>
struct MuxedLinkParts {
  using Registers = FifoUsartRegisters<R>;
  using Usart = FifoDmaUsart;
  using Stream = typename Family::template Stream<R>;
  using Core = CoreOfLink;
  static constexpr std::uint32_t kReceiveWord = Family::kReceiveWord, kSendWord = Family::kSendWord;
};

/// @tparam Family  Stream<R>, a stream or a channel, made of its controller Dma<R>, the multiplexer, a number and a request;
///                 kReceiveWord and kSendWord of its control register
/// @tparam Line    kReceive and kSend, the two that serve the USART; kReceiveRequest and kSendRequest
template <class Family, class R, class Core, class Line>
class MuxedUartLink final : public DmaUartLinkBase<MuxedLinkParts<Family, R, Core>> {
 public:
  MuxedUartLink(FifoUsartRegisters<R>& block, const UsartClock& clock, typename Family::template Dma<R>& dma,
                DmaMuxRegisters<R>& mux, LinkBuffers& buffers)
      : DmaUartLinkBase<MuxedLinkParts<Family, R, Core>>(block, clock, buffers,
                                                         {dma, mux, Line::kReceive, Line::kReceiveRequest},
                                                         {dma, mux, Line::kSend, Line::kSendRequest}) {}
};

}  // namespace tactus::hal::stm32
