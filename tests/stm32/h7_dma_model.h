#pragma once
#include "tests/stm32/dma_model.h"
#include "tests/stm32/dma_requests.h"

namespace tactus::hal::stm32::model {

/// DMA1 of the STM32H743: streams as the F405's (RM0433 15), each with the request that DMAMUX1 gives it. A stream without
/// TRBUFF may lock up on a USART's request (RM0433 15.5.5; ES0392 2.20.6): here it does.
class H7DmaModel : public DmaModel, public DmaRequests {
 public:
  H7DmaModel(Machine& machine, MuxModel& mux, StreamDmaRegisters<ModelRegister>* place = nullptr)
      : DmaModel(machine, place, "DMA1", 0x00137DDFu), mux_(mux) {
    mux.runs = [this](unsigned number) { return number < kStreams && runs(number); };
  }

  static constexpr std::uint32_t kAdc1 = 9, kUsart3Receives = 45, kUsart3Sends = 46;  // requests, RM0433 table 121

  /// As a loader leaves a stream that it has used, and another's request.
  void LeaveUsed(unsigned number) {
    DmaModel::LeaveUsed(number);
    Stream(number).cr.bits = 0x0012001F;
    mux_.regs().ccr[number].bits = 0x33;
  }

  bool FromPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t value) override {
    const unsigned number = mux_.Find(request, kStreams);
    return Passes(number, request) && DmaModel::FromPeripheral(number, 0, data, value);
  }
  bool ToPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t* value) override {
    const unsigned number = mux_.Find(request, kStreams);
    return Passes(number, request) && DmaModel::ToPeripheral(number, 0, data, value);
  }

 private:
  static constexpr unsigned kStreams = 8;
  bool Passes(unsigned number, std::uint32_t request) {
    if (number == kStreams || !runs(number)) return false;
    const bool is_usart = request >= 41 && request <= 46, is_bufferable = (Stream(number).cr.bits >> 20 & 1u) != 0;
    if (is_usart != is_bufferable) Violate("TRBUFF is for USARTs, and they need it");
    return is_usart == is_bufferable;
  }

  MuxModel& mux_;
};

}  // namespace tactus::hal::stm32::model
