#pragma once
#include "hal/stm32/dma_transfer.h"
#include "hal/stm32/g4/registers.h"

namespace tactus::hal::stm32::g4 {

/// A channel of DMA1, with the request that it serves. A channel that is told to stop has stopped (RM0440 12.4.5); its flags
/// are cleared before it starts again.
template <class R>
class DmaChannel {
 public:
  /// @param number   from 0 on: channel 1 of the manual
  /// @param request  DMAMUX's number of the peripheral's
  DmaChannel(DmaRegisters<R>& dma, DmaMuxRegisters<R>& mux, unsigned number, std::uint32_t request)
      : dma_(dma), mux_(mux.ccr[number]), number_(number), request_(request) {}

  /// @returns true: it always starts
  bool Start(const DmaTransfer& transfer) const {
    DmaChannelRegisters<R>& channel = dma_.channel[number_];
    channel.ccr = 0;
    mux_ = request_;
    ClearFlags();
    channel.cpar = transfer.peripheral;
    channel.cmar = transfer.memory;
    channel.cndtr = transfer.count;
    channel.ccr = transfer.word | dma::kEnable;
    return true;
  }

  /// They are cleared.
  DmaEvents TakeEvents() const {
    const std::uint32_t flags = static_cast<std::uint32_t>(dma_.isr) >> Shift();
    ClearFlags();
    return {.done = (flags & dma::kFlagDone) != 0, .failed = (flags & dma::kFlagError) != 0};
  }
  std::uint32_t left() const { return dma_.channel[number_].cndtr; }

 private:
  unsigned Shift() const { return 4 * number_; }
  void ClearFlags() const { dma_.ifcr = dma::kClearAll << Shift(); }

  DmaRegisters<R>& dma_;
  R& mux_;
  unsigned number_;
  std::uint32_t request_;
};

}  // namespace tactus::hal::stm32::g4
