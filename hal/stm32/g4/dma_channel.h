#pragma once
#include "hal/stm32/dma_address.h"
#include "hal/stm32/g4/registers.h"

namespace tactus::hal::stm32::g4 {

/// A channel of DMA1 that brings each half-word of a peripheral's register to one place in memory, for ever. A channel that
/// is told to stop has stopped (RM0440 12.4.5); its flags are cleared before it starts again.
template <class R>
class DmaChannel {
 public:
  /// @param number  from 0 on: channel 1 of the manual
  DmaChannel(DmaRegisters<R>& dma, DmaMuxRegisters<R>& mux, unsigned number) : dma_(dma), mux_(mux), number_(number) {}

  /// @param request  DMAMUX's number of the peripheral's
  void Start(std::uint32_t request, std::uint32_t peripheral, std::uint32_t memory) const {
    DmaChannelRegisters<R>& channel = dma_.channel[number_];
    channel.ccr = 0;
    mux_.ccr[number_] = request;
    ClearFlags();
    channel.cpar = peripheral;
    channel.cmar = memory;
    channel.cndtr = 1;
    channel.ccr = dma::kCircular | dma::kHalfWords | dma::kEnable;
  }

  std::uint32_t Flags() const { return static_cast<std::uint32_t>(dma_.isr) >> Shift() & dma::kAllFlags; }
  void ClearFlags() const { dma_.ifcr = dma::kClearAll << Shift(); }

 private:
  unsigned Shift() const { return 4 * number_; }

  DmaRegisters<R>& dma_;
  DmaMuxRegisters<R>& mux_;
  unsigned number_;
};

}  // namespace tactus::hal::stm32::g4
