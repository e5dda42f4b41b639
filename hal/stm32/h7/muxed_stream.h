#pragma once
#include "hal/stm32/h7/registers.h"

namespace tactus::hal::stm32::h7 {

/// A stream of DMA1, with the request that it serves: RM0433 17.4.3. The request is chosen while the stream stands.
template <class R>
class MuxedStream : public DmaStream<R> {
 public:
  /// @param number  of DMA1's streams; its multiplexer has the same
  MuxedStream(StreamDmaRegisters<R>& dma, DmaMuxRegisters<R>& mux, unsigned number, std::uint32_t request)
      : DmaStream<R>(dma, number), mux_(mux.ccr[number]), request_(request) {}

  /// @returns false: it does not let go of its last transfer, and nothing has been started
  bool Start(const DmaTransfer& transfer) const {
    if (!this->Stop()) return false;
    mux_ = request_;
    this->SetUpAndGo(transfer);
    return true;
  }

 private:
  R& mux_;
  std::uint32_t request_;
};

}  // namespace tactus::hal::stm32::h7
