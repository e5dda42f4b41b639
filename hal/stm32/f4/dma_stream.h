#pragma once
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/dma_address.h"
#include "hal/stm32/f4/registers.h"

namespace tactus::hal::stm32::f4 {

/// What a stream moves: between a peripheral's register and memory.
struct DmaTransfer {
  std::uint32_t peripheral, memory;  ///< addresses
  std::uint32_t count;               ///< of what it moves
  std::uint32_t word;                ///< CR without EN
};

/// A stream of a DMA controller. RM0090 10.3.17: it is told to stop, and its set-up waits until it has; its flags are
/// cleared before it starts again, and the write that starts it changes nothing else.
template <class R>
class DmaStream {
 public:
  DmaStream(DmaRegisters<R>& block, unsigned number) : block_(block), number_(number) {}

  /// @returns false: it does not let go of its last transfer, and nothing has been started
  bool Start(const DmaTransfer& transfer) const {
    constexpr int kTurns = 10'000;
    DmaStreamRegisters<R>& stream = block_.stream[number_];
    stream.cr = 0;
    if (!WaitFor(kTurns, [&] { return (stream.cr & dma::kEnable) == 0; })) return false;
    ClearFlags();
    stream.par = transfer.peripheral;
    stream.m0ar = transfer.memory;
    stream.ndtr = transfer.count;
    stream.fcr = 0;  // direct: nothing waits in the FIFO
    stream.cr = transfer.word;
    stream.cr = transfer.word | dma::kEnable;
    return true;
  }

  std::uint32_t Flags() const {
    return static_cast<std::uint32_t>(number_ < 4 ? block_.lisr : block_.hisr) >> dma::FlagShift(number_) & dma::kAllFlags;
  }
  void ClearFlags() const {
    R& clear = number_ < 4 ? block_.lifcr : block_.hifcr;
    clear = dma::kAllFlags << dma::FlagShift(number_);
  }
  std::uint32_t left() const { return block_.stream[number_].ndtr; }

 private:
  DmaRegisters<R>& block_;
  unsigned number_;
};

}  // namespace tactus::hal::stm32::f4
