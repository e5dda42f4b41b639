#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "hal/stm32/f4/uart_link.h"
#include "hal/stm32/g4/uart_link.h"
#include "hal/stm32/h7/uart_link.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/fifo_usart_model.h"
#include "tests/stm32/g4_dma_model.h"
#include "tests/stm32/h7_dma_model.h"
#include "tests/stm32/usart_model.h"

// What the tests of the links have alike.

namespace tactus::hal::stm32::uart {

using model::ModelRegister;

struct Core {
  struct Guard {
    Guard() { ++guards; }
    ~Guard() {}
  };
  static void PendTick() { ++ticks; }
  static void Lock() {}
  static void Unlock() {}
  static void Fence() { on_fence(); }
  static inline int ticks = 0, guards = 0;
  static inline std::function<void()> on_fence = [] {};
};

inline constexpr std::uint32_t kBus_Hz = 84'000'000;

inline std::vector<std::uint8_t> Bytes(std::size_t count, std::uint8_t first = 1) {
  std::vector<std::uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

inline std::vector<std::uint8_t> ReadAll(ByteLink& link) {
  std::vector<std::uint8_t> all, room(300);
  for (std::size_t count = 1; count > 0;) {
    EXPECT_EQ(link.Read(room, &count), Status::kOk);
    all.insert(all.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

inline constexpr const char* kBehind = "interrupts: the write that starts the stream has them too";
inline constexpr const char* kEmpty = "a FIFO keeps nothing back of what goes out";
/// Of a stream whose set-up is this word.
inline std::vector<model::Unseen> UnseenOfStream(const char* dma, unsigned number, std::uint32_t word, bool sends) {
  const std::size_t stream = 0x10 + 0x18 * number;
  std::vector<model::Unseen> unseen{{dma, stream, word, word & 0x1Eu, kBehind}};
  if (sends) unseen.push_back({dma, stream + 0x14, 0, 0, kEmpty});
  return unseen;
}

/// USART1 of the F405 on DMA2: a byte of room, which the look at an overrun throws away.
struct F4Line {
  static constexpr unsigned kReceive = 2, kSend = 7, kPlaces = 1, kKeptAtOverrun = 0;
  static constexpr std::uint32_t kBus_Hz = uart::kBus_Hz;
  static auto UnseenOfStart() { return UnseenOfStream("DMA2", kReceive, 0x0800051C, false); }
  static auto UnseenOfRun() { return UnseenOfStream("DMA2", kSend, 0x08000454, true); }

  model::Machine machine;
  model::DmaModel dma{machine};
  model::UsartModel usart{machine, &dma, kBus_Hz};
  LinkBuffers buffers{};
  f4::DmaUartLink<ModelRegister, Core, f4::Usart1Streams> link{usart.regs(), {kBus_Hz}, dma.regs(), buffers};
};

/// USART3 of the H743 on DMA1 and DMAMUX1: eight bytes of room, and all of them are good.
struct H7Line {
  static constexpr unsigned kReceive = 1, kSend = 2, kPlaces = 8, kKeptAtOverrun = 8;
  static constexpr std::uint32_t kBus_Hz = 120'000'000;
  static auto UnseenOfStart() { return UnseenOfStream("DMA1", kReceive, 0x0010051C, false); }
  static auto UnseenOfRun() { return UnseenOfStream("DMA1", kSend, 0x00100454, true); }

  model::Machine machine;
  model::MuxModel mux{machine};
  model::H7DmaModel dma{machine, mux};
  model::FifoUsartModel usart{
      machine, "USART3", kBus_Hz, nullptr, {&dma, model::H7DmaModel::kUsart3Receives, model::H7DmaModel::kUsart3Sends}};
  LinkBuffers buffers{};
  h7::DmaUartLink<ModelRegister, Core, h7::Usart3Streams> link{usart.regs(), {kBus_Hz}, dma.regs(), mux.regs(), buffers};
};

/// USART2 of the G431 on channels of DMA1.
struct G4Line {
  static constexpr unsigned kReceive = 2, kSend = 3, kPlaces = 8, kKeptAtOverrun = 8;
  static constexpr std::uint32_t kBus_Hz = 170'000'000;
  static std::vector<model::Unseen> UnseenOfStart() { return {}; }
  static std::vector<model::Unseen> UnseenOfRun() { return {}; }

  model::Machine machine;
  model::MuxModel mux{machine};
  model::G4DmaModel dma{machine, mux};
  model::FifoUsartModel usart{
      machine, "USART2", kBus_Hz, nullptr, {&dma, model::G4DmaModel::kUsart2Receives, model::G4DmaModel::kUsart2Sends}};
  LinkBuffers buffers{};
  g4::DmaUartLink<ModelRegister, Core, g4::Usart2Channels> link{usart.regs(), {kBus_Hz}, dma.regs(), mux.regs(), buffers};
};

/// A link by DMA, its interrupts served as the chip would.
template <class Line>
struct DmaRig : Line {
  /// @param used  on blocks that a loader has left
  explicit DmaRig(bool used = false) {
    Core::ticks = 0;
    Core::on_fence = [] {};
    this->dma.Reach(this->buffers.ring.data(), kReceiveBytes);
    this->dma.Reach(this->buffers.run.data(), this->buffers.run.size());
    if (used) {
      this->usart.LeaveUsed();
      for (const unsigned stream : {Line::kReceive, Line::kSend}) this->dma.LeaveUsed(stream);
    }
    this->link.Start();
    this->machine.EndStart();
  }
  void Serve() {
    if (this->usart.interrupts()) this->link.OnUartInterrupt();
    if (this->dma.interrupts(Line::kReceive)) this->link.OnReceiveInterrupt();
    if (this->dma.interrupts(Line::kSend)) this->link.OnSendInterrupt();
  }
  void Receive(const std::vector<std::uint8_t>& bytes, bool serve = true) {
    for (const std::uint8_t byte : bytes) {
      this->usart.Receive(byte);
      if (serve) Serve();
    }
  }
};

}  // namespace tactus::hal::stm32::uart
