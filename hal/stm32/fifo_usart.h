#pragma once
#include <cstdint>
#include <span>

#include "hal/stm32/hardware.h"

namespace tactus::hal::stm32 {

/// USART of H7 and G4, with a FIFO of eight bytes each way: RM0433 48.7, RM0440 37.8.
template <class R>
struct FifoUsartRegisters {
  R cr1, cr2, cr3, brr, gtpr, rtor, rqr, isr, icr, rdr, tdr, presc;
};
namespace fifo_usart {
inline constexpr std::uint32_t kEnable = 1u, kReceive = 1u << 2, kTransmit = 1u << 3, kIdleInterrupt = 1u << 4,
                               kFifo = 1u << 29;                                                     // CR1
inline constexpr std::uint32_t kErrorInterrupt = 1u, kDmaReceive = 1u << 6, kDmaTransmit = 1u << 7;  // CR3
inline constexpr std::uint32_t kFraming = 1u << 1, kNoise = 1u << 2, kOverrun = 1u << 3, kIdle = 1u << 4,
                               kRoom = 1u << 7;  // ISR, ICR
inline constexpr std::uint32_t kErrors = kFraming | kNoise | kOverrun;
}  // namespace fifo_usart

/// The last words of a failed program: past all queues, and whatever the USART was set to. Without DMAT its DMA is not asked
/// again.
template <class R>
void SendPastQueues(FifoUsartRegisters<R>& block, std::span<const std::uint8_t> words) {
  constexpr int kTries = 100'000;  // reads of the state for each byte: 10 bits at 921 600 baud are 5 200 core clocks at most
  block.cr3 = 0;
  block.cr1 = fifo_usart::kFifo | fifo_usart::kTransmit | fifo_usart::kEnable;
  for (const std::uint8_t byte : words) {
    for (int i = 0; i < kTries && (block.isr & fifo_usart::kRoom) == 0; ++i) {
    }
    block.tdr = byte;
  }
}

/// What a link by DMA does with such a USART. Its FIFO is on: eight bytes of patience with a DMA that serves others. A byte
/// with an error is not asked for (DDRE is 0), and the DMA goes on behind it (RM0433 48.5.19, 48.7.4; RM0440 37.5.19).
struct FifoDmaUsart {
  static constexpr std::uint32_t kOverrun = fifo_usart::kOverrun;
  static auto& In(auto& block) { return block.rdr; }
  static auto& Out(auto& block) { return block.tdr; }

  static void Start(auto& block, std::uint32_t baud_word) {
    using namespace fifo_usart;
    block.cr1 = 0;  // what follows is not taken while it is on: RM0433 48.7
    block.brr = baud_word;
    block.cr3 = kErrorInterrupt | kDmaReceive | kDmaTransmit;
    block.cr1 = kFifo | kReceive | kTransmit | kIdleInterrupt | kEnable;
  }
  static std::uint32_t Take(auto& block) {
    const std::uint32_t state = block.isr & (fifo_usart::kIdle | fifo_usart::kErrors);
    block.icr = state;
    return state;
  }
};

}  // namespace tactus::hal::stm32
