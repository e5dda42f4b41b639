#pragma once
#include "hal/stm32/h7/muxed_stream.h"
#include "hal/stm32/muxed_uart_link.h"

namespace tactus::hal::stm32::h7 {

/// The streams of DMA1 that serve USART3, and their requests (RM0433 table 121).
struct Usart3Streams {
  static constexpr unsigned kReceive = 1, kSend = 2;
  static constexpr std::uint32_t kReceiveRequest = 45, kSendRequest = 46;
};

/// A stream that serves a USART locks up without kBufferable (RM0433 15.5.5, TRBUFF; errata ES0392 2.20.6).
struct StreamsOfLink {
  template <class R>
  using Stream = MuxedStream<R>;
  template <class R>
  using Dma = StreamDmaRegisters<R>;
  static constexpr std::uint32_t kReceiveWord = kBufferable | stream::kRingWord, kSendWord = kBufferable | stream::kRunWord;
};

/// A link by DMA on one of the H743's USARTs.
template <class R, class Core, class Streams>
using DmaUartLink = MuxedUartLink<StreamsOfLink, R, Core, Streams>;

}  // namespace tactus::hal::stm32::h7
