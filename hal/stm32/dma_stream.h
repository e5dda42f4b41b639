#pragma once
#include <cstddef>

#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/dma_transfer.h"
#include "hal/stm32/hardware.h"

namespace tactus::hal::stm32 {

/// A stream of a DMA controller of F4 and H7, and the controller's flags: RM0090 10.5, RM0433 15.5.
template <class R>
struct DmaStreamRegisters {
  R cr, ndtr, par, m0ar, m1ar, fcr;
};
template <class R>
struct StreamDmaRegisters {
  R lisr, hisr, lifcr, hifcr;
  DmaStreamRegisters<R> stream[8];
};
static_assert(offsetof(StreamDmaRegisters<std::uint32_t>, stream[1]) == 0x28);

namespace stream {
inline constexpr std::uint32_t kEnable = 1u, kErrorInterrupt = 1u << 2, kHalfInterrupt = 1u << 3, kDoneInterrupt = 1u << 4,
                               kToPeripheral = 1u << 6, kCircular = 1u << 8, kIncrementMemory = 1u << 10,
                               kHalfWords = (1u << 11) | (1u << 13), kHighPriority = 2u << 16;  // CR
/// Half-words of a converter, round an array for ever.
inline constexpr std::uint32_t kScanWord = kHighPriority | kHalfWords | kIncrementMemory | kCircular;
/// Bytes of a line that come, round a ring for ever; and that go, in one run.
inline constexpr std::uint32_t kRingWord = kIncrementMemory | kCircular | kHalfInterrupt | kDoneInterrupt | kErrorInterrupt;
inline constexpr std::uint32_t kRunWord = kIncrementMemory | kToPeripheral | kDoneInterrupt | kErrorInterrupt;
// Flags of a stream, from bit 0 on: FIFO error, direct mode error, transfer error, half, done (RM0090 10.5.1).
inline constexpr std::uint32_t kAllFlags = 0x3Du, kFlagError = 1u << 3, kFlagDone = 1u << 5;
constexpr unsigned FlagShift(unsigned stream) {
  constexpr unsigned kShift[4] = {0, 6, 16, 22};
  return kShift[stream % 4];
}
}  // namespace stream

/// A stream of a DMA controller. RM0090 10.3.17, RM0433 15.3.18: it is told to stop, and its set-up waits until it has; its
/// flags are cleared before it starts again, and the write that starts it changes nothing else.
template <class R>
class DmaStream {
 public:
  DmaStream(StreamDmaRegisters<R>& block, unsigned number) : block_(block), number_(number) {}

  /// @returns false: it does not let go of its last transfer
  bool Stop() const {
    constexpr int kTurns = 10'000;
    R& control = block_.stream[number_].cr;
    control = 0;
    return WaitFor(kTurns, [&] { return (control & stream::kEnable) == 0; });
  }

  /// @returns false: it does not let go of its last transfer, and nothing has been started
  bool Start(const DmaTransfer& transfer) const {
    if (!Stop()) return false;
    SetUpAndGo(transfer);
    return true;
  }

  /// @pre Stop() has said true
  void SetUpAndGo(const DmaTransfer& transfer) const {
    DmaStreamRegisters<R>& one = block_.stream[number_];
    ClearFlags();
    one.par = transfer.peripheral;
    one.m0ar = transfer.memory;
    one.ndtr = transfer.count;
    one.fcr = 0;  // direct: nothing waits in the FIFO
    one.cr = transfer.word;
    one.cr = transfer.word | stream::kEnable;
  }

  /// They are cleared.
  DmaEvents TakeEvents() const {
    const std::uint32_t flags = Flags();
    ClearFlags();
    return {.done = (flags & stream::kFlagDone) != 0, .failed = (flags & stream::kFlagError) != 0};
  }
  std::uint32_t Flags() const {
    return static_cast<std::uint32_t>(number_ < 4 ? block_.lisr : block_.hisr) >> stream::FlagShift(number_) &
           stream::kAllFlags;
  }
  void ClearFlags() const {
    R& clear = number_ < 4 ? block_.lifcr : block_.hifcr;
    clear = stream::kAllFlags << stream::FlagShift(number_);
  }
  std::uint32_t left() const { return block_.stream[number_].ndtr; }

 private:
  StreamDmaRegisters<R>& block_;
  unsigned number_;
};

}  // namespace tactus::hal::stm32
