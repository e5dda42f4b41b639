#pragma once
#include "hal/stm32/g4/dma_channel.h"
#include "hal/stm32/muxed_uart_link.h"

namespace tactus::hal::stm32::g4 {

/// The channels of DMA1 that serve USART2, the third and the fourth, and their requests (RM0440 table 91).
struct Usart2Channels {
  static constexpr unsigned kReceive = 2, kSend = 3;
  static constexpr std::uint32_t kReceiveRequest = 26, kSendRequest = 27;
};

struct ChannelsOfLink {
  template <class R>
  using Stream = DmaChannel<R>;
  template <class R>
  using Dma = DmaRegisters<R>;
  static constexpr std::uint32_t kReceiveWord = dma::kRingWord, kSendWord = dma::kRunWord;
};

/// A link by DMA on one of the G431's USARTs.
template <class R, class Core, class Channels>
using DmaUartLink = MuxedUartLink<ChannelsOfLink, R, Core, Channels>;

}  // namespace tactus::hal::stm32::g4
